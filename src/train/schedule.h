#pragma once

#include <cstdint>
#include <string>

namespace t2v {

/// How the learning rate changes over the steps of a training.
struct ScheduleConfig {
  std::string kind = "constant";  // constant, step or cosine
  int64_t warmup = 0;             // steps over which the rate rises in a line from 0
  int64_t every = 1000;           // for step: after so many steps the rate is multiplied
  double factor = 0.1;            // by this
  int64_t total = 0;  // for cosine: the steps of the whole training, after which the rate is `floor`
  double floor = 0;   // for cosine: the share of the rate that is left at the end
};

/// The factor by which to multiply the learning rate at a step, from 0 on. Throws t2v::Error for an unknown
/// kind.
double rate_factor(const ScheduleConfig& config, int64_t step);

}  // namespace t2v
