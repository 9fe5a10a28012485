#include "model/predictor.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "base/random.h"
#include "data/batches.h"
#include "data/made_events.h"
#include "made_model.h"
#include "t2v/error.h"

namespace t2v {
namespace {

using data::Events;
using data::MadeEvents;
using data::Piece;
using data::ValueTarget;
using testing::made_model;

constexpr int64_t kHour = 3'600'000'000'000;

struct Given {
  Place place;
  Prediction prediction;

  bool operator==(const Given&) const = default;
};

std::vector<Given> predicted(const TrainedModel& model, const Events& events,
                             const std::vector<Piece>& pieces, const PredictConfig& config = {},
                             int threads = 1) {
  std::vector<Given> all;
  ThreadPool pool(threads);
  predict(model, events, pieces, config, pool, [&](const Place& place, const Prediction& prediction) {
    all.push_back({place, prediction});
  });
  return all;
}

std::string refusal(const TrainedModel& model, const Events& events, const std::vector<Piece>& pieces,
                    const PredictConfig& config) {
  try {
    predicted(model, events, pieces, config);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::vector<Place> places_of(const std::vector<Given>& all) {
  std::vector<Place> places;
  for (const Given& given : all) places.push_back(given.place);
  return places;
}

std::vector<Piece> whole(const Events& events) {
  std::vector<Piece> pieces;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    pieces.push_back({s, events.begin(s), events.end(s), events.begin(s)});
  }
  return pieces;
}

/// Sequences of these lengths with types a to d, irregular hours and prices, fitted to the model.
Events random_events(const std::vector<int64_t>& lengths, const TrainedModel& model, uint64_t seed = 5) {
  Random random(seed);
  std::vector<std::vector<int64_t>> ticks;
  std::vector<std::string> types;
  std::vector<double> prices;
  for (const int64_t length : lengths) {
    int64_t tick = 0;
    ticks.emplace_back();
    for (int64_t i = 0; i < length; ++i) {
      ticks.back().push_back(tick += static_cast<int64_t>(1 + random.below(50)) * kHour);
      types.emplace_back(1, static_cast<char>('a' + random.below(4)));
      prices.push_back(random.uniform(1, 3));
    }
  }
  Events events = MadeEvents(ticks).types(types).number("price", prices).instants().events();
  fit_to_model(events, model);
  return events;
}

/// What a model of another configuration needs.
void remake_parameters(TrainedModel& model) {
  model.parameters = nn::convert<float>(testing::made_parameters(Model(model.config), 1));
}

TrainedModel query_model() {
  TrainedModel model = made_model();
  model.config.times[1].input = TimeInput::kQuery;
  remake_parameters(model);
  return model;
}

TrainedModel classifier() {
  TrainedModel model = made_model();
  model.task = Task::kClassify;
  model.encoding.label.emplace();
  model.encoding.label->names = {"x", "y", "z"};
  model.config.heads[0].classes = 3;
  model.config.heads[0].each_step = false;
  remake_parameters(model);
  return model;
}

TrainedModel value_model(ValueTarget values) {
  TrainedModel model = made_model();
  model.task = values == ValueTarget::kOfNextEvent ? Task::kForecast : Task::kRegress;
  model.values = values;
  model.encoding.value_scale = data::NumberFeature{"value", 100, 10, false, 0};
  model.encoding.target_scale = model.encoding.value_scale;
  model.config.heads[0].kind = "mse";
  model.config.heads[0].each_step = values != ValueTarget::kOfSequence;
  remake_parameters(model);
  return model;
}

/// The outputs of the only head for one piece alone, by the model as it was trained.
std::vector<std::vector<float>> outputs_of(const TrainedModel& model, const Events& events, Piece piece) {
  const Model network(model.config);
  data::Batches batches(events, {piece}, model.encoding, model.batches(false));
  const data::Batch& batch = batches.make(0);
  const int64_t places = model.config.heads[0].each_step ? piece.end - piece.begin : 1;
  std::vector<float> flat(static_cast<std::size_t>(places * network.outputs(0)));
  ThreadPool pool(1);
  Workspace<float> work;
  network.outputs_of<float>(flat, 0, model.parameters, batch.view(), work, pool);
  std::vector<std::vector<float>> rows;
  for (auto row = flat.begin(); row != flat.end(); row += network.outputs(0)) {
    rows.emplace_back(row, row + network.outputs(0));
  }
  return rows;
}

void expect_near(const Prediction& got, const Prediction& want) {
  ASSERT_EQ(got.top.size(), want.top.size());
  for (std::size_t i = 0; i < want.top.size(); ++i) {
    EXPECT_EQ(got.top[i].code, want.top[i].code) << i;
    EXPECT_NEAR(got.top[i].probability, want.top[i].probability, 1e-5) << i;
  }
  ASSERT_EQ(got.value.has_value(), want.value.has_value());
  if (want.value) {
    EXPECT_NEAR(*got.value, *want.value, 1e-4);
  }
}

void expect_says(const Prediction& got, const TrainedModel& model, const std::vector<float>& outputs) {
  Prediction want;
  const std::vector<const float*> of_heads = {outputs.data()};
  interpret(want, model, of_heads, 5);
  expect_near(got, want);
}

TEST(Predictor, PredictsWhatComesAfterTheLastEventOfEachPieceInOrder) {
  const TrainedModel model = made_model("tlstm3");
  const Events events = random_events({3, 300, 1, 7}, model);
  std::vector<Piece> pieces = whole(events);
  pieces.push_back({1, 3, 100, 50});
  std::swap(pieces[0], pieces[3]);
  const auto all = predicted(model, events, pieces);
  EXPECT_EQ(places_of(all), (std::vector<Place>{{0, 310}, {1, 302}, {2, 303}, {3, 2}, {4, 99}}));
  for (const Given& given : all) {
    const auto outputs = outputs_of(model, events, pieces[static_cast<std::size_t>(given.place.piece)]);
    expect_says(given.prediction, model, outputs.back());
  }
}

TEST(Predictor, PredictsAfterEveryEventThatIsNotContext) {
  const TrainedModel model = made_model();
  const Events events = random_events({3, 6}, model);
  const std::vector<Piece> pieces = {{0, 0, 3, 0}, {1, 3, 9, 7}};
  const auto all = predicted(model, events, pieces, {.every_event = true});
  EXPECT_EQ(places_of(all), (std::vector<Place>{{0, 0}, {0, 1}, {0, 2}, {1, 6}, {1, 7}, {1, 8}}));
  for (const Given& given : all) {
    const Piece& piece = pieces[static_cast<std::size_t>(given.place.piece)];
    expect_says(given.prediction, model,
                outputs_of(model, events, piece)[static_cast<std::size_t>(given.place.event - piece.begin)]);
  }
}

TEST(Predictor, GivesTheSameBitsForAnyNumberOfThreads) {
  const TrainedModel model = made_model("gru");
  Random random(8);
  std::vector<int64_t> lengths = {500};
  for (int i = 0; i < 700; ++i) lengths.push_back(1 + static_cast<int64_t>(random.below(20)));
  lengths.push_back(40'000);
  const Events events = random_events(lengths, model);
  const auto pieces = whole(events);
  const auto one = predicted(model, events, pieces);
  ASSERT_EQ(one.size(), pieces.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].place.piece, static_cast<int64_t>(i));
  EXPECT_EQ(predicted(model, events, pieces, {}, 2), one);
  const auto each = predicted(model, events, pieces, {.top = 1, .every_event = true}, 1);
  EXPECT_EQ(static_cast<int64_t>(each.size()), events.size());
  EXPECT_EQ(predicted(model, events, pieces, {.top = 1, .every_event = true}, 3), each);
}

TEST(Predictor, GivesAsManyChoicesAsAskedFor) {
  const TrainedModel model = made_model();
  const Events events = random_events({2}, model);
  EXPECT_EQ(predicted(model, events, whole(events), {.top = 3})[0].prediction.top.size(), 3U);
  EXPECT_NE(refusal(model, events, whole(events), {.top = 0}), "");
}

TEST(Predictor, PredictsForATimeWhatItDoesBeforeAKnownEventOfThatTime) {
  const TrainedModel model = query_model();
  const auto made = [&](const std::vector<int64_t>& hours) {
    std::vector<int64_t> ticks;
    for (const int64_t hour : hours) ticks.push_back(hour * kHour);
    const std::vector<std::string> types = {"a", "b", "c", "d"};
    const std::vector<double> prices = {1, 2, 3, 4};
    const auto count = static_cast<std::ptrdiff_t>(hours.size());
    Events events = MadeEvents({ticks})
                        .types({types.begin(), types.begin() + count})
                        .number("price", {prices.begin(), prices.begin() + count})
                        .instants()
                        .events();
    fit_to_model(events, model);
    return events;
  };
  const Events known = made({5, 9, 30});
  std::vector<Given> wanted;
  for (const int64_t hour : {30, 54, 300}) {
    const Events longer = made({5, 9, 30, hour});
    const auto all = predicted(model, longer, whole(longer), {.every_event = true});
    ASSERT_EQ(places_of(all), (std::vector<Place>{{0, 0}, {0, 1}, {0, 2}}));
    wanted.push_back(all[2]);
  }
  EXPECT_NE(wanted[0].prediction.top, wanted[1].prediction.top);
  const auto at = predicted(model, known, whole(known),
                            {.at = {{54 * kHour}, {24 * kHour, true}, {300 * kHour}, {0, true}}});
  EXPECT_EQ(
      places_of(at),
      (std::vector<Place>{{0, 2, 54 * kHour}, {0, 2, 54 * kHour}, {0, 2, 300 * kHour}, {0, 2, 30 * kHour}}));
  expect_near(at[0].prediction, wanted[1].prediction);
  expect_near(at[1].prediction, wanted[1].prediction);
  expect_near(at[2].prediction, wanted[2].prediction);
  expect_near(at[3].prediction, wanted[0].prediction);
}

TEST(Predictor, CountsADurationFromTheLastEventOfEachPiece) {
  const TrainedModel model = query_model();
  const Events events = random_events({3, 4}, model);
  const auto all = predicted(model, events, whole(events), {.at = {{kHour, true}, {2 * kHour, true}}});
  EXPECT_EQ(places_of(all), (std::vector<Place>{{0, 2, events.tick(2) + kHour},
                                                {0, 2, events.tick(2) + 2 * kHour},
                                                {1, 6, events.tick(6) + kHour},
                                                {1, 6, events.tick(6) + 2 * kHour}}));
}

TEST(Predictor, SaysWhatIsWrongWithTheTimeAskedFor) {
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  const TrainedModel plain = made_model();
  const TrainedModel query = query_model();
  const Events events = random_events({3, 4}, plain);
  const auto pieces = whole(events);
  EXPECT_TRUE(
      has(refusal(plain, events, pieces, {.at = {{kHour, true}}}), "train with `when` or `query_time`"));
  EXPECT_TRUE(has(refusal(query, events, pieces, {}), "`at` '+1 d'"));
  const int64_t too_early = std::max(events.tick(2), events.tick(6)) - 1;
  EXPECT_TRUE(
      has(refusal(query, events, pieces, {.at = {{too_early}}}), "before the last event of sequence 's"));
  EXPECT_TRUE(has(refusal(query, events, pieces, {.at = {{INT64_MAX, true}}}), "too far"));
  EXPECT_TRUE(
      has(refusal(query, events, pieces, {.at = {{kHour, true}}, .every_event = true}), "one of them"));
  EXPECT_TRUE(has(refusal(classifier(), events, pieces, {.at = {{kHour, true}}}), "classify"));
}

TEST(Predictor, GivesNothingOutBeforeItRefusesATime) {
  const TrainedModel model = query_model();
  std::vector<int64_t> lengths(2000, 1);
  lengths.push_back(100);
  const Events events = random_events(lengths, model);
  ThreadPool pool(1);
  int64_t given = 0;
  const auto count = [&](const Place&, const Prediction&) { ++given; };
  EXPECT_THROW(predict(model, events, whole(events), {.at = {{100 * kHour}}}, pool, count), Error);
  EXPECT_EQ(given, 0);
}

TEST(Predictor, PredictsAClassOnceASequence) {
  const TrainedModel model = classifier();
  const Events events = random_events({3, 5}, model);
  const auto all = predicted(model, events, whole(events));
  EXPECT_EQ(places_of(all), (std::vector<Place>{{0, 2}, {1, 7}}));
  expect_says(all[1].prediction, model, outputs_of(model, events, whole(events)[1])[0]);
  EXPECT_NE(refusal(model, events, whole(events), {.every_event = true}).find("once a sequence"),
            std::string::npos);
}

TEST(Predictor, PredictsNumbersOfEventsAtEachThatIsNotContext) {
  const TrainedModel model = value_model(ValueTarget::kOfEvent);
  const Events events = random_events({3, 5}, model);
  const std::vector<Piece> pieces = {{0, 0, 3, 0}, {1, 3, 8, 6}};
  const auto all = predicted(model, events, pieces);
  ASSERT_EQ(places_of(all), (std::vector<Place>{{0, 0}, {0, 1}, {0, 2}, {1, 6}, {1, 7}}));
  expect_says(all[1].prediction, model, outputs_of(model, events, pieces[0])[1]);
  expect_says(all[3].prediction, model, outputs_of(model, events, pieces[1])[3]);
}

TEST(Predictor, RefusesNumbersOfEventsFromAModelThatHasOneASequence) {
  TrainedModel model = value_model(ValueTarget::kOfEvent);
  model.config.heads[0].each_step = false;
  const Events events = random_events({3}, model);
  EXPECT_NE(refusal(model, events, whole(events), {}).find("once a sequence"), std::string::npos);
}

TEST(Predictor, PredictsNumbersOfSequencesAndOfTheNextEventOnceASequence) {
  for (const ValueTarget values : {ValueTarget::kOfSequence, ValueTarget::kOfNextEvent}) {
    const TrainedModel model = value_model(values);
    const Events events = random_events({3, 5}, model);
    const auto all = predicted(model, events, whole(events));
    ASSERT_EQ(places_of(all), (std::vector<Place>{{0, 2}, {1, 7}}));
    expect_says(all[1].prediction, model, outputs_of(model, events, whole(events)[1]).back());
  }
}

TEST(Predictor, PutsTogetherWhatAllHeadsSayInAPlace) {
  TrainedModel model = made_model();
  model.config.heads.emplace_back();
  model.config.heads[1].kind = "when";
  remake_parameters(model);
  const Events events = random_events({3, 5, 200}, model);
  const auto last = predicted(model, events, whole(events), {}, 2);
  const auto each = predicted(model, events, whole(events), {.every_event = true});
  ASSERT_EQ(last.size(), 3U);
  ASSERT_EQ(each.size(), 208U);
  for (const Given& given : last) {
    const Given& same = each[static_cast<std::size_t>(given.place.event)];
    ASSERT_TRUE(given.prediction.when && same.prediction.when);
    EXPECT_NEAR(given.prediction.when->median, same.prediction.when->median, 1e-4);
    EXPECT_LT(given.prediction.when->p10, given.prediction.when->p90);
    expect_near(given.prediction, same.prediction);
  }
}

TEST(Predictor, PredictsWithInputsStraightToTheHeads) {
  TrainedModel model = query_model();
  model.config.skip = true;
  remake_parameters(model);
  const Events events = random_events({3, 200}, model);
  const auto all = predicted(model, events, whole(events), {.every_event = true});
  const auto outputs = outputs_of(model, events, whole(events)[1]);
  ASSERT_EQ(all.size(), 201U);
  expect_says(all[2 + 150].prediction, model, outputs[150]);
}

TEST(Predictor, SharesBatchesInRoundsThatMakeUpTheWhole) {
  const TrainedModel model = made_model();
  const Events events = random_events(std::vector<int64_t>(1700, 2), model);  // four batches
  const std::vector<Given> all = predicted(model, events, whole(events));
  for (const int64_t parts : {2, 3, 5}) {
    std::vector<std::vector<std::vector<Given>>> rounds;  // of each part
    for (int64_t part = 0; part < parts; ++part) {
      auto& mine = rounds.emplace_back(1);
      ThreadPool pool(1);
      predict(
          model, events, whole(events), {}, pool,
          [&](const Place& place, const Prediction& prediction) {
            mine.back().push_back({place, prediction});
          },
          {part, parts}, [&] { mine.emplace_back(); });
      EXPECT_TRUE(mine.back().empty());
    }
    std::vector<Given> together;
    for (std::size_t round = 0; round < rounds[0].size(); ++round) {
      for (const auto& part : rounds) {
        ASSERT_EQ(part.size(), rounds[0].size());
        together.insert(together.end(), part[round].begin(), part[round].end());
      }
    }
    EXPECT_EQ(together, all) << parts;
  }
}

}  // namespace
}  // namespace t2v
