#include "data/time_lstm_preparation.h"

#include "importer_files.h"

namespace t2v::data {
namespace {

struct Entry {
  std::string user;
  std::string item;  // empty: none
  int64_t second;    // negative: none
};

ItemLog log_of(const std::vector<Entry>& entries) {
  ItemLog log;
  for (const Entry& entry : entries) {
    log.user.push_back(log.users.add(entry.user));
    log.item.push_back(entry.item.empty() ? ItemLog::kNoItem : log.items.add(entry.item));
    log.ticks.push_back(entry.second < 0 ? ItemLog::kNoTime : entry.second * 1'000'000'000);
  }
  return log;
}

/// All users for training.
TimeLstmOptions options_of(Preparation preparation, int64_t vocabulary) {
  TimeLstmOptions options;
  options.preparation = preparation;
  options.vocabulary = vocabulary;
  options.train_share = 1;
  return options;
}

EventTable prepare(const std::vector<Entry>& entries, const TimeLstmOptions& options) {
  return prepare_time_lstm(log_of(entries), options, "item");
}

std::vector<int64_t> seconds_of(const EventTable& table) {
  std::vector<int64_t> seconds;
  for (const int64_t tick : table.ticks) seconds.push_back(tick / 1'000'000'000);
  return seconds;
}

TEST(TimeLstmPreparation, NumbersItemsByCountAndThenByFirstAppearance) {
  const EventTable table =
      prepare({{"u", "x", 1}, {"u", "b", 2}, {"u", "a", 3}, {"u", "a", 4}, {"u", "c", 5}},
              options_of(Preparation::kClean, 3));
  EXPECT_EQ(names_of(table.event->names), (Texts{"a", "x", "b"}));
  EXPECT_EQ(table.event->codes, (Codes{1, 2, 0, 0}));
  EXPECT_EQ(table.event->name, "item");
  EXPECT_EQ(table.scale, (TickScale{true, 9}));
}

TEST(TimeLstmPreparation, SortsUsersByTheirRowsAndEventsByTime) {
  const EventTable table =
      prepare({{"long", "a", 9}, {"long", "a", 3}, {"long", "b", 3}, {"one", "a", 7}, {"one", "b", 6}},
              options_of(Preparation::kClean, 10));
  EXPECT_EQ(names_of(table.ids), (Texts{"one", "long"}));
  EXPECT_EQ(seconds_of(table), (Ticks{6, 7, 3, 3, 9}));
  EXPECT_EQ(table.event->codes, (Codes{1, 0, 0, 1, 0}));
  EXPECT_FALSE(table.interval);
}

TEST(TimeLstmPreparation, AsCodedStoresTheTimeUntilTheNextEvent) {
  const EventTable table =
      prepare({{"u", "a", 10}, {"u", "a", 13}, {"u", "a", 20}}, options_of(Preparation::kAsCoded, 10));
  EXPECT_EQ(table.interval->values, (Doubles{3, 7, 0}));
  EXPECT_EQ(seconds_of(table), (Ticks{10, 13, 20}));
}

// Item z is beyond the vocabulary. With kept events at p < q the value at q is t[q+1] - t[p+1].
TEST(TimeLstmPreparation, AsCodedHandsTheTimesOfDroppedEventsToTheNextOneKept) {
  const std::vector<Entry> entries = {
      {"u", "a", 10}, {"u", "z", 13}, {"u", "y", 20}, {"u", "a", 100}, {"u", "a", 250}};
  const EventTable table = prepare(entries, options_of(Preparation::kAsCoded, 1));
  EXPECT_EQ(seconds_of(table), (Ticks{10, 100, 250}));
  EXPECT_EQ(table.interval->values, (Doubles{3, 250 - 13, 0}));
  EXPECT_TRUE(any_note(table, "2 events beyond the vocabulary"));
  EXPECT_EQ(seconds_of(prepare(entries, options_of(Preparation::kClean, 1))), (Ticks{10, 100, 250}));
}

TEST(TimeLstmPreparation, AsCodedCarriesTheRestOfAUserToTheNextOneOfThePart) {
  const std::vector<Entry> entries = {
      {"p", "a", 0}, {"p", "a", 1}, {"p", "y", 2}, {"p", "y", 9},                  // leaves 7
      {"q", "y", 0}, {"q", "a", 3}, {"q", "z", 5}, {"q", "z", 6}, {"q", "z", 16},  // leaves 11
      {"r", "a", 1}, {"r", "a", 2}, {"r", "a", 4}, {"r", "a", 4}, {"r", "a", 4},  {"r", "a", 4}};
  const EventTable train = prepare(entries, options_of(Preparation::kAsCoded, 1));
  // q has too few events and is left out, but not what it left over: 7 - 7 + (5 - 3) of its kept event go.
  EXPECT_EQ(names_of(train.ids), (Texts{"p", "r"}));
  EXPECT_EQ(train.interval->values, (Doubles{1, 1, 11 + 1, 2, 0, 0, 0, 0}));

  TimeLstmOptions halves = options_of(Preparation::kAsCoded, 1);
  halves.train_share = 0;
  halves.train_users = 2;
  halves.test_users = 1;
  const EventTable parts = prepare(entries, halves);
  EXPECT_EQ(parts.part, (std::vector<Part>{Part::kTrain, Part::kTest}));
  EXPECT_EQ(parts.interval->values, (Doubles{1, 1, 1, 2, 0, 0, 0, 0})) << "the carry starts anew";
}

TEST(TimeLstmPreparation, AsCodedMayStartEachUserWithoutTheRestOfTheOneBefore) {
  TimeLstmOptions options = options_of(Preparation::kAsCoded, 1);
  const std::vector<Entry> entries = {{"p", "a", 0}, {"p", "a", 1}, {"p", "y", 2},
                                      {"p", "y", 9}, {"q", "a", 1}, {"q", "a", 2},
                                      {"q", "a", 4}, {"q", "a", 4}, {"q", "a", 4}};
  EXPECT_EQ(prepare(entries, options).interval->values, (Doubles{1, 1, 7 + 1, 2, 0, 0, 0}));
  options.carry_across_users = false;
  EXPECT_EQ(prepare(entries, options).interval->values, (Doubles{1, 1, 1, 2, 0, 0, 0}));
}

TEST(TimeLstmPreparation, DrawsWhoIsForTestByASeedAndKeepsTheOrderOfEachPart) {
  std::vector<Entry> entries;
  for (int user = 0; user < 20; ++user) {
    for (int i = 0; i < user + 3; ++i) entries.push_back({std::to_string(user + 10), "a", i});
  }
  TimeLstmOptions options = options_of(Preparation::kClean, 1);
  options.train_share = 0.5;
  const auto test_users = [&] {
    const EventTable table = prepare(entries, options);
    Texts ids = names_of(table.ids);
    EXPECT_EQ(ids.size(), 20U);
    const auto middle = ids.begin() + 10;
    EXPECT_TRUE(std::is_sorted(ids.begin(), middle) && std::is_sorted(middle, ids.end()));
    return Texts(middle, ids.end());
  };
  EXPECT_EQ(test_users().front(), "20") << "the longest";
  options.drawn_by = 1;
  const Texts drawn = test_users();
  EXPECT_LT(drawn.front(), "20");
  EXPECT_EQ(drawn, test_users());
  options.drawn_by = 2;
  EXPECT_NE(drawn, test_users());
}

TEST(TimeLstmPreparation, AsCodedMayStoreSumsOfAccumulatedTimes) {
  TimeLstmOptions options = options_of(Preparation::kAsCoded, 1);
  options.stored = StoredTime::kAccumulated;
  const EventTable table =
      prepare({{"u", "a", 10}, {"u", "y", 13}, {"u", "z", 20}, {"u", "a", 30}, {"u", "a", 31}}, options);
  EXPECT_EQ(table.interval->values, (Doubles{0, 3 + 10 + 20, 21}));
}

TEST(TimeLstmPreparation, LeavesOutShortUsersAndAllButTheFirstEvents) {
  TimeLstmOptions options = options_of(Preparation::kClean, 10);
  options.train_share = 0.5;
  options.longest = 3;
  const std::vector<Entry> entries = {{"a", "i", 1}, {"b", "i", 1}, {"b", "i", 2},
                                      {"c", "i", 1}, {"c", "i", 2}, {"d", "i", 1},
                                      {"d", "i", 2}, {"d", "i", 3}, {"d", "i", 4}};
  const EventTable table = prepare(entries, options);  // a: 1 event in train; c: 2 events in test
  EXPECT_EQ(names_of(table.ids), (Texts{"b", "d"}));
  EXPECT_EQ(seconds_of(table), (Ticks{1, 2, 1, 2, 3}));
  EXPECT_TRUE(any_note(table, "2 users with too few events"));
  options.longest = 0;
  EXPECT_EQ(prepare(entries, options).rows(), 6);
}

TEST(TimeLstmPreparation, TakesHeadAndTailOfTheUsers) {
  TimeLstmOptions options;
  options.train_users = 1;
  options.test_users = 1;
  std::vector<Entry> entries;
  for (int64_t user = 0; user < 3; ++user) {
    for (int64_t i = 0; i < 3 + user; ++i) entries.push_back({std::to_string(user), "i", i});
  }
  const EventTable table = prepare(entries, options);
  EXPECT_EQ(names_of(table.ids), (Texts{"0", "2"}));
  EXPECT_TRUE(any_note(table, "1 users are between"));
  options.test_users = 3;
  EXPECT_SAYS(complaint([&] { prepare(entries, options); }),
              "1 users for training and 3 for test, but there are only 3");
}

TEST(TimeLstmPreparation, TreatsMissingItemsAndTimesAsEachVariantDoes) {
  const std::vector<Entry> entries = {{"u", "a", 1}, {"u", "", 2},   {"u", "b", 3}, {"v", "a", 1},
                                      {"v", "", 2},  {"v", "b", -1}, {"v", "a", 5}};
  const EventTable clean = prepare(entries, options_of(Preparation::kClean, 10));
  EXPECT_EQ(seconds_of(clean), (Ticks{1, 3, 1, 5}));
  // u has two items and three times; v has three of each, which no longer belong together.
  const EventTable coded = prepare(entries, options_of(Preparation::kAsCoded, 10));
  EXPECT_EQ(names_of(coded.ids), Texts{"v"});
  EXPECT_EQ(seconds_of(coded), (Ticks{1, 2, 5}));
  EXPECT_EQ(coded.event->codes, (Codes{0, 0, 1}));
  EXPECT_EQ(coded.interval->values, (Doubles{1, 3, 0}));
  EXPECT_TRUE(any_note(coded, "1 users have more items than times"));
}

TEST(TimeLstmPreparation, RefusesNumbersThatMakeNoSense) {
  TimeLstmOptions options;
  options.vocabulary = 0;
  EXPECT_SAYS(complaint([&] { prepare({}, options); }), "vocabulary '0' leaves no item; set");
  options = {};
  options.longest = -1;
  EXPECT_SAYS(complaint([&] { prepare({}, options); }), "longest '-1' is negative; set");
  options = {};
  options.train_share = 1.5;
  EXPECT_SAYS(complaint([&] { prepare({}, options); }), "train_share '1.5' is no share; set");
  options = {};
  options.test_users = -2;
  EXPECT_SAYS(complaint([&] { prepare({}, options); }), "test_users '-2' is negative; set");
}

TEST(FrequentRows, AreOfFrequentItemsAndOfUsersWhoHaveEnough) {
  const ItemLog log = log_of({{"u", "rare", 1},
                              {"u", "a", 2},
                              {"v", "a", 3},
                              {"u", "b", 4},
                              {"v", "b", 5},
                              {"w", "a", 6},
                              {"v", "", 7}});
  const ItemLog kept = frequent_rows(log, 2, 2);
  EXPECT_EQ(names_of(kept.users), (Texts{"u", "v"}));
  EXPECT_EQ(names_of(kept.items), (Texts{"a", "b"}));
  EXPECT_EQ(kept.user, (Codes{0, 1, 0, 1}));
  EXPECT_EQ(kept.item, (Codes{0, 0, 1, 1}));
  EXPECT_EQ(kept.ticks.front(), 2'000'000'000);
}

}  // namespace
}  // namespace t2v::data
