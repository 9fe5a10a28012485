#include "data/splits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "made_events.h"
#include "t2v/error.h"

namespace t2v::data {
namespace {

using Pieces = std::vector<Piece>;

/// Four sequences of 1, 4, 2 and 3 events: events 0, 1-4, 5-6, 7-9.
Events four() { return MadeEvents({{5}, {1, 2, 8, 9}, {6, 7}, {1, 3, 4}}).events(); }

Events many(int64_t count) {
  const std::vector<std::vector<int64_t>> ticks(static_cast<std::size_t>(count), {0, 1});
  return MadeEvents(ticks).events();
}

Split split_of(const Events& events, const SplitConfig& config) {
  SplitCounts counts;
  return make_split(events, config, counts);
}

std::string error_of(const Events& events, const SplitConfig& config) {
  try {
    split_of(events, config);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::set<int64_t> sequences_of(const Pieces& pieces) {
  std::set<int64_t> sequences;
  for (const Piece& piece : pieces) sequences.insert(piece.sequence);
  return sequences;
}

TEST(Split, GivenTakesTheSourcesWord) {
  MadeEvents made({{5}, {1, 2, 8, 9}, {6, 7}});
  const Events events = made.part({Part::kTest, Part::kTrain, Part::kValid}).events();
  const Split split = split_of(events, {.kind = "given"});
  EXPECT_EQ(split.train, (Pieces{{1, 1, 5, 1}}));
  EXPECT_EQ(split.valid, (Pieces{{2, 5, 7, 5}}));
  EXPECT_EQ(split.test, (Pieces{{0, 0, 1, 0}}));
}

TEST(Split, GivenDrawsAMissingValidationFromTraining) {
  std::vector<std::vector<int64_t>> ticks(10, {0, 1});
  std::vector<Part> parts(10, Part::kTrain);
  parts[3] = Part::kTest;
  const Events events = MadeEvents(ticks).part(parts).events();
  const Split split = split_of(events, {.kind = "given", .valid = 0.3});
  EXPECT_EQ(split.train.size(), 6U);
  EXPECT_EQ(split.valid.size(), 3U);
  EXPECT_EQ(sequences_of(split.test), (std::set<int64_t>{3}));
}

TEST(Split, GivenFailsWhereTheSourceSaysNothing) {
  EXPECT_NE(error_of(four(), {.kind = "given"}).find("choose another split"), std::string::npos);
}

TEST(Split, RandomGivesEverySequenceToOnePartByShares) {
  const Events events = many(100);
  const Split split = split_of(events, {.kind = "random", .test = 0.2, .valid = 0.1});
  EXPECT_EQ(split.train.size(), 70U);
  EXPECT_EQ(split.valid.size(), 10U);
  EXPECT_EQ(split.test.size(), 20U);
  std::set<int64_t> all = sequences_of(split.train);
  all.merge(sequences_of(split.valid));
  all.merge(sequences_of(split.test));
  EXPECT_EQ(all.size(), 100U);
  for (const Piece& piece : split.test) EXPECT_EQ(piece.first_target, piece.begin);
  EXPECT_TRUE(std::ranges::is_sorted(split.train, std::ranges::less(), &Piece::sequence));
}

TEST(Split, RandomIsAFunctionOfTheSeed) {
  const Events events = many(20);
  EXPECT_EQ(split_of(events, {.seed = 7}).test, split_of(events, {.seed = 7}).test);
  EXPECT_NE(split_of(events, {.seed = 7}).test, split_of(events, {.seed = 8}).test);
  // What it draws may not change between versions or machines.
  EXPECT_EQ(sequences_of(split_of(events, {.seed = 1}).test), (std::set<int64_t>{1, 6, 10, 18}));
}

TEST(Split, TimeCutsAtATick) {
  const Split split = split_of(four(), {.kind = "time", .test_from = 7});
  EXPECT_EQ(split.train, (Pieces{{0, 0, 1, 0}, {1, 1, 3, 1}, {2, 5, 6, 5}, {3, 7, 10, 7}}));
  EXPECT_EQ(split.test, (Pieces{{1, 1, 5, 3}, {2, 5, 7, 6}}));
  EXPECT_TRUE(split.valid.empty());
}

TEST(Split, TimeGivesNoTrainingPieceToASequenceThatStartsLater) {
  const Split split = split_of(four(), {.kind = "time", .test_from = 6});
  EXPECT_EQ(sequences_of(split.train), (std::set<int64_t>{0, 1, 3}));
  EXPECT_EQ(split.test, (Pieces{{1, 1, 5, 3}, {2, 5, 7, 5}}));
}

TEST(Split, TimeCutsOffAShareOfTheEvents) {
  const Split split = split_of(four(), {.kind = "time", .test = 0.3, .valid = 0.2});
  // Sorted ticks: 1 1 2 3 4 5 6 7 8 9; the test is from 7 on, the validation from 5 on.
  EXPECT_EQ(split.test, (Pieces{{1, 1, 5, 3}, {2, 5, 7, 6}}));
  EXPECT_EQ(split.valid, (Pieces{{0, 0, 1, 0}, {2, 5, 6, 5}}));
  EXPECT_EQ(split.train, (Pieces{{1, 1, 3, 1}, {3, 7, 10, 7}}));
}

TEST(Split, TimeFailsIfNothingIsLater) {
  EXPECT_NE(error_of(four(), {.kind = "time", .test_from = 10}).find("nothing to test on"),
            std::string::npos);
  EXPECT_NE(error_of(four(), {.kind = "time", .test_from = 0}).find("nothing to train on"),
            std::string::npos);
  EXPECT_NE(error_of(four(), {.kind = "time", .test_from = 3, .valid_from = 4}).find("earlier"),
            std::string::npos);
}

TEST(Split, LastPredictsTheLastEventOfEachSequence) {
  SplitCounts counts;
  const Split split = make_split(four(), {.kind = "last"}, counts);
  EXPECT_EQ(split.train, (Pieces{{0, 0, 1, 0}, {1, 1, 4, 1}, {2, 5, 6, 5}, {3, 7, 9, 7}}));
  EXPECT_EQ(split.test, (Pieces{{1, 1, 5, 4}, {2, 5, 7, 6}, {3, 7, 10, 9}}));
  EXPECT_EQ(counts.too_short, 1);
}

TEST(Split, LastKeepsTheLastButOneForValidation) {
  SplitCounts counts;
  const Split split = make_split(four(), {.kind = "last", .valid = 0.1}, counts);
  EXPECT_EQ(split.train, (Pieces{{0, 0, 1, 0}, {1, 1, 3, 1}, {2, 5, 6, 5}, {3, 7, 8, 7}}));
  EXPECT_EQ(split.valid, (Pieces{{1, 1, 4, 3}, {3, 7, 9, 8}}));
  EXPECT_EQ(split.test, (Pieces{{1, 1, 5, 4}, {2, 5, 7, 6}, {3, 7, 10, 9}}));
  EXPECT_EQ(counts.too_short, 2);
}

TEST(Split, HeadTailTestsOnTheLongest) {
  SplitCounts counts;
  const Split split = make_split(four(), {.kind = "head-tail", .train_count = 2, .test_count = 1}, counts);
  EXPECT_EQ(split.train, (Pieces{{0, 0, 1, 0}, {2, 5, 7, 5}}));
  EXPECT_EQ(split.test, (Pieces{{1, 1, 5, 1}}));
  EXPECT_EQ(counts.left_out, 1);
}

TEST(Split, HeadTailKeepsEqualLengthsInOrder) {
  const Split split = split_of(many(10), {.kind = "head-tail", .test = 0.2, .valid = 0.1});
  EXPECT_EQ(sequences_of(split.train), (std::set<int64_t>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(sequences_of(split.valid), (std::set<int64_t>{7}));
  EXPECT_EQ(sequences_of(split.test), (std::set<int64_t>{8, 9}));
  EXPECT_NE(error_of(many(3), {.kind = "head-tail", .train_count = 3}).find("ask for fewer"),
            std::string::npos);
}

TEST(Split, NoneTrainsOnAll) {
  const Split split = split_of(four(), {.kind = "none"});
  EXPECT_EQ(split.train.size(), 4U);
  EXPECT_TRUE(split.test.empty());
}

TEST(Split, RefusesWhatMakesNoSense) {
  EXPECT_NE(error_of(four(), {.kind = "lots"}).find("head-tail"), std::string::npos);
  EXPECT_NE(error_of(four(), {.test = 1.5}).find("below 1"), std::string::npos);
  EXPECT_NE(error_of(four(), {.test = 0.5, .valid = 0.5}).find("nothing to train on"), std::string::npos);
  EXPECT_NE(error_of(many(1), {.kind = "random"}).find("nothing to train on"), std::string::npos);
}

TEST(LimitLength, KeepsTheFirstOrTheLastEvents) {
  const Pieces pieces = {{0, 10, 20, 10}, {1, 20, 23, 20}, {2, 30, 40, 38}};
  Pieces first = pieces;
  limit_length(first, 4, "first");
  EXPECT_EQ(first, (Pieces{{0, 10, 14, 10}, {1, 20, 23, 20}}));
  Pieces last = pieces;
  limit_length(last, 4, "last");
  EXPECT_EQ(last, (Pieces{{0, 16, 20, 16}, {1, 20, 23, 20}, {2, 36, 40, 38}}));
}

TEST(LimitLength, WindowsPredictEveryEventOnce) {
  Pieces pieces = {{0, 10, 20, 10}, {1, 20, 24, 20}, {2, 30, 40, 37}};
  limit_length(pieces, 4, "windows");
  EXPECT_EQ(pieces,
            (Pieces{{0, 10, 14, 10}, {0, 13, 17, 14}, {0, 16, 20, 17}, {1, 20, 24, 20}, {2, 36, 40, 37}}));
}

TEST(LimitLength, WindowsOfTheLastTargetStillHaveContext) {
  for (int64_t max = 2; max < 12; ++max) {
    Pieces pieces = {{0, 0, 10, 9}};
    limit_length(pieces, max, "windows");
    ASSERT_EQ(pieces.size(), 1U);
    EXPECT_LT(pieces[0].begin, 9);
    EXPECT_EQ(pieces[0].end, 10);
    EXPECT_EQ(pieces[0].first_target, 9);
  }
}

TEST(LimitLength, RefusesWhatMakesNoSense) {
  Pieces pieces = {{0, 0, 10, 0}};
  EXPECT_THROW(limit_length(pieces, 5, "middle"), Error);
  EXPECT_THROW(limit_length(pieces, 0, "first"), Error);
  EXPECT_THROW(limit_length(pieces, 1, "windows"), Error);
}

TEST(OnlyLastTarget, LetsTheRestBeContext) {
  Pieces pieces = {{0, 0, 10, 0}};
  only_last_target(pieces);
  EXPECT_EQ(pieces, (Pieces{{0, 0, 10, 9}}));
}

TEST(Split, IsDescribedByItsSizes) {
  SplitCounts counts;
  const Split split = make_split(four(), {.kind = "last"}, counts);
  EXPECT_EQ(describe(split, counts),
            "train: 4 sequences, 7 events\nvalidation: none\ntest: 3 sequences, 9 events, 6 of them "
            "context\n1 sequence is too short for all parts\n");
}

TEST(Split, IsDescribedWithOneAndThousands) {
  Split split;
  split.train.push_back({0, 0, 12'345, 1'000});
  split.test.push_back({0, 0, 1, 0});
  EXPECT_EQ(describe(split, {.too_short = 2'000, .left_out = 1}),
            "train: 1 sequence, 12,345 events, 1,000 of them context\nvalidation: none\ntest: 1 sequence, 1 "
            "event\n2,000 sequences are too short for all parts\n1 sequence is in no part\n");
}

}  // namespace
}  // namespace t2v::data
