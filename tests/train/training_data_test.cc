#include "train/training_data.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "train/made_training.h"

namespace t2v {
namespace {

using data::OriginKind;

data::DataSet made_data(bool values_alone) {
  data::DataSet data;
  data.store.events = testing::made_sequences();
  if (!values_alone) return data;
  data.store.events.label.reset();
  data.store.events.target.reset();
  data.store.events.event.reset();
  return data;
}

TrainRequest request_with(const nlohmann::json& options) {
  TrainRequest request;
  options_after_reading(request).read(options);
  return request;
}

std::string refusal(const data::DataSet& data, TrainRequest request) {
  try {
    training_data(data, request);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(TrainingData, OfValuesOverTimeCountFromTheFirstOfAll) {
  TrainRequest request;
  EXPECT_EQ(training_data(made_data(true), request).store.events.view.origin, OriginKind::kDataSet);
  EXPECT_EQ(training_data(made_data(false), request).store.events.view.origin, OriginKind::kSequence);
}

TEST(TrainingData, KeepAnOriginThatWasGiven) {
  TrainRequest sequence = request_with({{"origin", "sequence"}});
  EXPECT_EQ(training_data(made_data(true), sequence).store.events.view.origin, OriginKind::kSequence);
  TrainRequest number = request_with({{"origin", "2"}});
  EXPECT_EQ(training_data(made_data(true), number).store.events.view.origin_tick, 2);
  data::DataSet of_store = made_data(true);
  data::set_origin(of_store.store.events, OriginKind::kInstant, 7);
  TrainRequest none;
  EXPECT_EQ(training_data(of_store, none).store.events.view.origin_tick, 7);
}

TEST(TrainingData, KeepTheSplitOfAStoreUnlessAnotherIsAskedFor) {
  data::DataSet data = made_data(false);
  data.store.split = data::Split{data::whole_sequences(data.store.events), {}, {}};
  data.store.split->test = {data.store.split->train.back()};
  data.store.split->train.pop_back();
  TrainRequest none;
  const TrainingData kept = training_data(data, none);
  EXPECT_EQ(kept.store.split->test, data.store.split->test);
  EXPECT_EQ(kept.split_record, "{}");
  TrainRequest anew = request_with({{"split", "random"}, {"split_seed", 3}});
  const TrainingData split = training_data(data, anew);
  EXPECT_NE(split.store.split->test, data.store.split->test);
  EXPECT_EQ(nlohmann::json::parse(split.split_record),
            (nlohmann::json{{"split", "random"}, {"split-seed", 3}, {"valid-share", nullptr}}));
  EXPECT_FALSE(split.notes.empty());
}

TEST(TrainingData, RefuseAShareForValidationThatTheDataHave) {
  data::DataSet data = made_data(false);
  data.store.split = data::Split{data::whole_sequences(data.store.events), {}, {}};
  data.store.split->valid = {data.store.split->train.back()};
  EXPECT_EQ(refusal(data, request_with({{"valid_share", 0.2}})),
            "`valid_share` has no effect, since the data say what validation is; leave it out");
}

TEST(TrainingData, HaveOneNameForEveryOption) {
  TrainRequest request;
  const OptionTable table = options_of(request);
  GivenOptions names;
  for (const OptionTable::Entry& entry : table.entries()) {
    EXPECT_TRUE(names.insert(std::string(entry.option.name)).second) << entry.option.name;
    EXPECT_FALSE(entry.option.help.empty()) << entry.option.name;
    EXPECT_FALSE(entry.option.group.empty()) << entry.option.name;
  }
  EXPECT_EQ(table.find("time-column")->option.name, "time_column");
  EXPECT_NO_THROW(table.check());
}

}  // namespace
}  // namespace t2v
