#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "base/fail.h"
#include "base/file_system.h"
#include "commands.h"
#include "distinct_files.h"
#include "output.h"
#include "report/assets.h"
#include "report/page.h"
#include "report/pictures.h"

namespace t2v::cli {
namespace {

struct Options {
  std::string folder;
  std::string page = "report.html";
  std::string pictures;
  bool force = false;
};

std::size_t figure_count(const report::Results& results) {
  std::size_t count = 0;
  for (const report::Experiment& experiment : results.experiments) count += experiment.figures.size();
  return count;
}

std::string results_path(const Options& options) { return options.folder + "/results.json"; }

std::string picture_path(const Options& options, const report::Picture& picture) {
  return options.pictures + "/" + picture.name + ".png";
}

void write_pictures(FileSystem& files, const Options& options, const std::string& page, std::size_t charts) {
  const std::vector<report::Picture> pictures = report::pictures_of(files, page, charts);
  std::vector<std::string> outputs = {options.page};
  for (const report::Picture& picture : pictures) outputs.push_back(picture_path(options, picture));
  refuse_to_overwrite({results_path(options)}, outputs);
  create_folders(files, options.pictures);
  std::vector<std::unique_ptr<Output>> held;
  for (const report::Picture& picture : pictures) {
    held.push_back(output_if_file(picture_path(options, picture), kPicture, options.force));
  }
  for (const report::Picture& picture : pictures) {
    write_file_atomically(files, picture_path(options, picture), picture.png);
  }
  fmt::print("{}: {} charts as PNG\n", options.pictures, pictures.size());
}

void run(const Options& options) {
  FileSystem& files = FileSystem::real();
  refuse_to_overwrite({results_path(options)}, {options.page});
  const Output output(options.page, kReportPage, options.force);
  const report::Results results = report::read_results(files, options.folder);
  const std::size_t charts = figure_count(results);
  const std::string page = report::page_of(results, report::chart_library());
  write_file_atomically(files, options.page, page);
  fmt::print("{}: {} verdicts, {} experiments, {} charts; open it in a browser\n", options.page,
             results.verdicts.size(), results.experiments.size(), charts);
  if (!options.pictures.empty()) write_pictures(files, options, page, charts);
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
      "  t2v report reproduction -o paper.html --png charts");
  command->add_option("folder", options->folder, "what 't2v reproduce -o FOLDER' wrote")
      ->required()
      ->type_name("FOLDER");
  command->add_option("-o,--output", options->page, "the page to write")->type_name("FILE");
  command
      ->add_option("--png", options->pictures,
                   "also write each chart as a PNG into this folder; needs Chromium")
      ->type_name("FOLDER")
      ->default_str("");
  add_options(*command, force_option(options->force, "Options"));
  command->callback([options] { run(*options); });
}

}  // namespace t2v::cli
