#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_system.h"
#include "data/iso_time.h"

namespace t2v::data {

/// A time zone of the system's database (package tzdata; the folder that TZDIR names, else
/// /usr/share/zoneinfo), for all times that 64 bits of nanoseconds hold. After the last change that the
/// database lists, the rule that it gives for the future goes on for ever.
///
/// Where clocks are set forward, some local times never happen: they are read with the offset before the
/// change, and so land after it (2021-03-28 02:30 in Europe/Paris is 01:30Z, which clocks there show as
/// 03:30). Where clocks are set back, some happen twice: the first one is meant.
class TimeZone {
 public:
  /// By name, such as Europe/Paris. UTC and Etc/UTC need no database. Throws t2v::Error for an unknown name,
  /// with the nearest known ones, if there is no database, and for files that are not understood.
  static TimeZone find(std::string_view name, FileSystem& files = FileSystem::real());
  static TimeZone utc();
  /// From the contents of a file of the database: TZif (RFC 8536), version 2 or later, without leap seconds.
  static TimeZone from_tzif(std::string name, std::span<const std::byte> file);

  const std::string& name() const { return name_; }

  /// From nanoseconds since 1970-01-01T00:00:00 of local clocks to such of UTC. `adjusted` tells whether the
  /// local time never happens or happens twice. Throws t2v::Error where the result is out of range.
  int64_t to_utc(int64_t local, bool* adjusted = nullptr) const;

  class Cursor;

 private:
  /// Local times from `begin` until the next span have one offset from UTC.
  struct Span {
    int64_t begin;
    int64_t offset;  // nanoseconds, local time less UTC
    bool adjusted;
  };
  friend class SpanBuilder;

  TimeZone(std::string name, std::vector<Span> spans) : name_(std::move(name)), spans_(std::move(spans)) {}

  std::string name_;
  std::vector<Span> spans_;  // at least one; the first begins with the least number
};

/// Turns many times to UTC, fast where neighbours are of the same season. One for each thread; the zone must
/// outlive it.
class TimeZone::Cursor {
 public:
  explicit Cursor(const TimeZone& zone) : zone_(&zone) { seek(0); }

  /// As TimeZone::to_utc, but kRange where the result is out of range; `utc` is untouched then.
  TimeFault to_utc(int64_t local, int64_t& utc) noexcept {
    if (local < span_.begin || local > last_) seek(local);
    int64_t result = 0;
    if (__builtin_sub_overflow(local, span_.offset, &result)) return TimeFault::kRange;
    if (result == std::numeric_limits<int64_t>::min()) return TimeFault::kRange;
    adjusted_ += span_.adjusted ? 1 : 0;
    utc = result;
    return TimeFault::kNone;
  }
  /// How many of the times so far never happened or happened twice.
  int64_t adjusted() const { return adjusted_; }

 private:
  void seek(int64_t local) noexcept;

  const TimeZone* zone_;
  Span span_{};
  int64_t last_ = 0;  // last local time of the span
  int64_t adjusted_ = 0;
};

}  // namespace t2v::data
