#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

namespace t2v {
namespace {

using Block = std::array<uint32_t, 4>;

/// Pearson's statistic of counts that should be equal.
double chi_squared(const std::vector<int64_t>& counts) {
  const auto total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), int64_t{0}));
  const double expected = total / static_cast<double>(counts.size());
  double sum = 0;
  for (const int64_t count : counts) {
    const double off = static_cast<double>(count) - expected;
    sum += off * off / expected;
  }
  return sum;
}

// Exceeded with a chance of 1e-5 where the counts are fair, by degrees of freedom.
constexpr double kChi5 = 30.9;
constexpr double kChi63 = 124.0;

// The known answers of the authors' Random123 library.
TEST(Philox, GivesTheKnownAnswers) {
  constexpr uint32_t kOnes = 0xffffffff;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, ReadsPhiloxBlocksOfItsSeedAndStreamInOrder) {
  Random random(0x0123456789abcdef, 0xfedcba9876543210);
  for (uint32_t block = 0; block < 3; ++block) {
    for (const uint32_t expected : philox({block, 0, 0x76543210, 0xfedcba98}, {0x89abcdef, 0x01234567})) {
      EXPECT_EQ(random.next32(), expected);
    }
  }
}

TEST(Random, GivesTheSameNumbersForTheSameSeedAndStream) {
  Random a(7, 3);
  Random b(7, 3);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(a.next64(), b.next64());
    ASSERT_EQ(a.uniform(), b.uniform());
    ASSERT_EQ(a.normal(), b.normal());
    ASSERT_EQ(a.below(1000), b.below(1000));
  }
}

TEST(Random, GivesOtherNumbersForEachSeedAndStream) {
  std::set<uint64_t> seen;
  std::size_t drawn = 0;
  for (const uint64_t seed : {0ULL, 1ULL, 2ULL, 1ULL << 32, 1ULL << 63}) {
    for (const uint64_t stream : {0ULL, 1ULL, 2ULL, 1ULL << 32, 1ULL << 63}) {
      Random random(seed, stream);
      for (int i = 0; i < 1000; ++i, ++drawn) seen.insert(random.next64());
    }
  }
  EXPECT_EQ(seen.size(), drawn);
}

TEST(Random, HasStreamsThatAreNotCorrelated) {
  constexpr int kDraws = 200'000;
  Random a(5, 0);
  Random b(5, 1);
  double sum = 0;
  for (int i = 0; i < kDraws; ++i) sum += (a.uniform() - 0.5) * (b.uniform() - 0.5);
  EXPECT_LT(std::abs(sum * 12 / kDraws), 5 / std::sqrt(kDraws));
}

// Written as hexadecimal: the bits must be equal on every machine and with every compiler.
TEST(Random, GivesFrozenUniformNumbers) {
  constexpr double kExpected[] = {0x1.ce68099f19db8p-1, 0x1.f838b9b05057cp-3, 0x1.6f6982e7b6096p-1,
                                  0x1.11507e44382cep-2, 0x1.27de7caab50acp-1, 0x1.425a888cfd3cep-1,
                                  0x1.bc117ea4cc7dfp-1, 0x1.0eb389c57babcp-1};
  Random random(1, 2);
  for (const double expected : kExpected) EXPECT_EQ(random.uniform(), expected);
}

TEST(Random, GivesFrozenNormalNumbers) {
  constexpr double kExpected[] = {0x1.7d4cf5a7f62bdp-2,  -0x1.e019db04c6188p-3, 0x1.d4a75b3e05d87p-1,
                                  -0x1.f6038adc1705bp-1, 0x1.206472d995306p+0,  0x1.dff7cc57d276ap+0,
                                  0x1.1a0d49d989e0cp+0,  0x1.60c4b6f9ecdc3p-4};
  Random random(1, 2);
  for (const double expected : kExpected) EXPECT_EQ(random.normal(), expected);
}

TEST(Random, SpreadsUniformNumbersEvenlyOverTheirRange) {
  constexpr int kDraws = 1'000'000;
  Random random(11);
  double sum = 0;
  double squares = 0;
  std::vector<int64_t> counts(64);
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.uniform();
    ASSERT_GE(x, 0.0);
    ASSERT_LT(x, 1.0);
    ASSERT_EQ(x * 0x1p53, std::floor(x * 0x1p53));
    sum += x;
    squares += (x - 0.5) * (x - 0.5);
    ++counts[static_cast<std::size_t>(x * 64)];
  }
  EXPECT_NEAR(sum / kDraws, 0.5, 0.0015);
  EXPECT_NEAR(squares / kDraws, 1.0 / 12, 0.0004);
  EXPECT_LT(chi_squared(counts), kChi63);
}

TEST(Random, KeepsUniformNumbersBetweenTheGivenEnds) {
  Random random(12);
  double lowest = 10;
  double highest = -10;
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double x = random.uniform(-3, 5);
    lowest = std::min(lowest, x);
    highest = std::max(highest, x);
    sum += x;
  }
  EXPECT_GE(lowest, -3);
  EXPECT_LT(lowest, -2.99);
  EXPECT_LT(highest, 5);
  EXPECT_GT(highest, 4.99);
  EXPECT_NEAR(sum / 100'000, 1, 0.04);
}

TEST(Random, GivesNormalNumbersOfTheRightMeanVarianceAndTails) {
  constexpr int kDraws = 1'000'000;
  Random random(13);
  double sum = 0;
  double squares = 0;
  double neighbours = 0;
  double neighbour_squares = 0;
  double previous = 0;
  std::array<int, 5> above{};
  std::array<int, 5> below{};
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
    neighbours += x * previous;
    neighbour_squares += (x * x - 1) * (previous * previous - 1);
    previous = x;
    for (std::size_t k = 0; k < above.size(); ++k) {
      if (x > static_cast<double>(k)) ++above[k];
      if (x < -static_cast<double>(k)) ++below[k];
    }
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.005);
  EXPECT_NEAR(squares / kDraws, 1, 0.0071);
  EXPECT_NEAR(neighbours / kDraws, 0, 0.005);
  EXPECT_NEAR(neighbour_squares / kDraws, 0, 0.01);
  for (std::size_t k = 0; k < above.size(); ++k) {
    const double tail = std::erfc(static_cast<double>(k) / std::sqrt(2.0)) / 2;
    const double allowed = 5 * std::sqrt(tail / kDraws);
    EXPECT_NEAR(above[k] / static_cast<double>(kDraws), tail, allowed) << k;
    EXPECT_NEAR(below[k] / static_cast<double>(kDraws), tail, allowed) << k;
  }
}

TEST(Random, DrawsBelowABoundWithoutBias) {
  Random random(14);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(random.below(1), 0U);
  std::vector<int64_t> counts(6);
  for (int i = 0; i < 600'000; ++i) {
    const uint64_t x = random.below(6);
    ASSERT_LT(x, 6U);
    ++counts[x];
  }
  EXPECT_LT(chi_squared(counts), kChi5);
  // A mere remainder would give the lowest third of this bound half of all draws.
  constexpr uint64_t kThird = 1ULL << 62;
  int64_t lowest = 0;
  for (int i = 0; i < 100'000; ++i) {
    const uint64_t x = random.below(3 * kThird);
    ASSERT_LT(x, 3 * kThird);
    if (x < kThird) ++lowest;
  }
  EXPECT_NEAR(static_cast<double>(lowest) / 100'000, 1.0 / 3, 0.008);
}

TEST(Random, TakesTheLargestBound) {
  Random random(15);
  uint64_t highest = 0;
  for (int i = 0; i < 1000; ++i) highest = std::max(highest, random.below(UINT64_MAX));
  EXPECT_GT(highest, UINT64_MAX / 100 * 98);
  EXPECT_LT(highest, UINT64_MAX);
}

TEST(Random, ShufflesToAPermutationThatDependsOnTheSeed) {
  std::vector<int64_t> ordered(1000);
  std::iota(ordered.begin(), ordered.end(), 0);
  std::vector<int64_t> a = ordered;
  std::vector<int64_t> again = ordered;
  std::vector<int64_t> b = ordered;
  Random(1).shuffle(a);
  Random(1).shuffle(again);
  Random(2).shuffle(b);
  EXPECT_EQ(a, again);
  EXPECT_NE(a, b);
  EXPECT_NE(a, ordered);
  EXPECT_TRUE(std::is_permutation(a.begin(), a.end(), ordered.begin()));
  EXPECT_TRUE(std::is_permutation(b.begin(), b.end(), ordered.begin()));
}

TEST(Random, ShufflesToEachPermutationEquallyOften) {
  Random random(16);
  std::vector<int64_t> counts(6);
  for (int i = 0; i < 60'000; ++i) {
    std::vector<int64_t> x = {0, 1, 2};
    random.shuffle(x);
    std::size_t rank = 0;
    std::vector<int64_t> permutation = {0, 1, 2};
    while (permutation != x) {
      std::next_permutation(permutation.begin(), permutation.end());
      ++rank;
    }
    ++counts[rank];
  }
  EXPECT_LT(chi_squared(counts), kChi5);
}

TEST(Random, ShufflesNothingAndOneValue) {
  std::vector<int64_t> one = {42};
  Random(1).shuffle({});
  Random(1).shuffle(one);
  EXPECT_EQ(one, std::vector<int64_t>{42});
}

double ulps_off(double x) {
  const long double exact = std::log(static_cast<long double>(x));
  const double nearest = std::abs(static_cast<double>(exact));
  const double ulp = std::nextafter(nearest, std::numeric_limits<double>::infinity()) - nearest;
  return static_cast<double>(std::abs(static_cast<long double>(portable_log(x)) - exact)) / ulp;
}

TEST(PortableLog, IsWithinTwoUlpOverAllMagnitudes) {
  Random random(17);
  double worst = 0;
  double at = 0;
  const auto check = [&](double x) {
    const double off = ulps_off(x);
    if (!(off <= worst)) {
      worst = off;
      at = x;
    }
  };
  for (int i = 0; i < 500'000; ++i) {
    check(std::ldexp(random.uniform(0.5, 1), static_cast<int>(random.below(2040)) - 1020));
    check(random.uniform(1e-6, 4));
  }
  check(std::numeric_limits<double>::min());
  check(std::numeric_limits<double>::max());
  EXPECT_LE(worst, 2) << at;
}

TEST(PortableLog, IsWithinTwoUlpNearOneAndNearItsSeams) {
  Random random(18);
  for (const double seam : {1.0, std::sqrt(0.5), std::sqrt(2.0), 0.5, 2.0, 2 * std::sqrt(2.0)}) {
    for (int i = 0; i < 50'000; ++i) {
      const double off = std::ldexp(random.uniform(0.5, 1), -static_cast<int>(random.below(52)) - 2);
      ASSERT_LE(ulps_off(seam * (1 + off)), 2) << seam << " " << off;
      ASSERT_LE(ulps_off(seam * (1 - off)), 2) << seam << " " << -off;
    }
    for (double below = seam, above = seam, i = 0; i < 100; ++i) {
      below = std::nextafter(below, 0.0);
      above = std::nextafter(above, 10.0);
      ASSERT_LE(ulps_off(below), 2) << below;
      ASSERT_LE(ulps_off(above), 2) << above;
    }
  }
  EXPECT_EQ(portable_log(1), 0);
}

}  // namespace
}  // namespace t2v
