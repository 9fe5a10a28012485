#include "nn/recurrent.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "compare.h"

namespace t2v::nn {
namespace {

constexpr int64_t kHidden = 3;

/// A driver with made parameters, and made sums for each event of a packed shard.
struct Fixture {
  Layout layout;
  Recurrent recurrent;
  Parameters<double> parameters;

  explicit Fixture(const Cell& cell) : recurrent(layout, cell, kHidden, 2) {
    parameters.assign_zeros(layout);
    Random random(3);
    for (const Tensor& tensor : layout.tensors()) {
      for (int64_t i = 0; i < tensor.size(); ++i) parameters.set(tensor, i, random.uniform(-1, 1));
    }
  }

  /// Sums that depend only on the event of the batch, not on where it is packed.
  void fill(Recurrent::State<double>& state, const Shard& shard) const {
    recurrent.reserve(state, shard);
    for (int64_t e = 0; e < shard.events(); ++e) {
      Random random(static_cast<uint64_t>(shard.source[static_cast<std::size_t>(e)]), 9);
      for (int64_t g = 0; g < recurrent.columns(); ++g)
        state.gates[e * recurrent.columns() + g] = random.normal();
    }
  }
};

TEST(Recurrent, GivesAPackedSequenceTheStatesItHasAlone) {
  const std::vector<int64_t> offsets = {0, 3, 4, 9, 11, 16};
  for (const Cell* cell : cells()) {
    const Fixture f(*cell);
    std::vector<Shard> together;
    pack(together, offsets);
    ASSERT_EQ(together.size(), 1U);
    Recurrent::State<double> state;
    f.fill(state, together[0]);
    f.recurrent.forward(state, together[0], f.layout, f.parameters);
    for (int64_t row = 0; row < together[0].rows(); ++row) {
      const auto b = static_cast<std::size_t>(together[0].sequence[static_cast<std::size_t>(row)]);
      Shard alone;
      alone.sequence = {0};
      for (int64_t e = offsets[b]; e < offsets[b + 1]; ++e) {
        alone.active.push_back(1);
        alone.start.push_back(e - offsets[b]);
        alone.source.push_back(static_cast<int32_t>(e));
      }
      alone.start.push_back(offsets[b + 1] - offsets[b]);
      alone.last = {alone.events() - 1};
      Recurrent::State<double> one;
      f.fill(one, alone);
      f.recurrent.forward(one, alone, f.layout, f.parameters);
      for (int64_t j = 0; j < kHidden; ++j) {
        EXPECT_NEAR(state.h[together[0].last_event(row) * kHidden + j],
                    one.h[alone.last_event(0) * kHidden + j], 1e-14)
            << cell->name;
        EXPECT_NEAR(state.c[together[0].last_event(row) * kHidden + j],
                    one.c[alone.last_event(0) * kHidden + j], 1e-14)
            << cell->name;
      }
    }
  }
}

TEST(Recurrent, WorksOnTheEventsAloneAndNeverOnPadding) {
  // One sequence of 100 events and nine of one: padded, these would be 1,000 places.
  std::vector<int64_t> offsets = {0, 100};
  for (int i = 0; i < 9; ++i) offsets.push_back(offsets.back() + 1);
  std::vector<Shard> shards;
  pack(shards, offsets);
  int64_t places = 0;
  for (const Shard& shard : shards) {
    const Fixture f(lstm());
    Recurrent::State<double> state;
    f.recurrent.reserve(state, shard);
    places += state.gates.size() / f.recurrent.columns();
    EXPECT_EQ(state.h.size(), shard.events() * kHidden);
  }
  EXPECT_EQ(places, 109);
}

TEST(Recurrent, StartsEverySumFromTheSumOfItsBiases) {
  const Fixture f(lstm());
  Recurrent::Prepared<double> prepared;
  f.recurrent.prepare(prepared, f.layout, f.parameters);
  const Tensor& one = f.layout[f.layout.find("cell.bias")];
  const Tensor& two = f.layout[f.layout.find("cell.bias_hidden")];
  for (int64_t i = 0; i < f.recurrent.columns(); ++i) {
    EXPECT_EQ(prepared.base[i], f.parameters.get(one, i) + f.parameters.get(two, i));
  }
}

}  // namespace
}  // namespace t2v::nn
