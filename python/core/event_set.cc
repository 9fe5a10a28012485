#include "event_set.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "base/fail.h"
#include "base/text_check.h"
#include "base/thread_pool.h"
#include "data/provenance.h"

namespace t2v::python {
namespace {

using data::Role;

/// What the first rows of the columns hold, as it is told of the cells of a text.
std::vector<data::ColumnSketch> sketches_of(const Table& table, const data::TableOptions& options) {
  std::vector<data::ColumnSketch> sketches;
  data::SketchBuilder builder("");
  for (const Column& column : table.columns()) {
    builder.start(column.name);
    const int64_t rows = column.kind == Column::Kind::kOther ? 0 : std::min(column.rows(), builder.kMostRows);
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
      if (column.kind == Column::Kind::kInstant && !column.is_absent(row)) {
        builder.add_date(static_cast<double>(column.wholes[row]) / 1e9);
      } else {
        builder.add(column.text(row));
      }
    }
    sketches.push_back(builder.finish(options.time_format, options.day_first));
  }
  return sketches;
}

/// Which sequence each row belongs to.
void set_sequences(data::EventTable& table, const Column* id, int64_t rows) {
  if (id == nullptr) {
    table.ids.add(data::kOneSequence);
    table.sequence.assign(static_cast<std::size_t>(rows), 0);
    return;
  }
  data::Categories ids = to_categories(*id);
  if (ids.names.find("") >= 0)
    fail("the id '{}' is missing in some rows; each event needs one", shown(id->name));
  table.ids = std::move(ids.names);
  table.sequence = std::move(ids.codes);
}

/// The row in which each sequence first comes.
std::vector<std::size_t> first_rows(const data::EventTable& table) {
  std::vector<std::size_t> first(static_cast<std::size_t>(table.sequences()));
  for (std::size_t row = table.sequence.size(); row-- > 0;) {
    first[static_cast<std::size_t>(table.sequence[row])] = row;
  }
  return first;
}

/// From a cell of each row to one of each sequence. Throws t2v::Error where the rows of one differ.
template <class T, class Same>
std::vector<T> of_sequences(const std::vector<T>& cells, const std::string& name,
                            const data::EventTable& table, const Same& same) {
  std::vector<T> result;
  for (const std::size_t row : first_rows(table)) result.push_back(cells[row]);
  for (std::size_t row = 0; row < cells.size(); ++row) {
    if (same(cells[row], result[static_cast<std::size_t>(table.sequence[row])])) continue;
    fail("the column '{}' has several values in the sequence '{}'; it must be the same in all its rows",
         shown(name), shown(table.ids[table.sequence[row]]));
  }
  return result;
}

data::Categories categories_of_sequences(const Column& column, const data::EventTable& table) {
  data::Categories all = to_categories(column);
  all.codes = of_sequences(all.codes, column.name, table, std::equal_to<int32_t>());
  return all;
}

data::Numbers numbers_of_sequences(const Column& column, const data::EventTable& table) {
  data::Numbers all = to_numbers(column);
  all.values = of_sequences(all.values, column.name, table,
                            [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); });
  return all;
}

void add_feature(data::EventTable& table, const Column& column, const data::ColumnChoice& choice) {
  const bool number = !choice.category && column.kind != Column::Kind::kName;
  if (choice.role == Role::kFeature) {
    if (number) {
      table.numbers.push_back(to_numbers(column));
    } else {
      table.categories.push_back(to_categories(column));
    }
  } else if (number) {
    table.sequence_numbers.push_back(numbers_of_sequences(column, table));
  } else {
    table.sequence_categories.push_back(categories_of_sequences(column, table));
  }
}

void add_column(data::EventTable& table, const Column& column, const data::ColumnChoice& choice) {
  switch (choice.role) {
    case Role::kId:
    case Role::kTime:
      return;
    case Role::kEvent:
      table.event = to_categories(column);
      return;
    case Role::kValue:
      table.value = to_numbers(column);
      return;
    case Role::kLabel:
      table.label = categories_of_sequences(column, table);
      return;
    case Role::kTarget:
      table.target = numbers_of_sequences(column, table);
      return;
    default:
      add_feature(table, column, choice);
  }
}

void add_given(data::EventTable& table, GivenTargets given) {
  const auto check = [&](std::size_t count, std::string_view what) {
    if (static_cast<int64_t>(count) == table.sequences()) return;
    fail("there are {} {} for {} sequences; give one for each, in the order in which they first come", count,
         what, table.sequences());
  };
  if (given.label) check(given.label->codes.size(), "labels y");
  if (given.target) check(given.target->values.size(), "targets y");
  if (given.label) table.label = std::move(given.label);
  if (given.target) table.target = std::move(given.target);
}

/// Takes the rows of sequences none of whose events has a time out of the order, as group() does.
void leave_out_untimed(std::vector<int64_t>& order, const data::EventTable& table) {
  std::vector<bool> is_timed(static_cast<std::size_t>(table.sequences()));
  for (std::size_t row = 0; row < table.ticks.size(); ++row) {
    if (table.ticks[row] != data::kNoTick) is_timed[static_cast<std::size_t>(table.sequence[row])] = true;
  }
  std::erase_if(order, [&](int64_t row) {
    return !is_timed[static_cast<std::size_t>(table.sequence[static_cast<std::size_t>(row)])];
  });
}

/// The rows in the order that group() gives them.
std::vector<int64_t> row_order(const data::EventTable& table) {
  std::vector<int64_t> order(table.ticks.size());
  std::iota(order.begin(), order.end(), 0);
  const auto before = [&](int64_t a, int64_t b) {
    const auto x = static_cast<std::size_t>(a);
    const auto y = static_cast<std::size_t>(b);
    return std::pair(table.sequence[x], table.ticks[x]) < std::pair(table.sequence[y], table.ticks[y]);
  };
  if (!std::ranges::is_sorted(order, before)) std::ranges::stable_sort(order, before);
  if (table.has_static_rows) leave_out_untimed(order, table);
  return order;
}

std::map<std::string, std::string> columns_by_role(const std::vector<data::ColumnChoice>& choices) {
  std::map<std::string, std::string> columns;
  for (const Role role : {Role::kId, Role::kEvent, Role::kValue, Role::kLabel, Role::kTarget}) {
    columns[std::string(data::word_of(role))] = "-";
  }
  for (const data::ColumnChoice& choice : choices) {
    if (!data::is_feature(choice.role)) columns[std::string(data::word_of(choice.role))] = choice.name;
  }
  return columns;
}

/// Columns that the store does not name are left open.
void take_columns_of_store(EventSet& set) {
  const auto record = nlohmann::json::parse(set.events().provenance, nullptr, false);
  for (const auto& [role, name] : data::known_data(record).columns) {
    set.columns[std::string(data::word_of(role))] = name;
  }
}

/// A store has its columns already: those that are not to be read there are simply not looked at.
void leave_out_hidden(data::LoadOptions& options) {
  const OptionTable table = data::options_of(options);
  for (const char* role : {"id", "event", "value", "label", "target"}) {
    auto& column = *std::get<std::string*>(table.find(role)->member);
    if (column != "-") continue;
    column.clear();
    options.given.erase(role);
  }
}

}  // namespace

EventSet event_set(const Table& source, const data::LoadOptions& options, GivenTargets given) {
  if (source.rows() == 0) fail("the table has no rows");
  std::vector<data::ColumnChoice> choices =
      data::choose_columns(sketches_of(source, options.table), true, options.table);
  data::EventTable table;
  table.source = "the table";
  const auto id = std::ranges::find(choices, Role::kId, &data::ColumnChoice::role);
  set_sequences(table, id == choices.end() ? nullptr : &source.columns()[id->field], source.rows());
  data::ReadReport report;
  for (const data::ColumnChoice& choice : choices) {
    const Column& column = source.columns()[choice.field];
    if (choice.role == Role::kTime) {
      report.day_first = set_times(table, column, options.table);
    } else {
      add_column(table, column, choice);
    }
  }
  add_given(table, std::move(given));
  EventSet set;
  set.row_of = row_order(table);
  set.columns = columns_by_role(choices);
  const auto event = std::ranges::find(choices, Role::kEvent, &data::ColumnChoice::role);
  if (event != choices.end()) set.event_type = source.columns()[event->field].number_type();
  report.columns = std::move(choices);
  set.data = data::data_set(std::move(table), options, report);
  return set;
}

EventSet read_event_set(const std::string& path, data::LoadOptions options, GivenTargets given,
                        const std::function<void()>& meanwhile) {
  if (data::is_store(path)) leave_out_hidden(options);
  options.table.memory = 0;  // which event was which row is told in memory
  EventSet set;
  ThreadPool pool(options.threads);
  set.data = data::load(
      {{path}}, options, pool, [&](const data::ReadProgress&) { meanwhile(); },
      [&](data::EventTable& table) {
        add_given(table, std::move(given));
        set.row_of = row_order(table);
      });
  set.columns = columns_by_role(set.data.columns);
  if (!set.data.from_store) return set;
  if (given.label) fail("{}: is an event store, which has its labels already; leave y out", path);
  set.events().check_intact();
  set.row_of.resize(static_cast<std::size_t>(set.events().size()));
  std::iota(set.row_of.begin(), set.row_of.end(), 0);
  take_columns_of_store(set);
  return set;
}

}  // namespace t2v::python
