// t2v export, as a user meets it.
#include <gtest/gtest.h>

#include <string>

#include "tool.h"

namespace t2v {
namespace {

class Export : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    put("clicks.csv", kClicks);
    const Ran ran = run("train clicks.csv --epochs 1 --hidden 4 --time t2v:2 -o m.t2v");
    ASSERT_EQ(ran.code, 0) << ran.err;
  }
};

TEST_F(Export, WritesAGraphAndSaysWhatGoesInAndOut) {
  const Ran ran = run("export m.t2v --onnx m.onnx");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_HAS(
      ran.out,
      "inputs     length, event, start, gap\noutputs    past, probability, state\nwritten    m.onnx, ");
  EXPECT_HAS(get("m.onnx"), "time2vec");
  EXPECT_HAS(get("m.onnx"), "LSTM");
  EXPECT_FALSE(exists("m.onnx.t2v-unfinished"));
}

TEST_F(Export, WritesASingleStepWithItsState) {
  const Ran ran = run("export m.t2v --onnx step.onnx --single-step");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.out,
             "inputs     event, start, gap, state, past\noutputs    next_past, probability, next_state\n");
}

TEST_F(Export, ReplacesAGraphButNoFileOfOurs) {
  ASSERT_EQ(run("export m.t2v --onnx m.onnx").code, 0);
  const std::string old = get("m.onnx");
  EXPECT_EQ(run("export m.t2v --onnx m.onnx --every-event").code, 0);
  EXPECT_GT(get("m.onnx").size(), 1000U);
  EXPECT_NE(get("m.onnx"), old);
  const std::string model = get("m.t2v");
  put("other.t2v", model);
  expect_refused("export m.t2v --onnx other.t2v",
                 "other.t2v: is there already and is not a graph that t2v wrote; name another output");
  EXPECT_EQ(get("other.t2v"), model);
}

TEST_F(Export, RefusesWhatItCannotUse) {
  expect_refused("export m.t2v", "--onnx is required");
  expect_refused("export clicks.csv --onnx m.onnx", "clicks.csv: is a table or another file, not a model");
  expect_refused("export none.t2v --onnx m.onnx", "none.t2v");
  expect_refused("export m.t2v --onnx folder/m.onnx", "folder");
  expect_refused("export m.t2v --onnx m.onnx --single-step --every-event", "leave --every-event out");
}

}  // namespace
}  // namespace t2v
