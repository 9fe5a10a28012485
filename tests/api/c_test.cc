#include "t2v/c.h"

#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "c_calls.h"
#include "cafe.h"

namespace t2v {
namespace {

using namespace testing;

/// "" if all checks of a function in C passed.
std::string failed(const char* check) {
  return check == nullptr ? "" : std::string(check) + " (" + t2v_last_error() + ")";
}

/// A model of a hundred events at the times 0, 1, ..., with types and values.
TimeModel small_model(const std::string& task, const std::string& setting = "") {
  std::vector<Event> events;
  for (int i = 0; i < 100; ++i) {
    events.push_back({.id = i < 50 ? "a" : "b",
                      .time = i % 50,
                      .type = task == "forecast" ? "" : (i % 3 == 0 ? "tea" : "cake"),
                      .value = task == "forecast" ? i % 7 : std::nan("")});
  }
  TrainOptions training;
  training.settings = small(task);
  if (!setting.empty()) training.settings[setting] = "true";
  training.threads = 1;
  return train(EventLog::of(events), training).model;
}

class FromC : public Tool {};

TEST_F(FromC, TheLayerComputesForwardAndBackward) { EXPECT_EQ(failed(check_layer()), ""); }

TEST_F(FromC, WhatCannotBeIsAStatusAndAMessage) { EXPECT_EQ(failed(check_refusals()), ""); }

TEST_F(FromC, AModelEncodesAndPredicts) {
  cafe_model(true).save(path("cafe.t2v"));
  EXPECT_EQ(failed(check_model(path("cafe.t2v").c_str(), cafe_table().c_str())), "");
}

TEST_F(FromC, AStreamTakesEventsAndAnswers) {
  cafe_model(true).save(path("cafe.t2v"));
  EXPECT_EQ(failed(check_stream(path("cafe.t2v").c_str(), path("snapshot").c_str())), "");
}

TEST_F(FromC, TheValueOfAnEventIsTakenAndForecast) {
  small_model("forecast").save(path("values.t2v"));
  EXPECT_EQ(failed(check_values(path("values.t2v").c_str())), "");
}

TEST_F(FromC, AModelSaysWhenTheNextEventComes) {
  small_model("next", "when").save(path("when.t2v"));
  EXPECT_EQ(failed(check_when(path("when.t2v").c_str())), "");
}

TEST_F(FromC, EachThreadHasALastErrorOfItsOwn) {
  t2v_model* model = nullptr;
  ASSERT_EQ(t2v_model_load(nullptr, &model), T2V_FAULT);
  std::string other = "not asked";
  std::thread([&] { other = t2v_last_error(); }).join();
  EXPECT_EQ(other, "");
  EXPECT_STREQ(t2v_last_error(), "path is NULL");
}

}  // namespace
}  // namespace t2v
