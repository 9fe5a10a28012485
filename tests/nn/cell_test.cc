#include "nn/cell.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "base/random.h"
#include "compare.h"
#include "t2v/error.h"

namespace t2v::nn {
namespace {

TEST(Cells, HaveNamesOfTheirOwnAndAreFoundByThem) {
  std::set<std::string> names;
  for (const Cell& cell : cells()) {
    EXPECT_TRUE(names.insert(std::string(cell.name) + std::string(cell.inner)).second) << cell.name;
    EXPECT_EQ(&cell_from(cell.name, cell.inner.empty() ? "sigmoid" : cell.inner), &cell);
  }
  EXPECT_EQ(names.size(), 10U);
  EXPECT_THROW(cell_from("tlstm1", "relu"), Error);
  EXPECT_THROW(cell_from("none"), Error);  // a model without recurrence has no cell
}

TEST(Cells, FeedEveryBlockFromSomewhereAndNoneFromOutside) {
  for (const Cell& cell : cells()) {
    std::vector<int> fed(static_cast<std::size_t>(cell.blocks), 0);
    if (cell.clock >= 0) ++fed[static_cast<std::size_t>(cell.clock)];
    for (const Blocks& blocks : {cell.input, cell.time, cell.hidden}) {
      ASSERT_GE(blocks.begin, 0) << cell.name;
      ASSERT_LE(blocks.end, cell.blocks) << cell.name;
      for (int b = blocks.begin; b < blocks.end; ++b) ++fed[static_cast<std::size_t>(b)];
    }
    for (const int count : fed) EXPECT_GT(count, 0) << cell.name;
  }
}

/// Memory for one step, in numbers T, with a guard behind every array.
template <class T>
struct Step {
  static constexpr std::size_t kGuard = 16;
  int64_t rows;
  int64_t hidden;
  std::vector<T> gates, vectors, dvectors, c_prev, h_prev, c, h, h_next, dh, dc;

  Step(const Cell& cell, int64_t rows_, int64_t hidden_) : rows(rows_), hidden(hidden_) {
    Random random(5);
    const auto fill = [&](std::vector<T>& values, int64_t n) {
      for (int64_t i = 0; i < n; ++i)
        values.push_back(static_cast<T>(static_cast<float>(random.uniform(-1.5, 1.5))));
      values.resize(values.size() + kGuard, T(99));
    };
    fill(gates, rows * cell.blocks * hidden);
    fill(vectors, cell.vectors * hidden);
    fill(dvectors, cell.vectors * hidden);
    for (auto* values : {&c_prev, &h_prev, &c, &h, &dh, &dc}) fill(*values, rows * hidden);
    fill(h_next, rows_next() * hidden);
  }

  /// All rows but the last have a next step.
  int64_t rows_next() const { return rows - 1; }

  void run(const Cell& cell) {
    cell.functions.get<T>().forward({rows, hidden, gates.data(), vectors.data(), c_prev.data(), h_prev.data(),
                                     c.data(), h.data(), h_next.data(), rows_next()});
    cell.functions.get<T>().backward({rows, hidden, gates.data(), vectors.data(), dvectors.data(),
                                      c_prev.data(), h_prev.data(), c.data(), dh.data(), dc.data()});
  }
};

TEST(Cells, GiveTheSameInVectorsOfFloatsAsInDoublesAndTouchNothingElse) {
  for (const Cell& cell : cells()) {
    for (const int64_t hidden : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 100}) {
      Step<float> fast(cell, 3, hidden);
      Step<double> twin(cell, 3, hidden);
      fast.run(cell);
      twin.run(cell);
      const std::string name = std::string(cell.name) + " H = " + std::to_string(hidden);
      const auto body = [](const auto& values) {
        return std::vector<double>(values.begin(),
                                   values.end() - static_cast<std::ptrdiff_t>(Step<float>::kGuard));
      };
      testing::expect_close(body(fast.gates), body(twin.gates), 2e-6, name + " gates");
      testing::expect_close(body(fast.c), body(twin.c), 2e-6, name + " c");
      testing::expect_close(body(fast.h), body(twin.h), 2e-6, name + " h");
      for (const int64_t i : {int64_t{0}, 2 * hidden - 1}) {
        const auto at = static_cast<std::size_t>(i);
        EXPECT_EQ(fast.h_next[at], fast.h[at]) << name;
        EXPECT_EQ(twin.h_next[at], twin.h[at]) << name;
      }
      if (cell.name == "gru") {  // has no cell, and so no gradient of one
        for (const double dc : body(fast.dc)) EXPECT_EQ(dc, 0);
      } else {
        testing::expect_close(body(fast.dc), body(twin.dc), 2e-6, name + " dc");
      }
      if (cell.direct_hidden) testing::expect_close(body(fast.dh), body(twin.dh), 2e-6, name + " dh");
      if (cell.vectors > 0)
        testing::expect_close(body(fast.dvectors), body(twin.dvectors), 2e-6, name + " dp");
      for (const auto* values :
           {&fast.gates, &fast.c, &fast.h, &fast.h_next, &fast.dc, &fast.dh, &fast.dvectors}) {
        for (std::size_t i = values->size() - Step<float>::kGuard; i < values->size(); ++i) {
          ASSERT_EQ((*values)[i], 99) << name;
        }
      }
    }
  }
}

TEST(Cells, PassANotANumberOn) {
  for (const Cell& cell : cells()) {
    for (int b = 0; b < cell.blocks; ++b) {
      Step<float> step(cell, 1, 1);
      step.gates[static_cast<std::size_t>(b)] = NAN;
      step.run(cell);
      EXPECT_TRUE(std::isnan(step.h[0]) || std::isnan(step.c[0])) << cell.name << " block " << b;
    }
  }
}

}  // namespace
}  // namespace t2v::nn
