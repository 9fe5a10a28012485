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
  EXPECT_HAS(ran.err, "1 event of 8 events (12 %) of types that the model does not know");
  EXPECT_HAS(ran.out, "(3 predictions)");
  put("new.csv", "user,time,event\nx,2024-01-01,open\nx,2024-01-02,sell\n");
  expect_refused("evaluate m.t2v new.csv",
                 "'sell' in column 'event' of sequence 'x' is unknown to the model");
}

TEST_F(Evaluate, RefusesWhatDoesNotFit) {
  expect_refused("evaluate m.t2v clicks.csv --unit h", "are those of the model");
  expect_refused("evaluate m.t2v clicks.csv --at 0", "--at");
  expect_refused("evaluate clicks.csv clicks.csv", "clicks.csv");
  expect_refused("evaluate m.t2v none.csv", "none.csv");
  put("numbers.csv", "user,time,event\nx,1,open\nx,2,buy\n");
  expect_refused("evaluate m.t2v numbers.csv", "plain numbers");
}

}  // namespace
}  // namespace t2v
