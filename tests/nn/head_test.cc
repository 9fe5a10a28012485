#include "nn/head.h"

#include <gtest/gtest.h>

#include <cmath>

#include "t2v/error.h"

namespace t2v::nn {
namespace {

TEST(Heads, AreFoundByName) {
  for (const Head& head : heads()) EXPECT_EQ(&head_from(head.name), &head);
  EXPECT_THROW(head_from("tanh"), Error);
  EXPECT_EQ(head_from("softmax").outputs(7), 7);
  EXPECT_EQ(head_from("logistic").outputs(2), 1);
}

TEST(Heads, OfTwoClassesAgreeWhenTheLogisticLogitIsTheDifference) {
  const double two[] = {0.4, 1.7};
  const double one[] = {1.3};
  for (const int64_t label : {0, 1}) {
    double d_two[2];
    double d_one[1];
    const double a = head_from("softmax").twin.loss(d_two, two, 2, label, 0.5);
    const double b = head_from("logistic").twin.loss(d_one, one, 1, label, 0.5);
    EXPECT_NEAR(a, b, 1e-14);
    EXPECT_NEAR(d_two[1], d_one[0], 1e-14);
  }
  float p_two[2];
  float p_one[2];
  const float two_floats[] = {0.4F, 1.7F};
  const float one_float[] = {1.3F};
  head_from("softmax").probabilities(p_two, two_floats, 2);
  head_from("logistic").probabilities(p_one, one_float, 2);
  EXPECT_NEAR(p_two[0], p_one[0], 1e-6);
  EXPECT_NEAR(p_two[1], p_one[1], 1e-6);
}

TEST(Heads, DoNotOverflowAtHugeLogits) {
  const float logits[] = {1e4F, -1e4F, 0};
  float gradient[3];
  const Head& softmax = head_from("softmax");
  EXPECT_EQ(softmax.fast.loss(gradient, logits, 3, 0, 1), 0);
  EXPECT_FLOAT_EQ(static_cast<float>(softmax.fast.loss(gradient, logits, 3, 1, 1)), 2e4F);
  EXPECT_FLOAT_EQ(gradient[0], 1);
  EXPECT_FLOAT_EQ(gradient[1], -1);
  const Head& logistic = head_from("logistic");
  EXPECT_EQ(logistic.fast.loss(gradient, logits, 1, 1, 1), 0);
  EXPECT_EQ(logistic.fast.loss(gradient, logits, 1, 0, 1), 1e4);
  EXPECT_EQ(logistic.fast.loss(gradient, logits + 1, 1, 1, 1), 1e4);
}

}  // namespace
}  // namespace t2v::nn
