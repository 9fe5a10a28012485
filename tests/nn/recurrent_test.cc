#include "nn/recurrent.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

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

  explicit Fixture(const Cell& cell) : recurrent(layout, "cell", cell, kHidden, 2) {
    parameters.assign_zeros(layout);
    Random random(3);
    for (const Tensor& tensor : layout.tensors()) {
      for (int64_t i = 0; i < tensor.size(); ++i) parameters.set(tensor, i, random.uniform(-1, 1));
    }
  }

  /// Sums that depend only on the event of the batch, not on where it is packed.
  void fill(Recurrent::State<double>& state, const Chunk& chunk) const {
    std::vector<double> times(100);
    std::iota(times.begin(), times.end(), 0.0);
    const std::vector<int64_t> offsets = {0, 100};
    recurrent.reserve(state, chunk, {.offsets = offsets, .times = {times}});
    for (int64_t e = 0; e < chunk.events(); ++e) {
      Random random(static_cast<uint64_t>(chunk.source[static_cast<std::size_t>(e)]), 9);
      for (int64_t g = 0; g < recurrent.columns(); ++g)
        state.gates[e * recurrent.columns() + g] = random.normal();
    }
  }
};

TEST(Recurrent, GivesAPackedSequenceTheStatesItHasAlone) {
  const std::vector<int64_t> offsets = {0, 3, 4, 9, 11, 16};
  for (const Cell& cell : cells()) {
    const Fixture f(cell);
    std::vector<Shard> shards;
    pack(shards, offsets);
    ASSERT_EQ(shards.size(), 1U);
    const Chunk& together = shards[0].chunks[0];
    Recurrent::State<double> state;
    f.recurrent.start(state, together.rows());
    f.fill(state, together);
    f.recurrent.forward(state, together, together.all(), f.layout, f.parameters);
    for (std::size_t row = 0; row < shards[0].sequence.size(); ++row) {
      const auto b = static_cast<std::size_t>(shards[0].sequence[row]);
      Chunk alone;
      for (int64_t e = offsets[b]; e < offsets[b + 1]; ++e) {
        alone.active.push_back(1);
        alone.start.push_back(e - offsets[b]);
        alone.source.push_back(static_cast<int32_t>(e));
      }
      alone.start.push_back(offsets[b + 1] - offsets[b]);
      alone.last = {alone.events() - 1};
      Recurrent::State<double> one;
      f.recurrent.start(one, 1);
      f.fill(one, alone);
      f.recurrent.forward(one, alone, alone.all(), f.layout, f.parameters);
      for (int64_t j = 0; j < kHidden; ++j) {
        EXPECT_NEAR(state.h[together.last[row] * kHidden + j], one.h[alone.last[0] * kHidden + j], 1e-14)
            << cell.name;
        EXPECT_NEAR(state.c[together.last[row] * kHidden + j], one.c[alone.last[0] * kHidden + j], 1e-14)
            << cell.name;
      }
    }
  }
}

TEST(Recurrent, GoesOnFromChunkToChunkAsIfThereWereNone) {
  const std::vector<int64_t> offsets = {0, 3, 4, 9, 11, 16};
  for (const Cell& cell : cells()) {
    const Fixture f(cell);
    std::vector<Shard> whole;
    std::vector<Shard> cut;
    pack(whole, offsets);
    pack(cut, offsets, 2);
    Recurrent::State<double> expected;
    f.recurrent.start(expected, 5);
    f.fill(expected, whole[0].chunks[0]);
    f.recurrent.forward(expected, whole[0].chunks[0], whole[0].chunks[0].all(), f.layout, f.parameters);
    Recurrent::State<double> state;
    f.recurrent.start(state, 5);
    for (const Chunk& chunk : cut[0].chunks) {
      f.fill(state, chunk);
      f.recurrent.forward(state, chunk, chunk.all(), f.layout, f.parameters);
      for (std::size_t row = 0; row < chunk.last.size(); ++row) {
        if (chunk.last[row] < 0) continue;
        for (int64_t j = 0; j < kHidden; ++j) {
          EXPECT_NEAR(state.h[chunk.last[row] * kHidden + j],
                      expected.h[whole[0].chunks[0].last[row] * kHidden + j], 1e-14)
              << cell.name;
        }
      }
      f.recurrent.carry(state, chunk);
    }
  }
}

/// Forward and back over all steps, in the given pieces.
std::vector<double> gradient_in(const std::vector<Steps>& pieces, const Cell& cell, const Chunk& chunk) {
  const Fixture f(cell);
  Recurrent::Prepared<double> prepared;
  f.recurrent.prepare(prepared, f.layout, f.parameters);
  Recurrent::State<double> state;
  f.recurrent.start(state, chunk.rows());
  f.fill(state, chunk);
  std::vector<double> dsteps(static_cast<std::size_t>(chunk.events() * kHidden));
  Random random(5);
  for (double& x : dsteps) x = random.normal();
  Parameters<double> gradient;
  gradient.assign_zeros(f.layout);
  for (const Steps steps : pieces) f.recurrent.forward(state, chunk, steps, f.layout, f.parameters);
  for (auto steps = pieces.rbegin(); steps != pieces.rend(); ++steps) {
    f.recurrent.backward(gradient, state, chunk, *steps, dsteps.data(), prepared, f.layout, f.parameters);
  }
  std::vector<double> all(state.gates.begin(), state.gates.end());
  all.insert(all.end(), gradient.dense.begin(), gradient.dense.end());
  all.insert(all.end(), gradient.wide.begin(), gradient.wide.end());
  return all;
}

TEST(Recurrent, GivesTheSameGradientsInPiecesOfSomeStepsAsInOne) {
  std::vector<Shard> shards;
  pack(shards, std::vector<int64_t>{0, 3, 4, 9, 11, 16});
  const Chunk& chunk = shards[0].chunks[0];
  for (const Cell& cell : cells()) {
    const std::vector<double> whole = gradient_in({chunk.all()}, cell, chunk);
    testing::expect_close(gradient_in({{0, 1}, {1, 4}, {4, 5}}, cell, chunk), whole, 1e-13,
                          std::string(cell.name));
    testing::expect_close(gradient_in({{0, 3}, {3, 5}}, cell, chunk), whole, 1e-13, std::string(cell.name));
  }
}

/// The second chunk of sequences, forward from the state that the first one left; what each hidden state
/// weighs.
struct SecondChunk {
  Fixture fixture;
  std::vector<Shard> shards;
  std::vector<double> weights;
  Recurrent::State<double> state;

  explicit SecondChunk(const Cell& cell) : fixture(cell) {
    pack(shards, std::vector<int64_t>{0, 3, 4, 9, 11, 16}, 2);
    Random random(5);
    weights.resize(static_cast<std::size_t>(chunk().events() * kHidden));
    for (double& x : weights) x = random.normal();
  }
  const Chunk& chunk() const { return shards[0].chunks[1]; }

  double weighed(const Parameters<double>& parameters) {
    const Chunk& first = shards[0].chunks[0];
    fixture.recurrent.start(state, first.rows());
    fixture.fill(state, first);
    fixture.recurrent.forward(state, first, first.all(), fixture.layout, fixture.parameters);
    fixture.recurrent.carry(state, first);
    fixture.fill(state, chunk());
    fixture.recurrent.forward(state, chunk(), chunk().all(), fixture.layout, parameters);
    return std::inner_product(weights.begin(), weights.end(), state.h.begin(), 0.0);
  }
};

TEST(Recurrent, GivesTheGradientOfAChunkThatGoesOnFromAState) {
  for (const Cell& cell : cells()) {
    SecondChunk second(cell);
    const Fixture& f = second.fixture;
    Recurrent::Prepared<double> prepared;
    f.recurrent.prepare(prepared, f.layout, f.parameters);
    second.weighed(f.parameters);
    Parameters<double> gradient;
    gradient.assign_zeros(f.layout);
    f.recurrent.backward(gradient, second.state, second.chunk(), second.chunk().all(), second.weights.data(),
                         prepared, f.layout, f.parameters);
    const Tensor& tensor = f.layout[f.layout.find("cell.hidden")];
    for (int64_t i = 0; i < tensor.size(); ++i) {
      constexpr double kStep = 1e-6;
      const auto moved = [&](double by) {
        Parameters<double> parameters = f.parameters;
        parameters.set(tensor, i, parameters.get(tensor, i) + by);
        return second.weighed(parameters);
      };
      EXPECT_NEAR(gradient.get(tensor, i), (moved(kStep) - moved(-kStep)) / (2 * kStep), 1e-8)
          << cell.name << " " << i;
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
  const Cell cell = lstm();
  for (const Shard& shard : shards) {
    const Fixture f(cell);
    Recurrent::State<double> state;
    f.recurrent.reserve(state, shard.chunks[0], {});
    places += state.gates.size() / f.recurrent.columns();
    EXPECT_EQ(state.h.size(), shard.events() * kHidden);
  }
  EXPECT_EQ(places, 109);
}

TEST(Recurrent, StartsEverySumFromTheSumOfItsBiases) {
  const Cell cell = lstm();
  const Fixture f(cell);
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
