#include "data/doctor.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "data_options.h"
#include "next_command.h"
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

/// What to do now, as the last finding.
data::Finding next_step(const CLI::App& command, const DoctorOptions& options, const data::Events& events,
                        const std::vector<data::Finding>& findings) {
  const std::string line = next_command(command, options.data.files, events);
  const bool problem = std::ranges::any_of(
      findings, [](const data::Finding& f) { return f.severity == data::Severity::kProblem; });
  const std::string text = problem ? "See to the problems above, then:\n  " : "Next:\n  ";
  return {"next", data::Severity::kInfo, text + line, {{"command", line}}};
}

void run(const CLI::App& command, const DoctorOptions& options) {
  check_data_options(options.data);
  ThreadPool pool(options.data.load.threads);
  DataOptions reading = options.data;
  // Mixed units are a finding here, not the end.
  if (reading.load.table.time_unit == "auto") reading.load.table.time_unit = "any";
  const data::DataSet data = load_data(reading, pool);
  data.store.events.check(0, data.store.events.size());
  std::vector<data::Finding> findings = data::examine(data.store.events, data.counts, now());
  const std::string summary = summary_of(data.store.events);
  const data::Finding next = next_step(command, options, data.store.events, findings);
  data.store.events.check_intact();
  if (options.json) {
    findings.push_back(next);
    fmt::print("{}\n", printable(data::to_json(findings), 2));
  } else {
    tell("{}\n{}\n{}\n", summary, data::render(findings), next.text);
  }
}

}  // namespace

void add_doctor(CLI::App& app) {
  const auto options = std::make_shared<DoctorOptions>();
  CLI::App* command =
      app.add_subcommand("doctor", "Report common problems of data, their cycles, and what to run next");
  command->footer(
      "Examples:\n"
      "  t2v doctor clicks.csv\n"
      "  t2v doctor clicks.events --json");
  add_data_options(*command, options->data);
  OptionTable table;
  table.add({.name = "json",
             .group = "Findings",
             .audience = Audience::kBasic,
             .help = "print the findings as JSON"},
            &options->json);
  add_options(*command, table);
  command->callback([options, command] { run(*command, *options); });
}

}  // namespace t2v::cli
