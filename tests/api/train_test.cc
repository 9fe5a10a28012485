#include "t2v/train.h"

#include <cmath>
#include <vector>

#include "cafe.h"

namespace t2v {
namespace {

using namespace testing;

class ApiTrain : public Tool {};

TEST_F(ApiTrain, GivesTheModelThatTheToolTrains) {
  put("options.json", R"({"task": "next", "hidden": 8, "epochs": 3, "time": "t2v:4"})");
  const Ran ran = run("train " + cafe_table() + " --features price --label - --origin dataset --config " +
                      path("options.json") + " -o " + path("tool.t2v"));
  ASSERT_EQ(ran.code, 0) << ran.err;
  cafe_model().save(path("api.t2v"));
  for (const char* name : {"tool", "api"}) {
    const Ran said = run("predict " + path(name + std::string(".t2v")) + " " + cafe_table() + " -o " +
                         path(name + std::string(".jsonl")));
    ASSERT_EQ(said.code, 0) << said.err;
  }
  EXPECT_EQ(get("tool.jsonl"), get("api.jsonl"));
  EXPECT_GT(get("api.jsonl").size(), 1000U);
}

TEST(ApiTraining, TellsOfEachEpochAndStopsWhenAsked) {
  TrainOptions options;
  options.settings = small("next");
  std::vector<TrainedEpoch> epochs;
  options.epoch = [&](const TrainedEpoch& epoch) { epochs.push_back(epoch); };
  options.stop = [&] { return epochs.size() == 2; };
  const TrainResult result = train(EventLog::read({cafe_table()}), options);
  EXPECT_EQ(result.end, TrainEnd::kStopped);
  ASSERT_EQ(epochs.size(), 2U);
  EXPECT_EQ(epochs[1].epoch, 2);
  EXPECT_TRUE(std::isfinite(epochs[1].valid_loss));
  EXPECT_GE(result.best_epoch, 1);
  EXPECT_FALSE(result.notes.empty());
  options.stop = nullptr;
  EXPECT_EQ(train(EventLog::read({cafe_table()}), options).end, TrainEnd::kEpochs);
}

TEST(ApiTraining, LetsExceptionsOfCallbacksThrough) {
  TrainOptions options;
  options.settings = small("next");
  options.epoch = [](const TrainedEpoch&) { throw std::runtime_error("enough"); };
  EXPECT_THROW(train(EventLog::read({cafe_table()}), options), std::runtime_error);
}

TEST(ApiTraining, RefusesSettingsByName) {
  const EventLog log = EventLog::read({cafe_table()});
  const auto refusal = [&](const char* name, const char* value) {
    return error_of([&] { train(log, {.settings = {{name, value}}}); });
  };
  EXPECT_HAS(refusal("hiden", "8"), "there is no option 'hiden'; did you mean `hidden`?");
  EXPECT_HAS(refusal("hidden", "many"), "`hidden` 'many' is not a whole number");
  EXPECT_HAS(refusal("hidden", "8.5"), "is not a whole number");
  EXPECT_HAS(refusal("seed", "-1"), "is not a number from 0 up");
  EXPECT_HAS(refusal("freeze", "yes"), "is neither true nor false");
  EXPECT_HAS(refusal("task", "guess"), "guess");
}

}  // namespace
}  // namespace t2v
