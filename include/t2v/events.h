#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "t2v/error.h"
#include "t2v/export.h"

namespace t2v {

/// When something happened: an instant, a plain number, or a text such as tables have. Exact, all of them.
class EventTime {
 public:
  using Instant = std::chrono::sys_time<std::chrono::nanoseconds>;
  enum class Kind : std::uint8_t { kInstant, kNumber, kText };

  // Each of these is a time, so they convert by themselves.
  template <class Duration>
  EventTime(std::chrono::sys_time<Duration> instant) : kind_(Kind::kInstant), instant_(instant) {}
  /// As a table that has this number: read as a decimal (0.1 is one tenth), and as seconds (or ms, us, ns)
  /// since 1970 where the numbers are as large as such. Whole numbers beyond 2^53 are to be given as text.
  template <class Number>
  requires std::is_arithmetic_v<Number> EventTime(Number number)
      : kind_(Kind::kNumber), number_(static_cast<double>(number)) {}
  /// A date such as 2024-05-01T08:00:00Z, or a number. It must outlive the call that it is given to.
  EventTime(std::string_view text) : kind_(Kind::kText), text_(text) {}
  EventTime(const char* text) : EventTime(std::string_view(text)) {}
  EventTime(const std::string& text) : EventTime(std::string_view(text)) {}

  Kind kind() const { return kind_; }
  Instant instant() const { return instant_; }
  double number() const { return number_; }
  std::string_view text() const { return text_; }

 private:
  Kind kind_;
  Instant instant_{};
  double number_ = 0;
  std::string_view text_;
};

/// A further column of an event: a number, or a category by its name.
struct EventFeature {
  std::string_view name;
  double number = std::numeric_limits<double>::quiet_NaN();  // NaN: none
  std::string_view text = {};                                // of a category
};

/// One event. Views must outlive the call that it is given to.
struct Event {
  std::string_view id;  // all events of one id are a sequence
  EventTime time;
  std::string_view type = {};
  std::span<const EventFeature> features = {};
  double value = std::numeric_limits<double>::quiet_NaN();  // a number of the event, which may be predicted

  // What only training looks at.
  std::string_view label = {};                               // the class of its sequence
  double target = std::numeric_limits<double>::quiet_NaN();  // a number of its sequence
};

/// How files are read. Columns are given by name, or by number from 1; those not given are found
/// ('t2v import --help' explains all of it).
struct ReadOptions {
  std::string id = {};      // "-": all rows are one sequence
  std::string time = {};    // when
  std::string event = {};   // type of the event; "-": none
  std::string value = {};   // a number of the event; "-": none
  std::string label = {};   // class of the sequence; "-": none
  std::string target = {};  // a number of the sequence
  std::vector<std::string> features = {};
  std::vector<std::string> sequence_features = {};  // the same in all rows of a sequence
  std::vector<std::string> categories = {};         // features that are names although they look like numbers
  std::string time_unit = "auto";  // of times that are numbers: s, ms, us, ns since 1970, number
  std::string timezone = "UTC";    // of dates without an offset
  std::string unit = "auto";       // of the times that a model sees: s, min, h, d, w
  std::string origin = "auto";     // what is time 0: the first event of a `sequence` or `dataset`
  /// All other options of 't2v import --help' about reading, by name: {"on_error", "skip"}.
  std::map<std::string, std::string> settings = {};
  int threads = 0;  // 0: one per core
};

/// A data set: sequences of events, sorted by time. Copies are cheap and share it; it never changes, so any
/// number of threads may use it.
class T2V_API EventLog {
 public:
  /// Tables (CSV, TSV, JSON lines; plain, gzip or zstd), one event a row, or one event store ('t2v import').
  /// Throws t2v::Error, "file:line:column: ...", for what cannot be read.
  static EventLog read(const std::vector<std::string>& files, const ReadOptions& options = {});

  /// Events in memory, in any order; those of equal time keep theirs. Columns are there if some event has
  /// something in them; features are those of events (files can have such of whole sequences, too). unit and
  /// origin are as in ReadOptions. Throws t2v::Error if there are none, if dates and numbers are mixed, or if
  /// a sequence has two labels or targets.
  static EventLog of(std::span<const Event> events, const std::string& unit = "auto",
                     const std::string& origin = "auto");

  std::int64_t sequences() const;
  std::int64_t events() const;
  /// What was chosen while reading, and what is worth knowing about it: a sentence each, for people.
  const std::vector<std::string>& notes() const;

  /// Writes it as an event store, which opens in milliseconds. Atomic. Throws t2v::Error.
  void save(const std::string& path) const;

  struct Impl;
  explicit EventLog(std::shared_ptr<const Impl> impl);
  const Impl& impl() const { return *impl_; }

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace t2v
