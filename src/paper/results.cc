#include "paper/results.h"

#include <nlohmann/json.hpp>

#include "base/version.h"
#include "paper/figures.h"
#include "paper/judged_text.h"
#include "paper/machine.h"

namespace t2v::paper {
namespace {

constexpr int kFormat = 2;

}  // namespace

void write_results(FileSystem& disk, const RunFiles& files, Scale scale, const std::string& command,
                   int threads) {
  const std::vector<Judged> judged = judge_all(files, scale);
  const nlohmann::json results = {{"format", kFormat},
                                  {"version", kVersion},
                                  {"scale", name_of(scale)},
                                  {"command", command},
                                  {"machine", describe_machine(threads)},
                                  {"tables", {table_json(judged, false), table_json(judged, true)}},
                                  {"figures", figures_of(files, scale)}};
  files.write_table();
  const auto write = [&](const char* name, const std::string& text) {
    write_file_atomically(disk, files.folder() + "/" + name, text);
  };
  write("results.json", results.dump(1) + "\n");
  write("table.csv", table_csv(judged));
  write("table.md", table_markdown(judged));
}

}  // namespace t2v::paper
