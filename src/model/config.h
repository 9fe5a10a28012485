#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nn/head.h"
#include "nn/time_encoder.h"

namespace t2v {

/// What a model is: the single source of its options' names and defaults.
struct ModelConfig {
  // What an event consists of.
  int64_t event_types = 0;                   // V, 0 for none
  int64_t event_rows = 0;                    // rows of weights that events are sums of; 0: one row a type
  int64_t features = 0;                      // F, numbers beside it
  std::vector<nn::TimeEncoderConfig> times;  // its times, each with an encoder of its own
  /// Times of the event that comes next, query or until, as timed heads see them: HeadConfig::timed.
  std::vector<nn::TimeEncoderConfig> next_times = {};

  std::string cell = "lstm";  // an entry of nn::cells(), or "none": events straight into the heads
  int64_t hidden = 128;       // H
  int64_t layers = 1;
  double dropout = 0;       // between layers, while training
  double head_dropout = 0;  // of what heads see of a sequence, while training
  int biases = 1;           // bias vectors of a cell, 1 or 2
  bool skip = false;        // times and features also go straight to the heads, beside the cell

  // For cells with time gates.
  std::string inner = "sigmoid";  // what squashes the time term: sigmoid (paper) or tanh (its code)
  std::string t1_constraint = "nonpositive";  // on T1's time weights: nonpositive, floor or none
  double t1_floor = -1e-5;                    // what they never act below with `floor`
  double clock_scale = 1;  // for a phased cell: the time in which its clocks start and take steps

  int64_t chunk =
      0;  // steps after which back-propagation is cut, 0 for never; bounds the memory of long sequences

  std::vector<nn::HeadConfig> heads = {nn::HeadConfig{}};
};

}  // namespace t2v
