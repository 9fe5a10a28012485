#include "nn/dropout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "kernels/wide.h"

namespace t2v::nn {
namespace {

constexpr uint64_t kKey = 0x123456789ABCDEF0;

/// What is left of ones.
template <class T>
std::vector<T> dropped(const std::vector<int32_t>& source, int64_t hidden, double rate, uint64_t key = kKey,
                       uint32_t layer = 0) {
  std::vector<T> x(source.size() * static_cast<std::size_t>(hidden), T(1));
  drop<T>(x.data(), hidden, rate, key, layer, source);
  return x;
}

std::vector<int32_t> first_events(int32_t count) {
  std::vector<int32_t> source(static_cast<std::size_t>(count));
  std::iota(source.begin(), source.end(), 0);
  return source;
}

/// The share of places where exactly the same was dropped.
double agreement(const std::vector<float>& a, const std::vector<float>& b) {
  double same = 0;
  for (std::size_t i = 0; i < a.size(); ++i) same += (a[i] == 0) == (b[i] == 0) ? 1 : 0;
  return same / static_cast<double>(a.size());
}

TEST(Dropout, DropsAboutTheShareAskedForAndScalesTheRestSoThatTheMeanStays) {
  for (const double rate : {0.1, 0.5, 0.9}) {
    const std::vector<double> x = dropped<double>(first_events(1000), 101, rate);
    double zeros = 0;
    for (const double value : x) {
      if (value == 0) {
        ++zeros;
      } else {
        ASSERT_DOUBLE_EQ(value, 1 / (1 - rate));
      }
    }
    const auto n = static_cast<double>(x.size());
    EXPECT_NEAR(zeros / n, rate, 4 * std::sqrt(rate * (1 - rate) / n)) << rate;
  }
}

TEST(Dropout, MultipliesWhatIsThere) {
  std::vector<double> x(4 * 7);
  std::iota(x.begin(), x.end(), 1.0);
  drop<double>(x.data(), 7, 0.25, kKey, 2, first_events(4));
  const std::vector<double> of_ones = dropped<double>(first_events(4), 7, 0.25, kKey, 2);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_DOUBLE_EQ(x[i], static_cast<double>(i + 1) * of_ones[i]);
  }
}

TEST(Dropout, DrawsByTheEventsNumberWhereverItsRowIs) {
  const std::size_t hidden = 37;
  const std::vector<int32_t> order = {7, 3, 100000, 5, 0};
  const std::vector<float> x = dropped<float>(order, 37, 0.5);
  for (std::size_t e = 0; e < order.size(); ++e) {
    const std::vector<float> alone = dropped<float>({order[e]}, 37, 0.5);
    for (std::size_t j = 0; j < hidden; ++j) ASSERT_EQ(x[e * hidden + j], alone[j]) << order[e] << " " << j;
  }
}

TEST(Dropout, DrawsTheSameForTheSameKeyAndLayer) {
  EXPECT_EQ(dropped<float>(first_events(50), 33, 0.3), dropped<float>(first_events(50), 33, 0.3));
}

TEST(Dropout, DrawsIndependentlyForOtherKeysLayersEventsAndUnits) {
  const double rate = 0.3;
  const double chance = rate * rate + (1 - rate) * (1 - rate);
  const std::vector<int32_t> events = first_events(1000);
  const std::vector<float> x = dropped<float>(events, 64, rate);
  EXPECT_NEAR(agreement(x, dropped<float>(events, 64, rate, kKey + 1)), chance, 0.01);
  EXPECT_NEAR(agreement(x, dropped<float>(events, 64, rate, kKey + (uint64_t{1} << 32))), chance, 0.01);
  EXPECT_NEAR(agreement(x, dropped<float>(events, 64, rate, kKey, 1)), chance, 0.01);
  for (const std::ptrdiff_t places : {1, 2, 3, 4, 8, 64}) {  // to the next units, and to the next event
    const std::vector<float> later(x.begin() + places, x.end());
    EXPECT_NEAR(agreement({x.begin(), x.end() - places}, later), chance, 0.01) << places;
  }
}

TEST(Dropout, LeavesAllAtRateZero) {
  EXPECT_EQ(dropped<float>(first_events(9), 21, 0), std::vector<float>(9 * 21, 1));
}

TEST(Dropout, DropsTheSameInEveryNumberType) {
  const std::vector<float> fast = dropped<float>(first_events(20), 19, 0.4);
  const std::vector<double> twin = dropped<double>(first_events(20), 19, 0.4);
  const std::vector<Complex> complex = dropped<Complex>(first_events(20), 19, 0.4);
  for (std::size_t i = 0; i < fast.size(); ++i) {
    EXPECT_FLOAT_EQ(fast[i], static_cast<float>(twin[i])) << i;
    EXPECT_EQ(complex[i], Complex(twin[i])) << i;
  }
}

TEST(Dropout, TouchesNothingBehindTheRows) {
  for (const int64_t hidden : {1, 2, 3, 5, 6, 7}) {
    std::vector<float> x(static_cast<std::size_t>(3 * hidden) + 4, 99);
    drop<float>(x.data(), hidden, 0.5, kKey, 0, first_events(3));
    for (std::size_t i = x.size() - 4; i < x.size(); ++i) EXPECT_EQ(x[i], 99) << hidden;
  }
}

}  // namespace
}  // namespace t2v::nn
