#include "train/training.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "made_training.h"
#include "model/config_json.h"
#include "nn/cell.h"
#include "train/model_options.h"
#include "train/target_finder.h"

namespace t2v {
namespace {

using data::complaint;
using data::MadeEvents;
using data::OwnFiles;
using data::Piece;
using data::says;
using testing::complaint_of;
using testing::made_sequences;
using testing::Outcome;
using testing::OwnTraining;
using testing::same_bits;
using testing::store_of;
using testing::tiny_config;
using testing::types_alone;
using Json = nlohmann::json;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool any_says(const std::vector<std::string>& choices, const std::string& part) {
  return std::ranges::any_of(
      choices, [&](const std::string& choice) { return choice.find(part) != std::string::npos; });
}

/// The made sequences without some of their columns.
data::EventStore without(const std::function<void(data::Events&)>& change) {
  data::Events events = made_sequences();
  change(events);
  return store_of(events);
}

// --- tasks ---

TEST(Training, ChoosesTheTaskByTheColumns) {
  const auto task_of = [](const data::EventStore& store) {
    return OwnTraining(store, tiny_config("auto")).training.description().task;
  };
  EXPECT_EQ(task_of(store_of(made_sequences())), Task::kClassify);
  EXPECT_EQ(task_of(without([](data::Events& events) { events.label.reset(); })), Task::kRegress);
  EXPECT_EQ(task_of(types_alone()), Task::kNext);
  EXPECT_EQ(task_of(without([](data::Events& events) {
              events.label.reset();
              events.target.reset();
              events.event.reset();
            })),
            Task::kForecast);
}

TEST(Training, LearnsEveryTask) {
  const auto expect_learned = [](const data::EventStore& store, TrainConfig config) {
    config.epochs = 30;
    config.patience = 0;
    const Outcome outcome = OwnTraining(store, config).run();
    EXPECT_LT(outcome.history.back().loss, 0.9 * outcome.history.front().loss) << config.task;
    EXPECT_TRUE(std::isfinite(outcome.history.back().valid_loss)) << config.task;
    EXPECT_TRUE(std::isfinite(outcome.history.back().measure)) << config.task;
  };
  const data::EventStore all = store_of(made_sequences());
  for (const char* task : {"classify", "next", "recommend", "regress", "forecast"}) {
    expect_learned(all, tiny_config(task));
  }
  expect_learned(without([](data::Events& events) { events.target.reset(); }), tiny_config("regress"));
  TrainConfig config = tiny_config("next");
  config.query_time = true;
  expect_learned(all, config);
  config = tiny_config("classify");
  config.class_weights = "balanced";
  config.cell = "none";
  expect_learned(all, config);
}

TEST(Training, LearnsWhenTheNextEventComes) {
  TrainConfig config = tiny_config();
  config.when = true;
  config.epochs = 30;
  config.patience = 0;
  OwnTraining own(store_of(made_sequences(40)), config);
  EXPECT_TRUE(any_says(own.training.choices(), "task: next, and when"));
  EXPECT_EQ(own.training.description().times.least_gap, 0.5);  // half a tick
  const Outcome outcome = own.run();
  EXPECT_LT(outcome.history.back().loss, outcome.history.front().loss - 0.3);
}

TEST(Training, RunsEveryCellAndEveryKindOfTime) {
  const data::EventStore store = store_of(made_sequences());
  for (const char* cell : {"lstm", "peephole", "tlstm1", "tlstm2", "tlstm3", "gru", "phased", "none"}) {
    TrainConfig config = tiny_config();
    config.cell = cell;
    config.epochs = 1;
    EXPECT_EQ(OwnTraining(store, config).run().best_epoch, 1) << cell;
  }
  for (const char* time : {"none", "raw", "log", "t2v", "t2v:1"}) {
    TrainConfig config = tiny_config();
    config.time = time;
    config.epochs = 1;
    EXPECT_EQ(OwnTraining(store, config).run().best_epoch, 1) << time;
  }
  for (const char* start : {"u11", "n01", "geometric", "positional", "span", "periodogram"}) {
    TrainConfig config = tiny_config("forecast");
    config.omega_init = start;
    config.epochs = 1;
    EXPECT_EQ(OwnTraining(store, config).run().best_epoch, 1) << start;
  }
}

TEST(Training, RefusesWhatCannotBePredicted) {
  const data::EventStore all = store_of(made_sequences());
  const data::EventStore types = types_alone();
  const data::EventStore nothing = without([](data::Events& events) {
    events.label.reset();
    events.target.reset();
    events.event.reset();
    events.value.reset();
  });
  EXPECT_SAYS(complaint_of(nothing, tiny_config("auto")), "nothing to predict");
  EXPECT_SAYS(complaint_of(nothing, tiny_config("next")), "`event`");
  EXPECT_SAYS(complaint_of(types, tiny_config("classify")), "`label`");
  EXPECT_SAYS(complaint_of(types, tiny_config("regress")), "`target`");
  EXPECT_SAYS(complaint_of(types, tiny_config("forecast")), "`value`");
  EXPECT_SAYS(complaint_of(all, tiny_config("guess")),
              "is none of auto, classify, next, recommend, regress, forecast");
  TrainConfig config = tiny_config("next");
  config.when = config.query_time = true;
  EXPECT_SAYS(complaint_of(all, config), "`when` predicts the time that `query_time` gives away");
  config = tiny_config("classify");
  config.query_time = true;
  EXPECT_SAYS(complaint_of(all, config), "`query_time` is for the tasks next and recommend, not classify");
  config = tiny_config("regress");
  config.when = true;
  EXPECT_SAYS(complaint_of(all, config), "`when` is for the tasks next and recommend, not regress");
}

TEST(Training, RefusesUnknownNamesAndListsTheKnown) {
  const data::EventStore store = store_of(made_sequences());
  const auto refused = [&](auto change, const char* why) {
    TrainConfig config = tiny_config();
    change(config);
    EXPECT_SAYS(complaint_of(store, config), why);
  };
  refused([](TrainConfig& config) { config.cell = "lsmt"; }, "lstm");
  refused([](TrainConfig& config) { config.activation = "sine"; }, "sin, cos");
  refused([](TrainConfig& config) { config.omega_init = "spam"; }, "span, cycles, periodogram");
  refused([](TrainConfig& config) { config.time = "clock"; }, "t2v");
  refused([](TrainConfig& config) { config.time = "calendar"; }, "plain numbers");
  refused(
      [](TrainConfig& config) {
        config.inner = "relu";
        config.cell = "tlstm1";
      },
      "is none of sigmoid, tanh");
  refused([](TrainConfig& config) { config.t1_constraint = "x"; }, "is none of nonpositive, floor, none");
  refused([](TrainConfig& config) { config.class_weights = "even"; }, "is none of none, balanced");
  refused([](TrainConfig& config) { config.class_weights = "balanced"; }, "for the task classify");
}

TEST(Training, MatchesANumberOfParameters) {
  TrainConfig config = tiny_config();
  config.match_params = 2000;
  const OwnTraining own(store_of(made_sequences()), config);
  EXPECT_NEAR(static_cast<double>(own.training.model().layout().parameter_count()), 2000, 120);
  EXPECT_EQ(own.training.model().config().hidden, own.training.description().config.hidden);
  EXPECT_EQ(own.training.description().options->at("hidden"), own.training.model().config().hidden);
  EXPECT_NE(own.training.model().config().hidden, config.hidden);
  EXPECT_TRUE(any_says(own.training.choices(), "for about 2000 parameters"));
}

// --- data that are short of something ---

TEST(Training, LearnsFromOneSequenceAndSaysThatNoneIsForValidation) {
  OwnTraining own(types_alone(1), tiny_config());
  EXPECT_TRUE(any_says(own.training.choices(), "none for validation"));
  EXPECT_EQ(own.run().end, FitEnd::kEpochs);
}

TEST(Training, LearnsFromTwoValuesAlthoughNoneIsLeftForValidation) {
  OwnTraining own(store_of(MadeEvents({{0, 1}}).value({1, 2}).events()), tiny_config("forecast"));
  EXPECT_TRUE(any_says(own.training.choices(), "learned from: 1 sequence; none for validation"));
  EXPECT_TRUE(any_says(own.training.choices(), "time: without query, which never differs"));
  EXPECT_EQ(own.run().best_epoch, 4);
}

TEST(Training, LeavesOutSequencesOfOneEvent) {
  const data::EventStore store =
      store_of(MadeEvents({{0, 1, 3}, {0}, {2, 4}, {7}}).types({"a", "b", "a", "a", "b", "a", "b"}).events());
  OwnTraining own(store, tiny_config());
  EXPECT_TRUE(any_says(own.training.choices(), "left out: 2 sequences of one event"));
  EXPECT_EQ(own.training.split().train.size() + own.training.split().valid.size(), 2U);
  const data::EventStore single = store_of(MadeEvents({{0}, {1}}).types({"a", "b"}).events());
  EXPECT_SAYS(complaint_of(single, tiny_config()), "needs sequences of two events or more");
}

TEST(Training, LearnsWithoutTimesWhereTheyAreAllEqual) {
  const data::EventStore store =
      store_of(MadeEvents({{5, 5, 5}, {5, 5}, {5, 5}}).types({"a", "b", "a", "b", "a", "a", "b"}).events());
  TrainConfig config = tiny_config();
  OwnTraining own(store, config);
  EXPECT_TRUE(any_says(own.training.choices(), "time: none, since the times"));
  EXPECT_EQ(own.training.description().options->at("time"), "none");
  EXPECT_EQ(own.run().best_epoch > 0, true);
  config.time_input = "start";
  EXPECT_SAYS(complaint_of(store, config), "needs times that differ");
  config = tiny_config();
  config.when = true;
  EXPECT_SAYS(complaint_of(store, config), "`when` needs times that differ");
}

TEST(Training, LeavesOutSequencesInWhichNothingIsToBePredicted) {
  // Values, classes, numbers that are not there: with batches of one sequence each would be on its own.
  const auto expect_learned = [](const data::EventStore& store, const char* task, const char* said) {
    TrainConfig config = tiny_config(task);
    config.batch = 1;
    config.epochs = 2;
    config.valid_share = 0;
    OwnTraining own(store, config);
    EXPECT_TRUE(any_says(own.training.choices(), said)) << task;
    EXPECT_EQ(own.run().history.size(), 2U) << task;
    EXPECT_EQ(own.fit().skipped(), 0) << task;
  };
  const std::vector<std::vector<int64_t>> ticks = {{0, 1, 2}, {3, 4, 5}, {0, 2, 4}, {1, 2, 3}};
  const std::vector<double> values = {1, kNan, 2, 1, kNan, kNan, kNan, kNan, kNan, 3, 1, 2};
  const char* const kTwo = "left out: 2 sequences, in which nothing";
  expect_learned(store_of(MadeEvents(ticks).value(values).events()), "regress", "left out: 1 sequence, in");
  expect_learned(store_of(MadeEvents(ticks).value(values).events()), "forecast", kTwo);
  expect_learned(store_of(MadeEvents(ticks).target({1, kNan, 2, kNan}).events()), "regress", kTwo);
  expect_learned(store_of(MadeEvents(ticks).label({"x", "", "y", ""}).events()), "classify", kTwo);
}

TEST(Training, LeavesOutSequencesOfUnknownTypesAlone) {
  data::EventStore store = store_of(MadeEvents({{0, 1, 2}, {3, 4}, {0, 2, 4}, {1, 2, 3}})
                                        .types({"a", "b", "a", "z", "z", "b", "a", "b", "a", "b", "b"})
                                        .events());
  store.encoding.emplace();
  store.encoding->event.emplace();
  store.encoding->event->names = {"a", "b"};
  store.encoding->event->unknown = true;
  TrainConfig config = tiny_config();
  config.batch = 1;
  config.when = true;
  OwnTraining own(store, config);
  EXPECT_TRUE(any_says(own.training.choices(), "left out: 1 sequence, in which nothing"));
  EXPECT_GT(own.run().best_epoch, 0);
  store.encoding->event->names = {"c"};
  EXPECT_SAYS(complaint_of(store, config), "empty or unknown in all of them");
}

TEST(Training, DoesNotValidateOnClassesThatItDidNotLearn) {
  std::vector<std::vector<int64_t>> ticks(8, {0, 1, 2});
  std::vector<std::string> labels = {"a", "b", "c", "d", "e", "f", "g", "h"};
  TrainConfig config = tiny_config("classify");
  OwnTraining own(store_of(MadeEvents(ticks).label(labels).types(std::vector<std::string>(24, "t")).events()),
                  config);
  EXPECT_TRUE(own.training.split().valid.empty());
  EXPECT_TRUE(any_says(own.training.choices(), "left out: 2 sequences"));
  EXPECT_EQ(own.run().end, FitEnd::kEpochs);
}

TEST(Training, OfForecastsValidatesOnTheLastPartInTime) {
  const OwnTraining own(store_of(made_sequences()), tiny_config("forecast"));
  EXPECT_TRUE(any_says(own.training.choices(), "their last part in time"));
  int64_t last = INT64_MIN;
  for (const Piece& piece : own.training.split().train) {
    last = std::max(last, own.training.events().tick(piece.end - 1));
  }
  for (const Piece& piece : own.training.split().valid) {
    EXPECT_GT(own.training.events().tick(piece.first_target), last);
  }
}

TEST(Training, UsesTheValidationThatTheDataHave) {
  using data::Part;
  const data::EventStore store = store_of(MadeEvents({{0, 1}, {0, 2}, {0, 3}, {0, 1}})
                                              .value({1, 2, 2, 1, 3, 4, 1, 3})
                                              .part({Part::kTrain, Part::kTrain, Part::kValid, Part::kTest})
                                              .events());
  const OwnTraining own(store, tiny_config("forecast"));
  ASSERT_EQ(own.training.split().valid.size(), 1U);
  EXPECT_EQ(own.training.split().valid[0].sequence, 2);
  EXPECT_EQ(own.training.split().train.size(), 2U);
  EXPECT_FALSE(any_says(own.training.choices(), "last part in time"));
}

TEST(Training, WeighsClassesToCountTheSame) {
  const data::EventStore store =
      store_of(MadeEvents({{0, 1}, {0, 2}, {0, 3}, {0, 4}}).label({"x", "y", "y", "y"}).events());
  TrainConfig config = tiny_config("classify");
  config.class_weights = "balanced";
  config.valid_share = 0;
  const OwnTraining own(store, config);
  const std::vector<double>& weights = own.training.model().config().heads[0].class_weights;
  ASSERT_EQ(weights.size(), 2U);
  EXPECT_NEAR(weights[0], 2, 1e-12);
  EXPECT_NEAR(weights[1], 2.0 / 3, 1e-12);
}

// --- what came of it ---

TEST(Training, HasAResultThatIsAFileOfAModel) {
  const OwnFiles files;
  TrainConfig config = tiny_config();
  config.when = true;
  OwnTraining own(store_of(made_sequences()), config);
  const Outcome outcome = own.run();
  write_model(FileSystem::real(), files.path("m"), own.training.result());
  const TrainedModel read = read_model(files.path("m"));
  EXPECT_TRUE(same_bits(read.parameters, outcome.best));
  Json options = to_json(config);
  options["time-input"] = "start,gap";
  options["origin"] = "sequence";
  options.update({{"head-pool", "last"}, {"head-dropout", 0.2}, {"together", "no"}, {"typed-values", "no"}});
  EXPECT_EQ(*read.options, options);
  EXPECT_EQ(read.training->at("best_epoch"), outcome.best_epoch);
  EXPECT_EQ(read.training->at("epochs").size(), outcome.history.size());
  EXPECT_EQ(read.training->at("steps"), outcome.steps);
  EXPECT_GT(read.training->at("span").get<double>(), 0);
  EXPECT_EQ(read.training->at("train_sequences"), 9);
  EXPECT_EQ(read.training->at("valid_sequences"), 3);
}

TEST(Training, OfManyEpochsFitsIntoAFile) {
  const OwnFiles files;
  TrainConfig config = tiny_config();
  config.epochs = 9000;
  config.hidden = 1;
  config.valid_share = 0;
  config.batch = 100;
  config.cell = "none";
  OwnTraining own(types_alone(2), config);
  EXPECT_EQ(own.run().history.size(), 9000U);
  write_model(FileSystem::real(), files.path("m"), own.training.result());
  const Json epochs = read_model(files.path("m")).training->at("epochs");
  EXPECT_LE(epochs.size(), 1001U);
  EXPECT_GE(epochs.size(), 500U);
  EXPECT_EQ(epochs.back().at("epoch"), 9000);
}

// --- options ---

TEST(TrainOptions, AreJsonAndBack) {
  TrainConfig config;
  config.hidden = 7;
  config.time = "log";
  config.when = true;
  config.rate = 0.1;
  config.seed = UINT64_MAX;
  TrainConfig read;
  read_json(read, to_json(config));
  EXPECT_EQ(to_json(read), to_json(config));
  EXPECT_EQ(read.seed, UINT64_MAX);
  read_json(read, Json{{"layers", 3}});
  EXPECT_EQ(read.layers, 3);
  EXPECT_EQ(read.hidden, 7);
}

/// Calls function(name, value) with every count.
template <class Function>
void for_each_count(TrainConfig& config, Function function) {
  const OptionTable table = options_of(config);
  for (const OptionTable::Entry& entry : table.entries()) {
    if (auto* const* value = std::get_if<int64_t*>(&entry.member)) function(entry.option.name, **value);
  }
}

std::string complaint_about(TrainConfig& config) {
  return complaint([&] { options_of(config).check(); });
}

/// The largest counts that are taken, found by halves: a new option has a bound too.
TrainConfig largest_counts() {
  TrainConfig config;
  for_each_count(config, [&](std::string_view, int64_t& value) {
    int64_t refused = INT64_MAX;
    while (refused - value > 1) {
      const int64_t taken = value;
      value = taken + (refused - taken) / 2;
      if (complaint_about(config).empty()) continue;
      refused = value;
      value = taken;
    }
  });
  return config;
}

TEST(TrainOptions, HaveBoundsOfCounts) {
  TrainConfig largest = largest_counts();
  EXPECT_EQ(largest.hidden, 65'536);
  EXPECT_EQ(largest.layers, 64);
  EXPECT_EQ(largest.components, 1'000);
  EXPECT_EQ(largest.epochs, 1'000'000);
  EXPECT_EQ(largest.rate_cuts, 1'000);
  for_each_count(largest, [&](std::string_view name, int64_t& value) {
    EXPECT_LE(value, 1'000'000'000) << name;
    const int64_t most = value;
    for (const int64_t beyond : {most + 1, INT64_MAX, int64_t{-1}, INT64_MIN}) {
      value = beyond;
      const std::string given = "`" + std::string(name) + "` ";
      EXPECT_SAYS(complaint_about(largest), given);
      EXPECT_SAYS(complaint_about(largest), " is not a number from ");
      EXPECT_SAYS(testing::complaint_of(types_alone(), largest), given);
    }
    value = most;
  });
}

TEST(TrainOptions, AtTheirBoundsGiveModelsThatFilesTake) {
  const TrainConfig largest = largest_counts();
  for (const auto& cell : nn::cells()) {
    ModelConfig model;
    take_model_options(model, largest);
    model.cell = cell.name;
    if (cell.has_time_gates()) model.inner = cell.inner;
    model.event_types = int64_t{1} << 31;
    model.features = int64_t{1} << 24;
    for (const TimeInput input : {TimeInput::kStart, TimeInput::kGap, TimeInput::kQuery, TimeInput::kUntil}) {
      model.times.push_back({.kind = "t2v", .input = input, .k = 100'000});
    }
    model.heads[0].classes = int64_t{1} << 31;
    model.heads.emplace_back().kind = "when";
    model.heads.back().components = largest.components;
    EXPECT_EQ(complaint([&] { model_config_from_json(to_json(model)); }), "") << cell.name;
    EXPECT_GT(Model(model).layout().parameter_count(), int64_t{1} << 40) << cell.name;
  }
}

TEST(TrainOptions, RefuseUnknownNamesAndOtherTypes) {
  const auto refusal_of = [](const Json& json) {
    TrainConfig config;
    return complaint([&] { read_json(config, json); });
  };
  EXPECT_SAYS(refusal_of({{"hiden", 3}}), "there is no option 'hiden'; did you mean `hidden`?");
  EXPECT_SAYS(refusal_of({{"zzzzz", 3}}), "there is no option 'zzzzz'");
  EXPECT_SAYS(refusal_of({{"hidden", "3"}}), "`hidden` is \"3\"");
  EXPECT_SAYS(refusal_of({{"hidden", 3.5}}), "another type");
  EXPECT_SAYS(refusal_of({{"hidden", true}}), "another type");
  EXPECT_SAYS(refusal_of({{"hidden", UINT64_MAX}}), "another type");
  EXPECT_SAYS(refusal_of({{"when", 1}}), "another type");
  EXPECT_SAYS(refusal_of({{"time", 1}}), "another type");
  EXPECT_SAYS(refusal_of({{"seed", -1}}), "another type");
  EXPECT_SAYS(refusal_of(Json::array()), "JSON object");
}

}  // namespace
}  // namespace t2v
