#include "nn/input.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/random.h"
#include "compare.h"

namespace t2v::nn {
namespace {

constexpr int64_t kColumnsAll = 7;

/// An input with everything, whose events feed columns 0..4 and whose times feed columns 2..6.
struct Fixture {
  Layout layout;
  TimeInputs times;
  Input input;
  Parameters<double> parameters;
  std::vector<int64_t> offsets{0, 12};
  std::vector<double> start;
  std::vector<double> gap;
  std::vector<int32_t> events;
  std::vector<float> features;
  std::vector<int32_t> source;

  static std::vector<TimeEncoderConfig> time_configs() {
    std::vector<TimeEncoderConfig> configs(2);
    configs[0].k = 3;
    configs[1].k = 2;
    configs[1].input = TimeInput::kGap;
    configs[1].linear = false;
    return configs;
  }
  static InputShape shape(Columns time) {
    InputShape shape;
    shape.event_types = 4;
    shape.features = 2;
    shape.columns = kColumnsAll;
    shape.events = {0, 5};
    shape.time = time;
    return shape;
  }

  explicit Fixture(Columns time = {2, 7})
      : times(layout, time_configs()), input(layout, "cell", shape(time), times) {
    parameters.assign_zeros(layout);
    Random random(3);
    for (const Tensor& tensor : layout.tensors()) {
      for (int64_t i = 0; i < tensor.size(); ++i) parameters.set(tensor, i, random.uniform(-1, 1));
    }
    for (int i = 0; i < 12; ++i) {
      start.push_back(i % 3);                                   // few distinct values: shared
      gap.push_back(random.uniform(0, 3));                      // all distinct: not shared
      events.push_back(static_cast<int32_t>(random.below(3)));  // type 3 does not occur
      features.push_back(static_cast<float>(random.uniform(-1, 1)));
      features.push_back(static_cast<float>(random.uniform(-1, 1)));
    }
    source = {3, 1, 4, 11, 5, 9, 2, 6, 0, 7, 8, 10};
  }
  SequenceBatch batch() const {
    return {.offsets = offsets, .times = {start, gap}, .events = events, .features = features};
  }

  /// Encodes and multiplies.
  std::vector<double> sums(Input::State<double>& state, TimeInputs::State<double>& encoded,
                           const std::vector<double>& base) const {
    std::vector<double> result(12 * kColumnsAll);
    times.forward(encoded, batch(), source, layout, parameters);
    input.start(state);
    input.load(state, batch(), source);
    input.start_forward(state, base.data(), encoded, {}, layout, parameters);
    for (const Events some : {Events{0, 5}, Events{5, 12}}) {
      input.forward(result.data(), state, some, base.data(), static_cast<const double*>(nullptr), encoded, {},
                    layout, parameters);
    }
    return result;
  }
};

/// The same by the definition: one-hot and encoded inputs, one event and one column at a time.
std::vector<double> by_definition(const Fixture& f, const std::vector<double>& base, Columns times) {
  std::vector<double> sums;
  const auto weight = [&](const char* name, int64_t row, int64_t column, Columns columns) {
    const Tensor& tensor = f.layout[f.layout.find(name)];
    if (column < columns.begin || column >= columns.end) return 0.0;
    return f.parameters.get(tensor, row * tensor.cols + column - columns.begin);
  };
  const auto term = [&](const char* prefix, int64_t i, double tau, bool linear) {
    const std::string name(prefix);
    const double x = f.parameters.get(f.layout[f.layout.find(name + ".omega")], i) * tau +
                     f.parameters.get(f.layout[f.layout.find(name + ".phi")], i);
    return linear && i == 0 ? x : std::sin(x);
  };
  for (const int32_t e : f.source) {
    const auto at = static_cast<std::size_t>(e);
    for (int64_t c = 0; c < kColumnsAll; ++c) {
      double sum = base[static_cast<std::size_t>(c)] + weight("cell.events", f.events[at], c, {0, 5});
      for (int64_t k = 0; k < 2; ++k) {
        sum += static_cast<double>(f.features[2 * at + static_cast<std::size_t>(k)]) *
               weight("cell.features", k, c, {0, 5});
        sum += term("time1", k, f.gap[at], false) * weight("cell.time1", k, c, times);
      }
      for (int64_t k = 0; k < 4; ++k)
        sum += term("time0", k, f.start[at], true) * weight("cell.time0", k, c, times);
      sums.push_back(sum);
    }
  }
  return sums;
}

TEST(Input, AddsEventRowsFeaturesAndTimeVectorsToTheirColumns) {
  std::vector<double> base(kColumnsAll);
  std::iota(base.begin(), base.end(), 0.5);
  for (const Columns times :
       {Columns{2, 7}, Columns{0, 7}}) {  // with all columns the shared times carry the base
    Fixture f(times);
    Input::State<double> state;
    TimeInputs::State<double> encoded;
    const std::vector<double> sums = f.sums(state, encoded, base);
    EXPECT_TRUE(encoded[0].shared);
    EXPECT_FALSE(encoded[1].shared);
    EXPECT_EQ(encoded[0].tau.size(), 3U);  // encoded once each
    testing::expect_close(sums, by_definition(f, base, times), 1e-14, "sums");
  }
}

TEST(Input, GivesTheRowsOfTheEventsThatOccurAGradientAndNoOthers) {
  Fixture f;
  Input::State<double> state;
  TimeInputs::State<double> encoded;
  const std::vector<double> base(kColumnsAll, 0.0);
  const std::vector<double> sums = f.sums(state, encoded, base);
  std::vector<double> dsums(sums.size());
  Random random(1);
  for (double& x : dsums) x = random.normal();
  Parameters<double> gradient;
  gradient.assign_zeros(f.layout);
  RowGradient<double> rows;
  for (int chunk = 0; chunk < 2; ++chunk) {  // the second time on top of the first
    f.times.start_backward(encoded);
    f.input.start_backward(rows, state, encoded);
    for (const Events events : {Events{5, 12}, Events{0, 5}}) {
      f.input.backward(gradient, rows, static_cast<double*>(nullptr), state, events, dsums.data(),
                       static_cast<const double*>(nullptr), f.times, encoded, {}, f.layout, f.parameters);
    }
    f.input.finish_backward(gradient, state, f.times, encoded, {}, f.layout, f.parameters);
  }
  // The one-hot product's gradient, computed densely.
  std::vector<double> dense(4 * 5, 0.0);
  for (std::size_t e = 0; e < f.source.size(); ++e) {
    const auto type = static_cast<std::size_t>(f.events[static_cast<std::size_t>(f.source[e])]);
    for (std::size_t c = 0; c < 5; ++c) dense[type * 5 + c] += 2 * dsums[e * kColumnsAll + c];
  }
  std::vector<double> sparse(4 * 5, 0.0);
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    EXPECT_NE(rows.rows[i], 3);
    for (std::size_t c = 0; c < 5; ++c) {
      sparse[static_cast<std::size_t>(rows.rows[i]) * 5 + c] += rows.values[i * 5 + c];
    }
  }
  testing::expect_close(sparse, dense, 1e-14, "event rows");
}

TEST(Input, CountsItsWidthAsADenseLayerWould) {
  const Fixture f;
  EXPECT_EQ(f.input.width(f.times), 4 + 2 + 4 + 2);
}

}  // namespace
}  // namespace t2v::nn
