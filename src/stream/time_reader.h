#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "data/event_table.h"
#include "data/time_column.h"
#include "data/time_zone.h"

namespace t2v {

/// Reads times as they stand in tables, exactly, in the scale of a model's times.
class TimeReader {
 public:
  /// `unit`: of numbers, where times are instants; without one each number's own magnitude tells it. `zone`:
  /// of dates without an offset.
  TimeReader(data::TickScale scale, std::optional<data::TimeUnit> unit, data::TimeZone zone)
      : scale_(scale), unit_(unit), zone_(std::move(zone)) {}

  /// Throws t2v::Error for what is not a time, is out of range, or is finer than the scale.
  int64_t tick_of(std::string_view text) const;

 private:
  int64_t instant_of(std::string_view text) const;
  int64_t plain_of(std::string_view text) const;

  data::TickScale scale_;
  std::optional<data::TimeUnit> unit_;
  data::TimeZone zone_;
};

}  // namespace t2v
