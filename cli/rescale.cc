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
};

void run(const RescaleOptions& options, bool by_factor) {
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
  CLI::Option* by =
      command
          ->add_option(
              "--by", options->by,
              wrapped("the number that times are multiplied by. For a model of dates it must lead to "
                      "another unit (86400 from d to s); a model of plain numbers then expects data "
                      "whose times are multiplied by it"))
          ->type_name("FACTOR")
          ->default_str("");
  command
      ->add_option("--unit", options->unit,
                   "the new unit of a model of dates: second, minute, hour, day or week")
      ->check(CLI::IsMember({"s", "min", "h", "d", "w"}))
      ->default_str("");
  command->add_option("-o,--output", options->out, "the model to write")->required()->type_name("FILE");
  add_options(*command, force_option(options->force, "Options"));
  command->callback([options, by] { run(*options, by->count() > 0); });
}

}  // namespace t2v::cli
