#include <fmt/format.h>

#include <memory>
#include <string>

#include "base/file_system.h"
#include "commands.h"
#include "distinct_files.h"
#include "option_flags.h"
#include "output.h"
#include "report/assets.h"
#include "report/page.h"

namespace t2v::cli {
namespace {

struct Options {
  std::string folder;
  std::string page = "report.html";
  bool force = false;
};

void run(const Options& options) {
  FileSystem& files = FileSystem::real();
  refuse_to_overwrite({options.folder + "/results.json"}, {options.page});
  const Output output(options.page, kReportPage, options.force);
  const report::Results results = report::read_results(files, options.folder);
  write_file_atomically(files, options.page, report::page_of(results, report::chart_library()));
  fmt::print("{}: {} charts; open it in a browser\n", options.page, results.figures.size());
}

OptionTable options_of(Options& options) {
  OptionTable table;
  table.add({.name = "output",
             .group = kOptionsGroup,
             .audience = Audience::kBasic,
             .help = "the page to write",
             .takes = "FILE",
             .letter = 'o'},
            &options.page);
  table.add(force_option(options.force, kOptionsGroup));
  return table;
}

}  // namespace

void add_report(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("report", "Make a page of HTML with charts from what 't2v reproduce' measured");
  command->footer(
      "The page is one file that needs no network. Its charts show values where the pointer is.\n"
      "Examples:\n"
      "  t2v report reproduction\n"
      "  t2v report reproduction -o paper.html");
  command->add_option("folder", options->folder, "what 't2v reproduce -o FOLDER' wrote")
      ->required()
      ->type_name("FOLDER");
  add_options(*command, options_of(*options));
  command->callback([options] { run(*options); });
}

}  // namespace t2v::cli
