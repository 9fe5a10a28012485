#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "model/trained_model.h"
#include "tool.h"

namespace t2v {
namespace {

/// A model that says, whatever happens, that the next of the types open, buy, look is one in this order.
class Evaluate : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    put("clicks.csv", kClicks);
    write_model(FileSystem::real(), path("m.t2v"), made());
  }

  static TrainedModel made() {
    TrainedModel model;
    model.task = Task::kNext;
    model.encoding.event.emplace();
    model.encoding.event->names = {"open", "buy", "look"};
    model.config.cell = "none";
    model.config.event_types = 3;
    model.config.times = {nn::TimeEncoderConfig{}};
    model.config.heads[0].classes = 3;
    model.config.heads[0].each_step = true;
    model.times.scale = {true, 9};
    model.times.view = {"d", 86400e9, data::OriginKind::kSequence, 0};
    const Model laid_out(model.config);
    model.parameters.assign_zeros(laid_out.layout());
    for (const nn::Tensor& tensor : laid_out.layout().tensors()) {
      if (tensor.role != nn::Role::kBias) continue;
      for (int64_t i = 0; i < tensor.size(); ++i) model.parameters.data(tensor)[i] = static_cast<float>(-i);
    }
    return model;
  }
};

TEST_F(Evaluate, MeasuresAModelOnATable) {
  const Ran ran = run("evaluate m.t2v clicks.csv");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.out, "part all, task next, 4 sequences, 8 events\ntypes (4 predictions)\n");
  EXPECT_HAS(ran.out, "model    0.2500    1.0000    1.0000");  // buy, look, buy, open
}

TEST_F(Evaluate, GivesJsonForTheListsThatAreWanted) {
  const Ran ran = run("evaluate m.t2v clicks.csv --json --at 1,2 --threads 2");
  EXPECT_EQ(ran.code, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["part"], "all");
  EXPECT_EQ(json["types"]["model"]["recall@1"], 0.25);
  EXPECT_EQ(json["types"]["model"]["recall@2"], 0.75);
  EXPECT_FALSE(json["types"]["model"].contains("recall@3"));
}

TEST_F(Evaluate, TakesTheTestPartWhereThereIsOne) {
  ASSERT_EQ(run("import clicks.csv -o c.events --split random --test-share 0.25").code, 0);
  EXPECT_HAS(run("evaluate m.t2v c.events").out, "part test, task next, 1 sequence, 2 events");
  EXPECT_HAS(run("evaluate m.t2v c.events --part train").out, "part train, task next, 3 sequences, 6 events");
  EXPECT_HAS(run("evaluate m.t2v c.events --part all").out, "part all, task next, 4 sequences, 8 events");
  expect_refused("evaluate m.t2v c.events --part valid", "the data have no part 'valid'");
  expect_refused("evaluate m.t2v clicks.csv --part test", "the data have no part 'test'");
  put("b.csv", "user,time,event\nx,2024-01-01,open\nx,2024-01-02,buy\nx,2024-01-03,buy\n");
  EXPECT_HAS(run("evaluate m.t2v --train clicks.csv --test b.csv").out,
             "part test, task next, 1 sequence, 3 events");
}

TEST_F(Evaluate, SaysHowManyTypesItDoesNotKnow) {
  TrainedModel model = made();
  model.encoding.event->names.pop_back();
  model.encoding.event->unknown = true;
  write_model(FileSystem::real(), path("u.t2v"), model);
  const Ran ran = run("evaluate u.t2v clicks.csv");
  EXPECT_HAS(
      ran.err,
      "1 of 8 events (12 %) is of a type that the model does not know: '(other)' to it, and not measured");
  EXPECT_HAS(ran.out, "(3 predictions)");
  put("new.csv", "user,time,event\nx,2024-01-01,open\nx,2024-01-02,sell\n");
  expect_refused("evaluate m.t2v new.csv",
                 "'sell' in column 'event' of sequence 'x' is unknown to the model");
  EXPECT_EQ(run("evaluate m.t2v new.csv").err.find("does not know"), std::string::npos);
}

const char* const kChurn =
    "who,at,what,gone,user_id\n"
    "a,2024-01-01,x,yes,1\n"
    "a,2024-01-02,y,yes,2\n"
    "b,2024-01-01,x,no,1\n"
    "b,2024-01-05,x,no,2\n"
    "c,2024-01-01,x,yes,1\n"
    "c,2024-01-02,y,yes,2\n";

TEST_F(Evaluate, TakesTheColumnsOfTheTraining) {
  put("churn.csv", kChurn);
  const std::string train =
      "train churn.csv --id who --time-column at --event what --label gone --hidden 2 --epochs 1 "
      "--timezone Europe/Paris ";
  ASSERT_EQ(run(train + "-o churn.t2v").code, 0);
  const Ran same = run("evaluate churn.t2v churn.csv");
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_HAS(same.err, "columns: id 'who', time 'at', event 'what', label 'gone'\n");
  EXPECT_HAS(same.err, "those without an offset are Europe/Paris");
  EXPECT_HAS(run("evaluate churn.t2v churn.csv --id user_id --label - --event -").err,
             "columns: id 'user_id', time 'at'\n");
  EXPECT_HAS(run("predict churn.t2v churn.csv").err, "columns: id 'who', time 'at', event 'what'\n");
  EXPECT_HAS(run("encode churn.t2v --states churn.csv").out, "a ");
  put("new.csv", "user,time,event,class\nz,2024-02-01,x,no\n");
  EXPECT_HAS(run("evaluate churn.t2v new.csv").err,
             "columns: id 'user', time 'time', event 'event', label 'class'");
  ASSERT_EQ(run("import churn.csv --id who --time at --event what --label gone -o churn.events").code, 0);
  ASSERT_EQ(run("train churn.events --hidden 2 --epochs 1 -o store.t2v").code, 0);
  EXPECT_HAS(run("evaluate store.t2v churn.csv").err,
             "columns: id 'who', time 'at', event 'what', label 'gone'");
}

TEST_F(Evaluate, TakesOneSequenceAndPlacesOfColumnsAsInTraining) {
  put("one.csv", "2024-01-01,1\n2024-01-02,2\n2024-01-03,1\n2024-01-04,2\n2024-01-05,1\n");
  ASSERT_EQ(run("train one.csv --id - --time-column 1 --value 2 --epochs 1 --task regress -o one.t2v").code,
            0);
  const Ran ran = run("evaluate one.t2v one.csv");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.err, "all rows are one sequence, as in training");
  EXPECT_HAS(ran.out, "1 sequence, 5 events");
}

TEST_F(Evaluate, SaysSoIfTheModelWasTrainedOnTheseData) {
  const std::string note = "note: the model was trained on these data";
  const auto seen = [&](const std::string& arguments) {
    const Ran plain = run("evaluate " + arguments);
    EXPECT_EQ(plain.code, 0) << plain.err;
    const auto json = nlohmann::json::parse(run("evaluate " + arguments + " --json").out);
    EXPECT_EQ(json.value("seen_in_training", false), plain.err.find(note) != std::string::npos);
    return json.value("seen_in_training", false);
  };
  EXPECT_FALSE(seen("m.t2v clicks.csv"));  // not known
  ASSERT_EQ(run("train clicks.csv --hidden 2 --epochs 1 -o c.t2v").code, 0);
  EXPECT_TRUE(seen("c.t2v clicks.csv"));
  put("later.csv", std::string(kClicks) + "eve,2024-01-09,open\neve,2024-01-10,buy\n");
  EXPECT_FALSE(seen("c.t2v later.csv"));
  ASSERT_EQ(run("import clicks.csv -o c.events --split random --test-share 0.25").code, 0);
  ASSERT_EQ(run("train c.events --hidden 2 --epochs 1 -o s.t2v").code, 0);
  EXPECT_FALSE(seen("s.t2v c.events"));
  EXPECT_TRUE(seen("s.t2v c.events --part train"));
  EXPECT_TRUE(seen("s.t2v c.events --part all"));
  EXPECT_TRUE(seen("s.t2v clicks.csv"));
}

TEST_F(Evaluate, RefusesWhatDoesNotFit) {
  expect_refused("evaluate m.t2v clicks.csv --unit h", "are those of the model");
  expect_refused("evaluate m.t2v clicks.csv --at 0", "--at 0 is not a number of at least 1; see");
  expect_refused("evaluate m.t2v clicks.csv --at 1.5", "--at '1.5' is not a whole number; see");
  expect_refused("evaluate clicks.csv m.t2v", "clicks.csv: is a table or another file, not a model; are the");
  expect_refused("evaluate m.t2v none.csv", "none.csv");
  put("numbers.csv", "user,time,event\nx,1,open\nx,2,buy\n");
  expect_refused("evaluate m.t2v numbers.csv", "plain numbers");
}

}  // namespace
}  // namespace t2v
