#pragma once

#include <cstdint>
#include <string>

#include "nn/input.h"

namespace t2v {

/// What a model is: the single source of its options' names and defaults.
struct ModelConfig {
  nn::InputConfig input;
  std::string cell = "lstm";     // an entry of nn::cells(), or "none": events straight into the head
  int64_t hidden = 128;          // H
  int biases = 1;                // bias vectors of the cell, 1 or 2
  std::string head = "softmax";  // an entry of nn::heads()
  int64_t classes = 2;
};

}  // namespace t2v
