#include "model/baselines.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>

#include "base/random.h"
#include "build_paths.h"
#include "data/importer_files.h"
#include "data/made_events.h"
#include "data/rmtpp_twins.h"
#include "data/splits.h"

namespace t2v {
namespace {

using data::MadeEvents;
using data::Piece;
using data::says;
using data::ValueTarget;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// All sequences, whole.
std::vector<Piece> pieces_of(const data::Events& events) {
  std::vector<Piece> pieces;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    pieces.push_back({s, events.begin(s), events.end(s), events.begin(s)});
  }
  return pieces;
}

Baselines fitted(const data::Events& events, Task task, double least_gap = 0) {
  const std::vector<Piece> train = pieces_of(events);
  return Baselines::fit(events, train, data::learn_encoding(events, train, {}), task,
                        value_target(task, events), least_gap);
}

/// Types a, b, c have the codes 0, 1, 2.
data::Events three_types() {
  return MadeEvents({{0, 1, 2, 3}, {0, 2, 4}}).types({"a", "b", "a", "b", "a", "a", "c"}).events();
}

TEST(Baselines, CountTypesAndTransitions) {
  const Baselines baselines = fitted(three_types(), Task::kNext);
  EXPECT_EQ(baselines.popularity, (std::vector<double>{5.0 / 10, 3.0 / 10, 2.0 / 10}));
  EXPECT_EQ(baselines.markov_offsets, (std::vector<int64_t>{0, 3, 4, 4}));
  EXPECT_EQ(baselines.markov_types, (std::vector<int32_t>{0, 1, 2, 0}));
  EXPECT_EQ(baselines.markov_counts, (std::vector<double>{1, 2, 1, 1}));
  EXPECT_TRUE(baselines.classes.empty());
  EXPECT_TRUE(baselines.value.empty());
}

TEST(Baselines, CountTransitionsOfMoreEventsThanAreHeldAtOnce) {
  constexpr int64_t kEvents = 900'000;
  Random random(1);
  std::vector<int64_t> times(kEvents);
  std::vector<std::string> types(kEvents);
  std::map<std::pair<std::string, std::string>, double> expected;
  for (std::size_t i = 0; i < times.size(); ++i) {
    times[i] = static_cast<int64_t>(i);
    // Some pairs come late, some never.
    const auto drawn = random.below(i < times.size() / 2 ? 6 : 9);
    types[i] = std::string(1, static_cast<char>('a' + drawn));
    if (i > 0) expected[{types[i - 1], types[i]}] += 1;
  }
  const data::Events events = MadeEvents({times}).types(types).events();
  const Baselines baselines = fitted(events, Task::kNext);
  const data::Encoding encoding = data::learn_encoding(events, pieces_of(events), {});
  std::map<std::pair<std::string, std::string>, double> counted;
  for (std::size_t from = 0; from + 1 < baselines.markov_offsets.size(); ++from) {
    for (int64_t i = baselines.markov_offsets[from]; i < baselines.markov_offsets[from + 1]; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const auto to = static_cast<std::size_t>(baselines.markov_types[at]);
      counted[{encoding.event->names[from], encoding.event->names[to]}] = baselines.markov_counts[at];
    }
  }
  EXPECT_EQ(counted, expected);
}

TEST(Baselines, CountWhatIsToBePredictedOnceAndContextNever) {
  const data::Events events = three_types();
  const std::vector<Piece> train = {{0, 0, 4, 2}};
  const data::Encoding encoding = data::learn_encoding(events, pieces_of(events), {});
  const Baselines baselines = Baselines::fit(events, train, encoding, Task::kNext, ValueTarget::kNone);
  EXPECT_EQ(baselines.popularity, (std::vector<double>{2.0 / 5, 2.0 / 5, 1.0 / 5}));
  EXPECT_EQ(baselines.markov_types, (std::vector<int32_t>{1, 0}));
}

TEST(Baselines, DoNotCountUnknownTypesAsTargets) {
  const data::Events events = three_types();
  const std::vector<Piece> train = pieces_of(events);
  data::EncodingConfig config;
  config.vocabulary = 1;  // a; b and c are unknown
  const Baselines baselines = Baselines::fit(events, train, data::learn_encoding(events, train, config),
                                             Task::kNext, ValueTarget::kNone);
  EXPECT_EQ(baselines.popularity, (std::vector<double>{5.0 / 6, 1.0 / 6}));
  EXPECT_EQ(baselines.markov_types, (std::vector<int32_t>{0, 0}));
  EXPECT_EQ(baselines.markov_offsets, (std::vector<int64_t>{0, 1, 2}));
}

TEST(Baselines, KnowTheSharesOfClasses) {
  const data::Events events = MadeEvents({{0}, {0}, {0}, {0}}).label({"x", "y", "y", "y"}).events();
  EXPECT_EQ(fitted(events, Task::kClassify).classes, (std::vector<double>{0.25, 0.75}));
}

TEST(Baselines, FitALogNormalDistributionToGaps) {
  const data::Events events = MadeEvents({{0, 1, 5}, {0, 0}}).types({"a", "a", "a", "a", "a"}).events();
  const Baselines without = fitted(events, Task::kNext);  // gaps 1 and 4
  EXPECT_NEAR(without.gap[0], std::log(2.0), 1e-15);
  EXPECT_NEAR(without.gap[1], std::log(2.0), 1e-15);
  const Baselines with = fitted(events, Task::kNext, 0.25);  // and 0, as 1/4
  EXPECT_NEAR(with.gap[0], 0, 1e-15);
  const GapPrediction prediction = predict_gap(without, 4);
  EXPECT_NEAR(prediction.median, 2, 1e-14);
  EXPECT_NEAR(prediction.share_below, 0.841344746068543, 1e-12);
  // -log of 1/(4 · log 2 · sqrt(2π)) · exp(-1/2)
  EXPECT_NEAR(prediction.loss, std::log(4 * std::log(2.0) * std::sqrt(2 * std::numbers::pi)) + 0.5, 1e-12);
}

TEST(Baselines, ExpectEqualGapsWithAFiniteDensity) {
  const data::Events events = MadeEvents({{0, 2, 4, 6}}).types({"a", "a", "a", "a"}).events();
  EXPECT_GT(fitted(events, Task::kNext).gap[1], 0);
}

TEST(Baselines, TakeTheMeanOfTheNumbersOfSequences) {
  const data::Events events = MadeEvents({{0}, {0}, {0}}).target({1, kNan, 4}).events();
  EXPECT_EQ(fitted(events, Task::kRegress).value, (std::vector<double>{2.5, 0}));
}

data::Events wave(double swing) {
  std::vector<int64_t> ticks;
  std::vector<double> values;
  Random random(5);
  for (int64_t t = 0; t < 400; ++t) {
    ticks.push_back(t);
    values.push_back(3 + swing * std::sin(2 * std::numbers::pi * static_cast<double>(t) / 12) +
                     random.normal());
  }
  return MadeEvents({ticks}).value(values).events();
}

TEST(Baselines, FindASeasonThatExplainsEnough) {
  const Baselines clear = fitted(wave(2), Task::kForecast);
  EXPECT_NEAR(clear.season(), 12, 0.1);
  EXPECT_NEAR(clear.mean(), 3, 0.2);
  EXPECT_EQ(fitted(wave(0), Task::kForecast).season(), 0);
}

TEST(Baselines, FindNoSeasonInConstantOrFewValues) {
  const data::Events few = MadeEvents({{0, 1, 2, 3}}).value({1, -1, 1, -1}).events();
  EXPECT_EQ(fitted(few, Task::kForecast).season(), 0);
  std::vector<int64_t> ticks(50);
  std::iota(ticks.begin(), ticks.end(), 0);
  EXPECT_EQ(fitted(MadeEvents({ticks}).value(std::vector<double>(50, 7)).events(), Task::kForecast).season(),
            0);
  const data::Events at_once =
      MadeEvents({std::vector<int64_t>(50, 3)}).value(std::vector<double>(50, kNan)).events();
  EXPECT_EQ(fitted(at_once, Task::kForecast).value, (std::vector<double>{0, 0}));
}

/// Ranks by all scores, one by one.
TypeRank plain_rank(const std::vector<double>& scores, int32_t target) {
  TypeRank result{1, 0};
  const double own = scores[static_cast<std::size_t>(target)];
  for (std::size_t v = 0; v < scores.size(); ++v) {
    const bool earlier = v < static_cast<std::size_t>(target);
    result.rank += scores[v] > own || (scores[v] == own && earlier) ? 1 : 0;
  }
  result.loss = -std::log(own / std::accumulate(scores.begin(), scores.end(), 0.0));
  return result;
}

void expect_equal(const TypeRank& got, const TypeRank& wanted, int32_t type) {
  EXPECT_EQ(got.rank, wanted.rank) << type;
  EXPECT_NEAR(got.loss, wanted.loss, 1e-12) << type;
}

TEST(TypeRanking, IsThatOfAllScoresOneByOne) {
  // Many types with equal popularity, so that there are ties of every sort.
  Random random(8);
  std::vector<int64_t> ticks;
  std::vector<std::string> types;
  for (int64_t t = 0; t < 200; ++t) {
    ticks.push_back(t);
    types.push_back(std::to_string(random.below(1 + random.below(40))));
  }
  const Baselines baselines = fitted(MadeEvents({ticks}).types(types).events(), Task::kRecommend);
  const auto count = static_cast<int32_t>(baselines.popularity.size());
  const TypeRanking ranking(baselines);
  TypePast past(count);
  std::vector<double> own(static_cast<std::size_t>(count));
  for (int32_t before = 0; before < count; ++before) {
    const auto row = static_cast<int32_t>(random.below(static_cast<uint64_t>(count)));
    past.add(row);
    own[static_cast<std::size_t>(row)] += 1;
    std::vector<double> by_past = own;
    std::vector<double> by_markov(own.size());
    for (std::size_t v = 0; v < own.size(); ++v) {
      by_past[v] += kUserPrior * baselines.popularity[v];
      by_markov[v] = kMarkovPrior * baselines.popularity[v];
    }
    const auto from = static_cast<std::size_t>(before);
    for (int64_t i = baselines.markov_offsets[from]; i < baselines.markov_offsets[from + 1]; ++i) {
      const auto at = static_cast<std::size_t>(i);
      by_markov[static_cast<std::size_t>(baselines.markov_types[at])] += baselines.markov_counts[at];
    }
    for (int32_t target = 0; target < count; ++target) {
      expect_equal(ranking.by_popularity(target), plain_rank(baselines.popularity, target), target);
      expect_equal(ranking.by_past(target, past.counts()), plain_rank(by_past, target), target);
      expect_equal(ranking.by_markov(target, before), plain_rank(by_markov, target), target);
    }
  }
}

TEST(TypeRanking, OfEquallyFrequentTypesPutsTheFirstOfTheVocabularyFirst) {
  const Baselines baselines =
      fitted(MadeEvents({{0, 1, 2, 3}}).types({"b", "a", "b", "a"}).events(), Task::kNext);
  const TypeRanking ranking(baselines);
  EXPECT_EQ(ranking.by_popularity(0).rank, 1);
  EXPECT_EQ(ranking.by_popularity(1).rank, 2);
}

TEST(TypePast, StartsAnewWhenCleared) {
  TypePast past(3);
  past.add(2);
  past.add(0);
  past.add(2);
  EXPECT_EQ(past.counts().types.size(), 2U);
  EXPECT_EQ(past.counts().counts[0], 2);
  past.clear();
  past.add(2);
  EXPECT_EQ(past.counts().types.size(), 1U);
  EXPECT_EQ(past.counts().counts[0], 1);
}

TEST(ValuePast, PredictsTheLastValueAndTheNearestOneASeasonAgo) {
  ValuePast past(7, 10);
  EXPECT_EQ(past.last(), 7);
  EXPECT_EQ(past.one_season_before(3), 7);
  past.add(0, 1);
  past.add(4, 2);
  past.add(5, kNan);
  past.add(8, 3);
  EXPECT_EQ(past.last(), 3);
  EXPECT_EQ(past.one_season_before(9), 3);   // before the first: the last
  EXPECT_EQ(past.one_season_before(10), 1);  // exactly
  EXPECT_EQ(past.one_season_before(12), 1);  // 2 is as near to 0 as to 4: the earlier
  EXPECT_EQ(past.one_season_before(12.5), 2);
  EXPECT_EQ(past.one_season_before(15), 2);
  EXPECT_EQ(past.one_season_before(100), 3);
  past.clear();
  EXPECT_EQ(past.last(), 7);
}

/// Baselines with everything, as a file.
class BaselinesFile : public ::testing::Test {
 protected:
  BaselinesFile() {
    all_ = fitted(three_types(), Task::kNext);
    all_.classes = {0.25, 0.75};
    all_.value = {3, 12};
    const data::Events events = three_types();
    encoding_ = data::learn_encoding(events, pieces_of(events), {});
    encoding_.label = data::Vocabulary{.names = {"x", "y"}};
  }

  Baselines reread(const Baselines& baselines) const {
    ContainerWriter writer("model");
    baselines.add_to(writer);
    writer.write(FileSystem::real(), files_.path("m"));
    return Baselines::read_from(Container::open(files_.path("m")), encoding_);
  }
  std::string message_after(const std::function<void(Baselines&)>& change) const {
    Baselines changed = all_;
    change(changed);
    return data::complaint([&] { reread(changed); });
  }

  Baselines all_;
  data::Encoding encoding_;
  data::OwnFiles files_;
};

TEST_F(BaselinesFile, GivesBackWhatWasWritten) {
  EXPECT_EQ(reread(all_), all_);
  EXPECT_EQ(reread(Baselines{}), Baselines{});
}

TEST_F(BaselinesFile, IsRefusedIfANumberIsWrong) {
  const double infinite = std::numeric_limits<double>::infinity();
  const std::vector<std::function<void(Baselines&)>> changes = {
      [](Baselines& b) { b.classes.push_back(0.1); },
      [](Baselines& b) { b.classes[0] = -0.1; },
      [](Baselines& b) { b.classes[0] = kNan; },
      [](Baselines& b) { b.popularity.pop_back(); },
      [](Baselines& b) { b.popularity[1] = 0; },
      [](Baselines& b) { b.popularity[1] = kNan; },
      [](Baselines& b) { b.markov_offsets[1] = 5; },
      [](Baselines& b) { b.markov_offsets[1] = -1; },
      [](Baselines& b) { b.markov_offsets[0] = 1; },
      [](Baselines& b) { b.markov_offsets.back() = 3; },
      [](Baselines& b) { b.markov_offsets.pop_back(); },
      [](Baselines& b) { b.markov_types[2] = 3; },
      [](Baselines& b) { b.markov_types[0] = -1; },
      [](Baselines& b) { b.markov_types[1] = 0; },
      [](Baselines& b) { b.markov_counts[0] = 0; },
      [infinite](Baselines& b) { b.markov_counts[0] = infinite; },
      [](Baselines& b) { b.markov_counts.pop_back(); },
      [](Baselines& b) { b.value.pop_back(); },
      [](Baselines& b) { b.value[0] = kNan; },
      [](Baselines& b) { b.value[1] = -1; },
      [](Baselines& b) { b.gap[1] = 0; },
      [](Baselines& b) { b.gap[0] = kNan; },
      [](Baselines& b) { b.gap.push_back(1); },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    EXPECT_TRUE(says(message_after(changes[i]), "are not of this model")) << "change " << i;
  }
}

TEST_F(BaselinesFile, IsRefusedIfATensorIsMissingOrOfAnotherType) {
  ContainerWriter writer("model");
  writer.add<double>("baseline.popularity", all_.popularity);
  writer.write(FileSystem::real(), files_.path("m"));
  EXPECT_SAYS(data::complaint([&] { Baselines::read_from(Container::open(files_.path("m")), encoding_); }),
              "are not of this model");
  ContainerWriter other("model");
  const std::vector<float> numbers = {1, 2};
  other.add<float>("baseline.gap", numbers);
  other.write(FileSystem::real(), files_.path("n"));
  EXPECT_NE(data::complaint([&] { Baselines::read_from(Container::open(files_.path("n")), encoding_); }), "");
}

struct Sums {
  double count = 0;
  double first = 0;
  double third = 0;
  double mrr = 0;

  void add(const TypeRank& rank) {
    count += 1;
    first += rank.rank <= 1 ? 1 : 0;
    third += rank.rank <= 3 ? 1 : 0;
    mrr += 1 / static_cast<double>(rank.rank);
  }
  void expect(double at_1, double at_3, double mean) const {
    EXPECT_NEAR(first / count, at_1, 0.003);
    EXPECT_NEAR(third / count, at_3, 0.003);
    EXPECT_NEAR(mrr / count, mean, 0.003);
  }
};

TEST(TypeRanking, OfStackOverflowIsAsGoodAsIsKnown) {
  const std::string folder = test_data("stackoverflow");
  if (folder.empty()) GTEST_SKIP() << no_test_data("stackoverflow");
  using data::Part;
  data::EventTable table =
      data::import_rmtpp({{folder + "/event-1-train.txt", folder + "/time-1-train.txt", Part::kTrain},
                          {folder + "/event-1-test.txt", folder + "/time-1-test.txt", Part::kTest}});
  data::GroupCounts grouped;
  const data::Events events = data::group(std::move(table), data::Order::kSort, grouped);
  data::SplitCounts counts;
  const data::Split split = data::make_split(events, {.kind = "given"}, counts);
  const data::Encoding encoding = data::learn_encoding(events, split.train, {});
  const Baselines baselines = Baselines::fit(events, split.train, encoding, Task::kNext, ValueTarget::kNone);
  const TypeRanking ranking(baselines);
  const std::vector<int32_t> codes = data::codes_of(*encoding.event, events.event->names);
  Sums popularity;
  Sums frequencies;
  Sums markov;
  TypePast past(encoding.event_types());
  for (const Piece& piece : split.test) {
    past.clear();
    for (int64_t e = piece.begin; e + 1 < piece.end; ++e) {
      const auto at = static_cast<std::size_t>(e);
      const int32_t own = codes[static_cast<std::size_t>(events.event->codes[at])];
      const int32_t next = codes[static_cast<std::size_t>(events.event->codes[at + 1])];
      past.add(own);
      popularity.add(ranking.by_popularity(next));
      frequencies.add(ranking.by_past(next, past.counts()));
      markov.add(ranking.by_markov(next, own));
    }
  }
  EXPECT_EQ(popularity.count, 95'907);
  popularity.expect(0.429, 0.7215, 0.6105);
  frequencies.expect(0.442, 0.761, 0.627);
  markov.expect(0.445, 0.7677, 0.634);
}

}  // namespace
}  // namespace t2v
