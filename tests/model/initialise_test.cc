#include "model/initialise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "made_batch.h"
#include "t2v/error.h"

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

TEST(Initialise, DrawsRowsOfEventTypesThatFeedACellAsWideAsAsked) {
  const InitialiserConfig wide = {.event_bound = 0.5};
  const Model model(small("lstm"));
  const auto parameters = initialise(model, 1, wide);
  const nn::Tensor& rows = model.layout()[model.layout().find("cell.events")];
  expect_uniform(values_of(parameters, rows), 0.5, rows.name);
  const nn::Tensor& head = model.layout()[model.layout().find("head.weight")];
  expect_uniform(values_of(parameters, head), 1.0 / 5, head.name);
  const Model linear(small("none"));
  const nn::Tensor& straight = linear.layout()[linear.layout().find("head.events")];
  EXPECT_EQ(values_of(initialise(linear, 1, wide), straight), values_of(initialise(linear, 1), straight));
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

double deviation(const std::vector<double>& values) {
  double square = 0;
  for (const double x : values) square += x * x;
  return std::sqrt(square / static_cast<double>(values.size()));
}

TEST(Initialise, DrawsAsLasagneWhenAsked) {
  ModelConfig config = small("tlstm3");
  config.t1_constraint = "floor";
  const Model model(config);
  const auto parameters = initialise(model, 1, {.kind = "lasagne"});
  const auto of = [&](const char* name) {
    return values_of(parameters, model.layout()[model.layout().find(name)]);
  };
  EXPECT_NEAR(deviation(of("cell.events")), 0.1, 0.005);
  EXPECT_NEAR(deviation(of("cell.hidden")), 0.1, 0.01);
  EXPECT_NEAR(deviation(of("head.weight")), 0.01, 0.001);
  for (const double bias : of("cell.bias")) EXPECT_EQ(bias, 0);
  for (const double bias : of("head.bias")) EXPECT_EQ(bias, 0);
  EXPECT_THROW(initialise(model, 1, {.kind = "keras"}), Error);
}

TEST(Initialise, StartsConstrainedTimeWeightsWhereTheyMayBe) {
  for (const char* kind : {"pytorch", "lasagne"}) {
    for (const char* constraint : {"nonpositive", "floor", "none"}) {
      ModelConfig config = small("tlstm2");
      config.layers = 2;
      config.t1_constraint = constraint;
      const Model model(config);
      const auto parameters = initialise(model, 1, {.kind = kind});
      const auto columns = model.constrained_columns(0);
      for (const char* name : {"cell.time0", "cell1.time0"}) {
        const nn::Tensor& tensor = model.layout()[model.layout().find(name)];
        int positive = 0;
        double least = 0;
        for (int64_t i = 0; i < tensor.size(); ++i) {
          const int64_t c = i % tensor.cols;
          if (c < columns.begin || c >= columns.end) continue;
          positive += parameters.get(tensor, i) > 0 ? 1 : 0;
          least = std::min(least, parameters.get(tensor, i));
        }
        EXPECT_EQ(positive > 0, std::string(constraint) == "none")
            << kind << " " << constraint << " " << name;
        if (std::string(kind) == "lasagne" && std::string(constraint) != "none") {
          EXPECT_LT(least, -0.9) << "uniform in (-1, 0)";
        }
      }
    }
  }
}

TEST(Initialise, AddsTheForgetBiasToTheForgetGateAlone) {
  for (const char* cell : {"lstm", "peephole", "tlstm1", "tlstm2", "phased"}) {
    const Model model(small(cell));
    const auto plain = initialise(model, 1);
    const auto biased = initialise(model, 1, {.forget_bias = 2});
    const nn::Cell& kind = model.layers()[0].cell();
    const nn::Tensor& bias = model.layout()[model.layout().find("cell.bias")];
    for (int64_t i = 0; i < bias.size(); ++i) {
      const bool forget = i / 25 == kind.forget - kind.input.begin;
      EXPECT_NEAR(biased.get(bias, i) - plain.get(bias, i), forget ? 2 : 0, 1e-12) << cell << " " << i;
    }
  }
}

TEST(Initialise, StartsAClockWithinItsRanges) {
  const Model model(small("phased"));
  const auto parameters = initialise(model, 1, {.period_low = 2, .period_high = 3, .shift_high = 5});
  for (const double r : values_of(parameters, model.layout()[model.layout().find("cell.period")])) {
    EXPECT_GE(r, 2);
    EXPECT_LE(r, 3);
  }
  for (const double s : values_of(parameters, model.layout()[model.layout().find("cell.shift")])) {
    EXPECT_GE(s, 0);
    EXPECT_LE(s, 5);
  }
}

}  // namespace
}  // namespace t2v
