#include "model/rescale.h"
#include "model_data.h"

#include <fmt/format.h>

#include <memory>

#include "base/fail.h"
#include "base/file_system.h"
#include "commands.h"
#include "data_options.h"
#include "model/trained_model.h"
#include "output.h"
#include "say.h"

namespace t2v::cli {
namespace {

struct RescaleOptions {
  std::string model;
  double by = 0;
  std::string unit;
  std::string out;
  bool force = false;
  GivenOptions given = {};
};

void run(const RescaleOptions& options) {
  const bool by_factor = options.given.contains("by");
  if (by_factor == !options.unit.empty()) fail("give either `by` or `unit`");
  const Output output(options.out, kModelFile, options.force);
  TrainedModel model = read_given_model(options.model);
  const std::string old_unit = model.times.view.unit;
  if (by_factor) {
    rescale(model, options.by);
  } else {
    rescale_to_unit(model, options.unit);
  }
  write_model(FileSystem::real(), options.out, model);
  if (model.times.scale.instants && model.times.view.unit == old_unit) {
    tell("{}: the same model, which sees times in {} already\n", options.out, old_unit);
  } else if (model.times.scale.instants) {
    tell("{}: sees times in {} instead of {}; the same data give the same predictions\n", options.out,
         model.times.view.unit, old_unit);
  } else {
    tell("{}: expects data whose times are multiplied by {:g}\n", options.out, options.by);
  }
}

OptionTable options_of(RescaleOptions& options) {
  OptionTable table(&options.given);
  table.add({.name = "by",
             .group = kOptionsGroup,
             .audience = Audience::kBasic,
             .help = "the number that times are multiplied by. For a model of dates it must lead to another "
                     "unit (86400 from d to s); a model of plain numbers then expects data whose times are "
                     "multiplied by it",
             .takes = "FACTOR"},
            &options.by);
  table.add({.name = "unit",
             .group = kOptionsGroup,
             .audience = Audience::kBasic,
             .help = "the new unit of a model of dates: second, minute, hour, day or week",
             .choices = {"s", "min", "h", "d", "w"}},
            &options.unit);
  table.add({.name = "output",
             .group = kOptionsGroup,
             .audience = Audience::kBasic,
             .help = "the model to write",
             .takes = "FILE",
             .letter = 'o'},
            &options.out);
  table.add(force_option(options.force, kOptionsGroup));
  return table;
}

}  // namespace

void add_rescale(CLI::App& app) {
  const auto options = std::make_shared<RescaleOptions>();
  CLI::App* command =
      app.add_subcommand("rescale", "Change the unit of time of a trained model; no training is needed");
  command->footer(
      "One of --by and --unit is to be given.\n"
      "Examples:\n"
      "  t2v rescale clicks.t2v --unit s -o clicks-s.t2v\n"
      "  t2v rescale pulses.t2v --by 1000 -o pulses-ms.t2v");
  command->add_option("model", options->model, "the trained model")->required()->type_name("MODEL");
  add_options(*command, options_of(*options));
  command->get_option("--by")->default_str("");
  command->get_option("--output")->required();
  command->callback([options] { run(*options); });
}

}  // namespace t2v::cli
