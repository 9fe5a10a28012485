#include "kernels/time2vec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "base/random.h"
#include "compare.h"
#include "kernels/target.h"

namespace t2v::kernels {
namespace {

__extension__ typedef __float128 Quad;  // NOLINT(modernize-use-using): __extension__ takes no using

constexpr double kPi = std::numbers::pi;
constexpr float kGuard = 98765.0F;
constexpr Activation kAll[] = {Activation::kSin, Activation::kCos,     Activation::kTriangle,
                               Activation::kMod, Activation::kSigmoid, Activation::kTanh,
                               Activation::kRelu};

/// ωτ + φ: the product of two doubles has 106 bits and a Quad holds 113.
Quad exact_phase(double omega, double tau, double phi) {
  return static_cast<Quad>(omega) * static_cast<Quad>(tau) + static_cast<Quad>(phi);
}

/// x modulo 2π in [-π, π], for |x| up to some 1e13.
long double modulo_turn(Quad x) {
  static const Quad two_pi =
      2 * (static_cast<Quad>(0x1.921fb54442d18p+1) + static_cast<Quad>(0x1.1a62633145c07p-53) +
           static_cast<Quad>(-0x1.f1976b7ed8fbcp-109));
  const double turns = std::nearbyint(static_cast<double>(x) / (2 * kPi));
  Quad r = x - static_cast<Quad>(turns) * two_pi;
  if (r > two_pi / 2) r -= two_pi;
  if (r < -two_pi / 2) r += two_pi;
  return static_cast<long double>(r);
}

double ulp_of_float(long double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return std::ldexp(1.0, std::max(exponent - 24, -149));
}

/// |a - b| on the circle.
double angle_between(double a, long double b) {
  constexpr long double kPiLong = std::numbers::pi_v<long double>;
  const long double off = std::abs(static_cast<long double>(a) - b);
  return static_cast<double>(std::min(off, std::abs(2 * kPiLong - off)));
}

struct Case {
  std::vector<double> omega;
  std::vector<double> phi;
  std::vector<double> tau;

  Terms<double> terms(Activation activation, bool linear = false) const {
    return {activation, linear, static_cast<int64_t>(omega.size()), omega.data(), phi.data()};
  }
};

double log_uniform(Random& random, double low, double high) {
  return std::exp(random.uniform(std::log(low), std::log(high)));
}
double sign(Random& random) { return random.below(2) == 0 ? 1 : -1; }

constexpr std::size_t kTerms = 37;
constexpr std::size_t kTimes = 41;
constexpr int kCases = 200;

double random_phi(Random& random) {
  switch (random.below(4)) {
    case 0:
      return 0;
    case 1:
      return sign(random) * log_uniform(random, 1e-3, 1e12);
    default:
      return random.uniform(-kPi, kPi);
  }
}

/// |ωτ| from 1e-3 to 1e12, evenly in size, with τ of any size.
Case any_sizes(Random& random) {
  Case c;
  const double scale = log_uniform(random, 1e-6, 1e18);
  for (std::size_t i = 0; i < kTerms; ++i) {
    c.omega.push_back(sign(random) * log_uniform(random, 0.032, 1e12) / scale);
    c.phi.push_back(random_phi(random));
  }
  for (std::size_t u = 0; u < kTimes; ++u) {
    c.tau.push_back(sign(random) * scale * log_uniform(random, 0.032, 1));
  }
  return c;
}

/// Seconds, or nanoseconds, since 1970, with periods from a minute to ten years.
Case unix_times(Random& random) {
  Case c;
  const double unit = random.below(2) == 0 ? 1 : 1e9;
  for (std::size_t i = 0; i < kTerms; ++i) {
    c.omega.push_back(sign(random) * 2 * kPi / (unit * log_uniform(random, 60, 3.2e8)));
    c.phi.push_back(random_phi(random));
  }
  for (std::size_t u = 0; u < kTimes; ++u) c.tau.push_back(unit * (1.7e9 + random.uniform(-1e8, 1e8)));
  return c;
}

/// Small whole multiples of π/2 and their neighbours, where the reduction changes its mind.
Case seams(Random& random) {
  Case c;
  for (std::size_t i = 0; i < kTerms; ++i) {
    c.omega.push_back(kPi / 2 * (1 + (static_cast<double>(random.below(5)) - 2) * 0x1p-52));
    c.phi.push_back(random.below(2) == 0 ? 0 : kPi / 2 * (static_cast<double>(random.below(9)) - 4));
  }
  for (std::size_t u = 0; u < kTimes; ++u) c.tau.push_back(static_cast<double>(random.below(100)) - 50);
  return c;
}

Case hard_case(int number, Random& random) {
  if (number % 4 == 2) return unix_times(random);
  if (number % 40 == 3) return seams(random);
  return any_sizes(random);
}

/// Calls body(case, row-major exact phases in [-π, π]) for some 300,000 phases.
template <class Body>
void over_hard_cases(const Body& body) {
  Random random(20);
  std::vector<long double> exact(kTerms * kTimes);
  for (int number = 0; number < kCases; ++number) {
    const Case c = hard_case(number, random);
    for (std::size_t u = 0; u < kTimes; ++u) {
      for (std::size_t i = 0; i < kTerms; ++i) {
        ASSERT_LE(std::abs(c.omega[i] * c.tau[u]), 1.001 * kMaxPhase);
        exact[u * kTerms + i] = modulo_turn(exact_phase(c.omega[i], c.tau[u], c.phi[i]));
      }
    }
    body(c, exact);
    if (::testing::Test::HasFailure()) return;
  }
}

struct Output {
  std::vector<float> value;
  std::vector<float> slope;
};

Output forward(const Case& c, Activation activation, bool linear = false) {
  Output y;
  const std::size_t count = c.omega.size();
  y.value.assign(count * c.tau.size(), kGuard);
  y.slope.assign(count * c.tau.size(), kGuard);
  time2vec_forward(y.value.data(), y.slope.data(), static_cast<int64_t>(count), c.terms(activation, linear),
                   c.tau);
  return y;
}

TEST(Oracle, ReducesKnownPhases) {
  EXPECT_EQ(static_cast<double>(modulo_turn(1)), 1);
  EXPECT_NEAR(static_cast<double>(modulo_turn(4)), 4 - 2 * kPi, 1e-15);
  EXPECT_NEAR(static_cast<double>(std::sin(modulo_turn(static_cast<Quad>(1e12)))), std::sin(1e12), 1e-15);
  EXPECT_NEAR(static_cast<double>(std::cos(modulo_turn(static_cast<Quad>(-987654321012.0)))),
              std::cos(-987654321012.0), 1e-15);
}

TEST(Time2VecPhases, AreWithinAMillionthOfARadianAndInFactMuchCloser) {
  double worst = 0;
  std::vector<double> phase(kTerms * kTimes);
  over_hard_cases([&](const Case& c, const std::vector<long double>& exact) {
    time2vec_phases(phase.data(), c.terms(Activation::kSin), c.tau);
    for (std::size_t at = 0; at < phase.size(); ++at) {
      const double off = angle_between(phase[at], exact[at]);
      ASSERT_LE(off, 1e-6) << "omega " << c.omega[at % kTerms] << ", tau " << c.tau[at / kTerms] << ", phi "
                           << c.phi[at % kTerms];
      ASSERT_LE(std::abs(phase[at]), kPi + 1e-14);
      worst = std::max(worst, off);
    }
  });
  EXPECT_LE(worst, 2e-15) << active_target();
  ::testing::Test::RecordProperty("worst", ::testing::PrintToString(worst * 1e15) + "e-15");
}

/// Expects value and slope to be within `ulps` of the last place of exact numbers, given by two functions of
/// the exact phase, wherever `smooth` says that they do not jump.
template <class Value, class Slope, class Smooth>
void expect_periodic(Activation activation, double ulps, const Value& value, const Slope& slope,
                     const Smooth& smooth) {
  int64_t compared = 0;
  over_hard_cases([&](const Case& c, const std::vector<long double>& exact) {
    const Output y = forward(c, activation);
    for (std::size_t at = 0; at < exact.size(); ++at) {
      if (!smooth(exact[at])) continue;
      ++compared;
      const long double v = value(exact[at]);
      const long double s = slope(exact[at]);
      ASSERT_LE(std::abs(static_cast<long double>(y.value[at]) - v), ulps * ulp_of_float(v) + 1e-14)
          << "value " << y.value[at] << " instead of " << v << " at omega " << c.omega[at % kTerms]
          << ", tau " << c.tau[at / kTerms] << ", phi " << c.phi[at % kTerms];
      ASSERT_LE(std::abs(static_cast<long double>(y.slope[at]) - s), ulps * ulp_of_float(s) + 1e-14)
          << "slope " << y.slope[at] << " instead of " << s << " at omega " << c.omega[at % kTerms]
          << ", tau " << c.tau[at / kTerms] << ", phi " << c.phi[at % kTerms];
    }
  });
  EXPECT_GT(compared, 250'000);
}

/// Times that are their own reduced phase: within a quarter turn, down to the last place before its ends and
/// to tiny ones.
std::vector<double> reduced_phases() {
  std::vector<double> phases = {0, 1e-300, 1e-30, kPi / 2, -kPi / 2};
  double near_end = kPi / 2;
  for (int i = 0; i < 50; ++i) phases.push_back(near_end = std::nextafter(near_end, 0));
  Random random(8);
  for (int i = 0; i < 50'000; ++i) {
    const double share = random.uniform();
    phases.push_back((i % 2 == 0 ? 1 : -1) * kPi / 2 * share);
    phases.push_back(kPi / 2 - std::pow(10, -16 * share));
    phases.push_back(std::pow(10, -40 * share));
  }
  return phases;
}

TEST(Time2VecForward, HasSineAndCosineOfTheReducedPhaseWithinTwoUlp) {
  const std::vector<double> tau = reduced_phases();
  const double omega = 1;
  const double phi = 0;
  std::vector<float> sine(tau.size());
  std::vector<float> cosine(tau.size());
  std::vector<float> slope(tau.size());
  time2vec_forward(sine.data(), slope.data(), 1, {Activation::kSin, false, 1, &omega, &phi}, tau);
  time2vec_forward(cosine.data(), nullptr, 1, {Activation::kCos, false, 1, &omega, &phi}, tau);
  for (std::size_t i = 0; i < tau.size(); ++i) {
    const long double s = std::sin(static_cast<long double>(tau[i]));
    const long double c = std::cos(static_cast<long double>(tau[i]));
    ASSERT_LE(std::abs(static_cast<long double>(sine[i]) - s), 2 * ulp_of_float(s)) << tau[i];
    ASSERT_LE(std::abs(static_cast<long double>(cosine[i]) - c), 2 * ulp_of_float(c)) << tau[i];
    ASSERT_LE(std::abs(static_cast<long double>(slope[i]) - c), 2 * ulp_of_float(c)) << tau[i];
  }
}

constexpr long double kPiLong = std::numbers::pi_v<long double>;

bool anywhere(long double) { return true; }

TEST(Time2VecForward, HasExactSines) {
  expect_periodic(
      Activation::kSin, 2, [](long double x) { return std::sin(x); },
      [](long double x) { return std::cos(x); }, anywhere);
}

TEST(Time2VecForward, HasExactCosines) {
  expect_periodic(
      Activation::kCos, 2, [](long double x) { return std::cos(x); },
      [](long double x) { return -std::sin(x); }, anywhere);
}

TEST(Time2VecForward, HasExactTriangles) {
  expect_periodic(
      Activation::kTriangle, 1,
      [](long double x) {
        const long double size = std::abs(x);
        return std::copysign(size <= kPiLong / 2 ? size : kPiLong - size, x) * 2 / kPiLong;
      },
      [](long double x) { return (std::abs(x) < kPiLong / 2 ? 2 : -2) / kPiLong; },
      [](long double x) { return std::abs(std::abs(x) - kPiLong / 2) > 1e-9L; });
}

TEST(Time2VecForward, HasExactRemaindersAwayFromTheirJump) {
  expect_periodic(
      Activation::kMod, 1, [](long double x) { return (x < 0 ? x + 2 * kPiLong : x) / kPiLong - 1; },
      [](long double) { return 1 / kPiLong; }, [](long double x) { return std::abs(x) > 1e-9L; });
}

TEST(Time2VecForward, HasALinearTermWithinOneUlp) {
  Random random(21);
  for (int number = 0; number < 2000; ++number) {
    Case c = hard_case(number, random);
    if (number % 5 == 0) {
      // Cancellation: what rounding the product would lose is all that is left.
      c.phi[0] = -c.omega[0] * c.tau[0];
    }
    const Output y = forward(c, Activation::kSin, true);
    for (std::size_t u = 0; u < kTimes; ++u) {
      const auto x = static_cast<long double>(exact_phase(c.omega[0], c.tau[u], c.phi[0]));
      ASSERT_LE(std::abs(static_cast<long double>(y.value[u * kTerms]) - x), ulp_of_float(x))
          << "omega " << c.omega[0] << ", tau " << c.tau[u] << ", phi " << c.phi[0];
      ASSERT_EQ(y.slope[u * kTerms], 1.0F);
    }
  }
}

/// Phases within some 50 rad, which double resolves too.
Case small_case(std::size_t count, std::size_t times, Random& random) {
  Case c;
  for (std::size_t i = 0; i < count; ++i) {
    c.omega.push_back(random.uniform(-2, 2));
    c.phi.push_back(random.uniform(-kPi, kPi));
  }
  for (std::size_t u = 0; u < times; ++u) c.tau.push_back(sign(random) * log_uniform(random, 0.01, 25));
  return c;
}

bool near_a_kink(Activation activation, double x) {
  const double kinks = activation == Activation::kTriangle ? x / kPi - 0.5 : x / (2 * kPi);
  if (activation == Activation::kRelu) return std::abs(x) < 1e-9;
  if (activation != Activation::kTriangle && activation != Activation::kMod) return false;
  return std::abs(kinks - std::nearbyint(kinks)) < 1e-9;
}

TEST(Time2VecForward, IsTheTwinWithItsSlopesForEveryActivation) {
  Random random(22);
  for (const Activation activation : kAll) {
    for (int number = 0; number < 20; ++number) {
      const Case c = small_case(kTerms, kTimes, random);
      const Output y = forward(c, activation, true);
      std::vector<double> value(y.value.size());
      std::vector<double> slope(y.value.size());
      time2vec_forward(value.data(), slope.data(), static_cast<int64_t>(kTerms), c.terms(activation, true),
                       c.tau);
      for (std::size_t at = 0; at < value.size(); ++at) {
        const double x = c.omega[at % kTerms] * c.tau[at / kTerms] + c.phi[at % kTerms];
        if (near_a_kink(activation, x)) continue;
        ASSERT_LE(std::abs(static_cast<double>(y.value[at]) - value[at]),
                  4e-7 * std::max(1.0, std::abs(value[at])))
            << "activation " << static_cast<int>(activation) << " of " << x;
        ASSERT_LE(std::abs(static_cast<double>(y.slope[at]) - slope[at]), 4e-7)
            << "slope of activation " << static_cast<int>(activation) << " of " << x;
      }
    }
  }
}

TEST(Time2VecForward, SaturatesWithoutOverflow) {
  const Case c = {{1, -1}, {0, 0}, {1e3, 1e12}};
  for (const Activation activation : {Activation::kSigmoid, Activation::kTanh, Activation::kRelu}) {
    const Output y = forward(c, activation);
    for (std::size_t u = 0; u < 2; ++u) {
      const double low = activation == Activation::kTanh ? -1 : 0;
      const double high = activation == Activation::kRelu ? c.tau[u] : 1;
      EXPECT_NEAR(static_cast<double>(y.value[2 * u]), high, 1e-7 * high);
      EXPECT_NEAR(static_cast<double>(y.value[2 * u + 1]), low, 1e-30);
      EXPECT_EQ(y.slope[2 * u], activation == Activation::kRelu ? 1.0F : 0.0F);
      EXPECT_NEAR(y.slope[2 * u + 1], 0, 1e-30);
    }
  }
}

constexpr std::size_t kCounts[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 65};
constexpr std::size_t kRows[] = {1, 2, 63, 64, 65, 128, 130};

// Each number alone is the reference, to the bit: no term may depend on its neighbours or on its place.
TEST(Time2VecForward, WritesItsColumnsAloneForAnyCountAndStride) {
  Random random(23);
  for (const Activation activation : kAll) {
    for (const std::size_t count : kCounts) {
      for (const std::size_t rows : {kRows[random.below(7)], kRows[random.below(7)], std::size_t{130}}) {
        for (const bool linear : {false, true}) {
          const std::size_t stride = count + random.below(6);
          const Case c = small_case(count, rows, random);
          std::vector<float> value(stride * rows + 8, kGuard);
          std::vector<float> slope(stride * rows + 8, kGuard);
          std::vector<float> alone(stride * rows + 8, kGuard);
          const Terms<double> terms = c.terms(activation, linear);
          time2vec_forward(value.data(), slope.data(), static_cast<int64_t>(stride), terms, c.tau);
          time2vec_forward(alone.data(), nullptr, static_cast<int64_t>(stride), terms, c.tau);
          ASSERT_EQ(value, alone) << "without slopes";
          for (std::size_t at = 0; at < value.size(); ++at) {
            const std::size_t i = at % stride;
            const std::size_t u = at / stride;
            float expected_value = kGuard;
            float expected_slope = kGuard;
            if (i < count && u < rows) {
              const Terms<double> one = {activation, linear && i == 0, 1, &c.omega[i], &c.phi[i]};
              time2vec_forward(&expected_value, &expected_slope, 1, one, std::span(c.tau).subspan(u, 1));
            }
            ASSERT_EQ(value[at], expected_value) << "row " << u << ", column " << i << " of " << count;
            ASSERT_EQ(slope[at], expected_slope) << "row " << u << ", column " << i << " of " << count;
          }
        }
      }
    }
  }
}

// So many numbers go past the caches; any start, aligned or not.
TEST(Time2VecForward, WritesALargeOutputAsItWritesASmallOne) {
  Random random(29);
  const std::size_t count = 65;
  const std::size_t rows = 10'001;
  const Case c = small_case(count, rows, random);
  const Terms<double> terms = c.terms(Activation::kSin, true);
  std::vector<float> small(count * rows);
  for (std::size_t u = 0; u < rows; ++u) {
    time2vec_forward(small.data() + u * count, nullptr, count, terms, std::span(c.tau).subspan(u, 1));
  }
  for (const std::size_t shift : {0, 1, 7, 16}) {
    std::vector<float> large(shift + small.size() + 16, kGuard);
    time2vec_forward(large.data() + shift, nullptr, count, terms, c.tau);
    for (std::size_t at = 0; at < large.size(); ++at) {
      const bool inside = at >= shift && at < shift + small.size();
      ASSERT_EQ(large[at], inside ? small[at - shift] : kGuard) << "shift " << shift << ", number " << at;
    }
  }
}

TEST(Time2VecForward, WritesNothingWithoutTimes) {
  const Case c = {{1, 2}, {0, 0}, {}};
  float value = kGuard;
  time2vec_forward(&value, nullptr, 2, c.terms(Activation::kSin), c.tau);
  EXPECT_EQ(value, kGuard);
}

TEST(Time2VecForward, HasNothingButTheLinearTermIfThatIsAll) {
  const Case c = {{0.5}, {1}, {2, 4, 6}};
  const Output y = forward(c, Activation::kCos, true);
  EXPECT_EQ(y.value, (std::vector<float>{2, 3, 4}));
  EXPECT_EQ(y.slope, (std::vector<float>{1, 1, 1}));
}

TEST(Time2VecBackward, IsTheTwinAndAddsToItsSums) {
  Random random(24);
  for (const std::size_t count : kCounts) {
    for (const std::size_t rows : kRows) {
      const std::size_t stride = count + random.below(4);
      const Case c = small_case(count, rows, random);
      std::vector<float> dvalue(stride * rows, kGuard);
      std::vector<float> slope(stride * rows, kGuard);
      for (std::size_t at = 0; at < dvalue.size(); ++at) {
        if (at % stride >= count) continue;
        dvalue[at] = static_cast<float>(random.normal());
        slope[at] = static_cast<float>(random.normal());
      }
      constexpr double kStart = 0.125;
      std::vector<double> domega(count + 8, kStart);
      std::vector<double> dphi(count + 8, kStart);
      std::vector<double> expected_omega(count, kStart);
      std::vector<double> expected_phi(count, kStart);
      const std::vector<double> wide_dvalue(dvalue.begin(), dvalue.end());
      const std::vector<double> wide_slope(slope.begin(), slope.end());
      time2vec_backward(domega.data(), dphi.data(), dvalue.data(), slope.data(), static_cast<int64_t>(stride),
                        static_cast<int64_t>(count), c.tau);
      time2vec_backward(expected_omega.data(), expected_phi.data(), wide_dvalue.data(), wide_slope.data(),
                        static_cast<int64_t>(stride), static_cast<int64_t>(count), c.tau);
      for (std::size_t i = count; i < count + 8; ++i) {
        ASSERT_EQ(domega[i], kStart) << "beyond the end";
        ASSERT_EQ(dphi[i], kStart) << "beyond the end";
      }
      domega.resize(count);
      dphi.resize(count);
      const std::string name = std::to_string(count) + " terms, " + std::to_string(rows) + " times";
      testing::expect_close(domega, expected_omega, 1e-6, "domega of " + name);
      testing::expect_close(dphi, expected_phi, 1e-6, "dphi of " + name);
      // Sums are kept in double, so they are far closer than floats would be.
      testing::expect_close(domega, expected_omega, 1e-13, "domega of " + name);
      if (HasFailure()) return;
    }
  }
}

constexpr double kStep = 1e-100;

TEST(Time2VecTwin, HasTheSlopesOfTheComplexStep) {
  Random random(25);
  for (const Activation activation : kAll) {
    for (int i = 0; i < 2000; ++i) {
      const double x = random.uniform(-20, 20);
      if (near_a_kink(activation, x)) continue;
      const ValueAndSlope<double> y = activate(activation, x);
      const Complex stepped = activate(activation, Complex(x, kStep)).value;
      ASSERT_NEAR(y.value, stepped.real(), 1e-12) << static_cast<int>(activation) << " of " << x;
      ASSERT_NEAR(y.slope, stepped.imag() / kStep, 1e-12) << static_cast<int>(activation) << " of " << x;
    }
  }
}

TEST(Time2VecTwin, HasTheValuesOfTheDefinitions) {
  Random random(26);
  for (int i = 0; i < 2000; ++i) {
    const double x = random.uniform(-20, 20);
    const double remainder = x - 2 * kPi * std::floor(x / (2 * kPi));
    const std::array<double, 7> expected = {std::sin(x),
                                            std::cos(x),
                                            2 / kPi * std::asin(std::sin(x)),
                                            remainder / kPi - 1,
                                            1 / (1 + std::exp(-x)),
                                            std::tanh(x),
                                            std::max(x, 0.0)};
    for (std::size_t a = 0; a < expected.size(); ++a) {
      // The arcsine is as steep as a wall where the triangle turns, and loses half of the digits.
      const double tolerance = kAll[a] == Activation::kTriangle ? 1e-7 : 1e-13;
      ASSERT_NEAR(activate(kAll[a], x).value, expected[a], tolerance) << a << " of " << x;
    }
  }
}

TEST(Time2VecTwin, HasTheGradientOfTheComplexStep) {
  Random random(27);
  constexpr std::size_t kCount = 5;
  for (const Activation activation : kAll) {
    for (const bool linear : {false, true}) {
      const Case c = small_case(kCount, 9, random);
      std::vector<double> dvalue(kCount * 9);
      for (double& d : dvalue) d = random.normal();
      std::vector<double> value(kCount * 9);
      std::vector<double> slope(kCount * 9);
      time2vec_forward(value.data(), slope.data(), static_cast<int64_t>(kCount), c.terms(activation, linear),
                       c.tau);
      std::vector<double> domega(kCount);
      std::vector<double> dphi(kCount);
      time2vec_backward(domega.data(), dphi.data(), dvalue.data(), slope.data(), static_cast<int64_t>(kCount),
                        static_cast<int64_t>(kCount), c.tau);
      for (std::size_t i = 0; i < 2 * kCount; ++i) {
        std::vector<Complex> omega(c.omega.begin(), c.omega.end());
        std::vector<Complex> phi(c.phi.begin(), c.phi.end());
        (i < kCount ? omega[i] : phi[i - kCount]) += Complex(0, kStep);
        const Terms<Complex> terms = {activation, linear, static_cast<int64_t>(kCount), omega.data(),
                                      phi.data()};
        std::vector<Complex> stepped(kCount * 9);
        time2vec_forward(stepped.data(), static_cast<Complex*>(nullptr), static_cast<int64_t>(kCount), terms,
                         c.tau);
        double derivative = 0;
        for (std::size_t at = 0; at < dvalue.size(); ++at)
          derivative += dvalue[at] * stepped[at].imag() / kStep;
        ASSERT_NEAR(i < kCount ? domega[i] : dphi[i - kCount], derivative, 1e-12 * (1 + std::abs(derivative)))
            << static_cast<int>(activation) << ", parameter " << i;
      }
    }
  }
}

}  // namespace
}  // namespace t2v::kernels
