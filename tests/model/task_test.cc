#include "model/task.h"

#include <gtest/gtest.h>

#include <string>

#include "data/importer_files.h"
#include "data/made_events.h"

namespace t2v {
namespace {

using data::complaint;
using data::MadeEvents;
using data::says;
using data::ValueTarget;

MadeEvents two_events() { return MadeEvents({{0, 1}}); }

TEST(Task, HasANameAndIsFoundByIt) {
  for (const Task task : {Task::kClassify, Task::kNext, Task::kRecommend, Task::kRegress, Task::kForecast}) {
    EXPECT_EQ(task_from(name_of(task)), task);
  }
  EXPECT_SAYS(complaint([] { task_from("guess"); }),
              "unknown task 'guess'; use classify, next, recommend, regress or forecast");
}

TEST(Task, FollowsFromTheColumns) {
  EXPECT_EQ(suggested_task(two_events().value({1, 2}).events()), Task::kForecast);
  EXPECT_EQ(suggested_task(two_events().types({"a", "b"}).value({1, 2}).events()), Task::kNext);
  EXPECT_EQ(suggested_task(two_events().types({"a", "b"}).target({1}).events()), Task::kRegress);
  EXPECT_EQ(suggested_task(two_events().types({"a", "b"}).target({1}).label({"x"}).events()),
            Task::kClassify);
}

TEST(Task, IsToRecommendWhereTypesAreMany) {
  const auto with_types = [](int64_t count) {
    std::vector<int64_t> ticks;
    std::vector<std::string> types;
    for (int64_t i = 0; i < count; ++i) {
      ticks.push_back(i);
      types.push_back("t" + std::to_string(i));
    }
    return suggested_task(MadeEvents({ticks}).types(types).events());
  };
  EXPECT_EQ(with_types(kManyTypes), Task::kNext);
  EXPECT_EQ(with_types(kManyTypes + 1), Task::kRecommend);
}

TEST(Task, IsNoneWhereThereIsNothingToPredict) {
  const std::string said = complaint([] { suggested_task(two_events().number("price", {1, 2}).events()); });
  EXPECT_SAYS(said, "nothing to predict");
  EXPECT_SAYS(said, "`label`, `target`, `event` or `value`");
}

TEST(Task, SaysWhichNumberIsPredicted) {
  const data::Events values = two_events().value({1, 2}).events();
  const data::Events both = two_events().value({1, 2}).target({3}).events();
  const data::Events none = two_events().types({"a", "b"}).events();
  EXPECT_EQ(value_target(Task::kForecast, values), ValueTarget::kOfNextEvent);
  EXPECT_EQ(value_target(Task::kForecast, both), ValueTarget::kOfNextEvent);
  EXPECT_EQ(value_target(Task::kRegress, values), ValueTarget::kOfEvent);
  EXPECT_EQ(value_target(Task::kRegress, both), ValueTarget::kOfSequence);
  EXPECT_EQ(value_target(Task::kNext, both), ValueTarget::kNone);
  EXPECT_EQ(value_target(Task::kClassify, none), ValueTarget::kNone);
  EXPECT_SAYS(complaint([&] { value_target(Task::kForecast, none); }), "`value`");
  EXPECT_SAYS(complaint([&] { value_target(Task::kRegress, none); }), "`target`");
}

TEST(Task, SaysWhatIsInABatch) {
  ModelConfig model;
  model.event_types = 3;
  model.times.resize(2);
  model.times[1].input = TimeInput::kGap;
  model.heads.resize(2);
  model.heads[1].kind = "when";
  const data::BatchConfig next = batch_config(model, Task::kNext, ValueTarget::kNone, true);
  EXPECT_EQ(next.times, (std::array<bool, kTimeInputs>{true, true, false, false}));
  EXPECT_TRUE(next.events);
  EXPECT_FALSE(next.features);
  EXPECT_TRUE(next.next_events);
  EXPECT_TRUE(next.next_gaps);
  EXPECT_FALSE(next.labels);
  const data::BatchConfig inputs = batch_config(model, Task::kNext, ValueTarget::kNone, false);
  EXPECT_FALSE(inputs.next_events || inputs.next_gaps || inputs.labels);
  model.heads.resize(1);
  model.times.clear();
  model.features = 2;
  const data::BatchConfig classify = batch_config(model, Task::kClassify, ValueTarget::kNone, true);
  EXPECT_TRUE(classify.labels && classify.features);
  EXPECT_FALSE(classify.next_events || classify.next_gaps || classify.times[0]);
  model.cell = "phased";  // whose clock needs times
  EXPECT_TRUE(batch_config(model, Task::kRegress, ValueTarget::kOfSequence, true).times[0]);
  EXPECT_EQ(batch_config(model, Task::kRegress, ValueTarget::kOfSequence, true).values,
            ValueTarget::kOfSequence);
}

TEST(Task, KnowsTheQueryTimeByItsInputs) {
  ModelConfig model;
  EXPECT_FALSE(knows_query_time(model));
  model.times.resize(1);
  EXPECT_FALSE(knows_query_time(model));
  for (const TimeInput input : {TimeInput::kQuery, TimeInput::kUntil}) {
    model.times[0].input = input;
    EXPECT_TRUE(knows_query_time(model));
  }
  EXPECT_EQ(find_head(model, "softmax"), 0);
  EXPECT_EQ(find_head(model, "when"), -1);
}

}  // namespace
}  // namespace t2v
