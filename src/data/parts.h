#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/fail.h"
#include "data/event_table.h"

namespace t2v::data {

inline std::string_view part_name(Part part) {
  return part == Part::kTrain ? "train" : part == Part::kValid ? "valid" : "test";
}

/// What sets the numbers of one part's sequences apart from another's: "train-", nothing without a part.
inline std::string id_prefix(std::optional<Part> part) {
  return part ? std::string(part_name(*part)) + "-" : std::string();
}

/// Adds a sequence without events yet; its number is the last. Throws t2v::Error if the id is known already,
/// as then events of two sequences would become one.
inline void add_sequence(EventTable& table, std::string_view id, std::optional<Part> part,
                         std::string_view place) {
  const int32_t before = table.ids.size();
  if (table.ids.add(id) != before) {
    fail("{}: two sequences have the id '{}'; ids must differ", place, id);
  }
  if (part ? static_cast<int32_t>(table.part.size()) != before : !table.part.empty()) {
    fail("{}: say for all files whether they are for training, validation or test, or for none", place);
  }
  if (part) table.part.push_back(*part);
}

}  // namespace t2v::data
