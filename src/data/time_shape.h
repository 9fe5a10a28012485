#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/time_format.h"

namespace t2v::data {

/// The forms of TimeFormat that a text seems to be written in. None if it is no date, or of a form that is
/// not known; two where nothing in the text's shape tells the day from the month: the one with the month
/// first is the first then.
std::vector<std::string> time_shapes(std::string_view text);

/// How the times of a column are written.
struct FoundFormat {
  std::string pattern;  // empty: in no known form; with the month first if nothing tells
  /// The same with day and month the other way round, where both are thinkable; else empty.
  std::string swapped;
  int64_t count = 0;           // texts of this form, either way round
  bool is_day_first = false;   // where there are two ways
  bool undecided = false;      // no value tells which of the two
  std::string_view day_first;  // the first values that can only be read with the day first,
  std::string_view day_last;   // or only with the month first
};

/// Finds the form that most of the texts have: those of a sample that are neither empty, ISO dates nor
/// numbers. Day and month are told apart by values beyond 12; where there are points between, the day is
/// first unless a value says otherwise. `day_first`: auto, yes or no. The texts must outlive the result.
FoundFormat find_time_format(const std::vector<std::string_view>& texts, std::string_view day_first);

}  // namespace t2v::data
