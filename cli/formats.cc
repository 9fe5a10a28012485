#include <fmt/format.h>

#include "commands.h"
#include "data/importer.h"

namespace t2v::cli {
namespace {

void run() {
  fmt::print("table\n  CSV with any separator, TSV, JSON lines; plain, gzip or zstd; one event a row\n");
  for (const data::Importer& importer : data::importers()) {
    fmt::print("{}\n  {}\n  files: {}\n", importer.name, importer.description, importer.files);
    for (const data::Setting& setting : importer.settings) {
      fmt::print("  --set {}={}: {}\n", setting.name, setting.values, setting.meaning);
    }
  }
}

}  // namespace

void add_formats(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("formats", "List the formats of data that t2v reads, and their settings");
  command->footer(
      "A format is chosen with --format, its settings with --set, in every command that reads data.\n"
      "Examples:\n"
      "  t2v formats\n"
      "  t2v import --format lastfm listens.tsv --set longest=0 -o lastfm.events");
  command->callback([] { run(); });
}

}  // namespace t2v::cli
