#include "train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/fail.h"
#include "base/text_check.h"

namespace t2v {
namespace {

void check(const ScheduleConfig& config) {
  if (config.warmup < 0) fail("the steps of a warm-up must not be negative; they are {}", config.warmup);
  if (config.kind == "step") {
    if (config.every < 1)
      fail("a step schedule needs at least 1 step between changes; it has {}", config.every);
  } else if (config.kind == "cosine") {
    if (config.total <= config.warmup) {
      fail("a cosine schedule needs more steps in total ({}) than warm-up steps ({})", config.total,
           config.warmup);
    }
  } else if (config.kind != "constant") {
    fail("unknown schedule '{}'; use constant, step or cosine", shown(config.kind));
  }
}

double cosine(const ScheduleConfig& config, int64_t step) {
  const auto done = static_cast<double>(step - config.warmup);
  const double share = std::min(1.0, done / static_cast<double>(config.total - config.warmup));
  return config.floor + (1 - config.floor) * 0.5 * (1 + std::cos(std::numbers::pi * share));
}

}  // namespace

double rate_factor(const ScheduleConfig& config, int64_t step) {
  check(config);
  if (step < config.warmup) return static_cast<double>(step + 1) / static_cast<double>(config.warmup);
  if (config.kind == "step") {
    const int64_t changes = (step - config.warmup) / config.every;
    return std::pow(config.factor, static_cast<double>(changes));
  }
  return config.kind == "cosine" ? cosine(config, step) : 1;
}

}  // namespace t2v
