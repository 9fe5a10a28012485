#include "train/adam.h"

#include <gtest/gtest.h>

#include <cmath>

namespace t2v {
namespace {

nn::Layout layout_of_all_kinds() {
  nn::Layout layout;
  layout.add("weight", nn::Role::kWeight, 3, 5);
  layout.add("bias", nn::Role::kBias, 1, 5);
  layout.add("table", nn::Role::kTable, 4, 5);
  layout.add("omega", nn::Role::kOmega, 1, 3);
  layout.add("phi", nn::Role::kPhi, 1, 3);
  return layout;
}

/// After one step of Adam from zero, a parameter has moved by the learning rate against its gradient's sign.
void expect_first_step(double time_factor) {
  const nn::Layout layout = layout_of_all_kinds();
  AdamConfig config;
  config.learning_rate = 0.5;
  config.time_factor = time_factor;
  Adam<float> adam(layout, config);
  nn::Parameters<float> parameters;
  nn::Parameters<float> gradient;
  parameters.assign_zeros(layout);
  gradient.assign_zeros(layout);
  for (const nn::Tensor& tensor : layout.tensors()) {
    for (int64_t i = 0; i < tensor.size(); ++i) gradient.set(tensor, i, i % 2 == 0 ? 0.25 : -4);
  }
  ThreadPool pool(2);
  adam.step(parameters, gradient, pool);
  for (const nn::Tensor& tensor : layout.tensors()) {
    const double size = tensor.wide() ? 0.5 * time_factor : 0.5;
    for (int64_t i = 0; i < tensor.size(); ++i) {
      EXPECT_NEAR(parameters.get(tensor, i), i % 2 == 0 ? -size : size, 1e-6) << tensor.name << i;
    }
  }
}

TEST(Adam, MovesEveryKindOfTensorByTheLearningRateAtFirst) { expect_first_step(1); }

TEST(Adam, MovesFrequenciesAndPhasesByTheirOwnShareOfTheLearningRate) { expect_first_step(0.2); }

TEST(Adam, UsesANewLearningRateFromTheNextStepOn) {
  nn::Layout layout;
  const int id = layout.add("weight", nn::Role::kWeight, 1, 1);
  Adam<double> adam(layout, {});
  nn::Parameters<double> parameters;
  nn::Parameters<double> gradient;
  parameters.assign_zeros(layout);
  gradient.assign_zeros(layout);
  gradient.set(layout[id], 0, 1);
  ThreadPool pool(1);
  adam.set_learning_rate(0.1);
  adam.step(parameters, gradient, pool);
  EXPECT_NEAR(parameters.get(layout[id], 0), -0.1, 1e-8);
  adam.set_learning_rate(0);
  adam.step(parameters, gradient, pool);
  EXPECT_NEAR(parameters.get(layout[id], 0), -0.1, 1e-8);
}

TEST(Adam, KeepsFrequenciesInDouble) {
  // A step far below what a float near 1 resolves.
  nn::Layout layout;
  const int id = layout.add("omega", nn::Role::kOmega, 1, 1);
  AdamConfig config;
  config.learning_rate = 1e-12;
  Adam<float> adam(layout, config);
  nn::Parameters<float> parameters;
  nn::Parameters<float> gradient;
  parameters.assign_zeros(layout);
  gradient.assign_zeros(layout);
  parameters.set(layout[id], 0, 1);
  gradient.set(layout[id], 0, 1);
  ThreadPool pool(1);
  adam.step(parameters, gradient, pool);
  EXPECT_NEAR(1 - parameters.get(layout[id], 0), 1e-12, 1e-15);
}

}  // namespace
}  // namespace t2v
