#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "made_training.h"

// Training that goes on from a trained model.
namespace t2v {
namespace {

using data::MadeEvents;
using data::says;
using testing::complaint_of;
using testing::made_sequences;
using testing::Outcome;
using testing::OwnTraining;
using testing::same;
using testing::same_bits;
using testing::store_of;
using testing::tiny_config;
using testing::types_alone;

class GoingOn : public ::testing::Test {
 protected:
  GoingOn() : store(types_alone(40)) {
    config = tiny_config();
    config.epochs = 40;
    config.patience = 0;
    OwnTraining own(store, config);
    first = own.run();
    model = own.training.result();
  }
  data::EventStore store;
  TrainConfig config;
  Outcome first;
  TrainedModel model;
};

TEST_F(GoingOn, StartsFromTheWeightsOfTheModel) {
  config.rate = 0;
  config.epochs = 1;
  OwnTraining own(store, config, 1, &model);
  const Outcome second = own.run();
  EXPECT_TRUE(same_bits(second.best, model.parameters));
  EXPECT_NEAR(second.history[0].loss, first.history.back().loss, 0.02);
  EXPECT_LT(second.history[0].loss, 0.8 * first.history[0].loss);
  EXPECT_EQ(second.history[0].valid_loss, first.history.back().valid_loss);
  EXPECT_EQ(own.training.result().training->at("span"), model.training->at("span"));
}

TEST_F(GoingOn, KeepsTheModelIfNothingBetterComes) {
  config.patience = 1;
  config.rate = 0;
  config.epochs = 5;
  OwnTraining own(store, config, 1, &model);
  const Outcome second = own.run();
  EXPECT_EQ(second.best_epoch, 0);
  EXPECT_TRUE(same_bits(second.best, model.parameters));
  ASSERT_TRUE(own.training.fit().start());
  EXPECT_EQ(own.training.fit().start()->loss, first.history.back().valid_loss);
  const auto remarks = own.training.remarks(second.end, own.training.result());
  ASSERT_FALSE(remarks.empty());
  EXPECT_TRUE(says(remarks[0], "no epoch was better than the model that it started from"));
}

TEST_F(GoingOn, FromACheckpointStillKnowsHowTheModelDid) {
  config.patience = 1;
  config.rate = 3;
  config.epochs = 5;
  const Outcome whole = OwnTraining(store, config, 1, &model).run();
  OwnTraining half(store, config, 1, &model);
  int64_t steps = 0;
  Fit::Hooks hooks;
  hooks.step = [&](const FitProgress&) { ++steps; };
  hooks.stop = [&] { return steps >= 2; };
  ASSERT_EQ(half.run(hooks).end, FitEnd::kStopped);
  const std::string path = ::testing::TempDir() + "going_on_start.checkpoint";
  half.training.save_checkpoint(FileSystem::real(), path);
  OwnTraining rest(store, config, 1, &model);
  rest.training.restore_checkpoint(path);
  ASSERT_TRUE(rest.training.fit().start());
  EXPECT_TRUE(same(rest.run(), whole));
}

TEST_F(GoingOn, NamesTheDifferenceIfAllEventTypesAreUnknown) {
  const data::EventStore other =
      store_of(MadeEvents({{0, 10, 30}, {5, 25, 35}}).types({"p", "q", "r", "s", "q", "p"}).events());
  const std::string complaint = complaint_of(other, config, &model);
  EXPECT_TRUE(
      says(complaint, "knows none of the event types of these data, 'p', 'q', 'r', ...; its own are '"))
      << complaint;
}

TEST_F(GoingOn, TakesOverTaskEncodingAndTimes) {
  // Other data: more types in another order, in ticks of a tenth, with a label.
  data::Events other = MadeEvents({{0, 10, 30}, {5, 25, 35}, {0, 20, 40}})
                           .types({"c", "b", "a", "b", "a", "c", "a", "b", "c"})
                           .label({"x", "y", "x"})
                           .events();
  other.scale.decimals = 1;
  other.view.ticks_per_unit = 10;
  model.times.view.origin = data::OriginKind::kInstant;
  model.times.view.origin_tick = -7;
  config.task = "auto";
  OwnTraining own(store_of(other), config, 1, &model);
  EXPECT_EQ(own.training.description().task, Task::kNext);
  EXPECT_EQ(own.training.description().encoding, model.encoding);
  EXPECT_EQ(own.training.events().view.ticks_per_unit, 10);
  EXPECT_EQ(own.training.events().time(0, 1), 8);  // 1.0 since -7
  own.run();
  const TrainedModel result = own.training.result();
  EXPECT_EQ(result.times.view.ticks_per_unit, model.times.view.ticks_per_unit);
  EXPECT_EQ(result.times.scale.decimals, model.times.scale.decimals);
  EXPECT_EQ(result.times.view.origin, data::OriginKind::kInstant);
  EXPECT_EQ(result.times.view.origin_tick, -7);
  EXPECT_EQ(result.encoding, model.encoding);
  EXPECT_FALSE(same_bits(result.parameters, model.parameters));
}

TEST_F(GoingOn, MayBeTrainedInAnotherWay) {
  config.dropout = 0.5;
  config.chunk = 2;
  config.l1 = 0.01;
  config.freeze = true;
  config.epochs = 2;
  OwnTraining own(store, config, 1, &model);
  own.run();
  const TrainedModel result = own.training.result();
  EXPECT_EQ(result.config.chunk, 2);
  EXPECT_TRUE(result.config.times[0].frozen);
  const nn::Tensor& omega = own.training.model().layout()[own.training.model().layout().find("time0.omega")];
  EXPECT_NE(result.parameters.get(omega, 0), model.parameters.get(omega, 0));  // that of the linear term
  for (const int64_t i : {1, 2}) {
    EXPECT_EQ(result.parameters.get(omega, i), model.parameters.get(omega, i));
  }
  EXPECT_FALSE(same_bits(result.parameters.dense, model.parameters.dense));
}

TEST_F(GoingOn, RefusesAnotherModelByTheNameOfAnOption) {
  const auto refused = [&](auto change, const std::string& why) {
    TrainConfig other = config;
    change(other);
    EXPECT_SAYS(complaint_of(store, other, &model), why);
  };
  const std::string contradicts = " contradicts the model that `init` names ";
  refused([](TrainConfig& other) { other.hidden = 4; }, "`hidden` 4" + contradicts + "(3); leave it out");
  refused([](TrainConfig& other) { other.match_params = 900; }, "`match_params`, which is `hidden` ");
  refused([](TrainConfig& other) { other.cell = "gru"; }, "`cell` gru" + contradicts + "(lstm)");
  refused([](TrainConfig& other) { other.layers = 2; }, "`layers` 2" + contradicts + "(1)");
  refused([](TrainConfig& other) { other.time = "t2v:3"; }, "`time` t2v:3" + contradicts + "(t2v:2)");
  refused([](TrainConfig& other) { other.time = "none"; }, "`time` none" + contradicts + "(t2v:2)");
  refused([](TrainConfig& other) { other.when = true; }, "`when` yes" + contradicts + "(no)");
  refused([](TrainConfig& other) { other.query_time = true; }, "`query_time` yes" + contradicts + "(no)");
  refused([](TrainConfig& other) { other.no_skip = true; }, "`no_skip` yes" + contradicts + "(no)");
  refused([](TrainConfig& other) { other.no_linear = true; }, "`no_linear` yes" + contradicts + "(no)");
  refused([](TrainConfig& other) { other.activation = "cos"; }, "`activation` cos" + contradicts + "(sin)");
  refused([](TrainConfig& other) { other.time_input = "gap,start"; },
          "`time_input` gap,start" + contradicts + "(start,gap)");
}

TEST_F(GoingOn, RefusesAnotherTaskAndAnotherKindOfTimes) {
  config.task = "classify";
  const data::EventStore all = store_of(made_sequences());
  EXPECT_SAYS(complaint_of(all, config, &model),
              "`task` classify contradicts the model that `init` names (next)");
  config.task = "next";
  const data::EventStore dates =
      store_of(MadeEvents({{0, 1}, {0, 1}}).types({"a", "b", "a", "b"}).instants().events());
  EXPECT_SAYS(complaint_of(dates, config, &model), "plain numbers");
}

TEST(GoingOnWithClasses, KnowsThoseOfTheModelAlone) {
  TrainConfig config = tiny_config("classify");
  config.class_weights = "balanced";
  const data::EventStore store = store_of(made_sequences());
  const TrainedModel model = OwnTraining(store, config).training.result();
  data::Events other = made_sequences();
  std::vector<std::string> labels(12, "often");
  std::fill_n(labels.begin(), 6, "never seen");
  const data::Events made =
      MadeEvents(
          {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}, {0, 7}, {0, 8}, {0, 9}, {0, 1}, {0, 2}, {0, 3}})
          .label(labels)
          .events();
  data::Events mixed = other;
  mixed.label = made.label;
  EXPECT_SAYS(complaint_of(store_of(mixed), config, &model), "never seen");
}

}  // namespace
}  // namespace t2v
