#include "data_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "data/doctor_text.h"
#include "data/file_pattern.h"
#include "data/human_time.h"
#include "data/ntidigits.h"
#include "say.h"

namespace t2v::cli {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

ReadingLine::ReadingLine() : start_(now()) {}

ReadingLine::~ReadingLine() {
  if (shown_ > 0) say("\r{:<70}\r", "");
}

void ReadingLine::show(const data::ReadProgress& progress) {
  if (isatty(STDERR_FILENO) == 0) return;
  const double seconds = now() - start_;
  if (seconds < shown_ + 0.2) return;
  shown_ = seconds;
  const double rate = static_cast<double>(progress.taken) / seconds;
  std::string line = fmt::format("{} rows", data::human_count(progress.rows));
  if (progress.taken > 0) line += fmt::format(", {:.0f} MB/s", rate / 1e6);
  if (progress.total > 0) {
    const double left = static_cast<double>(progress.total - progress.taken) / rate;
    line = fmt::format("{:.0f} %, {}, {:.0f} s left",
                       100.0 * static_cast<double>(progress.taken) / static_cast<double>(progress.total),
                       line, left);
  }
  say("\r{:<70}", line);
}

std::vector<std::string> files_of(const DataFiles& files) {
  std::vector<std::string> all;
  for (const auto* more : {&files.files, &files.train, &files.valid, &files.test}) {
    for (const std::string& path : *more) {
      for (std::string& file : data::files_matching(path)) all.push_back(std::move(file));
    }
  }
  return all;
}

std::vector<data::TableSource> sources_of(const DataOptions& options) {
  const DataFiles& files = options.files;
  std::vector<data::TableSource> sources;
  for (const std::string& path : files.files) sources.push_back({path});
  const auto add = [&](const std::vector<std::string>& paths, data::Part part) {
    for (const std::string& path : paths) sources.push_back({path, part});
  };
  add(files.train, data::Part::kTrain);
  add(files.valid, data::Part::kValid);
  add(files.test, data::Part::kTest);
  if (!files.files.empty() && sources.size() > files.files.size()) {
    fail("give files either as they are or by `train`, `valid` and `test`, not both");
  }
  if (sources.empty() && options.load.table.sql.empty()) {
    fail("no file was given; name one, or - for standard input");
  }
  return sources;
}

void check_data_options(const DataOptions& options) {
  check(options.load, data::store_among(sources_of(options), options.load).has_value());
}

void say_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) say("{}\n", in_flags(note));
}

std::string printable(const nlohmann::json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

void add_data_files(CLI::App& command, DataFiles& files) {
  const auto add = [&](const char* name, std::vector<std::string>& paths, const std::string& text) {
    return command.add_option(name, paths, wrapped(text))->type_name("FILE")->default_str("");
  };
  add("files", files.files,
      "tables (CSV, JSON lines, Parquet, DuckDB, SQLite), an event store ('t2v import'), files of a format; "
      "-: standard input")
      ->type_name("DATA");
  const auto add_part = [&](const char* name, std::vector<std::string>& paths, const std::string& text) {
    make_expert(*add(name, paths, text)->group("Data"));
  };
  add_part("--train", files.train, "instead of files: tables of the sequences to learn from");
  add_part("--valid", files.valid, "tables of the sequences to choose the best model by");
  add_part("--test", files.test, "tables of the sequences to measure on");
}

void add_data_options(CLI::App& command, DataOptions& options) {
  add_data_files(command, options.files);
  add_options(command, data::options_of(options.load));
}

data::DataSet load_data(const DataOptions& options, ThreadPool& pool) {
  // Said before it is read.
  if (options.load.format == "ntidigits") say("note: {}\n", data::kHdf5Trust);
  ReadingLine line;
  data::DataSet data = data::load(sources_of(options), options.load, pool,
                                  [&](const data::ReadProgress& progress) { line.show(progress); });
  say_notes(data.notes);
  return data;
}

}  // namespace t2v::cli
