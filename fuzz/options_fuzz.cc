// Any text is an object of options, or t2v::Error; options that make sense give a model whose size can be
// told.

#include <nlohmann/json.hpp>

#include "data/made_events.h"

#include "fuzz_input.h"
#include "model/model.h"
#include "train/model_options.h"
#include "train/options_file.h"
#include "train/time_layout.h"
#include "train/training.h"

namespace {

/// What a training settles by its data.
void settle(t2v::TrainConfig& config) {
  if (config.cell == "auto") config.cell = "lstm";
  if (config.omega_init == "auto") config.omega_init = "span";
  if (config.hidden == 0) config.hidden = 16;
  if (config.l1 < 0) config.l1 = 0;
}

/// The layout of the model that a training of these options would make room for.
void lay_out(t2v::TrainConfig config) {
  static const t2v::data::Events made =
      t2v::data::MadeEvents({{0, 1, 5}, {2, 4}}).types({"x", "y", "x", "x", "y"}).events();
  settle(config);
  t2v::data::Events events = made;
  std::vector<std::string> choices;
  t2v::ModelConfig model;
  t2v::take_model_options(model, config);
  model.event_types = int64_t{1} << 31;
  model.features = 1000;
  model.times = t2v::time_layout(config, t2v::Task::kNext, t2v::data::ValueTarget::kNone, events, choices);
  model.heads[0].classes = model.event_types;
  if (config.when) {
    model.heads.emplace_back().kind = "when";
    model.heads.back().components = config.components;
  }
  t2v::fuzz::check(t2v::Model(model).layout().parameter_count() > 0);
  if (config.match_params == 0 || config.match_params > 100'000) return;  // many take long, but end
  model.event_types = model.heads[0].classes = 3;
  t2v::fuzz::check(config.cell == "none" || t2v::match_hidden(model, config.match_params) > 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  t2v::fuzz::expect_error_or_nothing([&] {
    const nlohmann::json json = t2v::parse_options("fuzz", t2v::fuzz::text_of(data, size));
    t2v::fuzz::check(json.is_object());
    t2v::TrainConfig config;
    t2v::read_json(config, json);
    lay_out(config);
  });
  return 0;
}
