#include "nn/head.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/random.h"
#include "compare.h"
#include "t2v/error.h"

namespace t2v::nn {
namespace {

HeadConfig config_of(std::string_view kind) {
  HeadConfig config;
  config.kind = kind;
  config.classes = kind == "softmax" ? 5 : 2;
  config.delta = 0.7;
  return config;
}

void expect_refused(const HeadConfig& config, const std::string& part) {
  try {
    head_from(config);
    FAIL() << "accepted; should have said: " << part;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

double loss_of(const HeadConfig& config, double prediction, double target) {
  return head_from(config).functions.twin.loss(nullptr, &prediction, config, {0, target}, 1);
}

double slope_of(const HeadConfig& config, double prediction, double target) {
  double slope = NAN;
  head_from(config).functions.twin.loss(&slope, &prediction, config, {0, target}, 1);
  return slope;
}

/// One prediction to be judged, in numbers that a float holds exactly.
struct Case {
  std::vector<float> logits;
  Target target;
  float scale;
};

/// Of every kind of head one or more.
std::vector<HeadConfig> all_configs() {
  std::vector<HeadConfig> all;
  for (const Head& head : heads()) all.push_back(config_of(head.name));
  HeadConfig grid = config_of("when");
  grid.centre = -0.5;
  grid.spread = 1.75;
  grid.floor = 0.5;
  all.push_back(grid);
  grid.atom = true;
  all.push_back(grid);
  return all;
}

std::vector<Case> cases_of(const HeadConfig& config) {
  Random random(11);
  std::vector<Case> cases;
  for (int64_t i = 0; i < 20; ++i) {
    Case made;
    for (int64_t k = 0; k < head_from(config).outputs(config); ++k) {
      made.logits.push_back(static_cast<float>(random.uniform(-1.5, 1.5)));
    }
    const double value = random.uniform(-2, 2);
    made.target = {i % config.classes, config.kind == "when" ? std::exp(value) : value};
    if (config.atom && i % 3 == 0) made.target.value = 0;
    made.scale = static_cast<float>(random.uniform(0.2, 2));
    cases.push_back(made);
  }
  return cases;
}

struct Judged {
  std::vector<double> losses;
  std::vector<double> gradients;
};

template <class T>
Judged judge(const HeadConfig& config) {
  const Head& head = head_from(config);
  Judged judged;
  for (const Case& one : cases_of(config)) {
    const std::vector<T> logits(one.logits.begin(), one.logits.end());
    std::vector<T> gradient(logits.size());
    const T scale = one.scale;
    judged.losses.push_back(
        head.functions.get<T>().loss(gradient.data(), logits.data(), config, one.target, scale));
    judged.gradients.insert(judged.gradients.end(), gradient.begin(), gradient.end());
  }
  return judged;
}

TEST(Heads, AreFoundByNameAndSayHowManyOutputsTheyHave) {
  for (const Head& head : heads()) EXPECT_EQ(&head_from(config_of(head.name)), &head) << head.name;
  ASSERT_EQ(heads().size(), 6U);
  HeadConfig config;
  config.classes = 7;
  EXPECT_EQ(head_from(config).outputs(config), 7);
  EXPECT_EQ(head_from(config).target, TargetKind::kClass);
  config = config_of("logistic");
  EXPECT_EQ(head_from(config).outputs(config), 1);
  EXPECT_EQ(head_from(config).target, TargetKind::kClass);
  for (const char* kind : {"mse", "mae", "huber"}) {
    config = config_of(kind);
    EXPECT_EQ(head_from(config).outputs(config), 1) << kind;
    EXPECT_EQ(head_from(config).target, TargetKind::kValue) << kind;
  }
  config = config_of("when");
  config.components = 4;
  EXPECT_EQ(head_from(config).outputs(config), 12);
  EXPECT_EQ(head_from(config).target, TargetKind::kGap);
}

TEST(Heads, RefuseAnUnknownKindAndNameThoseThereAre) {
  expect_refused(config_of("tanh"),
                 "unknown head 'tanh'; use one of softmax, logistic, mse, mae, huber, when");
}

TEST(Heads, RefuseNumbersOfClassesThatTheyCannotHave) {
  HeadConfig config = config_of("softmax");
  config.classes = 0;
  expect_refused(config, "needs at least 1 class; it has 0");
  config = config_of("logistic");
  config.classes = 3;
  expect_refused(config, "the logistic head has 2 classes, not 3");
}

TEST(Heads, RefuseClassWeightsThatAreNotOneForEachClassOrNegativeOrNotFinite) {
  HeadConfig config;
  config.class_weights = {1, 2, 3};
  expect_refused(config, "3 class weights for 2 classes");
  for (const double bad : {-0.5, std::nan(""), std::numeric_limits<double>::infinity()}) {
    config.class_weights = {1, bad};
    expect_refused(config, "class weights must be finite and not negative");
  }
  config.class_weights = {0, 2};
  EXPECT_NO_THROW(head_from(config));
}

TEST(Heads, RefuseMixturesWithoutComponentsAndDeltasAndWeightsThatAreNotPositive) {
  HeadConfig config = config_of("when");
  config.components = 0;
  expect_refused(config, "at least 1 component");
  for (const double bad : {0.0, -1.0, std::nan("")}) {
    config = config_of("huber");
    config.delta = bad;
    expect_refused(config, "delta of the Huber loss must be positive");
    config = config_of("mse");
    config.weight = bad;
    expect_refused(config, "the weight of a head must be positive");
  }
}

TEST(Heads, RefuseHiddenLayersAndScalesOfGapsThatMakeNoSense) {
  HeadConfig config = config_of("softmax");
  config.timed = true;
  expect_refused(config, "needs a hidden layer");
  config.units = -1;
  expect_refused(config, "cannot have -1 units");
  config = config_of("mse");
  config.units = 3;
  config.timed = true;
  expect_refused(config, "the head 'mse' cannot see the time of the next event");
  config = config_of("when");
  config.spread = 0;
  expect_refused(config, "make no sense");
  config.spread = 1;
  config.floor = std::nan("");
  expect_refused(config, "make no sense");
}

TEST(Heads, OfTwoClassesAgreeWhenTheLogisticLogitIsTheDifference) {
  HeadConfig softmax = config_of("softmax");
  softmax.classes = 2;
  const HeadConfig logistic = config_of("logistic");
  const double two[] = {0.4, 1.7};
  const double one[] = {1.3};
  for (const int64_t label : {0, 1}) {
    double d_two[2];
    double d_one[1];
    const double a = head_from(softmax).functions.twin.loss(d_two, two, softmax, {label, 0}, 0.5);
    const double b = head_from(logistic).functions.twin.loss(d_one, one, logistic, {label, 0}, 0.5);
    EXPECT_NEAR(a, b, 1e-14);
    EXPECT_NEAR(d_two[1], d_one[0], 1e-14);
  }
  float p_two[2];
  float p_one[2];
  const float two_floats[] = {0.4F, 1.7F};
  const float one_float[] = {1.3F};
  class_probabilities(p_two, two_floats, softmax);
  class_probabilities(p_one, one_float, logistic);
  EXPECT_NEAR(p_two[1], 1 / (1 + std::exp(-1.3)), 1e-6);
  testing::expect_close(p_one, p_two, 1e-6, "probabilities");
}

TEST(Heads, DoNotOverflowAtHugeLogits) {
  const float logits[] = {1e4F, -1e4F, 0};
  float gradient[3];
  HeadConfig config;
  config.classes = 3;
  const auto& softmax = head_from(config).functions.fast;
  EXPECT_EQ(softmax.loss(gradient, logits, config, {0, 0}, 1), 0);
  EXPECT_FLOAT_EQ(static_cast<float>(softmax.loss(gradient, logits, config, {1, 0}, 1)), 2e4F);
  EXPECT_FLOAT_EQ(gradient[0], 1);
  EXPECT_FLOAT_EQ(gradient[1], -1);
  float probabilities[3];
  class_probabilities(probabilities, logits, config);
  EXPECT_EQ(probabilities[0], 1);
  EXPECT_EQ(probabilities[1], 0);

  config = config_of("logistic");
  const auto& logistic = head_from(config).functions.fast;
  EXPECT_EQ(logistic.loss(gradient, logits, config, {1, 0}, 1), 0);
  EXPECT_EQ(gradient[0], 0);
  EXPECT_EQ(logistic.loss(gradient, logits, config, {0, 0}, 1), 1e4);
  EXPECT_EQ(gradient[0], 1);
  EXPECT_EQ(logistic.loss(gradient, logits + 1, config, {1, 0}, 1), 1e4);
  EXPECT_EQ(gradient[0], -1);
  class_probabilities(probabilities, logits + 1, config);
  EXPECT_EQ(probabilities[0], 1);
  EXPECT_EQ(probabilities[1], 0);
}

TEST(Heads, OfAValueTakeTheSquareOrTheSizeOfTheDifference) {
  EXPECT_DOUBLE_EQ(loss_of(config_of("mse"), 1.5, -0.5), 4);
  EXPECT_DOUBLE_EQ(slope_of(config_of("mse"), 1.5, -0.5), 4);
  EXPECT_DOUBLE_EQ(slope_of(config_of("mse"), -1.5, -0.5), -2);
  EXPECT_DOUBLE_EQ(loss_of(config_of("mae"), 1.5, -0.5), 2);
  EXPECT_DOUBLE_EQ(loss_of(config_of("mae"), -1.5, -0.5), 1);
  EXPECT_EQ(slope_of(config_of("mae"), 1.5, -0.5), 1);
  EXPECT_EQ(slope_of(config_of("mae"), -1.5, -0.5), -1);
  EXPECT_EQ(slope_of(config_of("mae"), -0.5, -0.5), 0);
}

TEST(Heads, OfHuberTakeHalfTheSquareUpToDeltaAndALineBeyond) {
  // As torch.nn.HuberLoss: d² / 2 for |d| <= δ, δ (|d| - δ / 2) beyond; the slopes meet at δ.
  HeadConfig config = config_of("huber");
  config.delta = 1.5;
  EXPECT_DOUBLE_EQ(loss_of(config, 3, 2), 0.5);
  EXPECT_DOUBLE_EQ(slope_of(config, 3, 2), 1);
  EXPECT_DOUBLE_EQ(loss_of(config, 2, 3), 0.5);
  EXPECT_DOUBLE_EQ(slope_of(config, 2, 3), -1);
  EXPECT_DOUBLE_EQ(loss_of(config, 6, 2), 1.5 * (4 - 0.75));
  EXPECT_DOUBLE_EQ(slope_of(config, 6, 2), 1.5);
  EXPECT_DOUBLE_EQ(loss_of(config, 2, 6), 1.5 * (4 - 0.75));
  EXPECT_DOUBLE_EQ(slope_of(config, 2, 6), -1.5);
  EXPECT_DOUBLE_EQ(loss_of(config, 3.5, 2), 1.125);
  EXPECT_NEAR(loss_of(config, 3.5 + 1e-9, 2), 1.125, 1e-8);
}

TEST(Heads, GiveTheGradientOfTheComplexStepTimesTheScale) {
  constexpr double kStep = 1e-40;
  for (const HeadConfig& config : all_configs()) {
    const Head& head = head_from(config);
    std::vector<double> expected;
    for (const Case& one : cases_of(config)) {
      std::vector<Complex> logits(one.logits.begin(), one.logits.end());
      for (Complex& logit : logits) {
        logit += Complex(0, kStep);
        const Complex loss = head.functions.complex.loss(nullptr, logits.data(), config, one.target, 1.0);
        expected.push_back(static_cast<double>(one.scale) * loss.imag() / kStep);
        logit = logit.real();
      }
    }
    testing::expect_close(judge<double>(config).gradients, expected, 1e-13, std::string(head.name));
  }
}

TEST(Heads, GiveTheSameInFloatsAsInDoubles) {
  for (const HeadConfig& config : all_configs()) {
    const Head& head = head_from(config);
    const Judged fast = judge<float>(config);
    const Judged twin = judge<double>(config);
    testing::expect_close(fast.losses, twin.losses, 1e-6, std::string(head.name) + " loss");
    testing::expect_close(fast.gradients, twin.gradients, 1e-6, std::string(head.name) + " gradient");
  }
}

TEST(Heads, GiveTheSameLossWithoutAGradient) {
  for (const HeadConfig& config : all_configs()) {
    const Head& head = head_from(config);
    const Judged judged = judge<float>(config);
    std::size_t i = 0;
    for (const Case& one : cases_of(config)) {
      EXPECT_EQ(head.functions.fast.loss(nullptr, one.logits.data(), config, one.target, one.scale),
                judged.losses[i++])
          << head.name;
    }
  }
}

}  // namespace
}  // namespace t2v::nn
