#include <fmt/format.h>

#include <memory>

#include "base/fail.h"
#include "base/file_system.h"
#include "commands.h"
#include "data/split_options.h"
#include "data_options.h"
#include "distinct_files.h"
#include "output.h"
#include "say.h"
#include "summary.h"

namespace t2v::cli {
namespace {

struct ImportOptions {
  DataOptions data;
  data::SplitOptions split;
  std::string output;
  bool force = false;
};

/// Refuses an output that cannot be, or that would destroy something else, before the work rather than after.
Output output_of(const ImportOptions& options) {
  if (options.output.empty() || options.output == "-")
    fail("an event store is a file; name one with `output`");
  refuse_to_overwrite(files_of(options.data.files), {options.output});
  return {options.output, kEventStore, options.force};
}

void run(ImportOptions& options) {
  const Output output = output_of(options);
  options.data.load.dates = {options.split.test_from};
  check_data_options(options.data);
  check(options.split);
  ThreadPool pool(options.data.load.threads);
  data::DataSet data = load_data(options.data, pool);
  say_notes(data::split_store(data.store, options.split, options.data.load.table.timezone));
  const std::string summary = summary_of(data.store.events);
  data::write_store(FileSystem::real(), options.output, data.store);
  tell("{}", summary);
  if (data.beside_the_paper) tell("beside the paper\n{}", indented(*data.beside_the_paper));
  tell("{:<10} {}\n", "written", options.output);
}

OptionTable output_options(ImportOptions& options) {
  OptionTable table;
  table.add({.name = "output",
             .group = kOptionsGroup,
             .audience = Audience::kBasic,
             .help = "the event store to write",
             .takes = "FILE",
             .letter = 'o'},
            &options.output);
  table.add(force_option(options.force, kOptionsGroup));
  return table;
}

}  // namespace

void add_import(CLI::App& app) {
  const auto options = std::make_shared<ImportOptions>();
  CLI::App* command =
      app.add_subcommand("import", "Read events once and write an event store, a file that opens at once");
  command->footer(
      "Columns of usual names (user_id, timestamp, event, ...) are found; what was chosen is printed.\n"
      "Empty cells: a number becomes the mean of the training part, with a flag; no name is a name too;\n"
      "a time or an id is an error.\n"
      "\n"
      "Examples:\n"
      "  t2v import clicks.csv -o clicks.events\n"
      "  t2v import log.jsonl.gz --id user --time ts --event action --label churned -o churn.events\n"
      "  t2v import clicks.csv --split time --test-from 2024-06-01 --timezone Europe/Paris -o clicks.events\n"
      "  t2v import clicks.events --split last --max-len 200 -o short.events\n"
      "  t2v import --format rmtpp event.txt time.txt event-test.txt time-test.txt -o questions.events");
  add_data_options(*command, options->data);
  add_options(*command, data::options_of(options->split));
  add_options(*command, output_options(*options));
  command->get_option("--output")->required();
  command->callback([options] { run(*options); });
}

}  // namespace t2v::cli
