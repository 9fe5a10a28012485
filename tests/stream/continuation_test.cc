#include "stream/continuation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "data/splits.h"
#include "made_stream.h"
#include "model/predictor.h"
#include "stream/ahead.h"
#include "t2v/error.h"

namespace t2v {
namespace {

using namespace testing;

/// What and when, of sequences of made_stream.
TrainedModel timed_model(const std::string& cell) {
  TrainedModel model = made_stream_model_with_rules(cell, false);
  const int64_t types = model.config.event_types;
  make_timed(model.config, all_time_configs().back());
  model.config.heads[0].classes = types;
  model.config.heads[0].rules = true;
  model.parameters = nn::convert<float>(made_parameters(Model(model.config), 5));
  return model;
}

/// The same, where gaps are log-normal with mean 1 and types are a coin, whatever came before.
TrainedModel coin_model() {
  TrainedModel model = made_stream_model("lstm", false);
  make_timed(model.config, all_time_configs().back());
  model.config.heads[0].classes = model.config.event_types;
  nn::HeadConfig& when = model.config.heads[1];
  when.components = 1;
  when.atom = false;
  when.floor = 0;
  when.centre = 0;
  when.spread = 1;
  const Model laid_out(model.config);
  model.parameters = {};
  model.parameters.assign_zeros(laid_out.layout());
  float* gaps = model.parameters.data(laid_out.layout()[laid_out.head_bias(1)]);
  gaps[1] = -0.125F;  // exp(-0.125 + 0.5² / 2) = 1
  gaps[2] = static_cast<float>(std::log(0.5));
  model.parameters.data(laid_out.layout()[laid_out.head_bias(0)])[1] = static_cast<float>(std::log(3.0));
  return model;
}

std::vector<std::vector<Continuation>> continued(const TrainedModel& model, const data::Events& made,
                                                 const ContinueConfig& config, int threads = 1,
                                                 Share share = {}) {
  data::Events events = made;
  fit_to_model(events, model);
  ThreadPool pool(threads);
  std::vector<std::vector<Continuation>> all;
  continue_sequences(
      model, events, data::whole_sequences(events), config, pool,
      [&](int64_t, const std::vector<Continuation>& of) { all.push_back(of); }, share);
  return all;
}

TEST(Continuation, IsTheSameOnAnyThreadsAndAFunctionOfTheSeed) {
  const data::Events events = MadeSequences(150, 3, 3).events();
  for (const char* cell : {"lstm", "gru", "none"}) {
    const TrainedModel model = timed_model(cell);
    const ContinueConfig config{.events = 4, .samples = 3};
    const auto once = continued(model, events, config);
    ASSERT_EQ(once.size(), 150U);
    EXPECT_EQ(once, continued(model, events, config, 3)) << cell;
    EXPECT_NE(once, continued(model, events, {.events = 4, .samples = 3, .seed = 2}));
    EXPECT_NE(once[0][0], once[0][1]);
    int64_t whole = 0;  // others end before an event that never comes
    for (const auto& of : once) {
      for (const Continuation& continuation : of) {
        ASSERT_LE(continuation.size(), 4U);
        whole += continuation.size() == 4 ? 1 : 0;
        double before = 0;
        for (const SampledEvent& event : continuation) {
          EXPECT_GE(event.after, before);
          EXPECT_LT(event.type, 2) << "the unknown type is no answer";
          before = event.after;
        }
      }
    }
    EXPECT_GT(whole, 225) << "of 450 with " << cell;  // random weights lead far without a cell
  }
}

TEST(Continuation, SharedByTwoIsTheSameInTurns) {
  const data::Events events = MadeSequences(150, 3, 3).events();
  const TrainedModel model = timed_model("lstm");
  const ContinueConfig config{.events = 2, .samples = 2};
  const auto all = continued(model, events, config);
  const auto first = continued(model, events, config, 1, {0, 2});
  const auto second = continued(model, events, config, 1, {1, 2});
  ASSERT_EQ(first.size() + second.size(), all.size());
  EXPECT_TRUE(std::equal(first.begin(), first.begin() + 64, all.begin()));
  EXPECT_TRUE(std::equal(second.begin(), second.end(), all.begin() + 64));
}

TEST(Continuation, DrawsTheNextEventFromWhatIsPredicted) {
  const TrainedModel model = timed_model("gru");
  data::Events events = MadeSequences(1, 2, 4).events();
  const auto drawn = continued(model, events, {.events = 1, .samples = 4000});
  std::map<int32_t, double> shares;
  std::vector<double> gaps;
  for (const Continuation& continuation : drawn[0]) {
    shares[continuation[0].type] += 1.0 / 4000;
    gaps.push_back(continuation[0].after);
  }
  std::ranges::sort(gaps);
  Stream stream(model, {});
  fit_to_model(events, model);
  StreamAnswer answer;
  for (int64_t e = 0; e < events.end(0); ++e) answer = stream.push(Pushed(events, 0, e).event);
  ASSERT_NE(answer.prediction, nullptr);
  for (const Choice& choice : answer.prediction->top) {
    EXPECT_NEAR(shares[choice.code], static_cast<double>(choice.probability),
                0.03 + *answer.prediction->error);
  }
  for (const auto& [share, quantile] :
       {std::pair{0.5, answer.prediction->when->median}, std::pair{0.9, answer.prediction->when->p90}}) {
    const auto below = static_cast<double>(std::ranges::upper_bound(gaps, quantile) - gaps.begin()) / 4000;
    if (quantile > 0) {
      EXPECT_NEAR(below, share, 0.03);
    }
    if (quantile == 0) {
      EXPECT_GE(below, share - 0.03);
    }
  }
}

TEST(Continuation, HasTheRatesOfTheProcessThatTheModelIs) {
  const TrainedModel model = coin_model();
  const data::Events events = MadeSequences(1, 2, 4).events();
  // A renewal process with gaps of mean 1 and variance exp(0.25) - 1: about 20 + (variance - 1) / 2 by 20.
  const auto drawn = continued(model, events, {.horizon = 20, .samples = 4000});
  double count = 0;
  double second = 0;
  for (const Continuation& continuation : drawn[0]) {
    for (const SampledEvent& event : continuation) {
      EXPECT_LE(event.after, 20);
      count += 1;
      second += event.type == 1 ? 1 : 0;
    }
  }
  EXPECT_NEAR(count / 4000, 20 + (std::exp(0.25) - 2) / 2, 0.15);
  EXPECT_NEAR(second / count, 0.75, 0.01);
  const Ahead ahead = ahead_of(drawn[0]);
  EXPECT_EQ(ahead.samples, 4000);
  EXPECT_NEAR(ahead.expected, count / 4000, 1e-9);
  ASSERT_EQ(ahead.types.size(), 2U);
  EXPECT_EQ(ahead.types[0].type, 1);
  EXPECT_NEAR(ahead.types[0].expected, second / 4000, 1e-9);
  EXPECT_LT(ahead.types[0].p10, ahead.types[0].median);
  EXPECT_LT(ahead.types[0].median, ahead.types[0].p90);
  EXPECT_LT(ahead.types[0].median, ahead.types[1].median);
  ASSERT_GE(ahead.next.size(), 15U);
  EXPECT_EQ(ahead.next[0].type, 1);
  EXPECT_NEAR(ahead.next[0].median, std::exp(-0.125), 0.03);
  const nlohmann::json json = to_json(ahead, model, 1'700'000'000'000'000'000);
  EXPECT_EQ(json["types"].size(), 2U);
  EXPECT_EQ(json["next"][0]["event"], "a");
  EXPECT_TRUE(json["next"][0]["at"].get<std::string>().starts_with("2023-11-1"));
}

/// What predict() says, by event.
std::vector<Prediction> batch_says(const TrainedModel& model, const data::Events& events,
                                   const PredictConfig& config) {
  std::vector<Prediction> all;
  ThreadPool pool(2);
  predict(model, events, data::whole_sequences(events), config, pool,
          [&](const Place&, const Prediction& prediction) { all.push_back(prediction); });
  return all;
}

void expect_timed_same(const Prediction& streamed, const Prediction& batch) {
  ASSERT_EQ(streamed.top.size(), batch.top.size());
  for (std::size_t i = 0; i < batch.top.size(); ++i) {
    EXPECT_NEAR(streamed.top[i].probability, batch.top[i].probability, 2e-6);
  }
  EXPECT_EQ(streamed.after, batch.after);
  EXPECT_EQ(streamed.error.has_value(), batch.error.has_value());
  EXPECT_NEAR(streamed.when->median, batch.when->median, 1e-4 * (1 + batch.when->median));
}

TEST(Stream, OfWhatAndWhenSaysWhatABatchSaysAtATimeAndWithout) {
  for (const char* cell : {"lstm", "none"}) {
    const TrainedModel model = timed_model(cell);
    data::Events events = MadeSequences(40, 3, 11).events();
    fit_to_model(events, model);
    const auto each = batch_says(model, events, {.top = 3, .every_event = true});
    const auto last = batch_says(model, events, {.top = 3, .at = {{36'000'000'000'000, true}}});
    const auto last_without = batch_says(model, events, {.top = 3});
    Stream stream(model, {40, 3, LateEvents::kDrop});
    EXPECT_FALSE(stream.needs_time());
    for (int64_t s = 0; s < events.sequences(); ++s) {
      for (int64_t e = events.begin(s); e < events.end(s); ++e) {
        Pushed pushed(events, s, e);
        const bool asks = e + 1 == events.end(s);
        if (asks) pushed.event.at = events.tick(e) + 36'000'000'000'000;
        const StreamAnswer answer = stream.push(pushed.event);
        ASSERT_NE(answer.prediction, nullptr);
        expect_timed_same(*answer.prediction,
                          asks ? last[static_cast<std::size_t>(s)] : each[static_cast<std::size_t>(e)]);
        if (asks)
          expect_timed_same(last_without[static_cast<std::size_t>(s)], each[static_cast<std::size_t>(e)]);
        if (HasFailure()) return;
      }
    }
    Pushed early(events, 0, events.end(0) - 1);
    early.event.at = early.event.tick - 1;
    EXPECT_THROW(stream.push(early.event), Error);
  }
}

TEST(Continuation, NeedsAModelThatSaysWhenAndAnEnd) {
  const data::Events events = MadeSequences(2, 2, 4).events();
  const auto refusal = [&](const TrainedModel& model, const ContinueConfig& config) {
    try {
      continued(model, events, config);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refusal(made_stream_model("lstm", false), {.events = 1}).find("train with `when`"),
            std::string::npos);
  EXPECT_NE(refusal(coin_model(), {}).find("need `events`, `horizon` or both"), std::string::npos);
  EXPECT_NE(refusal(coin_model(), {.events = -1}).find("`events` is"), std::string::npos);
  EXPECT_NE(refusal(coin_model(), {.events = 1, .samples = 0}).find("`samples`"), std::string::npos);
  EXPECT_NE(refusal(coin_model(), {.horizon = -1}).find("`horizon`"), std::string::npos);
}

}  // namespace
}  // namespace t2v
