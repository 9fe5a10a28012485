#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "data/events.h"

namespace t2v::data {

/// "1 event", "12,345 events", "2 classes".
std::string counted(int64_t count, std::string_view noun);
/// "12 %", "0.3 %"; "less than 0.1 %" and "more than 99.9 %" rather than a rounded 0 or 100.
std::string percent(double share);
/// A length of time in words: of seconds where times have a unit, else a number in the unit of the view.
std::string period_text(double period, const Events& events);
/// Ticks of what period_text counts in: seconds where times have a unit, else units of the view.
double ticks_per_period_unit(const Events& events);

}  // namespace t2v::data
