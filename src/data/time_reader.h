#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "data/event_table.h"
#include "data/time_column.h"
#include "data/time_format.h"
#include "data/time_zone.h"

namespace t2v::data {

/// Reads times as they stand in tables, exactly, in a scale that is settled.
class TimeReader {
 public:
  /// `unit`: of numbers, where times are instants; without one each number's own magnitude tells it. `zone`:
  /// of dates without an offset.
  TimeReader(TickScale scale, std::optional<TimeUnit> unit, TimeZone zone)
      : scale_(scale), unit_(unit), zone_(std::move(zone)) {}

  /// How dates are written that are not ISO. `format`: as strptime has it; empty: as their shape tells.
  /// `day_first`: as in TableOptions. `alone`: whether all times are of that format. Throws t2v::Error for a
  /// format that cannot be, or that is for dates where times are plain numbers.
  void read_as(const std::string& format, const std::string& day_first, bool alone);

  /// Throws t2v::Error for what is not a time, is out of range, or is finer than the scale: nothing is
  /// rounded. `what` names the text in messages.
  int64_t tick_of(std::string_view text, std::string_view what = "the time") const;
  /// "+1 d": a duration where times are instants, else a number.
  int64_t span_of(std::string_view text, std::string_view what) const;

 private:
  int64_t instant_of(std::string_view text, std::string_view what) const;
  int64_t utc_of(const IsoTime& time) const;
  /// Reads a date that is not ISO by its shape; false if it is none.
  bool read_by_shape(std::string_view text, std::string_view what, IsoTime& time) const;
  int64_t plain_of(std::string_view text, std::string_view what) const;

  TickScale scale_;
  std::optional<TimeUnit> unit_;
  TimeZone zone_;
  std::optional<TimeFormat> format_;
  bool format_alone_ = false;
  std::string day_first_ = "auto";
};

/// Throws t2v::Error if a text is neither a date nor a number, whatever the times of the data are.
void check_date_or_number(std::string_view text, std::string_view what);

}  // namespace t2v::data
