#include "data/batches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "made_events.h"
#include "t2v/error.h"

namespace t2v::data {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr auto kStart = static_cast<std::size_t>(TimeInput::kStart);
constexpr auto kGap = static_cast<std::size_t>(TimeInput::kGap);
constexpr auto kSince = static_cast<std::size_t>(TimeInput::kSince);
constexpr auto kQuery = static_cast<std::size_t>(TimeInput::kQuery);
constexpr auto kUntil = static_cast<std::size_t>(TimeInput::kUntil);

template <class T>
std::vector<T> list(std::span<const T> values) {
  return {values.begin(), values.end()};
}

/// NaN equals NaN here.
template <class T>
void expect_same(std::span<const T> got, const std::vector<double>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (std::isnan(want[i])) {
      EXPECT_TRUE(std::isnan(got[i])) << i << ": " << got[i];
    } else {
      EXPECT_FLOAT_EQ(static_cast<float>(got[i]), static_cast<float>(want[i])) << i;
    }
  }
}

std::vector<Piece> whole(const Events& events) {
  std::vector<Piece> pieces;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    pieces.push_back({s, events.begin(s), events.end(s), events.begin(s)});
  }
  return pieces;
}

Encoding learned(const Events& events, const EncodingConfig& config = {}) {
  return learn_encoding(events, whole(events), config);
}

/// Two sequences of 4 and 2 events.
MadeEvents made() { return MadeEvents({{10, 12, 15, 20}, {30, 37}}); }
Events typed() { return made().types({"a", "b", "a", "c", "a", "b"}).events(); }

std::string error_of(const Events& events, const Encoding& encoding, const BatchConfig& config) {
  try {
    Batches batches(events, whole(events), encoding, config);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Five events at three times, then two at one.
Events with_shared_times() {
  return MadeEvents({{10, 10, 13, 20, 20}, {4, 4}})
      .types({"a", "b", "a", "a", "a", "b", "b"})
      .value({1, 2, 3, 4, kNone, 6, 7})
      .events();
}

TEST(Batches, TakesEventsOfOneTimeTogether) {
  const Events events = with_shared_times();
  Encoding encoding = learned(events);
  encoding.value.reset();
  encoding.together = true;
  Batches batches(events, whole(events), encoding, {});
  const SequenceBatch view = batches.make(0).view();
  EXPECT_EQ(list(view.offsets), (std::vector<int64_t>{0, 3, 4}));
  expect_same(view.times[kStart], {0, 3, 10, 0});
  expect_same(view.times[kGap], {0, 3, 7, 0});
  EXPECT_TRUE(view.events.empty());
  EXPECT_EQ(list(view.part_offsets), (std::vector<int64_t>{0, 2, 3, 5, 7}));
  EXPECT_EQ(list(view.parts),
            (std::vector<EventPart>{{0, 1}, {1, 1}, {0, 1}, {0, 1}, {0, 1}, {1, 1}, {1, 1}}));
}

TEST(Batches, GivesTheValuesOfTypesWithTheirEvents) {
  const Events events = with_shared_times();
  Encoding encoding = learned(events);
  encoding.typed_values = learn_typed_values(events, whole(events), std::vector<int32_t>{0, 1}, 2);
  encoding.value.reset();
  for (const bool together : {false, true}) {
    encoding.together = together;
    Batches batches(events, whole(events), encoding, {});
    const SequenceBatch view = batches.make(0).view();
    EXPECT_EQ(view.event_count(), together ? 4 : 7);
    std::vector<EventPart> parts;
    const std::vector<int32_t> types = {0, 1, 0, 0, 0, 1, 1};
    for (std::size_t e = 0; e < types.size(); ++e) {
      encoding.typed_values->add(parts, types[e], events.value->values[e]);
    }
    EXPECT_EQ(list(view.parts), parts);
    EXPECT_EQ(view.part_offsets.back(), static_cast<int64_t>(parts.size()));
  }
}

TEST(Batches, RefusesToPredictWithinATime) {
  const Events events = with_shared_times();
  Encoding encoding = learned(events);
  encoding.together = true;
  BatchConfig config;
  config.next_events = true;
  EXPECT_NE(error_of(events, encoding, config).find("nothing can be predicted of each event"),
            std::string::npos);
}

TEST(Batches, GivesTimesOfWholeSequences) {
  const Events events = typed();
  Batches batches(events, whole(events), learned(events), {});
  ASSERT_EQ(batches.count(), 1);
  const SequenceBatch view = batches.make(0).view();
  EXPECT_EQ(list(view.offsets), (std::vector<int64_t>{0, 4, 6}));
  expect_same(view.times[kStart], {0, 2, 5, 10, 0, 7});
  expect_same(view.times[kGap], {0, 2, 3, 5, 0, 7});
  expect_same(view.times[kQuery], {2, 5, 10, 10, 7, 7});
  expect_same(view.times[kUntil], {2, 3, 5, 0, 7, 0});
  EXPECT_EQ(list(view.events), (std::vector<int32_t>{0, 1, 0, 2, 0, 1}));
  EXPECT_TRUE(view.features.empty());
  EXPECT_TRUE(view.labels.empty());
  EXPECT_TRUE(view.next_events.empty());
  EXPECT_TRUE(view.next_gaps.empty());
  EXPECT_TRUE(view.values.empty());
}

TEST(Batches, CountsTimesOfAPieceFromItsSequence) {
  const Events events = typed();
  Batches batches(events, {{0, 2, 4, 2}}, learned(events), {});
  const SequenceBatch view = batches.make(0).view();
  expect_same(view.times[kStart], {5, 10});
  expect_same(view.times[kGap], {3, 5});
  expect_same(view.times[kQuery], {10, 10});
  expect_same(view.times[kSince], {5, 10});
}

TEST(Batches, CountsFromTheOriginAndInTheUnitOfTheView) {
  Events events = typed();
  events.view.origin = OriginKind::kDataSet;
  events.view.origin_tick = 10;
  events.view.ticks_per_unit = 2;
  Batches batches(events, {{1, 4, 6, 4}}, learned(events), {});
  const SequenceBatch view = batches.make(0).view();
  expect_same(view.times[kStart], {10, 13.5});
  expect_same(view.times[kGap], {0, 3.5});
  expect_same(view.times[kSince], {0, 3.5});
}

TEST(Batches, SubtractsTheOriginExactly) {
  // Nanoseconds of today, whose double steps by 256.
  const int64_t now = 1'700'000'000'123'456'789;
  const Events events = MadeEvents({{now, now + 1, now + 3}}).events();
  Batches batches(events, whole(events), learned(events), {});
  expect_same(batches.make(0).view().times[kStart], {0, 1, 3});
}

TEST(Batches, SurvivesDifferencesBeyond64Bits) {
  const int64_t least = std::numeric_limits<int64_t>::min();
  const int64_t most = std::numeric_limits<int64_t>::max();
  const Events events = MadeEvents({{least, most}}).events();
  Batches batches(events, whole(events), learned(events), {.next_gaps = true});
  const SequenceBatch view = batches.make(0).view();
  expect_same(view.times[kStart], {0, 18446744073709551615.0});
  expect_same(view.times[kGap], {0, 18446744073709551615.0});
  expect_same(view.next_gaps, {18446744073709551615.0, kNone});
}

TEST(Batches, TakesIntervalsWhereTheDataHaveThem) {
  Events events =
      MadeEvents({{0, 60'000'000'000, 120'000'000'000}}).instants().interval({30, kNone, 90}).events();
  events.view.unit = "min";
  events.view.ticks_per_unit = 60e9;
  Batches batches(events, whole(events), learned(events), {.next_gaps = true});
  const SequenceBatch view = batches.make(0).view();
  expect_same(view.times[kGap], {0.5, 1, 1.5});
  expect_same(view.next_gaps, {1, 1, kNone});  // the time that passes stays what it is
}

TEST(Batches, PredictsTheNextEventOfThePiece) {
  const Events events = typed();
  Batches batches(events, {{0, 0, 3, 0}, {1, 4, 6, 4}}, learned(events),
                  {.next_events = true, .next_gaps = true});
  const SequenceBatch view = batches.make(0).view();
  EXPECT_EQ(list(view.next_events), (std::vector<int32_t>{1, 0, -1, 1, -1}));
  expect_same(view.next_gaps, {2, 3, kNone, 7, kNone});
}

TEST(Batches, PredictsNothingOfTheContext) {
  const Events events = typed();
  Batches batches(events, {{0, 0, 4, 2}, {0, 0, 4, 3}, {0, 2, 3, 2}, {0, 0, 2, 1}}, learned(events),
                  {.next_events = true, .next_gaps = true});
  const SequenceBatch view = batches.make(0).view();
  EXPECT_EQ(list(view.next_events), (std::vector<int32_t>{-1, 0, 2, -1, -1, -1, 2, -1, -1, 1, -1}));
  expect_same(view.next_gaps, {kNone, 3, 5, kNone, kNone, kNone, 5, kNone, kNone, 2, kNone});
}

TEST(Batches, PredictsTheUnknownOnlyIfAsked) {
  const Events events = typed();
  const Encoding encoding = learned(events, {.vocabulary = 2});
  Batches batches(events, whole(events), encoding, {.next_events = true});
  EXPECT_EQ(list(batches.make(0).view().next_events), (std::vector<int32_t>{1, 0, -1, -1, 1, -1}));
  EXPECT_EQ(batches.make(0).view().events[3], 2);
  Batches asked(events, whole(events), encoding, {.next_events = true, .unknown_counts = true});
  EXPECT_EQ(list(asked.make(0).view().next_events), (std::vector<int32_t>{1, 0, 2, -1, 1, -1}));
}

TEST(Batches, RaisesGapsThatAreTooShortToBePredicted) {
  const Events events = MadeEvents({{0, 0, 5}}).events();
  Batches batches(events, whole(events), learned(events), {.next_gaps = true, .least_gap = 0.5});
  expect_same(batches.make(0).view().next_gaps, {0.5, 5, kNone});
  expect_same(batches.make(0).view().times[kGap], {0, 0, 5});
}

TEST(Batches, StandardisesNumbersAndSpreadsCategories) {
  const Events events = made()
                            .number("x", {1, 3, kNone, 3, 1, kNone})
                            .category("colour", {"red", "blue", "red", "red", "", "red"})
                            .sequence_number("age", {20, 40})
                            .sequence_category("sex", {"m", "f"})
                            .events();
  const Encoding encoding = learned(events);
  Batches batches(events, {{0, 1, 3, 1}, {1, 4, 5, 4}}, encoding, {});
  const SequenceBatch view = batches.make(0).view();
  ASSERT_EQ(encoding.feature_names(),
            (std::vector<std::string>{"x", "x is empty", "colour=red", "colour=blue", "colour=(empty)", "age",
                                      "sex=m", "sex=f"}));
  EXPECT_EQ(batches.features(), 8);
  expect_same(view.features, {1,  0, 0, 1, 0, -1, 1, 0,  //
                              0,  1, 1, 0, 0, -1, 1, 0,  //
                              -1, 0, 0, 0, 1, 1,  0, 1});
}

TEST(Batches, LeavesNothingOfAnEarlierBatchInTheFeatures) {
  const Events events = made().category("colour", {"a", "b", "a", "b", "c", "c"}).events();
  Batches batches(events, whole(events), learned(events), {.batch = 1});
  batches.make(0);
  const SequenceBatch second = batches.make(1).view();
  expect_same(second.features, {0, 0, 1, 0, 0, 1});
}

TEST(Batches, GivesLabelsOfSequences) {
  const Events events = made().label({"yes", "no"}).events();
  Batches batches(events, {{1, 4, 6, 4}, {0, 0, 4, 0}, {0, 2, 4, 2}}, learned(events), {.labels = true});
  EXPECT_EQ(list(batches.make(0).view().labels), (std::vector<int32_t>{1, 0, 0}));
  EXPECT_NE(error_of(typed(), learned(typed()), {.labels = true}).find("no label"), std::string::npos);
}

TEST(Batches, GivesValuesOfEventsOrSequences) {
  const Events events = made().value({1, 2, 3, 4, 5, kNone}).target({7, 9}).events();
  const std::vector<Piece> pieces = {{0, 0, 4, 2}, {1, 4, 6, 4}};
  Encoding blind = learned(events, {.value = false});
  const auto values = [&](ValueTarget kind, bool standard) {
    Batches batches(events, pieces, blind, {.values = kind, .standard_values = standard});
    return list(batches.make(0).view().values);
  };
  expect_same<float>(values(ValueTarget::kOfEvent, false), {kNone, kNone, 3, 4, 5, kNone});
  expect_same<float>(values(ValueTarget::kOfNextEvent, false), {kNone, 3, 4, kNone, kNone, kNone});
  expect_same<float>(values(ValueTarget::kOfSequence, false), {7, 9});
  expect_same<float>(values(ValueTarget::kOfSequence, true), {-1, 1});
  const double std = std::sqrt(2.0);
  expect_same<float>(values(ValueTarget::kOfEvent, true), {kNone, kNone, 0, 1 / std, 2 / std, kNone});
}

TEST(Batches, RefusesToPredictAValueThatTheModelSees) {
  const Events events = made().value({1, 2, 3, 4, 5, 6}).events();
  EXPECT_NE(error_of(events, learned(events), {.values = ValueTarget::kOfEvent}).find("predict the next one"),
            std::string::npos);
  EXPECT_EQ(error_of(events, learned(events), {.values = ValueTarget::kOfNextEvent}), "");
}

TEST(Batches, KeepsTheLastPartialBatch) {
  const Events events = MadeEvents({{0}, {0, 1}, {0, 1, 2}, {0}, {0}}).events();
  Batches batches(events, whole(events), learned(events), {.batch = 2});
  ASSERT_EQ(batches.count(), 3);
  EXPECT_EQ(batches.make(1).view().event_count(), 4);
  EXPECT_EQ(batches.make(2).view().sequences(), 1);
  EXPECT_EQ(batches.make(2).pieces, (std::vector<int64_t>{4}));
  EXPECT_THROW(batches.make(3), Error);
  EXPECT_THROW(batches.make(-1), Error);
}

TEST(Batches, CanBeOfAnyPieces) {
  const Events events = MadeEvents({{0, 1}, {10}, {20, 21, 22}}).events();
  Batches batches(events, whole(events), Encoding{}, {.batch = 1});
  batches.shuffle(1);
  Batch batch;
  batches.make(std::vector<int64_t>{2, 0}, batch);
  EXPECT_EQ(batch.pieces, (std::vector<int64_t>{2, 0}));
  EXPECT_EQ(list(batch.view().offsets), (std::vector<int64_t>{0, 3, 5}));
  EXPECT_EQ(list(batch.view().times[kStart]), (std::vector<double>{0, 1, 2, 0, 1}));
}

TEST(Batches, AreShuffledByTheSeedAndTheEpochAlone) {
  const Events events = MadeEvents(std::vector<std::vector<int64_t>>(50, {0, 1})).events();
  const Encoding encoding = learned(events);
  Batches one(events, whole(events), encoding, {.batch = 50, .seed = 3});
  Batches two(events, whole(events), encoding, {.batch = 50, .seed = 3});
  one.shuffle(0);
  const std::vector<int64_t> first = one.make(0).pieces;
  one.shuffle(1);
  const std::vector<int64_t> second = one.make(0).pieces;
  two.shuffle(1);
  EXPECT_EQ(two.make(0).pieces, second);
  EXPECT_NE(first, second);
  std::vector<int64_t> sorted = first;
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < sorted.size(); ++i) EXPECT_EQ(sorted[i], static_cast<int64_t>(i));
  Batches other(events, whole(events), encoding, {.batch = 50, .seed = 4});
  other.shuffle(1);
  EXPECT_NE(other.make(0).pieces, second);
}

TEST(Batches, UseTheirMemoryAgain) {
  const Events events = MadeEvents({{0, 1, 2, 3, 4, 5}, {0, 1, 2}, {0, 1, 2, 3}})
                            .types(std::vector<std::string>(13, "a"))
                            .events();
  Batches batches(events, whole(events), learned(events), {.batch = 1, .next_gaps = true});
  const SequenceBatch largest = batches.make(0).view();
  for (const int64_t i : {1, 2, 0}) {
    const SequenceBatch view = batches.make(i).view();
    EXPECT_EQ(view.times[kStart].data(), largest.times[kStart].data());
    EXPECT_EQ(view.events.data(), largest.events.data());
    EXPECT_EQ(view.next_gaps.data(), largest.next_gaps.data());
    EXPECT_EQ(view.event_count(), events.length(i));
    EXPECT_EQ(view.events.size(), static_cast<std::size_t>(events.length(i)));
  }
}

TEST(Batches, RefuseWhatTheEncodingHasNoPlaceFor) {
  const Encoding types = learned(typed());
  const Events new_type = made().types({"a", "b", "a", "z", "a", "b"}).events();
  EXPECT_NE(error_of(new_type, types, {}).find("'z' in column 'event' of sequence 's0'"), std::string::npos);
  EXPECT_NE(error_of(made().events(), types, {}).find("no column of event types"), std::string::npos);
  const Events colours = made().category("colour", {"r", "b", "r", "b", "r", "b"}).events();
  const Events others = made().category("colour", {"r", "b", "r", "b", "r", "g"}).events();
  EXPECT_NE(error_of(others, learned(colours), {}).find("'g' in column 'colour' of sequence 's1'"),
            std::string::npos);
  EXPECT_NE(error_of(typed(), learned(colours), {}).find("'colour'"), std::string::npos);
  const Events numbers = made().number("x", {1, 2, 3, 4, 5, 6}).events();
  EXPECT_NE(error_of(typed(), learned(numbers), {}).find("'x'"), std::string::npos);
  EXPECT_NE(error_of(typed(), types, {.batch = 0}).find("at least 1"), std::string::npos);
}

TEST(Batches, DoNotMindUnknownNamesOutsideTheirPieces) {
  const Encoding types = learned(typed());
  const Events events = made().types({"a", "b", "a", "z", "a", "b"}).events();
  Batches batches(events, {{1, 4, 6, 4}}, types, {});
  EXPECT_EQ(list(batches.make(0).view().events), (std::vector<int32_t>{0, 1}));
}

/// Notes which sequences, of three events each, are looked at.
struct ReadEvents final : EventGuard {
  void check(int64_t begin, int64_t end) const override {
    for (int64_t e = begin; e < end; ++e) sequences.insert(e / 3);
  }
  void check_intact() const override {}
  mutable std::set<int64_t> sequences;
};

TEST(Batches, MakeOnlyAShareOfABatchIfAskedTo) {
  std::vector<std::vector<int64_t>> ticks(40, {1, 2, 4});
  std::vector<std::string> types;
  for (int i = 0; i < 120; ++i) types.emplace_back(i % 2 == 0 ? "a" : "b");
  Events events = MadeEvents(ticks).types(types).events();
  const auto read = std::make_shared<ReadEvents>();
  const BatchConfig config{.batch = 40, .next_events = true};
  Batches whole_batches(events, whole(events), learned(events), config);
  const SequenceBatch all = whole_batches.make(0).view();
  const Encoding encoding = learned(events);
  events.guard = read;
  for (int64_t part = 0; part < 2; ++part) {
    Batches batches(events, whole(events), encoding, config);
    read->sequences.clear();
    const SequenceBatch some = batches.make(0, {part, 2}).view();
    EXPECT_EQ(list(some.offsets), list(all.offsets));
    const std::vector<bool> in = in_share(all.offsets, {part, 2});
    for (std::size_t b = 0; b < in.size(); ++b) {
      EXPECT_EQ(read->sequences.contains(static_cast<int64_t>(b)), in[b]) << "the events of " << b;
    }
    EXPECT_EQ(std::ranges::count(in, true), 20);
    for (std::size_t b = 0; b < in.size(); ++b) {
      const auto first = static_cast<std::size_t>(all.offsets[b]);
      const bool same =
          list(some.next_events.subspan(first, 3)) == list(all.next_events.subspan(first, 3)) &&
          list(some.times[kStart].subspan(first, 3)) == list(all.times[kStart].subspan(first, 3));
      EXPECT_EQ(same, in[b]) << b;
    }
  }
}

}  // namespace
}  // namespace t2v::data
