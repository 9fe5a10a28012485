#include "t2v/c.h"

#include <string>
#include <thread>

#include "c_calls.h"
#include "cafe.h"

namespace t2v {
namespace {

using namespace testing;

/// "" if all checks of a function in C passed.
std::string failed(const char* check) {
  return check == nullptr ? "" : std::string(check) + " (" + t2v_last_error() + ")";
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
