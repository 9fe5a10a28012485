#include "data/events.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "importer_files.h"
#include "made_events.h"

namespace t2v::data {
namespace {

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

/// A table of rows (sequence, tick), whose ids are s0, s1, ...
EventTable table_of(const std::vector<std::pair<int32_t, int64_t>>& rows, bool instants = false) {
  EventTable table;
  table.scale = {.instants = instants, .decimals = instants ? 9 : 0};
  int32_t sequences = 0;
  for (const auto& [sequence, tick] : rows) {
    table.sequence.push_back(sequence);
    table.ticks.push_back(tick);
    sequences = std::max(sequences, sequence + 1);
  }
  for (int32_t s = 0; s < sequences; ++s) table.ids.add("s" + std::to_string(s));
  return table;
}

Events grouped(EventTable table, Order order = Order::kSort) {
  GroupCounts counts;
  return group(std::move(table), order, counts);
}

template <class T>
std::vector<T> vector_of(std::span<const T> span) {
  return {span.begin(), span.end()};
}

// --- against a slow reference ---

struct Row {
  int32_t sequence;
  int64_t tick;
  std::string event;
  double value;
  double interval;
  double number;
  std::string category;
};

struct Person {
  std::string id;
  double number;
  std::string category;
  std::string label;
  double target;
  Part part;
};

struct MadeTable {
  std::vector<Row> rows;
  std::vector<Person> people;

  EventTable table() const {
    EventTable table;
    table.event = Categories{"type", {}, {}};
    table.value = Numbers{"amount", {}};
    table.interval = Numbers{"gap", {}};
    table.numbers.push_back({"price", {}});
    table.categories.push_back({"shop", {}, {}});
    table.sequence_numbers.push_back({"age", {}});
    table.sequence_categories.push_back({"town", {}, {}});
    table.label = Categories{"class", {}, {}};
    table.target = Numbers{"sum", {}};
    const auto add = [](Categories& column, const std::string& name) {
      column.codes.push_back(column.names.add(name));
    };
    for (const Row& row : rows) {
      table.sequence.push_back(row.sequence);
      table.ticks.push_back(row.tick);
      add(*table.event, row.event);
      table.value->values.push_back(row.value);
      table.interval->values.push_back(row.interval);
      table.numbers[0].values.push_back(row.number);
      add(table.categories[0], row.category);
    }
    for (const Person& person : people) {
      table.ids.add(person.id);
      table.sequence_numbers[0].values.push_back(person.number);
      add(table.sequence_categories[0], person.category);
      add(*table.label, person.label);
      table.target->values.push_back(person.target);
      table.part.push_back(person.part);
    }
    return table;
  }
};

MadeTable random_table(uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  const auto text = [&](const char* prefix, int64_t n) { return prefix + std::to_string(below(n)); };
  MadeTable made;
  const int64_t sequences = 1 + below(50);
  for (int64_t s = 0; s < sequences; ++s) {
    made.people.push_back({"id" + std::to_string(s), static_cast<double>(below(90)), text("t", 5),
                           text("c", 3), static_cast<double>(below(1000)) / 7, static_cast<Part>(below(3))});
  }
  const int64_t rows = 1 + below(400);
  for (int64_t r = 0; r < rows; ++r) {
    made.rows.push_back({static_cast<int32_t>(below(sequences)), below(60) - 30, text("e", 9),
                         static_cast<double>(r), below(3) == 0 ? std::nan("") : 0.5,
                         1.0 / (1.0 + static_cast<double>(r)), below(4) == 0 ? "" : text("k", 4)});
  }
  return made;
}

/// The rows of a sequence as they should be.
std::vector<Row> rows_of(const MadeTable& made, int32_t sequence, Order order) {
  std::vector<Row> rows;
  int64_t latest = kLeast;
  for (const Row& row : made.rows) {
    if (row.sequence != sequence) continue;
    if (order == Order::kDrop && row.tick < latest) continue;
    latest = std::max(latest, row.tick);
    rows.push_back(row);
  }
  std::ranges::stable_sort(rows, {}, &Row::tick);
  return rows;
}

std::string name_in(const CategoryColumn& column, int64_t at) {
  return std::string(column.names[column.codes[static_cast<std::size_t>(at)]]);
}

void expect_row(const Events& events, int64_t e, const Row& row) {
  const auto at = static_cast<std::size_t>(e);
  EXPECT_EQ(events.tick(e), row.tick);
  EXPECT_EQ(name_in(*events.event, e), row.event);
  EXPECT_EQ(events.value->values[at], row.value);
  EXPECT_EQ(events.numbers[0].values[at], row.number);
  EXPECT_EQ(name_in(events.categories[0], e), row.category);
  EXPECT_EQ(std::isnan(events.interval->values[at]), std::isnan(row.interval));
}

void expect_person(const Events& events, int64_t s, const Person& person) {
  const auto at = static_cast<std::size_t>(s);
  EXPECT_EQ(events.ids[s], person.id);
  EXPECT_EQ(events.sequence_numbers[0].values[at], person.number);
  EXPECT_EQ(name_in(events.sequence_categories[0], s), person.category);
  EXPECT_EQ(name_in(*events.label, s), person.label);
  EXPECT_EQ(events.target->values[at], person.target);
  EXPECT_EQ(events.part[at], person.part);
}

int64_t slow_grid(const Events& events) {
  int64_t grid = 0;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    for (int64_t e = events.begin(s); e < events.end(s); ++e) {
      grid = std::gcd(grid, events.tick(e) - events.tick(events.begin(s)));
    }
  }
  return grid;
}

TEST(Group, EqualsASlowReferenceOnRandomTablesWithEveryKindOfColumn) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    const MadeTable made = random_table(seed);
    const Order order = seed % 2 == 0 ? Order::kSort : Order::kDrop;
    GroupCounts counts;
    const Events events = group(made.table(), order, counts);
    int64_t s = 0;
    int64_t e = 0;
    for (std::size_t person = 0; person < made.people.size(); ++person) {
      const std::vector<Row> rows = rows_of(made, static_cast<int32_t>(person), order);
      if (rows.empty()) continue;
      ASSERT_LT(s, events.sequences());
      ASSERT_EQ(events.length(s), static_cast<int64_t>(rows.size())) << seed;
      expect_person(events, s++, made.people[person]);
      for (const Row& row : rows) expect_row(events, e++, row);
    }
    ASSERT_EQ(s, events.sequences());
    ASSERT_EQ(e, events.size());
    EXPECT_EQ(events.value->values.size(), static_cast<std::size_t>(e));
    EXPECT_EQ(events.part.size(), static_cast<std::size_t>(s));
    EXPECT_EQ(counts.dropped, static_cast<int64_t>(made.rows.size()) - e);
    EXPECT_EQ(events.grid, slow_grid(events)) << seed;
    EXPECT_EQ(events.event->name, "type");
    EXPECT_EQ(events.label->name, "class");
  }
}

// --- order ---

TEST(Group, SortsAndCountsWhatRunsBackwards) {
  GroupCounts counts;
  // Backward is what is earlier than the latest before it of its sequence: 3, 4 and (s1) 1.
  const Events events =
      group(table_of({{0, 5}, {1, 2}, {0, 3}, {0, 4}, {1, 1}, {0, 5}, {1, 9}}), Order::kSort, counts);
  EXPECT_EQ(counts.backward, 3);
  EXPECT_EQ(counts.dropped, 0);
  EXPECT_EQ(vector_of(events.ticks), (Ticks{3, 4, 5, 5, 1, 2, 9}));
  EXPECT_EQ(vector_of(events.offsets), (Ticks{0, 4, 7}));
}

TEST(Group, DropsAndCountsWhatRunsBackwards) {
  GroupCounts counts;
  const Events events =
      group(table_of({{0, 5}, {1, 2}, {0, 3}, {0, 4}, {1, 1}, {0, 5}, {1, 9}}), Order::kDrop, counts);
  EXPECT_EQ(counts.backward, 3);
  EXPECT_EQ(counts.dropped, 3);
  EXPECT_EQ(vector_of(events.ticks), (Ticks{5, 5, 2, 9}));
}

TEST(Group, RefusesBackwardTimeUnderStrictAndSaysWhere) {
  EventTable table = table_of({{0, 5}, {1, 7}, {1, 6}});
  table.source = "log.csv";
  EXPECT_EQ(complaint([&] { grouped(std::move(table), Order::kStrict); }),
            "log.csv: event 3 runs backwards in time within sequence 's1'; sort the source, or let events be "
            "sorted or dropped (`order` sort, `order` drop)");
  EXPECT_EQ(grouped(table_of({{0, 5}, {1, 6}, {0, 5}, {1, 7}}), Order::kStrict).size(), 4);
}

TEST(Group, KeepsTheOrderOfEqualTimes) {
  EventTable table = table_of({{0, 2}, {0, 1}, {1, 0}, {0, 1}, {0, 2}, {0, 1}});
  table.value = Numbers{"row", {0, 1, 2, 3, 4, 5}};
  EXPECT_EQ(vector_of(grouped(std::move(table)).value->values), (Doubles{1, 3, 5, 0, 4, 2}));
}

TEST(Group, LeavesATableAloneThatIsInOrder) {
  EventTable table = table_of({{0, 1}, {0, 1}, {0, 3}, {1, -5}, {2, 7}});
  table.value = Numbers{"row", {0, 1, 2, 3, 4}};
  const double* memory = table.value->values.data();
  const Events events = grouped(std::move(table));
  EXPECT_EQ(vector_of(events.value->values), (Doubles{0, 1, 2, 3, 4}));
  EXPECT_EQ(events.value->values.data(), memory);
}

TEST(Group, LeavesSequencesWithoutRowsOut) {
  EventTable table = table_of({{1, 4}, {3, 5}});
  table.ids.add("s4");
  table.sequence_numbers.push_back({"age", {0, 1, 2, 3, 4}});
  table.part = {Part::kTrain, Part::kTest, Part::kTrain, Part::kValid, Part::kTrain};
  const Events events = grouped(std::move(table));
  ASSERT_EQ(events.sequences(), 2);
  EXPECT_EQ(events.ids[0], "s1");
  EXPECT_EQ(events.ids[1], "s3");
  EXPECT_EQ(vector_of(events.sequence_numbers[0].values), (Doubles{1, 3}));
  EXPECT_EQ(vector_of(events.part), (std::vector<Part>{Part::kTest, Part::kValid}));
}

TEST(Group, RefusesATableWithoutRows) {
  EventTable table;
  table.source = "x.csv";
  EXPECT_EQ(complaint([&] { grouped(std::move(table)); }), "x.csv: there is no event");
}

// --- grid ---

int64_t grid(const std::vector<Ticks>& sequences) {
  Ticks offsets = {0};
  Ticks ticks;
  for (const Ticks& sequence : sequences) {
    ticks.insert(ticks.end(), sequence.begin(), sequence.end());
    offsets.push_back(static_cast<int64_t>(ticks.size()));
  }
  return grid_of(offsets, ticks);
}

TEST(Grid, IsTheGreatestStepOfAllSequencesWhereverTheyStart) {
  constexpr int64_t kDay = 86'400'000'000'000;
  EXPECT_EQ(grid({{5, 5 + kDay, 5 + 8 * kDay}, {17, 17 + 3 * kDay}}), kDay);  // days, at any hour
  EXPECT_EQ(grid({{100, 128, 130}, {101, 102, 103}}), 1);                     // pixels
  EXPECT_EQ(grid({{1'000'000, 13'000'000}, {500, 8'000'500}}), 4'000'000);    // milliseconds
  EXPECT_EQ(grid({{6, 6, 12}, {1, 11, 11}}), 2);
}

TEST(Grid, IsZeroWhereNoTimesDiffer) {
  EXPECT_EQ(grid({{7}}), 0);
  EXPECT_EQ(grid({{7}, {8}}), 0);
  EXPECT_EQ(grid({{7, 7, 7}, {8}}), 0);
}

TEST(Grid, IsRightAtTheLimitsOf64Bits) {
  EXPECT_EQ(grid({{0, kMost}}), kMost);
  EXPECT_EQ(grid({{kLeast + 1, 0, kMost}}), kMost);
  EXPECT_EQ(grid({{kLeast, kMost}}), 1);  // 2^64 - 1 does not fit
  EXPECT_EQ(grid({{kLeast, 0}}), 1);      // nor does 2^63
  EXPECT_EQ(grid({{kLeast, kLeast / 2, 0}}), int64_t{1} << 62);
}

// --- units and origins ---

TEST(Unit, OfInstantsIsExactInNanoseconds) {
  Events events = grouped(table_of({{0, 0}}, true));
  EXPECT_EQ(events.view.unit, "s");
  const std::vector<std::pair<std::string, int64_t>> units = {
      {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}, {"w", 604800}};
  for (const auto& [name, seconds] : units) {
    set_unit(events, name);
    EXPECT_EQ(events.view.unit, name);
    EXPECT_EQ(events.view.ticks_per_unit, static_cast<double>(seconds * 1'000'000'000));
  }
  for (const char* bad : {"", "1", "ms", "S", "y", "day"}) {
    EXPECT_EQ(complaint([&] { set_unit(events, bad); }),
              "unknown unit '" + std::string(bad) + "'; use s, min, h, d or w");
  }
}

TEST(Unit, OfSecondsThatAreNoInstantsMayBeChosen) {
  EventTable table = table_of({{0, 0}, {0, 7'200'000}});
  table.scale = {.instants = false, .decimals = 3, .seconds = true};
  Events events = grouped(std::move(table));
  EXPECT_EQ(events.view.unit, "s");
  EXPECT_EQ(events.view.ticks_per_unit, 1000);
  EXPECT_EQ(fitting_unit(events), "s");
  set_unit(events, "h");
  EXPECT_EQ(events.view.unit, "h");
  EXPECT_EQ(events.time(0, 1), 2);
  EXPECT_SAYS(complaint([&] { set_unit(events, "1"); }), "unknown unit '1'; use s, min");
}

TEST(Unit, OfPlainNumbersIsTheirOwn) {
  EventTable table = table_of({{0, 125}});
  for (int decimals = 0; decimals <= 18; ++decimals) {
    EventTable copy = table;
    copy.scale.decimals = decimals;
    const Events events = grouped(std::move(copy));
    EXPECT_EQ(events.view.unit, "1");
    EXPECT_EQ(events.view.ticks_per_unit,
              static_cast<double>(std::stoll("1" + std::string(static_cast<std::size_t>(decimals), '0'))));
  }
  Events events = grouped(std::move(table));
  EXPECT_SAYS(complaint([&] { set_unit(events, "d"); }), "plain numbers, which have no unit 'd'");
}

TEST(Origin, IsTheSequencesFirstTheDataSetsFirstOrAnInstant) {
  Events events = grouped(table_of({{0, 30}, {0, 50}, {1, 10}, {1, 15}}));
  const auto times = [&] {
    return Doubles{events.time(0, 0), events.time(0, 1), events.time(1, 2), events.time(1, 3)};
  };
  EXPECT_EQ(times(), (Doubles{0, 20, 0, 5}));
  set_origin(events, OriginKind::kDataSet, 77);
  EXPECT_EQ(times(), (Doubles{20, 40, 0, 5}));
  set_origin(events, OriginKind::kInstant, 12);
  EXPECT_EQ(times(), (Doubles{18, 38, -2, 3}));
  set_origin(events, OriginKind::kSequence);
  EXPECT_EQ(times(), (Doubles{0, 20, 0, 5}));
}

TEST(Origin, IsZeroWhereTheTableSaysSo) {
  EventTable table = table_of({{0, 30}, {1, 10}});
  table.from_zero = true;
  const Events events = grouped(std::move(table));
  EXPECT_EQ(events.view.origin, OriginKind::kInstant);
  EXPECT_EQ(events.time(0, 0), 30);
  EXPECT_EQ(events.time(1, 1), 10);
}

TEST(TimeView, LosesNoNanosecondOfLateInstants) {
  const int64_t late = int64_t{1} << 62;  // the year 2116, where doubles of seconds are a microsecond apart
  std::vector<std::pair<int32_t, int64_t>> rows;
  for (int64_t i = 0; i < 100; ++i) rows.emplace_back(0, late + i);
  Events events = grouped(table_of(rows, true));
  EXPECT_EQ(events.grid, 1);
  for (int64_t i = 0; i < 100; ++i) EXPECT_EQ(events.time(0, i), static_cast<double>(i) / 1e9);
  EXPECT_EQ(events.time(0, 1), 1e-9);
  set_origin(events, OriginKind::kInstant, late - 1);
  EXPECT_EQ(events.time(0, 2), 3e-9);
}

TEST(TimeView, IsRightWhereDifferencesExceed64Bits) {
  const Events events = grouped(table_of({{0, kLeast}, {0, 0}, {0, kMost}}));
  EXPECT_EQ(events.time(0, 0), 0);
  EXPECT_EQ(events.time(0, 1), 0x1p63);
  EXPECT_EQ(events.time(0, 2), 0x1p64);
  const TimeView view{.unit = "s", .ticks_per_unit = 1e9};
  EXPECT_EQ(view.at(kLeast, kMost), -0x1p64 / 1e9);
}

TEST(FittingUnit, IsTheLargestThatIsNotLongerThanTheMedianGap) {
  constexpr int64_t kSecond = 1'000'000'000;
  const auto unit_of = [](int64_t gap) {
    return fitting_unit(grouped(table_of({{0, 0}, {0, gap}, {0, 2 * gap}, {1, 0}, {1, 1000 * gap}}, true)));
  };
  EXPECT_EQ(unit_of(1), "s");
  EXPECT_EQ(unit_of(59 * kSecond), "s");
  EXPECT_EQ(unit_of(60 * kSecond), "min");
  EXPECT_EQ(unit_of(3600 * kSecond - 1), "min");
  EXPECT_EQ(unit_of(3600 * kSecond), "h");
  EXPECT_EQ(unit_of(86400 * kSecond), "d");
  EXPECT_EQ(unit_of(604800 * kSecond), "w");
  EXPECT_EQ(fitting_unit(grouped(table_of({{0, 5}}, true))), "s");
  EXPECT_EQ(fitting_unit(grouped(table_of({{0, kLeast + 1}, {0, kMost}}, true))), "w");
  EXPECT_EQ(fitting_unit(grouped(table_of({{0, 0}, {0, 9}}))), "1");
}

TEST(Events, HaveADigestOfWhatHappenedNotOfHowItIsSeen) {
  const auto made = [](const std::vector<std::string>& types) {
    return MadeEvents({{0, 5}, {3}}).types(types).events();
  };
  Events events = made({"a", "b", "a"});
  const uint64_t digest = digest_of(events);
  set_origin(events, OriginKind::kDataSet);
  EXPECT_EQ(digest_of(events), digest);
  EXPECT_NE(digest_of(made({"a", "b", "b"})), digest);
  EXPECT_NE(digest_of(made({"a", "c", "a"})), digest);
  EXPECT_NE(digest_of(MadeEvents({{0, 6}, {3}}).types({"a", "b", "a"}).events()), digest);
  EXPECT_NE(digest_of(MadeEvents({{0}, {5, 3}}).types({"a", "b", "a"}).events()), digest);
}

}  // namespace
}  // namespace t2v::data
