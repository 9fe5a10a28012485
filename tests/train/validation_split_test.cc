#include "train/validation_split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/random.h"
#include "data/importer_files.h"
#include "data/made_events.h"
#include "data/splits.h"

namespace t2v {
namespace {

using data::complaint;
using data::MadeEvents;
using data::Piece;
using data::says;
using data::Split;

/// Sequences of 1 to 9 events, each later than the one before.
data::Events some_events(int64_t sequences, uint64_t seed = 1) {
  Random random(seed);
  std::vector<std::vector<int64_t>> ticks(static_cast<std::size_t>(sequences));
  for (auto& sequence : ticks) {
    auto t = static_cast<int64_t>(random.below(100));
    const uint64_t length = 1 + random.below(9);
    for (uint64_t i = 0; i < length; ++i) sequence.push_back(t += 1 + static_cast<int64_t>(random.below(9)));
  }
  return MadeEvents(ticks).events();
}

Split all_of(const data::Events& events) {
  data::EventStore store;
  store.events = events;
  return first_split(store);
}

std::set<int64_t> sequences_of(const std::vector<Piece>& pieces) {
  std::set<int64_t> sequences;
  for (const Piece& piece : pieces) sequences.insert(piece.sequence);
  return sequences;
}

TEST(ValidationSplit, HasNoSequenceInBothParts) {
  for (const uint64_t seed : {1, 2, 3}) {
    const data::Events events = some_events(40, seed);
    Split split = all_of(events);
    const std::vector<Piece> before = split.train;
    split_off_validation(split, events, 0.25, HeldOut::kRandomSequences, seed);
    EXPECT_EQ(split.valid.size(), 10U);
    EXPECT_EQ(split.train.size(), 30U);
    std::vector<Piece> both = split.train;
    both.insert(both.end(), split.valid.begin(), split.valid.end());
    std::ranges::sort(both, {}, &Piece::sequence);
    EXPECT_EQ(both, before);
  }
}

TEST(ValidationSplit, IsDrawnByTheSeed) {
  const data::Events events = some_events(40);
  const auto drawn = [&](uint64_t seed) {
    Split split = all_of(events);
    split_off_validation(split, events, 0.2, HeldOut::kRandomSequences, seed);
    return sequences_of(split.valid);
  };
  EXPECT_EQ(drawn(1), drawn(1));
  EXPECT_NE(drawn(1), drawn(2));
}

TEST(ValidationSplit, KeepsTheWindowsOfASequenceTogether) {
  const data::Events events = some_events(30);
  Split split = all_of(events);
  data::limit_length(split.train, 3, "windows");
  const std::size_t windows = split.train.size();
  ASSERT_GT(windows, 40U);
  split_off_validation(split, events, 0.3, HeldOut::kRandomSequences, 5);
  EXPECT_EQ(split.train.size() + split.valid.size(), windows);
  EXPECT_EQ(sequences_of(split.valid).size(), 9U);
  for (const int64_t sequence : sequences_of(split.valid)) {
    EXPECT_FALSE(sequences_of(split.train).contains(sequence));
  }
}

TEST(ValidationSplit, TakesAtLeastOneSequenceAndLeavesOne) {
  const data::Events two = some_events(2);
  for (const double share : {0.01, 0.5, 0.99}) {
    Split split = all_of(two);
    split_off_validation(split, two, share, HeldOut::kRandomSequences, 1);
    EXPECT_EQ(split.train.size(), 1U) << share;
    EXPECT_EQ(split.valid.size(), 1U) << share;
  }
  const data::Events one = some_events(1);
  Split split = all_of(one);
  split_off_validation(split, one, 0.5, HeldOut::kRandomSequences, 1);
  EXPECT_EQ(split.train.size(), 1U);
  EXPECT_TRUE(split.valid.empty());
}

TEST(ValidationSplit, InTimeIsLaterThanAllThatIsLearnedFrom) {
  const data::Events events = some_events(30, 7);
  Split split = all_of(events);
  split_off_validation(split, events, 0.2, HeldOut::kLatestPart, 1);
  int64_t last = INT64_MIN;
  int64_t learned = 0;
  for (const Piece& piece : split.train) {
    last = std::max(last, events.tick(piece.end - 1));
    learned += piece.end - piece.begin;
    EXPECT_EQ(piece.first_target, piece.begin);
    EXPECT_EQ(piece.begin, events.begin(piece.sequence));
  }
  int64_t chosen = 0;
  for (const Piece& piece : split.valid) {
    ASSERT_LT(piece.first_target, piece.end);
    EXPECT_GT(events.tick(piece.first_target), last);
    EXPECT_EQ(piece.begin, events.begin(piece.sequence));  // what is before is context
    EXPECT_EQ(piece.end, events.end(piece.sequence));
    if (piece.first_target > piece.begin) {
      EXPECT_LE(events.tick(piece.first_target - 1), last);
    }
    chosen += piece.end - piece.first_target;
  }
  EXPECT_EQ(learned + chosen, events.size());
  EXPECT_NEAR(static_cast<double>(chosen) / static_cast<double>(events.size()), 0.2, 0.05);
}

TEST(ValidationSplit, InTimeSplitsASingleSequence) {
  const data::Events events = MadeEvents({{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}).events();
  Split split = all_of(events);
  split_off_validation(split, events, 0.2, HeldOut::kLatestPart, 1);
  EXPECT_EQ(split.train, (std::vector<Piece>{{0, 0, 8, 0}}));
  EXPECT_EQ(split.valid, (std::vector<Piece>{{0, 0, 10, 8}}));
}

TEST(ValidationSplit, InTimeKeepsWhatWasContextBefore) {
  const data::Events events = MadeEvents({{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}).events();
  Split split;
  split.train = {{0, 0, 6, 0}, {0, 5, 10, 6}};  // windows
  split_off_validation(split, events, 0.3, HeldOut::kLatestPart, 1);
  EXPECT_EQ(split.train, (std::vector<Piece>{{0, 0, 6, 0}, {0, 5, 7, 6}}));
  EXPECT_EQ(split.valid, (std::vector<Piece>{{0, 5, 10, 7}}));
  split.train = {{0, 0, 6, 0}, {0, 5, 10, 6}};
  split.valid.clear();
  split_off_validation(split, events, 0.5, HeldOut::kLatestPart, 1);
  EXPECT_EQ(split.train, (std::vector<Piece>{{0, 0, 5, 0}}));
  EXPECT_EQ(split.valid, (std::vector<Piece>{{0, 0, 6, 5}, {0, 5, 10, 6}}));
}

TEST(ValidationSplit, InTimeIsNoneWhereAllIsOneInstant) {
  const data::Events events = MadeEvents({{5, 5, 5}, {5, 5}}).events();
  Split split = all_of(events);
  split_off_validation(split, events, 0.2, HeldOut::kLatestPart, 1);
  EXPECT_EQ(split.train.size(), 2U);
  EXPECT_TRUE(split.valid.empty());
}

TEST(ValidationSplit, StartsFromWhatTheDataSay) {
  using data::Part;
  data::EventStore store;
  store.events =
      MadeEvents({{0, 1}, {0, 1}, {0, 1}}).part({Part::kTrain, Part::kTest, Part::kValid}).events();
  Split split = first_split(store);
  EXPECT_EQ(sequences_of(split.train), (std::set<int64_t>{0}));
  EXPECT_EQ(sequences_of(split.valid), (std::set<int64_t>{2}));
  EXPECT_EQ(sequences_of(split.test), (std::set<int64_t>{1}));
  store.split.emplace();
  store.split->train = {{1, 2, 4, 2}};
  EXPECT_EQ(sequences_of(first_split(store).train), (std::set<int64_t>{1}));
}

constexpr int64_t kDay = 86'400'000'000'000;

/// Cases of two days each, of which one starts every 30 days, the last one first.
MadeEvents cases(int64_t count) {
  std::vector<std::vector<int64_t>> ticks;
  for (int64_t i = count; i-- > 0;)
    ticks.push_back({30 * i * kDay, (30 * i + 1) * kDay, (30 * i + 2) * kDay});
  return MadeEvents(ticks);
}

HeldOut held_out_of(const data::Events& events, Task task) {
  return held_out(all_of(events).train, events, task, data::ValueTarget::kNone);
}

TEST(HeldOut, IsTheLatestCasesWhereTimesAreDates) {
  EXPECT_EQ(held_out_of(cases(20).instants().events(), Task::kNext), HeldOut::kLatestSequences);
  EXPECT_EQ(held_out_of(cases(20).instants().events(), Task::kClassify), HeldOut::kLatestSequences);
  EXPECT_EQ(held_out_of(cases(20).events(), Task::kNext), HeldOut::kRandomSequences);
}

TEST(HeldOut, IsTheLatestPartOfLongOrFewSequences) {
  const std::vector<std::vector<int64_t>> users(20, {0, 5 * kDay, 9 * kDay});
  EXPECT_EQ(held_out_of(MadeEvents(users).instants().events(), Task::kNext), HeldOut::kLatestPart);
  std::vector<int64_t> ticks(100);
  std::iota(ticks.begin(), ticks.end(), 0);
  EXPECT_EQ(held_out_of(MadeEvents({ticks}).events(), Task::kNext), HeldOut::kLatestPart);
  ticks.pop_back();
  EXPECT_EQ(held_out_of(MadeEvents({ticks}).events(), Task::kNext), HeldOut::kRandomSequences);
  EXPECT_EQ(held_out_of(cases(20).events(), Task::kRecommend), HeldOut::kLatestPart);
}

TEST(HeldOut, IsDrawnWhereTheLatestSequencesLackAClass) {
  std::vector<std::string> sorted(20, "late");
  std::fill(sorted.begin() + 10, sorted.end(), "early");
  EXPECT_EQ(held_out_of(cases(20).instants().label(sorted).events(), Task::kClassify),
            HeldOut::kRandomSequences);
}

TEST(ValidationSplit, TakesTheSequencesThatStartLast) {
  const data::Events events = cases(20).instants().events();
  Split split = all_of(events);
  split_off_validation(split, events, 0.1, HeldOut::kLatestSequences, 1);
  EXPECT_EQ(sequences_of(split.valid), (std::set<int64_t>{0, 1}));
  EXPECT_EQ(split.train.size(), 18U);
}

TEST(ValidationSplit, RefusesWhatIsNoShare) {
  const data::Events events = some_events(3);
  for (const double share : {0.0, 1.0, -0.1, std::nan("")}) {
    Split split = all_of(events);
    EXPECT_SAYS(complaint([&] { split_off_validation(split, events, share, HeldOut::kRandomSequences, 1); }),
                "in (0, 1)");
  }
}

TEST(ValidationSplit, IsSaidInALine) {
  Split split;
  split.train = {{0, 0, 2, 0}};
  EXPECT_EQ(describe_split(split, HeldOut::kRandomSequences),
            "learned from: 1 sequence; none for validation, so it does not stop by itself");
  split.valid = {{0, 0, 3, 2}};
  EXPECT_EQ(describe_split(split, HeldOut::kLatestPart),
            "learned from: 1 sequence; validation: 1, their last part in time");
}

}  // namespace
}  // namespace t2v
