#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "base/fail.h"
#include "base/file_system.h"
#include "commands.h"
#include "data/human_time.h"
#include "data_options.h"

namespace t2v::cli {
namespace {

struct ImportOptions {
  DataOptions data;
  SplitOptions split;
  std::string output;
};

void run(const ImportOptions& options) {
  ThreadPool pool(options.data.threads);
  LoadedData data = load_data(options.data, pool);
  if (data.from_store && options.data.files[0] == options.output) {
    fail("{}: would be written over itself; name another output", options.output);
  }
  prepare_store(data.store, options.split);
  data::write_store(FileSystem::real(), options.output, data.store);
  fmt::print("{}", data.beside_the_paper ? *data.beside_the_paper : "");
  fmt::print("{}written    {}\n", summary_of(data.store.events), options.output);
}

}  // namespace

void add_import(CLI::App& app) {
  const auto options = std::make_shared<ImportOptions>();
  CLI::App* command = app.add_subcommand(
      "import", "Read events from tables or known formats and write an event store, which opens at once");
  command->footer(
      "Columns are found by the names people use: user_id, timestamp, event, ...; the choice is printed.\n"
      "Empty cells: numbers get the mean of the training part and a flag, categories are a value of their\n"
      "own, a time or an id is an error.\n"
      "  t2v import clicks.csv -o clicks.events\n"
      "  t2v import log.jsonl.gz --id user --time ts --event action --label churned -o churn.events\n"
      "  t2v import --format mnist train-images.gz train-labels.gz -o mnist.events");
  add_data_options(*command, options->data);
  add_split_options(*command, options->split, false);
  command->add_option("-o,--output", options->output, "the event store to write")->required();
  command->callback([options] { run(*options); });
}

}  // namespace t2v::cli
