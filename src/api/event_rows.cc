// Events in memory as a data set.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "api/event_log.h"
#include "base/fail.h"
#include "base/text_check.h"
#include "data/decimal.h"
#include "data/iso_time.h"
#include "data/number_times.h"

namespace t2v {
namespace {

using data::Categories;
using data::Decimal;
using data::EventTable;
using data::Numbers;

constexpr int32_t kEmpty = -1;

/// Collects the columns of events, row by row. A column that a row lacks has an empty cell there.
class Rows {
 public:
  explicit Rows(std::size_t rows) : rows_(rows) {}

  void add(std::size_t row, const Event& event) {
    const int32_t sequence = table_.ids.add(event.id);
    table_.sequence.push_back(sequence);
    set_sequence(sequence, event);
    set_time(row, event.time);
    if (!event.type.empty()) categories("event", event_, row, event.type);
    if (!std::isnan(event.value)) numbers("value", value_, row, event.value);
    for (const EventFeature& feature : event.features) add_feature(row, feature);
  }

  EventTable table() {
    if (instants_ != 0 && instants_ != rows_) {
      fail("{} of {} times are dates, the others numbers; they must be all of one kind", instants_, rows_);
    }
    if (instants_ == 0) {
      data::set_ticks(table_, decimals_, data::unit_of_numbers(decimals_));
    } else {
      table_.scale = {.instants = true, .decimals = 9};
      table_.ticks = std::move(ticks_);
    }
    for (Categories& column : table_.categories) fill_empty(column);
    for (Categories& column : event_) fill_empty(column);
    if (!event_.empty()) table_.event = std::move(event_.front());
    if (!value_.empty()) table_.value = std::move(value_.front());
    set_sequence_columns();
    table_.source = "events in memory";
    return std::move(table_);
  }

 private:
  void set_time(std::size_t row, const EventTime& time) {
    if (time.kind() == EventTime::Kind::kInstant)
      return add_instant(time.instant().time_since_epoch().count());
    const std::string text =
        time.kind() == EventTime::Kind::kNumber ? fmt::format("{}", time.number()) : std::string(time.text());
    Decimal number;
    const data::NumberFault no_number = data::parse_decimal(text, number);
    if (no_number == data::NumberFault::kNone) return decimals_.push_back(number);
    data::IsoTime date;
    const data::TimeFault no_date = data::parse_iso(text, date);
    // Clocks without an offset are taken for UTC.
    if (no_date == data::TimeFault::kNone) return add_instant(date.nanoseconds);
    fail("event {}: the time {} {}", row + 1, in_quotes(text), data::explain(no_date));
  }
  void add_instant(int64_t nanoseconds) {
    ticks_.push_back(nanoseconds);
    ++instants_;
  }

  void add_feature(std::size_t row, const EventFeature& feature) {
    if (!feature.text.empty()) return categories(feature.name, table_.categories, row, feature.text);
    if (!std::isnan(feature.number)) numbers(feature.name, table_.numbers, row, feature.number);
  }
  void numbers(std::string_view name, std::vector<Numbers>& columns, std::size_t row, double x) const {
    auto column = std::ranges::find(columns, name, &Numbers::name);
    if (column == columns.end()) {
      columns.push_back({std::string(name), std::vector<double>(rows_, NAN)});
      column = columns.end() - 1;
    }
    column->values[row] = x;
  }
  void categories(std::string_view name, std::vector<Categories>& columns, std::size_t row,
                  std::string_view cell) const {
    auto column = std::ranges::find(columns, name, &Categories::name);
    if (column == columns.end()) {
      columns.push_back({std::string(name), std::vector<int32_t>(rows_, kEmpty), {}});
      column = columns.end() - 1;
    }
    column->codes[row] = column->names.add(cell);
  }

  static void fill_empty(Categories& column) {
    for (int32_t& code : column.codes) {
      if (code == kEmpty) code = column.names.add("");
    }
  }

  void set_sequence(int32_t sequence, const Event& event) {
    const auto s = static_cast<std::size_t>(sequence);
    if (!event.label.empty()) {
      labels_.resize(std::max(labels_.size(), s + 1));
      settle(labels_[s], std::string(event.label), event.id, "label");
    }
    if (!std::isnan(event.target)) {
      targets_.resize(std::max(targets_.size(), s + 1));
      settle(targets_[s], event.target, event.id, "target");
    }
  }
  void set_sequence_columns() {
    const auto sequences = static_cast<std::size_t>(table_.ids.size());
    if (!labels_.empty()) {
      labels_.resize(sequences);
      table_.label = Categories{"label", {}, {}};
      for (const auto& label : labels_)
        table_.label->codes.push_back(table_.label->names.add(label.value_or("")));
    }
    if (!targets_.empty()) {
      targets_.resize(sequences);
      table_.target = Numbers{"target", {}};
      for (const auto& target : targets_) table_.target->values.push_back(target.value_or(NAN));
    }
  }
  template <class T>
  static void settle(std::optional<T>& cell, T value, std::string_view id, const char* what) {
    if (cell && *cell != value) {
      fail("sequence {} has two {}s, '{}' and '{}'; it can have one", in_quotes(id), what, *cell, value);
    }
    cell = std::move(value);
  }

  std::size_t rows_;
  EventTable table_;
  std::vector<Decimal> decimals_;
  std::vector<int64_t> ticks_;
  std::size_t instants_ = 0;
  std::vector<Categories> event_;  // one or none, as the next
  std::vector<Numbers> value_;
  std::vector<std::optional<std::string>> labels_;
  std::vector<std::optional<double>> targets_;
};

/// The columns by the names of the fields of an event.
std::vector<data::ColumnChoice> columns_of(const EventTable& table) {
  std::vector<data::ColumnChoice> columns;
  const auto add = [&](data::Role role, bool there) {
    if (there) columns.push_back({role, columns.size(), std::string(data::word_of(role))});
  };
  add(data::Role::kId, true);
  add(data::Role::kTime, true);
  add(data::Role::kEvent, table.event.has_value());
  add(data::Role::kValue, table.value.has_value());
  add(data::Role::kLabel, table.label.has_value());
  add(data::Role::kTarget, table.target.has_value());
  return columns;
}

}  // namespace

EventLog EventLog::of(std::span<const Event> events, const std::string& unit, const std::string& origin) {
  if (events.empty()) fail("there are no events");
  Rows rows(events.size());
  for (std::size_t i = 0; i < events.size(); ++i) rows.add(i, events[i]);
  data::LoadOptions options;
  options.unit = unit;
  options.origin = origin;
  EventTable table = rows.table();
  data::ReadReport report;
  report.columns = columns_of(table);
  return EventLog(std::make_shared<const Impl>(data::data_set(std::move(table), options, report)));
}

}  // namespace t2v
