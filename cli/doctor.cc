#include "data/doctor.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "commands.h"
#include "data_options.h"
#include "say.h"
#include "summary.h"

namespace t2v::cli {
namespace {

struct DoctorOptions {
  DataOptions data;
  bool json = false;
};

int64_t now() {
  using namespace std::chrono;
  return duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
}

void run(const DoctorOptions& options) {
  check_data_options(options.data);
  ThreadPool pool(options.data.load.threads);
  DataOptions reading = options.data;
  // Mixed units are a finding here, not the end.
  if (reading.load.table.time_unit == "auto") reading.load.table.time_unit = "any";
  const data::DataSet data = load_data(reading, pool);
  data.store.events.check(0, data.store.events.size());
  const std::vector<data::Finding> findings = data::examine(data.store.events, data.counts, now());
  const std::string summary = summary_of(data.store.events);
  data.store.events.check_intact();
  if (options.json) {
    fmt::print("{}\n", printable(data::to_json(findings), 2));
  } else {
    tell("{}\n{}", summary, data::render(findings));
  }
}

}  // namespace

void add_doctor(CLI::App& app) {
  const auto options = std::make_shared<DoctorOptions>();
  CLI::App* command =
      app.add_subcommand("doctor", "Check data as a careful person would before training on it");
  command->footer(
      "Examples:\n"
      "  t2v doctor clicks.csv\n"
      "  t2v doctor clicks.events --json");
  add_data_options(*command, options->data);
  command->add_flag("--json", options->json, "print as JSON what was found");
  command->callback([options] { run(*options); });
}

}  // namespace t2v::cli
