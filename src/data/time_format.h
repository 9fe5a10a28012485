#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/iso_time.h"

namespace t2v::data {

/// How times are written, in the directives of strptime:
///   %Y %y %m %d %e %j     year of four digits, of two (69 .. 68 are 1969 .. 2068), month, day, day of the
///   year %b %B %a %A           English names of months and weekdays, short or long, in any case %H %I %M %S
///   %f %p     hour of 24, of 12, minute, second, decimals of a second (1 to 9), AM or PM %z %Z offset as Z,
///   +01:00, +0100 or +01; UTC or GMT %s                    whole seconds since 1970 %T %R %F %D %H:%M:%S,
///   %H:%M, %Y-%m-%d, %m/%d/%y
/// %% is a percent sign, a blank any number of blanks, all else stands for itself. Numbers may lack leading
/// zeros. A month or day that is not written is the first; a time of day that is not written is midnight.
class TimeFormat {
 public:
  /// Throws t2v::Error for an unknown directive and for a format that does not tell the year.
  explicit TimeFormat(std::string pattern);

  /// Reads a time without blanks around it, exactly. `out` is untouched on a fault.
  TimeFault parse(std::string_view text, IsoTime& out) const noexcept;

  /// What is wrong and what to do, to follow the quoted text; lives as long as the format.
  std::string_view explain(TimeFault fault) const noexcept;

  const std::string& pattern() const { return pattern_; }

 private:
  std::string pattern_;
  std::string steps_;  // the pattern with %T, %R, %F and %D written out
  std::string mismatch_;
};

/// The number, from 1, of the month (or the weekday) whose English name is at the start of a text, in any
/// case, and how long that name is; the longest one. 0 if there is none.
struct NamedPart {
  int number = 0;
  std::size_t size = 0;
};
NamedPart month_at(std::string_view text) noexcept;
NamedPart weekday_at(std::string_view text) noexcept;

}  // namespace t2v::data
