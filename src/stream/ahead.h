#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <vector>

#include "stream/continuation.h"

namespace t2v {

/// What many continuations of a sequence have in common.
struct Ahead {
  /// Of each type that occurs in one of them, by how often it is expected, most often first.
  struct OfType {
    int32_t type;
    double expected;  // events in a continuation
    double share;     // of the continuations that have one
    double p10;       // of the time of the first, where there is one; after the last known event, in units
    double median;
    double p90;
  };
  /// Of the events in order: the most frequent type, and when it comes.
  struct Next {
    int32_t type;
    double share;   // of all continuations
    double median;  // of the time of that event, whatever its type, where there is one
  };
  int64_t samples = 0;
  double expected = 0;  // events of all types
  std::vector<OfType> types = {};
  std::vector<Next> next = {};  // as long as more than half of the continuations have one
};

Ahead ahead_of(std::span<const Continuation> continuations);

/// {"samples", "expected", "types": [{"event", "expected", "p", "first": {"p10", "median", "p90"}}], "next":
/// [{"event", "p", "median"}], "unit"}; of dates, with `last`, the tick of the last known event, also "at"
/// beside each median.
nlohmann::json to_json(const Ahead& ahead, const TrainedModel& model, int64_t last);
/// A continuation as it is: [{"event", "after"}], of dates also "at".
nlohmann::json to_json(const Continuation& continuation, const TrainedModel& model, int64_t last);

}  // namespace t2v
