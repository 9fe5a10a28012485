#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "paper/plan.h"

namespace t2v::paper {

// The claims of the paper that are decided, as docs/verdict-rules.md fixed them before the runs.

/// How much a row takes. Without epochs it is not run.
struct Size {
  int64_t epochs = 0;
  int64_t seeds = 0;
};

/// kDifference: a is better than b. kParity: they are the same. kShare: a does something in more than half of
/// its runs; the measure is 0 or 1. kRuns: only to be run and looked at.
enum class Kind : uint8_t { kDifference, kParity, kShare, kRuns };

/// The published difference is that of two curves, or a number that the paper states.
struct Published {
  std::string_view figure = {};
  std::string_view a = {};
  std::string_view b = {};
  std::optional<double> number = std::nullopt;
};

struct Row {
  std::string_view id;
  std::string_view claim;
  std::string_view where;
  std::string_view data;  // a data set; made: days of a year; none: there is none that could show it
  Kind kind = Kind::kDifference;
  std::string_view measure = {};
  std::vector<std::string_view> runs = {};  // a and b, such as event-mnist/lstm-t
  Size paper = {};
  Published published = {};
  Size quick = {};
  bool beside = false;                // not in the table of the page
  std::string_view needs_items = {};  // on a stand-in it is not testable: why
};

/// The one table.
const std::vector<Row>& rows();
/// By id. Throws t2v::Error that lists the ids.
const Row& row_from(std::string_view id);

/// What it takes at a scale: at kSmoke two epochs and two seeds.
Size size_of(const Row& row, Scale scale);

/// How many epochs at the end count: ten; of fewer than 50 the last fifth, rounded up.
int64_t epochs_that_count(int64_t epochs);

/// The published difference over the epochs that count of so many; nothing if none was published for them.
std::optional<double> published_difference(const Row& row, int64_t epochs);

}  // namespace t2v::paper
