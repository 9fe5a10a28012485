#include "paper/lstm_models.h"

namespace t2v::paper {

std::string lstm_model(const std::string& time, const std::string& variant) {
  const std::string kind = time == "raw" ? "lstm-t" : "lstm-t2v-" + time.substr(4);
  return kind + "-" + variant;
}

TrainConfig best_lstm_training() {
  TrainConfig config;
  config.together = "no";
  config.typed_values = "no";
  config.time_input = "start,gap";
  config.time_scale = "unit";
  config.omega_init = "span";
  config.cell = "lstm";
  config.head_pool = "last";
  config.no_calibrate = true;
  config.no_rules = true;
  config.schedule = "cosine";
  config.patience = 1'000'000;  // keeps the best weights, and never ends early
  return config;
}

}  // namespace t2v::paper
