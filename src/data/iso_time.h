#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace t2v::data {

/// A time as it was written.
struct IsoTime {
  /// Since 1970-01-01T00:00:00: of UTC if the text has an offset, else of the clock that wrote it.
  int64_t nanoseconds = 0;
  bool has_offset = false;

  bool operator==(const IsoTime&) const = default;
};

enum class TimeFault : uint8_t {
  kNone,
  kEmpty,         // no text at all
  kSyntax,        // none of the forms below
  kNoSuchDate,    // month 13, February 30
  kNoSuchTime,    // 24:00, 12:60
  kLeapSecond,    // second 60: Unix time has no place for it
  kTooFine,       // finer than a nanosecond
  kRange,         // before 1677-09-21T00:12:43.145224193Z or after 2262-04-11T23:47:16.854775807Z
  kNoSuchOffset,  // +24:00, +01:60
};

/// Reads a time of the proleptic Gregorian calendar in one of the forms
///   YYYY-MM-DD                    midnight; the hyphens may be slashes, both of them
///   YYYY-MM-DD HH:MM[:SS[.F]]     or T or t instead of the one space
///   YYYYMMDDTHHMM[SS[.F]]         or t; without a time it is not a date but a number
/// where F is a fraction after a point or a comma, of 1 to 9 digits and any zeros after them. A time of day
/// may be followed by an offset: Z, z, " UTC", or a sign and HH:MM, HHMM or HH up to 23:59. Anything else is
/// a fault, blanks around it too. The first fault in the order syntax, date, time, offset, fineness, range
/// is returned, and `out` is untouched then.
TimeFault parse_iso(std::string_view text, IsoTime& out) noexcept;

/// The parts of a time, as a reader found them.
struct TimeFields {
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  int64_t nanosecond = 0;
  bool too_fine = false;
  bool has_offset = false;
  int offset_sign = 1;
  int offset_hour = 0;
  int offset_minute = 0;
};

/// The time that these parts make, or their first fault in the order of parse_iso; `out` is untouched then.
TimeFault time_of(const TimeFields& fields, IsoTime& out) noexcept;

/// What is wrong and what to do, to follow the quoted text: "is not a time that is known here; ...". Empty
/// for kNone.
const char* explain(TimeFault fault) noexcept;

/// YYYY-MM-DDTHH:MM:SSZ, with a fraction of 3, 6 or 9 digits where it is needed; all 64-bit values.
std::string format_iso(int64_t nanoseconds);

/// Days from 1970-01-01 to a date that exists, of the proleptic Gregorian calendar; years from 0 on.
int64_t days_since_1970(int year, int month, int day) noexcept;
/// The year in which a day since 1970-01-01 is; from year 1 on.
int year_of(int64_t days) noexcept;
bool is_leap_year(int year) noexcept;
/// 28 .. 31, for month 1 .. 12.
int days_in_month(int year, int month) noexcept;

}  // namespace t2v::data
