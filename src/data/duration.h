#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace t2v::data {

/// A unit of time under its short name.
struct UnitOfTime {
  std::string_view name;
  int64_t nanoseconds;
};
inline constexpr int64_t kNanosecondsPerSecond = 1'000'000'000;
/// All that a duration may be given in; y is 365.25 d.
inline constexpr std::array<UnitOfTime, 9> kUnitsOfTime = {{{"ns", 1},
                                                            {"us", 1'000},
                                                            {"ms", 1'000'000},
                                                            {"s", kNanosecondsPerSecond},
                                                            {"min", 60 * kNanosecondsPerSecond},
                                                            {"h", 3'600 * kNanosecondsPerSecond},
                                                            {"d", 86'400 * kNanosecondsPerSecond},
                                                            {"w", 604'800 * kNanosecondsPerSecond},
                                                            {"y", 31'557'600 * kNanosecondsPerSecond}}};
/// Those that a model may see times in, ascending: s, min, h, d, w.
inline constexpr std::array<UnitOfTime, 5> kModelUnits = {
    {kUnitsOfTime[3], kUnitsOfTime[4], kUnitsOfTime[5], kUnitsOfTime[6], kUnitsOfTime[7]}};

/// Whether a text starts like a duration: a number, then the name of a unit.
bool looks_like_duration(std::string_view text);

/// "12 h", "1.5d", "1 h 30 min" in nanoseconds, exactly; a minus in front is for all of it. Throws t2v::Error
/// for what is none, is finer than a nanosecond or is longer than 292 years; `what` names the text.
int64_t parse_duration(std::string_view text, std::string_view what);

}  // namespace t2v::data
