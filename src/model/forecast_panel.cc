#include "model/forecast_panel.h"

#include <cmath>

#include "base/fail.h"

namespace t2v {

using data::Piece;

double series_time(const data::Events& events, int64_t tick) {
  return events.view.at(tick, events.view.origin_tick);
}

double units_of_a_day(const data::Events& events) {
  constexpr double kSeconds = 86400;
  if (!events.scale.has_unit()) return 0;
  const double ticks_per_second = events.scale.instants ? 1e9 : std::pow(10.0, events.scale.decimals);
  return kSeconds * ticks_per_second / events.view.ticks_per_unit;
}

forecast::Series values_over_time(const data::Events& events, const Piece& piece) {
  events.check(piece.begin, piece.end);
  forecast::Series series;
  series.id = std::string(events.ids[piece.sequence]);
  for (int64_t e = piece.begin; e < piece.end; ++e) {
    const double value = events.value->values[static_cast<std::size_t>(e)];
    if (std::isnan(value)) continue;
    series.times.push_back(series_time(events, events.tick(e)));
    series.values.push_back(value);
  }
  return series;
}

forecast::Panel panel_of(const data::Events& events, std::span<const Piece> pieces) {
  if (!events.value) fail("a forecast needs values; name their column by `value`");
  forecast::Panel panel;
  panel.day = units_of_a_day(events);
  for (const Piece& piece : pieces) {
    forecast::Series series = values_over_time(events, piece);
    if (series.size() > 0) panel.series.push_back(std::move(series));
  }
  return panel;
}

}  // namespace t2v
