// What the parts of a model mean, checked without any other implementation.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "compare.h"
#include "made_batch.h"
#include "model/initialise.h"
#include "model/model.h"
#include "t2v/error.h"
#include "train/trainer.h"

namespace t2v {
namespace {

using namespace testing;

ModelConfig with_times(ModelConfig config, const std::string& kind, TimeInput input) {
  nn::TimeEncoderConfig time;
  time.kind = kind;
  time.input = input;
  time.k = 5;
  config.times = {time};
  config.event_types = 3;
  config.hidden = 6;
  config.heads[0].classes = 4;
  return config;
}

std::vector<double> outputs(const Model& model, const nn::Parameters<double>& parameters,
                            const MadeBatch& batch) {
  ThreadPool pool(1);
  Workspace<double> work;
  std::vector<double> result(batch.labels.size() * static_cast<std::size_t>(model.outputs(0)));
  model.outputs_of<double>(result, 0, parameters, batch.view(), work, pool);
  return result;
}

/// The first block of the gates of single events with these gaps: T1 of TLSTM2 and TLSTM3.
std::vector<double> first_gate(const Model& model, const nn::Parameters<double>& parameters,
                               const std::vector<double>& gaps) {
  std::vector<int64_t> offsets(gaps.size() + 1);
  std::iota(offsets.begin(), offsets.end(), 0);
  const std::vector<int32_t> events(gaps.size(), 1);
  ThreadPool pool(1);
  Workspace<double> work;
  std::vector<double> ignored(gaps.size() * static_cast<std::size_t>(model.outputs(0)));
  model.outputs_of<double>(ignored, 0, parameters,
                           {.offsets = offsets, .times = {gaps, gaps}, .events = events}, work, pool);
  std::vector<double> gate;
  const auto& recurrent = work.states[0].layers[0].recurrent;
  const int64_t columns = model.layers()[0].columns();
  // Sequences of equal length keep their order, so row i has gap i.
  const auto rows = static_cast<int64_t>(gaps.size());
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t j = 0; j < model.config().hidden; ++j) gate.push_back(recurrent.gates[row * columns + j]);
  }
  return gate;
}

int rises(const std::vector<double>& gate, int64_t hidden) {
  int count = 0;
  const auto units = static_cast<std::size_t>(hidden);
  for (std::size_t i = units; i < gate.size(); ++i) {
    if (gate[i] > gate[i - units] + 1e-15) ++count;
  }
  return count;
}

TEST(Constraint, KeepsT1FromGrowingWithTheGapHoweverItIsTrained) {
  const std::vector<double> gaps = {0, 0.1, 0.5, 1, 2, 3, 5, 8, 13, 21, 34, 100};
  for (const char* cell : {"tlstm2", "tlstm3"}) {
    for (const char* inner : {"sigmoid", "tanh"}) {
      for (const char* constraint : {"nonpositive", "none"}) {
        ModelConfig config = with_times({}, "raw", TimeInput::kGap);
        config.cell = cell;
        config.inner = inner;
        config.t1_constraint = constraint;
        const Model model(config);
        ThreadPool pool(1);
        OptimizerConfig sgd;
        sgd.kind = "sgd";
        sgd.learning_rate = 5;  // strong enough to push the weights where they may not be
        Trainer<double> trainer(model, initialise(model, 4), sgd, pool);
        for (uint64_t step = 0; step < 20; ++step) {
          trainer.step(MadeBatch({5, 3, 4, 6}, config, step, false).view());
        }
        const int grown = rises(first_gate(model, trainer.parameters(), gaps), config.hidden);
        if (std::string(constraint) == "nonpositive") {
          EXPECT_EQ(grown, 0) << cell << " " << inner;
        } else {
          EXPECT_GT(grown, 0) << cell << " " << inner
                              << ": the test would not notice a constraint that is missing";
        }
      }
    }
  }
}

TEST(Constraint, ProjectsPositiveWeightsOfT1ToZeroAndLeavesAllOthers) {
  ModelConfig config = with_times({}, "t2v", TimeInput::kGap);
  config.cell = "tlstm3";
  config.layers = 2;
  const Model model(config);
  auto parameters = made_parameters(model, 1);
  const auto before = parameters;
  model.project(parameters);
  const auto columns = model.constrained_columns(0);
  int changed = 0;
  for (const nn::Tensor& tensor : model.layout().tensors()) {
    const bool time = tensor.name == "cell.time0" || tensor.name == "cell1.time0";
    for (int64_t i = 0; i < tensor.size(); ++i) {
      const int64_t c = i % tensor.cols;
      const double was = before.get(tensor, i);
      const bool constrained = time && c >= columns.begin && c < columns.end;
      EXPECT_EQ(parameters.get(tensor, i), constrained ? std::min(was, 0.0) : was) << tensor.name;
      changed += constrained && was > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(changed, 10);
}

TEST(Constraint, FloorMakesLowerWeightsActAsTheFloorAndNeverMove) {
  ModelConfig config = with_times({}, "raw", TimeInput::kGap);
  config.cell = "tlstm2";
  config.t1_constraint = "floor";
  config.t1_floor = -0.125;
  const Model model(config);
  auto parameters = made_parameters(model, 1);
  const MadeBatch batch({4, 2, 5}, config, 1, false);
  const auto expected = outputs(model, parameters, batch);
  const nn::Tensor& tensor = model.layout()[model.layout().find("cell.time0")];
  const auto columns = model.constrained_columns(0);
  int lower = 0;
  for (int64_t c = columns.begin; c < columns.end; ++c) {
    if (parameters.data(tensor)[c] < config.t1_floor) {
      parameters.data(tensor)[c] -= 100;  // far below it is as good as just below
      ++lower;
    }
  }
  ASSERT_GT(lower, 0);
  EXPECT_EQ(outputs(model, parameters, batch), expected);
  ThreadPool pool(1);
  Workspace<double> work;
  model.gradient(parameters, batch.view(), work, pool);
  for (int64_t c = 0; c < tensor.cols; ++c) {
    const bool floored =
        c >= columns.begin && c < columns.end && parameters.data(tensor)[c] < config.t1_floor;
    EXPECT_EQ(work.gradient.data(tensor)[c] == 0, floored) << c;
  }
  config.t1_constraint = "none";
  EXPECT_NE(outputs(Model(config), parameters, batch), expected);
}

TEST(TimeLstm, WithZeroTimeWeightsDoesNotSeeTheTimes) {
  for (const nn::Cell& cell : nn::cells()) {
    if (!cell.has_time_gates()) continue;
    ModelConfig config = with_times({}, "t2v", TimeInput::kGap);
    config.cell = cell.name;
    config.inner = cell.inner;
    const Model model(config);
    auto parameters = made_parameters(model, 1);
    const MadeBatch batch({4, 2, 5}, config, 1, false);
    MadeBatch later = batch;
    for (double& gap : later.times[1]) gap = 2 * gap + 1;
    EXPECT_NE(outputs(model, parameters, batch), outputs(model, parameters, later)) << cell.name;
    const nn::Tensor& weights = model.layout()[model.layout().find("cell.time0")];
    std::fill_n(parameters.data(weights), weights.size(), 0.0);
    EXPECT_EQ(outputs(model, parameters, batch), outputs(model, parameters, later)) << cell.name;
  }
}

TEST(TimeLstm, OneIsThePeepholeLstmWhenItsTimeGateIsOpen) {
  ModelConfig config = with_times({}, "raw", TimeInput::kGap);
  config.times.clear();
  config.cell = "tlstm1";
  const Model timed(config);
  config.cell = "peephole";
  const Model plain(config);
  const auto from = made_parameters(plain, 1);
  auto to = made_parameters(timed, 2);
  for (const nn::Tensor& tensor : timed.layout().tensors()) {
    const nn::Tensor& source = plain.layout()[plain.layout().find(tensor.name)];
    const int64_t extra = tensor.cols - source.cols;  // the block of T, in front
    for (int64_t row = 0; row < tensor.rows; ++row) {
      for (int64_t c = 0; c < tensor.cols; ++c) {
        const double open = tensor.name == "cell.bias" ? 60 : 0;
        to.set(tensor, row * tensor.cols + c,
               c < extra ? open : from.get(source, row * source.cols + c - extra));
      }
    }
  }
  const MadeBatch batch({4, 2, 5}, config, 1, false);
  expect_close(outputs(timed, to, batch), outputs(plain, from, batch), 1e-14, "outputs");
}

TEST(Proposition1, ScaledTimesWithUnscaledFrequenciesGiveTheSameOutputsAndGradientsForEveryCell) {
  constexpr double kScale = 86400;
  for (const ModelConfig& cell : all_cell_configs()) {
    const ModelConfig config = with_times(cell, "t2v", TimeInput::kStart);
    const Model model(config);
    auto parameters = made_parameters(model, 9);
    MadeBatch batch({3, 6, 2}, config, 4, false);
    ThreadPool pool(1);
    Workspace<double> before;
    Workspace<double> after;
    const auto expected = outputs(model, parameters, batch);
    const double loss = model.gradient(parameters, batch.view(), before, pool);
    for (auto& times : batch.times) {
      for (double& t : times) t *= kScale;
    }
    const auto scale_of =
        [](const nn::Tensor& tensor) {  // of the values; that of the gradients is its inverse
          if (tensor.role == nn::Role::kOmega) return 1 / kScale;
          return tensor.role == nn::Role::kPeriod || tensor.role == nn::Role::kShift ? kScale : 1;
        };
    for (const nn::Tensor& tensor : model.layout().tensors()) {
      for (int64_t i = 0; i < tensor.size(); ++i)
        parameters.set(tensor, i, parameters.get(tensor, i) * scale_of(tensor));
    }
    expect_close(outputs(model, parameters, batch), expected, 1e-10, describe(config));
    EXPECT_NEAR(model.gradient(parameters, batch.view(), after, pool), loss, 1e-10);
    for (const nn::Tensor& tensor : model.layout().tensors()) {
      auto gradient = values_of(after.gradient, tensor);
      for (double& g : gradient) g *= scale_of(tensor);
      expect_close(gradient, values_of(before.gradient, tensor), 1e-9, describe(config) + " " + tensor.name);
    }
  }
}

TEST(Cosine, IsASineAQuarterTurnAheadInEveryModel) {
  for (const ModelConfig& cell : all_cell_configs()) {
    ModelConfig config = with_times(cell, "t2v", TimeInput::kStart);
    const Model sine(config);
    config.times[0].activation = nn::Activation::kCos;
    const Model cosine(config);
    auto parameters = made_parameters(sine, 3);
    const MadeBatch batch({3, 6, 2}, config, 4, false);
    const auto expected = outputs(cosine, parameters, batch);
    const nn::Tensor& phi = sine.layout()[sine.layout().find("time0.phi")];
    for (int64_t i = 1; i < phi.size(); ++i) parameters.wide_data(phi)[i] += std::numbers::pi / 2;
    expect_close(outputs(sine, parameters, batch), expected, 1e-13, describe(config));
  }
}

TEST(Chunks, ChangeNoOutputAndNoGradientOfSequencesThatFitIntoOne) {
  for (const ModelConfig& cell : all_cell_configs()) {
    ModelConfig config = with_times(cell, "t2v", TimeInput::kStart);
    config.layers = cell.cell == "none" ? 1 : 2;
    const Model whole(config);
    config.chunk = 5;
    const Model cut(config);
    const auto parameters = made_parameters(whole, 2);
    const MadeBatch longer({3, 23, 7, 1, 11}, config, 1, false);
    expect_close(outputs(cut, parameters, longer), outputs(whole, parameters, longer), 1e-14,
                 describe(config));
    const MadeBatch shorter({3, 5, 4, 1, 2}, config, 1, false);
    ThreadPool pool(1);
    Workspace<double> a;
    Workspace<double> b;
    EXPECT_EQ(cut.gradient(parameters, shorter.view(), a, pool),
              whole.gradient(parameters, shorter.view(), b, pool));
    for (const nn::Tensor& tensor : whole.layout().tensors()) {
      EXPECT_EQ(values_of(a.gradient, tensor), values_of(b.gradient, tensor)) << tensor.name;
    }
  }
}

TEST(Chunks, BoundTheMemoryOfALongSequence) {
  ModelConfig config = with_times({}, "t2v", TimeInput::kStart);
  config.chunk = 10;
  const Model model(config);
  const auto parameters = nn::convert<float>(made_parameters(model, 2));
  const MadeBatch batch({3000, 20}, config, 1, false);
  ThreadPool pool(1);
  Workspace<float> work;
  model.gradient(parameters, batch.view(), work, pool);
  const auto& state = work.states[0].layers[0].recurrent;
  EXPECT_LE(state.gates.size(), 10 * 2 * model.layers()[0].columns());
  EXPECT_LE(work.states[0].times[0].value.size(), 10 * 2 * 6);
}

void check_dropout(const ModelConfig& config) {
  const Model model(config);
  const auto parameters = made_parameters(model, 2);
  const MadeBatch batch({3, 5, 4, 1, 2}, config, 1, false);
  ThreadPool pool(1);
  Workspace<double> work;
  const double without = model.loss(parameters, batch.view(), work, pool);
  work.dropout_key = 1;
  const double one = model.gradient(parameters, batch.view(), work, pool);
  EXPECT_NE(one, without);
  Workspace<double> other;
  other.dropout_key = 2;
  EXPECT_NE(model.loss(parameters, batch.view(), other, pool), one);
  Workspace<Complex> complex_work;
  complex_work.dropout_key = 1;
  auto shifted = nn::convert<Complex>(parameters);
  for (const nn::Tensor& tensor : model.layout().tensors()) {
    std::vector<double> expected;
    for (int64_t i = 0; i < tensor.size(); ++i) {
      const Complex value = shifted.get(tensor, i);
      shifted.set(tensor, i, value + Complex(0, 1e-40));
      expected.push_back(model.loss(shifted, batch.view(), complex_work, pool).imag() / 1e-40);
      shifted.set(tensor, i, value);
    }
    expect_close(values_of(work.gradient, tensor), expected, 1e-12, tensor.name);
  }
}

TEST(Dropout, BetweenLayersIsThereOnlyWhileTrainingAndHasTheRightGradient) {
  ModelConfig config = with_times({}, "t2v", TimeInput::kStart);
  config.layers = 3;
  config.dropout = 0.4;
  check_dropout(config);
}

TEST(Dropout, BeforeHeadsIsThereOnlyWhileTrainingAndHasTheRightGradient) {
  ModelConfig config = with_times({}, "t2v", TimeInput::kStart);
  config.layers = 2;
  config.head_dropout = 0.4;
  for (const bool each_step : {false, true}) {
    config.heads[0].each_step = each_step;
    check_dropout(config);
  }
}

TEST(Pool, OfAllStatesIsTheSameInChunksAndSeesTheFirstEvent) {
  ModelConfig config = with_times({}, "t2v", TimeInput::kStart);
  config.heads[0].pool = "all";
  const auto parameters = made_parameters(Model(config), 2);
  MadeBatch batch({7, 1, 12}, config, 1, false);
  const auto whole = outputs(Model(config), parameters, batch);
  config.chunk = 3;
  expect_close(outputs(Model(config), parameters, batch), whole, 1e-14, "outputs");
  // A forget gate that is shut: the last state knows nothing of the first event, but the mean does.
  auto forgetful = parameters;
  const Model model(config);
  double* bias = forgetful.data(model.layout()[model.layers()[0].bias()]);
  const auto& cell = model.layers()[0].cell();
  for (int64_t j = 0; j < config.hidden; ++j)
    bias[(cell.forget - cell.input.begin) * config.hidden + j] = -60;
  const auto before = outputs(model, forgetful, batch);
  batch.events[0] = (batch.events[0] + 1) % 3;
  const auto after = outputs(model, forgetful, batch);
  EXPECT_GT(std::abs(after[0] - before[0]), 1e-4);
  EXPECT_EQ(after[4], before[4]);  // of another sequence
}

TEST(Pool, IsRefusedWhereThereAreNoStatesToSee) {
  ModelConfig config = with_times({}, "t2v", TimeInput::kStart);
  config.heads[0].pool = "some";
  EXPECT_THROW(Model{config}, Error);
  config.heads[0].pool = "all";
  config.heads[0].each_step = true;
  EXPECT_THROW(Model{config}, Error);
  config.heads[0].each_step = false;
  config.cell = "none";
  EXPECT_THROW(Model{config}, Error);
}

TEST(Vocabulary, OfAnySizeGivesTheSameInFloatsAsInDoubles) {
  for (const int64_t types : {1, 2, 17, 5000}) {
    ModelConfig config = with_times({}, "t2v", TimeInput::kStart);
    config.event_types = types;
    config.heads[0].each_step = true;
    config.heads[0].classes = types;
    const Model model(config);
    const auto parameters = made_parameters(model, 2);
    const MadeBatch batch(std::vector<int64_t>(9, 40), config, 1, false);  // more than one block of outputs
    ThreadPool pool(2);
    Workspace<double> twin;
    Workspace<float> fast;
    const double expected = model.gradient(parameters, batch.view(), twin, pool);
    EXPECT_NEAR(model.gradient(nn::convert<float>(parameters), batch.view(), fast, pool), expected,
                1e-5 * (1 + expected));
    if (types == 1) {
      EXPECT_EQ(expected, 0);
    }
    for (const nn::Tensor& tensor : model.layout().tensors()) {
      if (types == 1 || (types == 5000 && tensor.role == nn::Role::kTable)) continue;  // zero, mostly
      expect_close(values_of(fast.gradient, tensor), values_of(twin.gradient, tensor), 1e-4, tensor.name);
    }
  }
}

}  // namespace
}  // namespace t2v
