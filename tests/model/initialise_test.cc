#include "model/initialise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "made_batch.h"

namespace t2v {
namespace {

using namespace testing;

ModelConfig small(const std::string& cell) {
  ModelConfig config;
  config.event_types = 50;
  config.times = {nn::TimeEncoderConfig{}};
  config.cell = cell;
  config.hidden = 25;
  config.biases = 2;
  config.heads[0].classes = 40;
  return config;
}

void expect_uniform(const std::vector<double>& values, double bound, const std::string& name) {
  double largest = 0;
  double square = 0;
  for (const double x : values) {
    largest = std::max(largest, std::abs(x));
    square += x * x;
  }
  EXPECT_LE(largest, bound) << name;
  if (values.size() < 30) return;
  EXPECT_GT(largest, 0.8 * bound) << name;
  EXPECT_NEAR(std::sqrt(square / static_cast<double>(values.size())), bound / std::sqrt(3), 0.2 * bound)
      << name;
}

TEST(Initialise, DrawsEveryTensorOfARecurrentModelWithinOneOverTheRootOfTheHiddenSize) {
  const Model model(small("lstm"));
  const auto parameters = initialise(model, 1);
  for (const nn::Tensor& tensor : model.layout().tensors()) {
    if (!tensor.wide()) expect_uniform(values_of(parameters, tensor), 1.0 / 5, tensor.name);
  }
}

TEST(Initialise, DrawsALinearModelWithinOneOverTheRootOfItsInputs) {
  const Model model(small("none"));
  const auto parameters = initialise(model, 1);
  for (const nn::Tensor& tensor : model.layout().tensors()) {
    if (!tensor.wide()) expect_uniform(values_of(parameters, tensor), 1 / std::sqrt(50.0 + 65), tensor.name);
  }
}

TEST(Initialise, GivesTheSameNumbersForTheSameSeedAndOthersForAnother) {
  const Model model(small("lstm"));
  const auto one = initialise(model, 1);
  const auto again = initialise(model, 1);
  const auto two = initialise(model, 2);
  for (const nn::Tensor& tensor : model.layout().tensors()) {
    EXPECT_EQ(values_of(one, tensor), values_of(again, tensor)) << tensor.name;
    EXPECT_NE(values_of(one, tensor), values_of(two, tensor)) << tensor.name;
  }
}

TEST(Initialise, GivesNoTwoTensorsTheSameNumbers) {
  const Model model(small("lstm"));
  const auto parameters = initialise(model, 1);
  const auto& tensors = model.layout().tensors();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NE(parameters.get(tensors[i], 0), parameters.get(tensors[j], 0))
          << tensors[i].name << tensors[j].name;
    }
  }
}

}  // namespace
}  // namespace t2v
