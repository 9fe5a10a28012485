#include "data/doctor_text.h"

#include <fmt/format.h>

#include <cmath>

#include "data/human_time.h"

namespace t2v::data {

std::string counted(int64_t count, std::string_view noun) {
  const char* ending = count == 1 ? "" : noun.ends_with('s') ? "es" : "s";
  return fmt::format("{} {}{}", human_count(count), noun, ending);
}

std::string percent(double share) {
  if (share > 0 && share < 0.001) return "less than 0.1 %";
  if (share < 1 && share > 0.999) return "more than 99.9 %";
  const double percents = 100 * share;
  return percents < 10 || (percents > 99 && share < 1) ? fmt::format("{:.1f} %", percents)
                                                       : fmt::format("{:.0f} %", percents);
}

std::string period_text(double period, const Events& events) {
  if (events.scale.has_unit()) return human_duration(period);
  return fmt::format("{:.4g}", period);
}

double ticks_per_period_unit(const Events& events) {
  return events.scale.has_unit() ? std::pow(10.0, events.scale.decimals) : events.view.ticks_per_unit;
}

}  // namespace t2v::data
