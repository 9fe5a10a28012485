#include "train/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "base/random.h"
#include "compare.h"
#include "t2v/error.h"

namespace t2v {
namespace {

nn::Layout layout_of_all_kinds() {
  nn::Layout layout;
  layout.add("weight", nn::Role::kWeight, 3, 5);
  layout.add("bias", nn::Role::kBias, 1, 5);
  layout.add("table", nn::Role::kTable, 4, 5);
  layout.add("omega", nn::Role::kOmega, 1, 3);
  layout.add("phi", nn::Role::kPhi, 1, 3);
  layout.add("period", nn::Role::kPeriod, 1, 2);
  layout.add("shift", nn::Role::kShift, 1, 2);
  return layout;
}

const std::vector<int32_t> kAllRows = {0, 1, 2, 3};

OptimizerConfig config_of(const std::string& kind, double learning_rate) {
  OptimizerConfig config;
  config.kind = kind;
  config.learning_rate = learning_rate;
  return config;
}

/// A value for each parameter, by value(tensor, i).
template <class T, class Value>
nn::Parameters<T> filled(const nn::Layout& layout, const Value& value) {
  nn::Parameters<T> parameters;
  parameters.assign_zeros(layout);
  for (const nn::Tensor& tensor : layout.tensors()) {
    for (int64_t i = 0; i < tensor.size(); ++i) parameters.set(tensor, i, value(tensor, i));
  }
  return parameters;
}

template <class T>
nn::Parameters<T> all(const nn::Layout& layout, double value) {
  return filled<T>(layout, [value](const nn::Tensor&, int64_t) { return value; });
}

template <class T>
nn::Parameters<T> random_values(const nn::Layout& layout, uint64_t seed) {
  Random random(seed);
  return filled<T>(layout, [&random](const nn::Tensor&, int64_t) { return random.uniform(-1, 1); });
}

/// All parameters, in the layout's order.
template <class T>
std::vector<double> values_of(const nn::Layout& layout, const nn::Parameters<T>& parameters) {
  std::vector<double> values;
  for (const nn::Tensor& tensor : layout.tensors()) {
    for (int64_t i = 0; i < tensor.size(); ++i) values.push_back(parameters.get(tensor, i));
  }
  return values;
}

template <class T>
bool equal_bits(const nn::Parameters<T>& a, const nn::Parameters<T>& b) {
  const auto equal = [](const auto& x, const auto& y) {
    return x.size() == y.size() &&
           std::memcmp(x.data(), y.data(), static_cast<std::size_t>(x.size()) * sizeof(x[0])) == 0;
  };
  return equal(a.dense, b.dense) && equal(a.table, b.table) && equal(a.wide, b.wide);
}

/// What one parameter of a role becomes from `start` by the gradients, one a step.
double moved(const OptimizerConfig& config, nn::Role role, double start,
             const std::vector<double>& gradients) {
  nn::Layout layout;
  layout.add("only", role, 1, 1);
  Optimizer<double> optimizer(layout, config);
  auto parameters = all<double>(layout, start);
  ThreadPool pool(1);
  const std::vector<int32_t> rows = {0};
  for (const double g : gradients) {
    auto gradient = all<double>(layout, g);
    optimizer.step(parameters, gradient, rows, pool);
  }
  return parameters.get(layout[0], 0);
}

void expect_refused(const OptimizerConfig& config, const std::string& part) {
  try {
    const Optimizer<float> optimizer(layout_of_all_kinds(), config);
    FAIL() << "accepted; should have said: " << part;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

/// After one step of Adam from zero, a parameter has moved by the learning rate against its gradient's sign.
void expect_first_step(double time_factor) {
  const nn::Layout layout = layout_of_all_kinds();
  OptimizerConfig config = config_of("adam", 0.5);
  config.time_factor = time_factor;
  Optimizer<float> optimizer(layout, config);
  auto parameters = all<float>(layout, 0);
  auto gradient = filled<float>(layout, [](const nn::Tensor&, int64_t i) { return i % 2 == 0 ? 0.25 : -4; });
  ThreadPool pool(2);
  optimizer.step(parameters, gradient, kAllRows, pool);
  for (const nn::Tensor& tensor : layout.tensors()) {
    const double size = tensor.wide() ? 0.5 * time_factor : 0.5;
    for (int64_t i = 0; i < tensor.size(); ++i) {
      EXPECT_NEAR(parameters.get(tensor, i), i % 2 == 0 ? -size : size, 1e-6) << tensor.name << i;
    }
  }
}

TEST(Optimizer, OfAdamMovesEveryKindOfTensorByTheLearningRateAtFirst) { expect_first_step(1); }

TEST(Optimizer, MovesFrequenciesPhasesAndClocksByTheirOwnShareOfTheLearningRate) {
  expect_first_step(0.2);
  for (const char* kind : {"adagrad", "sgd"}) {
    OptimizerConfig config = config_of(kind, 0.5);
    config.time_factor = 0.2;
    for (const nn::Role role : {nn::Role::kOmega, nn::Role::kPhi, nn::Role::kPeriod, nn::Role::kShift}) {
      EXPECT_NEAR(moved(config, role, 0, {1}), -0.1, 1e-8) << kind;
    }
    for (const nn::Role role : {nn::Role::kWeight, nn::Role::kBias, nn::Role::kTable}) {
      EXPECT_NEAR(moved(config, role, 0, {1}), -0.5, 1e-8) << kind;
    }
  }
}

TEST(Optimizer, OfAdamCorrectsTheMomentsByTheNumberOfTheStep) {
  const double g[] = {3, -1};
  double w = 0.5;
  w -= 0.1 * g[0] / (std::abs(g[0]) + 1e-8);
  const double m = (0.9 * 0.1 * g[0] + 0.1 * g[1]) / (1 - 0.81);
  const double v = (0.999 * 0.001 * g[0] * g[0] + 0.001 * g[1] * g[1]) / (1 - 0.999 * 0.999);
  w -= 0.1 * m / (std::sqrt(v) + 1e-8);
  EXPECT_NEAR(moved(config_of("adam", 0.1), nn::Role::kWeight, 0.5, {3, -1}), w, 1e-13);
  EXPECT_NEAR(moved(config_of("adam", 0.1), nn::Role::kOmega, 0.5, {3, -1}), w, 1e-13);
}

TEST(Optimizer, OfAdagradAddsUpTheSquaresWithEpsilonWhereAskedFor) {
  OptimizerConfig config = config_of("adagrad", 0.1);
  config.epsilon = 0.44;
  EXPECT_NEAR(moved(config, nn::Role::kTable, 1, {3, 4}), 1 - 0.1 * 3 / 3.44 - 0.1 * 4 / 5.44, 1e-14);
  config.epsilon_inside = true;
  EXPECT_NEAR(moved(config, nn::Role::kTable, 1, {3, 4}),
              1 - 0.1 * 3 / std::sqrt(9.44) - 0.1 * 4 / std::sqrt(25.44), 1e-14);
}

TEST(Optimizer, OfGradientDescentUsesTheMomentum) {
  OptimizerConfig config = config_of("sgd", 0.1);
  EXPECT_NEAR(moved(config, nn::Role::kWeight, 1, {2, 3}), 1 - 0.2 - 0.3, 1e-14);
  config.momentum = 0.5;
  EXPECT_NEAR(moved(config, nn::Role::kWeight, 1, {2, 3}), 1 - 0.2 - 0.4, 1e-14);
}

TEST(Optimizer, UsesANewLearningRateFromTheNextStepOn) {
  nn::Layout layout;
  layout.add("weight", nn::Role::kWeight, 1, 1);
  Optimizer<double> optimizer(layout, {});
  auto parameters = all<double>(layout, 0);
  auto gradient = all<double>(layout, 1);
  ThreadPool pool(1);
  optimizer.set_learning_rate(0.1);
  optimizer.step(parameters, gradient, {}, pool);
  EXPECT_NEAR(parameters.get(layout[0], 0), -0.1, 1e-8);
  optimizer.set_learning_rate(0);
  optimizer.step(parameters, gradient, {}, pool);
  EXPECT_NEAR(parameters.get(layout[0], 0), -0.1, 1e-8);
  EXPECT_EQ(optimizer.steps(), 2);
}

TEST(Optimizer, MultipliesTheLearningRateByTheScheduleOfTheStep) {
  OptimizerConfig config = config_of("sgd", 0.1);
  config.schedule.kind = "step";
  config.schedule.warmup = 2;
  config.schedule.every = 2;
  config.schedule.factor = 0.5;
  const double factors[] = {0.5, 1, 1, 1, 0.5, 0.5, 0.25};
  double expected = 0;
  std::vector<double> gradients;
  for (const double factor : factors) {
    gradients.push_back(1);
    expected -= 0.1 * factor;
    EXPECT_NEAR(moved(config, nn::Role::kWeight, 0, gradients), expected, 1e-14) << gradients.size();
    EXPECT_NEAR(moved(config, nn::Role::kOmega, 0, gradients), expected, 1e-14) << gradients.size();
  }
}

TEST(Optimizer, DecaysWeightsAndTablesAloneUnlessAskedToDecayAll) {
  const nn::Layout layout = layout_of_all_kinds();
  ThreadPool pool(2);
  for (const char* kind : {"adam", "adagrad", "sgd"}) {
    for (const bool decay_all : {false, true}) {
      OptimizerConfig config = config_of(kind, 0.1);
      config.weight_decay = 0.5;
      config.decay_all = decay_all;
      Optimizer<float> optimizer(layout, config);
      auto parameters = all<float>(layout, 2);
      auto gradient = all<float>(layout, 0);
      optimizer.step(parameters, gradient, {}, pool);
      // Adagrad divides the gradient of 0.5 * 2 by itself.
      const double decayed = config.kind == "adagrad" ? 1.9 : 2 * (1 - 0.1 * 0.5);
      for (const nn::Tensor& tensor : layout.tensors()) {
        const bool decays = decay_all || tensor.role == nn::Role::kWeight || tensor.role == nn::Role::kTable;
        for (int64_t i = 0; i < tensor.size(); ++i) {
          EXPECT_NEAR(parameters.get(tensor, i), decays ? decayed : 2, 1e-6)
              << kind << " " << tensor.name << i;
        }
      }
    }
  }
}

TEST(Optimizer, OfAdamDecaysApartFromTheGradient) {
  // Loshchilov and Hutter 2019: the moments do not see the decay.
  OptimizerConfig config = config_of("adam", 0.1);
  config.weight_decay = 0.5;
  const double g[] = {3, -1};
  double w = 2;
  w -= 0.1 * 0.5 * w;
  w -= 0.1 * g[0] / (std::abs(g[0]) + 1e-8);
  const double m = (0.9 * 0.1 * g[0] + 0.1 * g[1]) / (1 - 0.81);
  const double v = (0.999 * 0.001 * g[0] * g[0] + 0.001 * g[1] * g[1]) / (1 - 0.999 * 0.999);
  w -= 0.1 * 0.5 * w;
  w -= 0.1 * m / (std::sqrt(v) + 1e-8);
  EXPECT_NEAR(moved(config, nn::Role::kWeight, 2, {3, -1}), w, 1e-13);
}

TEST(Optimizer, OfOtherKindsAddsTheDecayToTheGradient) {
  OptimizerConfig config = config_of("sgd", 0.1);
  config.weight_decay = 0.5;
  EXPECT_NEAR(moved(config, nn::Role::kTable, 2, {3}), 2 - 0.1 * (3 + 1), 1e-14);
  config.kind = "adagrad";
  config.epsilon = 1;
  EXPECT_NEAR(moved(config, nn::Role::kTable, 2, {3}), 2 - 0.1 * 4 / 5, 1e-14);
}

TEST(Optimizer, ScalesTheGradientDownToTheNormOverAllKindsOfTensors) {
  const nn::Layout layout = layout_of_all_kinds();
  OptimizerConfig config = config_of("sgd", 1);
  config.clip = 0.5;
  Optimizer<double> optimizer(layout, config);
  auto parameters = all<double>(layout, 0);
  auto gradient = random_values<double>(layout, 8);
  std::vector<double> expected = values_of(layout, gradient);
  double squares = 0;
  for (const double g : expected) squares += g * g;
  ASSERT_GT(squares, 1);
  for (double& g : expected) g *= -0.5 / std::sqrt(squares);
  ThreadPool pool(2);
  optimizer.step(parameters, gradient, kAllRows, pool);
  testing::expect_close(values_of(layout, parameters), expected, 1e-14, "what was moved by");
  EXPECT_NEAR(optimizer.gradient_norm(), std::sqrt(squares), 1e-14);
}

TEST(Optimizer, LeavesGradientsBelowTheNormToClipTo) {
  const nn::Layout layout = layout_of_all_kinds();
  OptimizerConfig config = config_of("sgd", 1);
  config.clip = 100;
  Optimizer<float> optimizer(layout, config);
  auto parameters = all<float>(layout, 0);
  auto gradient = random_values<float>(layout, 8);
  const std::vector<double> before = values_of(layout, gradient);
  ThreadPool pool(1);
  optimizer.step(parameters, gradient, kAllRows, pool);
  EXPECT_EQ(values_of(layout, gradient), before);
  const std::vector<double> after = values_of(layout, parameters);
  for (std::size_t i = 0; i < after.size(); ++i) EXPECT_EQ(after[i], -before[i]);
  double squares = 0;
  for (const double g : before) squares += g * g;
  EXPECT_NEAR(optimizer.gradient_norm(), std::sqrt(squares), 1e-12);
}

TEST(Optimizer, GivesTheSameBitsWithTheTouchedRowsAsWithAll) {
  nn::Layout layout;
  layout.add("weight", nn::Role::kWeight, 3, 7);
  layout.add("table", nn::Role::kTable, 9, 7);
  layout.add("omega", nn::Role::kOmega, 1, 3);
  const std::vector<int32_t> every = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<std::vector<int32_t>> touched = {{4, 1}, {}, {8, 0, 4}, {5}};
  for (const char* kind : {"adagrad", "sgd"}) {
    for (const bool inside : {false, true}) {
      OptimizerConfig config = config_of(kind, 0.1);
      config.epsilon_inside = inside;
      config.clip = 1;
      Optimizer<float> some(layout, config);
      Optimizer<float> all_rows(layout, config);
      auto a = random_values<float>(layout, 1);
      auto b = a;
      const auto start = a;
      ThreadPool pool(2);
      for (std::size_t step = 0; step < touched.size(); ++step) {
        auto gradient = random_values<float>(layout, step + 2);
        const nn::Tensor& table = layout[1];
        for (int64_t i = 0; i < table.size(); ++i) {
          bool in = false;
          for (const int32_t row : touched[step]) in = in || i / table.cols == row;
          if (!in) gradient.set(table, i, 0);
        }
        auto same_gradient = gradient;
        some.step(a, gradient, touched[step], pool);
        all_rows.step(b, same_gradient, every, pool);
        EXPECT_TRUE(equal_bits(a, b)) << kind << " step " << step;
      }
      for (int64_t i = 0; i < 63; ++i) {
        const int64_t row = i / 7;
        const bool ever = row == 0 || row == 1 || row == 4 || row == 5 || row == 8;
        EXPECT_EQ(a.table[i] != start.table[i], ever) << kind << " " << i;
      }
    }
  }
}

TEST(Optimizer, WithMomentsMovesRowsOnThatNoLongerHaveAGradient) {
  nn::Layout layout;
  layout.add("table", nn::Role::kTable, 3, 4);
  OptimizerConfig momentum = config_of("sgd", 0.1);
  momentum.momentum = 0.5;
  for (const OptimizerConfig& config : {config_of("adam", 0.1), momentum}) {
    Optimizer<float> optimizer(layout, config);
    auto parameters = all<float>(layout, 0);
    auto gradient = all<float>(layout, 0);
    for (int64_t i = 4; i < 8; ++i) gradient.table[i] = 1;
    ThreadPool pool(1);
    const std::vector<int32_t> second = {1};
    optimizer.step(parameters, gradient, second, pool);
    const auto before = parameters;
    gradient.assign_zeros(layout);
    optimizer.step(parameters, gradient, {}, pool);
    for (int64_t i = 0; i < 12; ++i) {
      if (i / 4 == 1) {
        EXPECT_LT(parameters.table[i], before.table[i] - 0.01F) << config.kind;
      } else {
        EXPECT_EQ(parameters.table[i], 0) << config.kind;
      }
    }
  }
}

TEST(Optimizer, WithDecayShrinksRowsThatHaveNoGradient) {
  OptimizerConfig config = config_of("sgd", 0.1);
  config.weight_decay = 0.5;
  nn::Layout layout;
  layout.add("table", nn::Role::kTable, 2, 1);
  Optimizer<double> optimizer(layout, config);
  auto parameters = all<double>(layout, 2);
  auto gradient = all<double>(layout, 0);
  ThreadPool pool(1);
  optimizer.step(parameters, gradient, {}, pool);
  EXPECT_NEAR(parameters.table[0], 1.9, 1e-15);
  EXPECT_NEAR(parameters.table[1], 1.9, 1e-15);
}

TEST(Optimizer, KeepsWhatIsAboutTimeInDouble) {
  // A step far below what a float near 1 resolves.
  nn::Layout layout;
  layout.add("omega", nn::Role::kOmega, 1, 1);
  layout.add("phi", nn::Role::kPhi, 1, 1);
  layout.add("period", nn::Role::kPeriod, 1, 1);
  for (const char* kind : {"adam", "adagrad", "sgd"}) {
    Optimizer<float> optimizer(layout, config_of(kind, 1e-12));
    auto parameters = all<float>(layout, 1);
    auto gradient = all<float>(layout, 1);
    ThreadPool pool(1);
    optimizer.step(parameters, gradient, {}, pool);
    for (const double value : parameters.wide) EXPECT_NEAR(1 - value, 1e-12, 1e-15) << kind;
  }
}

TEST(Optimizer, GivesEqualBitsOnAnyNumberOfThreads) {
  nn::Layout layout;
  layout.add("weight", nn::Role::kWeight, 301, 199);
  layout.add("bias", nn::Role::kBias, 1, 199);
  layout.add("table", nn::Role::kTable, 251, 239);
  layout.add("omega", nn::Role::kOmega, 1, 33);
  std::vector<int32_t> rows;
  for (int32_t row = 0; row < 251; ++row) rows.push_back(row);
  for (const char* kind : {"adam", "adagrad", "sgd"}) {
    for (const double weight_decay : {0.0, 0.01}) {
      OptimizerConfig config = config_of(kind, 0.1);
      config.clip = 1;
      config.momentum = 0.9;
      config.weight_decay = weight_decay;
      const auto train = [&](int threads) {
        Optimizer<float> optimizer(layout, config);
        auto parameters = random_values<float>(layout, 1);
        ThreadPool pool(threads);
        for (uint64_t step = 0; step < 3; ++step) {
          auto gradient = random_values<float>(layout, step + 2);
          optimizer.step(parameters, gradient, rows, pool);
        }
        return parameters;
      };
      const auto alone = train(1);
      EXPECT_FALSE(equal_bits(alone, random_values<float>(layout, 1))) << kind;
      for (const int threads : {2, 3, 4})
        EXPECT_TRUE(equal_bits(train(threads), alone)) << kind << " " << threads;
    }
  }
}

TEST(Optimizer, RefusesConfigurationsThatMakeNoSense) {
  expect_refused(config_of("lion", 0.1), "unknown optimizer 'lion'; use adam, adagrad or sgd");
  for (const double bad : {-0.1, std::nan("")}) {
    expect_refused(config_of("adam", bad), "the learning rate must not be negative");
    OptimizerConfig config;
    config.weight_decay = bad;
    expect_refused(config, "the weight decay must not be negative");
    config = {};
    config.clip = bad;
    expect_refused(config, "the norm to clip to must not be negative");
  }
  OptimizerConfig config;
  config.schedule.kind = "linear";
  expect_refused(config, "unknown schedule 'linear'");
  config.schedule.kind = "cosine";
  expect_refused(config, "more steps in total");
}

TEST(Optimizer, RefusesASchedulesConfigurationAlsoWhereItBeginsWithAWarmUp) {
  OptimizerConfig config;
  config.schedule.warmup = 10;
  config.schedule.kind = "linear";
  expect_refused(config, "unknown schedule 'linear'");
  config.schedule.kind = "cosine";
  config.schedule.total = 10;
  expect_refused(config, "more steps in total");
}

}  // namespace
}  // namespace t2v
