#include "stream/stream.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "allocations.h"
#include "made_stream.h"
#include "model/predictor.h"
#include "t2v/error.h"

namespace t2v {
namespace {

using namespace testing;

constexpr int64_t kDay = 86'400'000'000'000;

/// What a batch predicts after each event.
std::vector<Prediction> batch_predictions(const TrainedModel& model, data::Events events) {
  fit_to_model(events, model);
  std::vector<data::Piece> pieces;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    pieces.push_back({s, events.begin(s), events.end(s), events.begin(s)});
  }
  data::BatchConfig config = model.batches(false);
  config.batch = events.sequences();
  data::Batches batches(events, pieces, model.encoding, config);
  ThreadPool pool(1);
  Workspace<float> work;
  std::vector<Prediction> predictions(static_cast<std::size_t>(events.size()));
  network_of(model).visit_outputs<float>(
      [&](std::size_t, int64_t place, const float* outputs) {
        interpret(predictions[static_cast<std::size_t>(place)], model, std::span(&outputs, 1), 100);
      },
      model.parameters, batches.make(0).view(), work, pool);
  return predictions;
}

float probability(const Prediction& prediction, int32_t code) {
  const auto found = std::ranges::find(prediction.top, code, &Choice::code);
  return found == prediction.top.end() ? NAN : found->probability;
}

void expect_same(const Prediction& streamed, const Prediction& batch) {
  ASSERT_EQ(streamed.top.size(), batch.top.size());
  for (const Choice& choice : batch.top) {
    ASSERT_NEAR(probability(streamed, choice.code), choice.probability, 1e-6);
  }
}

/// Pushes a mixture of all sequences and compares every prediction.
void expect_stream_equals_batch(const TrainedModel& model, int64_t sequences) {
  const data::Events events = MadeSequences(sequences, 3, 11).events();
  const std::vector<Prediction> expected = batch_predictions(model, events);
  Stream stream(model, {sequences, 100, LateEvents::kDrop});
  std::vector<int64_t> next(events.offsets.begin(), events.offsets.end());
  for (const int64_t s : mixture_of(events, 3)) {
    const int64_t e = next[static_cast<std::size_t>(s)]++;
    Pushed pushed(events, s, e);
    const bool last = e + 1 == events.end(s);
    if (stream.needs_time()) pushed.event.at = events.tick(last ? e : e + 1);
    const StreamAnswer answer = stream.push(pushed.event);
    ASSERT_NE(answer.prediction, nullptr);
    expect_same(*answer.prediction, expected[static_cast<std::size_t>(e)]);
    if (::testing::Test::HasFatalFailure()) return;
  }
  EXPECT_EQ(stream.sequences(), sequences);
  EXPECT_EQ(stream.counts().events, events.size());
  EXPECT_EQ(stream.counts().predictions, events.size());
  EXPECT_GT(stream.counts().unknown, 0);
  EXPECT_EQ(stream.counts().refused + stream.counts().evicted + stream.counts().returned, 0);
}

TEST(Stream, OfAThousandSequencesPredictsWhatABatchPredicts) {
  expect_stream_equals_batch(made_stream_model("lstm", false), 1000);
}

TEST(Stream, PredictsWhatABatchPredictsByRules) {
  for (const bool query : {false, true})
    expect_stream_equals_batch(made_stream_model_with_rules("gru", query), 60);
}

TEST(Stream, PredictsWhatABatchPredictsForEveryOriginAndTheQueryTime) {
  for (const char* cell : {"none", "tlstm3", "phased", "gru"}) {
    for (const bool query : {false, true}) {
      for (const auto origin :
           {data::OriginKind::kSequence, data::OriginKind::kDataSet, data::OriginKind::kInstant}) {
        SCOPED_TRACE(::testing::Message() << cell << " " << query << " " << static_cast<int>(origin));
        expect_stream_equals_batch(made_stream_model(cell, query, origin), 40);
      }
    }
  }
}

/// A long table for a model of whole sequences: types with values, some at one time, and an age.
struct LongTable {
  data::Events events;
  TrainedModel model;

  explicit LongTable(bool together) : events(MadeSequences(60, 3, 11).events()) {
    events.value = std::move(events.numbers[0]);
    events.numbers.clear();
    events.categories.clear();
    events.sequence_categories.clear();
    model = made_stream_model("gru", false);
    model.task = Task::kClassify;
    data::Encoding& encoding = model.encoding;
    encoding.numbers.clear();
    encoding.categories.clear();
    encoding.sequence_categories.clear();
    encoding.label = data::Vocabulary{{"x", "y"}, false, 0, 0};
    encoding.together = together;
    const data::ValueScale scale{{1, 2, 3}, {-1, 0, 1}};
    encoding.typed_values = data::TypedValues("price", {scale, {}, scale});
    model.config.features = encoding.features();
    model.config.event_rows = encoding.event_rows();
    model.config.heads[0] = {};
    model.config.heads[0].pool = "all";
    model.parameters = nn::convert<float>(made_parameters(Model(model.config), 5));
  }

  static void push(Stream& stream, const data::Events& data, int64_t s, int64_t e, StreamAnswer& answer) {
    const FeatureCell cells[] = {{data.value->values[static_cast<std::size_t>(e)], {}},
                                 {data.sequence_numbers[0].values[static_cast<std::size_t>(s)], {}}};
    const auto code = data.event->codes[static_cast<std::size_t>(e)];
    answer = stream.push({data.ids[s], data.tick(e), data.event->names[code], cells, {}});
  }
  /// What a batch says of the first events of a sequence.
  Prediction batch(int64_t s, int64_t end) const {
    data::Events fitted = events;
    fit_to_model(fitted, model);
    const std::vector<data::Piece> pieces = {{s, events.begin(s), end, events.begin(s)}};
    ThreadPool pool(1);
    Prediction made;
    predict(model, fitted, pieces, {}, pool, [&](const Place&, const Prediction& said) { made = said; });
    return made;
  }
};

TEST(Stream, OfALongTablePredictsWhatABatchOfTheEventsSoFarPredicts) {
  for (const bool together : {true, false}) {
    const LongTable table(together);
    Stream stream(table.model, {100, 5, LateEvents::kDrop});
    std::vector<int64_t> next(table.events.offsets.begin(), table.events.offsets.end());
    int64_t joined = 0;
    for (const int64_t s : mixture_of(table.events, 3)) {
      const int64_t e = next[static_cast<std::size_t>(s)]++;
      joined += e > table.events.begin(s) && table.events.tick(e) == table.events.tick(e - 1) ? 1 : 0;
      StreamAnswer answer;
      LongTable::push(stream, table.events, s, e, answer);
      expect_same(*answer.prediction, table.batch(s, e + 1));
      if (::testing::Test::HasFatalFailure()) return;
    }
    EXPECT_GT(joined, 20);
  }
}

TEST(Stream, OfALongTableGoesOnFromItsFileWithinAStep) {
  const std::string path = ::testing::TempDir() + "long_table_stream.t2v";
  const LongTable table(true);
  Stream whole(table.model, {100, 5, LateEvents::kDrop});
  Stream first(table.model, {100, 5, LateEvents::kDrop});
  std::vector<int64_t> next(table.events.offsets.begin(), table.events.offsets.end());
  const std::vector<int64_t> order = mixture_of(table.events, 3);
  StreamAnswer expected;
  StreamAnswer answer;
  std::unique_ptr<Stream> second;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int64_t s = order[i];
    const int64_t e = next[static_cast<std::size_t>(s)]++;
    LongTable::push(whole, table.events, s, e, expected);
    if (i == order.size() / 2) {
      first.save(FileSystem::real(), path);
      second = std::make_unique<Stream>(table.model, StreamConfig{100, 5, LateEvents::kDrop});
      second->restore(path);
    }
    LongTable::push(second ? *second : first, table.events, s, e, answer);
    ASSERT_EQ(*answer.prediction, *expected.prediction);
  }
  std::remove(path.c_str());
}

/// A stream of the plain made model: types a to d, a price.
class PlainStream : public ::testing::Test {
 protected:
  static StreamAnswer push(Stream& stream, const std::string& id, int64_t tick, const std::string& type = "a",
                           std::optional<int64_t> at = {}) {
    const FeatureCell price{2.5, {}};
    return stream.push({id, tick, type, std::span(&price, 1), at});
  }
  static std::string message_of(const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  TrainedModel model_ = made_model();
};

TEST_F(PlainStream, NamesTheColumnsThatItNeeds) {
  Stream stream(model_, {});
  ASSERT_EQ(stream.columns().size(), 1);
  EXPECT_EQ(stream.columns()[0].name, "price");
  EXPECT_TRUE(stream.columns()[0].number);
  EXPECT_FALSE(stream.needs_time());
}

TEST_F(PlainStream, GivesAsManyChoicesAsAskedFor) {
  Stream stream(model_, {10, 2, LateEvents::kDrop});
  EXPECT_EQ(push(stream, "u", 0).prediction->top.size(), 2);
}

TEST_F(PlainStream, LeavesLateEventsOut) {
  Stream stream(model_, {});
  Stream without(model_, {});
  push(stream, "u", 5 * kDay);
  push(without, "u", 5 * kDay);
  const StreamAnswer late = push(stream, "u", 4 * kDay);
  EXPECT_TRUE(late.late);
  EXPECT_FALSE(late.taken);
  EXPECT_EQ(late.prediction, nullptr);
  push(stream, "v", 4 * kDay);  // another sequence
  EXPECT_FALSE(push(stream, "u", 5 * kDay).late);
  push(without, "u", 5 * kDay);
  EXPECT_EQ(*push(stream, "u", 6 * kDay).prediction, *push(without, "u", 6 * kDay).prediction);
  EXPECT_EQ(stream.counts().late_dropped, 1);
  EXPECT_EQ(stream.counts().events, 5);
}

TEST_F(PlainStream, TakesLateEventsAtTheLastTimeIfAsked) {
  Stream stream(model_, {10, 5, LateEvents::kKeep});
  Stream same(model_, {10, 5, LateEvents::kKeep});
  push(stream, "u", 5 * kDay);
  push(same, "u", 5 * kDay);
  const StreamAnswer late = push(stream, "u", 4 * kDay, "b");
  EXPECT_TRUE(late.late);
  EXPECT_TRUE(late.taken);
  EXPECT_EQ(*late.prediction, *push(same, "u", 5 * kDay, "b").prediction);
  EXPECT_EQ(*push(stream, "u", 6 * kDay).prediction, *push(same, "u", 6 * kDay).prediction);
  EXPECT_EQ(stream.counts().late_kept, 1);
  EXPECT_EQ(same.counts().late_kept, 0);
}

TEST_F(PlainStream, RefusesWhatItHasNoPlaceForAndGoesOn) {
  Stream stream(model_, {});
  Stream without(model_, {});
  push(stream, "u", 0);
  push(without, "u", 0);
  EXPECT_NE(message_of([&] { push(stream, "u", kDay, "zebra"); }).find("the event type 'zebra' is unknown"),
            std::string::npos);
  EXPECT_NE(message_of([&] { push(stream, "", kDay); }).find("id is empty"), std::string::npos);
  EXPECT_NE(message_of([&] {
              stream.push({"u", kDay, "a", {}, {}});
            }).find("1 features, not 0"),
            std::string::npos);
  for (const double price : {std::numeric_limits<double>::infinity(), 1e300}) {
    const FeatureCell cell{price, {}};
    EXPECT_NE(message_of([&] {
                stream.push({"u", kDay, "a", std::span(&cell, 1), {}});
              }).find("price"),
              std::string::npos);
  }
  EXPECT_EQ(stream.counts().refused, 5);
  EXPECT_EQ(stream.counts().unknown, 0);
  EXPECT_EQ(*push(stream, "u", 2 * kDay).prediction, *push(without, "u", 2 * kDay).prediction);
}

TEST_F(PlainStream, KeepsNothingOfARefusedNewSequence) {
  Stream stream(model_, {});
  EXPECT_THROW(push(stream, "u", 0, "zebra"), Error);
  EXPECT_EQ(stream.sequences(), 0);
}

TEST_F(PlainStream, RefusesAnIdThatIsTooLong) {
  Stream stream(model_, {});
  push(stream, std::string(kMostIdBytes, 'x'), 0);
  const std::string longer(kMostIdBytes + 1, 'x');
  EXPECT_EQ(message_of([&] { push(stream, longer, 0); }),
            "the id 'xxxxxxxxxxxxxxxxxxxx'... has 1025 bytes; an id has at most 1024");
  EXPECT_EQ(stream.sequences(), 1);
  EXPECT_EQ(stream.counts().refused, 1);
}

TEST_F(PlainStream, NeedsMemoryThatTheNumberOfSequencesBounds) {
  const auto peak_of = [&](int64_t ids, std::size_t length) {
    const MemoryPeak peak;
    Stream stream(model_, {100, 1, LateEvents::kDrop});
    for (int64_t i = 0; i < ids; ++i) {
      try {
        push(stream, std::string(length, 'x') + std::to_string(i), i);
      } catch (const Error&) {
        EXPECT_GT(length, kMostIdBytes - 10);
      }
    }
    return peak.bytes();
  };
  const int64_t once = peak_of(200, 1000);
  EXPECT_LT(peak_of(400, 1000), once + 10'000);
  EXPECT_LT(peak_of(800, 1000), once + 10'000);
  EXPECT_LT(peak_of(600, 1'000'000), once + 5'000'000) << "of an id that is refused nothing is kept";
}

TEST_F(PlainStream, TakesUnknownTypesAsTheUnknownOne) {
  TrainedModel model = made_stream_model("lstm", false);
  Stream stream(model, {});
  const std::vector<FeatureCell> cells = {{1, {}}, {NAN, "a"}, {30, {}}, {NAN, "a"}};
  EXPECT_FALSE(stream.push({"u", 0, "a", cells, {}}).unknown);
  EXPECT_TRUE(stream.push({"u", 1, "zebra", cells, {}}).unknown);
  EXPECT_EQ(stream.counts().unknown, 1);
  const std::vector<FeatureCell> elsewhere = {{1, {}}, {NAN, "a"}, {30, {}}, {NAN, "nowhere"}};
  EXPECT_THROW(stream.push({"u", 2, "a", elsewhere, {}}), Error);
}

TEST_F(PlainStream, MakesRoomByTheSequenceIdleForLongest) {
  Stream stream(model_, {2, 5, LateEvents::kDrop});
  Stream roomy(model_, {10, 5, LateEvents::kDrop});
  const auto both = [&](const std::string& id, int64_t tick) {
    const StreamAnswer answer = push(stream, id, tick);
    return *answer.prediction == *push(roomy, id, tick).prediction;
  };
  EXPECT_TRUE(both("u", 0));
  EXPECT_TRUE(both("v", 1 * kDay));
  EXPECT_TRUE(both("u", 2 * kDay));  // so v is the one idle for longest
  EXPECT_TRUE(both("w", 3 * kDay));
  EXPECT_EQ(stream.counts().evicted, 1);
  EXPECT_TRUE(both("u", 4 * kDay));
  EXPECT_EQ(stream.counts().returned, 0);
  EXPECT_FALSE(both("v", 5 * kDay));  // anew, in place of w
  EXPECT_EQ(stream.counts().evicted, 2);
  EXPECT_EQ(stream.counts().returned, 1);
  EXPECT_EQ(stream.sequences(), 2);
  Stream fresh(model_, {});
  push(fresh, "v", 5 * kDay);
  EXPECT_EQ(*push(stream, "v", 7 * kDay).prediction, *push(fresh, "v", 7 * kDay).prediction);
}

TEST_F(PlainStream, SaysWhoMadeRoomAndWhoCameBack) {
  Stream stream(model_, {1, 5, LateEvents::kDrop});
  EXPECT_EQ(push(stream, "u", 0).evicted, "");
  const StreamAnswer other = push(stream, "v", 1);
  EXPECT_EQ(other.evicted, "u");
  EXPECT_FALSE(other.returned);
  EXPECT_EQ(push(stream, "v", 2).evicted, "");
  const StreamAnswer back = push(stream, "u", 3);
  EXPECT_EQ(back.evicted, "v");
  EXPECT_TRUE(back.returned);
  EXPECT_FALSE(push(stream, "u", 4).returned);
}

TEST_F(PlainStream, RefusesConfigurationsThatMakeNoSense) {
  EXPECT_THROW(Stream(model_, {0, 5, LateEvents::kDrop}), Error);
  EXPECT_THROW(Stream(model_, {1, 0, LateEvents::kDrop}), Error);
}

TEST_F(PlainStream, AllocatesNothingForAKnownSequenceNorToReplaceOne) {
  Stream stream(model_, {3, 5, LateEvents::kDrop});
  const std::vector<std::string> ids = {"user-with-a-long-name-1", "user-with-a-long-name-2",
                                        "user-with-a-long-name-3", "user-with-a-long-name-4"};
  for (int64_t i = 0; i < 8; ++i) push(stream, ids[static_cast<std::size_t>(i % 4)], i * kDay);
  const FeatureCell price{2.5, {}};
  const int64_t before = allocations();
  for (int64_t i = 8; i < 100; ++i) {
    stream.push({ids[static_cast<std::size_t>(i % 4)], i * kDay, "b", std::span(&price, 1), {}});
    stream.push({ids[static_cast<std::size_t>(i % 4)], i * kDay, "c", std::span(&price, 1), {}});
  }
  EXPECT_EQ(allocations(), before);
  EXPECT_GT(stream.counts().returned, 80);
}

/// A stream whose model looks at the time of the next event.
class QueryStream : public PlainStream {
 protected:
  QueryStream() {
    model_.config.times.push_back({});
    model_.config.times.back().k = 2;
    model_.config.times.back().input = TimeInput::kQuery;
    model_.parameters = nn::convert<float>(made_parameters(Model(model_.config), 1));
  }
};

TEST_F(QueryStream, PredictsOnlyForATimeThatIsAskedAbout) {
  Stream stream(model_, {});
  EXPECT_TRUE(stream.needs_time());
  EXPECT_EQ(push(stream, "u", 0).prediction, nullptr);
  const StreamAnswer one = push(stream, "u", kDay, "b", 2 * kDay);
  ASSERT_NE(one.prediction, nullptr);
  const Prediction at_two = *one.prediction;
  EXPECT_EQ(*stream.ask("u", 2 * kDay).prediction, at_two);
  EXPECT_FALSE(*stream.ask("u", 3 * kDay).prediction == at_two);
  EXPECT_EQ(stream.counts().predictions, 3);
}

TEST_F(QueryStream, IsNotChangedByQuestions) {
  Stream asked(model_, {});
  Stream not_asked(model_, {});
  for (Stream* stream : {&asked, &not_asked}) {
    for (int64_t i = 0; i < 4; ++i) {
      push(*stream, "u", i * kDay, i % 2 == 0 ? "a" : "c");
      if (stream == &asked) stream->ask("u", (i + 5) * kDay);
    }
  }
  EXPECT_EQ(*asked.ask("u", 9 * kDay).prediction, *not_asked.ask("u", 9 * kDay).prediction);
}

TEST_F(QueryStream, RefusesQuestionsThatHaveNoAnswer) {
  Stream stream(model_, {});
  push(stream, "u", 2 * kDay);
  EXPECT_NE(message_of([&] { stream.ask("u", kDay); }).find("before the last event"), std::string::npos);
  EXPECT_NE(message_of([&] { stream.ask("v", kDay); }).find("no events of 'v' are known"), std::string::npos);
  EXPECT_NE(message_of([&] { push(stream, "u", 3 * kDay, "a", kDay); }).find("before the event"),
            std::string::npos);
  EXPECT_EQ(stream.counts().refused, 3);
  const TrainedModel plain = made_model();
  Stream other(plain, {});
  push(other, "u", 0);
  EXPECT_NE(message_of([&] { other.ask("u", kDay); }).find("does not wait for the time"), std::string::npos);
}

TEST_F(QueryStream, OfWholeSequencesTakesTheTimeOfTheLastEventAsABatchDoes) {
  model_.config.heads[0].each_step = false;
  model_.parameters = nn::convert<float>(made_parameters(Model(model_.config), 1));
  Stream stream(model_, {});
  EXPECT_FALSE(stream.needs_time());
  push(stream, "u", 0);
  const StreamAnswer answer = push(stream, "u", kDay);
  ASSERT_NE(answer.prediction, nullptr);
  const Prediction last = *answer.prediction;
  EXPECT_EQ(*stream.ask("u", kDay).prediction, last);
}

TEST_F(QueryStream, RefusesAnEventAtOnceThatItCouldNotTakeInLater) {
  model_.times.view.ticks_per_unit = 1e-10;
  Stream stream(model_, {});
  push(stream, "u", 0);
  EXPECT_THROW(push(stream, "u", kDay), Error);
  push(stream, "u", 1);
  EXPECT_NE(stream.ask("u", 2).prediction, nullptr);
}

}  // namespace
}  // namespace t2v
