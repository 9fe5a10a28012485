#pragma once

#include <string>
#include <vector>

#include "base/options.h"
#include "data/event_store.h"
#include "data/splits.h"

namespace t2v::data {

/// How sequences are split and limited, and which names are known.
struct SplitOptions {
  SplitConfig split = {.kind = "auto"};
  std::string test_from = {};
  EncodingConfig encoding = {};
  int64_t max_len = 0;
  std::string cut = "last";

  GivenOptions given = {};
};

OptionTable options_of(SplitOptions& options);

/// Throws t2v::Error for what can be known to be wrong before any data are read.
void check(const SplitOptions& options);

/// Splits, limits and learns the encoding. Dates without an offset are of the time zone. Returns what came
/// out, a line each, for people.
std::vector<std::string> split_store(EventStore& store, const SplitOptions& options,
                                     const std::string& timezone);

}  // namespace t2v::data
