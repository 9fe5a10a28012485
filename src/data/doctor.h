#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/events.h"

namespace t2v::data {

enum class Severity : uint8_t {
  kInfo,     // good to know
  kWarning,  // worth a look before training
  kProblem,  // training will fail or mislead
};

/// Something to know of a data set before training.
struct Finding {
  std::string code;  // what was found, the same for all data sets
  Severity severity;
  std::string text;        // sentences for people, with what to do about it
  nlohmann::json numbers;  // the same for programs
};

/// Looks a data set over before training: order, ties and duplicates, units, lengths, balance, empty and
/// constant columns, the grid of the times and their cycles. `now` is in nanoseconds since 1970.
std::vector<Finding> examine(const Events& events, const GroupCounts& counts, int64_t now);

/// The worst first, a paragraph for each severity.
std::string render(const std::vector<Finding>& findings);
nlohmann::json to_json(const std::vector<Finding>& findings);

}  // namespace t2v::data
