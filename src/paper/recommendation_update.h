#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "paper/recommendation_data.h"

namespace t2v::paper {

/// The length of the prefixes that are learned from after the end of an epoch (from 1), or 0 for none. They
/// grow from the end of the first stage up to `longest`, the most known events of a tested user: with 50
/// epochs, 10 of them the first stage, and 199 events 4, 9, 14, ... 194 after epochs 11, 12, 13, ... 49.
int64_t prefix_length(const RecommendationConfig& config, int64_t epoch, int64_t longest);

/// What is learned from the first `length` known events of a tested user, never the answer. A user with
/// fewer events: all that are known (clean); or length - 1 steps, filled up with item 0 at time 0, which is
/// thereby learned as what follows (as_coded). Nothing where no step is left.
std::optional<Lesson> prefix_lesson(const Question& question, int64_t length, bool as_coded);

/// Those of all users, in their order.
std::vector<Lesson> prefix_lessons(std::span<const Question> questions, int64_t length, bool as_coded);

}  // namespace t2v::paper
