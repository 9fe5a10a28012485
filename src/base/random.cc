#include "base/random.h"

#include <bit>
#include <cmath>
#include <utility>

namespace t2v {
namespace {

constexpr uint32_t kMultiplier0 = 0xD2511F53;
constexpr uint32_t kMultiplier1 = 0xCD9E8D57;
constexpr uint32_t kWeyl0 = 0x9E3779B9;
constexpr uint32_t kWeyl1 = 0xBB67AE85;
constexpr int kRounds = 10;

uint32_t high(uint64_t x) { return static_cast<uint32_t>(x >> 32); }
uint32_t low(uint64_t x) { return static_cast<uint32_t>(x); }

}  // namespace

std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  std::array<uint32_t, 4> x = counter;
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t p0 = uint64_t{kMultiplier0} * x[0];
    const uint64_t p1 = uint64_t{kMultiplier1} * x[2];
    x = {high(p1) ^ x[1] ^ key[0], low(p1), high(p0) ^ x[3] ^ key[1], low(p0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return x;
}

uint32_t Random::next32() {
  if (used_ == 4) {
    ready_ = philox({low(block_), high(block_), low(stream_), high(stream_)}, {low(seed_), high(seed_)});
    ++block_;
    used_ = 0;
  }
  return ready_[static_cast<std::size_t>(used_++)];
}

uint64_t Random::next64() {
  const uint64_t first = next32();
  return first << 32 | next32();
}

double Random::uniform() { return static_cast<double>(next64() >> 11) * 0x1p-53; }

double Random::normal() {
  if (std::exchange(has_spare_, false)) return spare_;
  double u = 0;
  double v = 0;
  double s = 0;
  do {
    u = uniform(-1, 1);
    v = uniform(-1, 1);
    s = u * u + v * v;
  } while (s >= 1 || s < 0x1p-1000);
  const double scale = std::sqrt(-2 * portable_log(s) / s);
  spare_ = v * scale;
  has_spare_ = true;
  return u * scale;
}

uint64_t Random::below(uint64_t bound) {
  // The largest multiple of bound that fits; draws at or above it would favour small values.
  const uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
  uint64_t draw = next64();
  while (draw >= limit) draw = next64();
  return draw % bound;
}

void Random::shuffle(std::span<int64_t> values) {
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
}

double portable_log(double x) {
  // x = m * 2^e with m in [sqrt(1/2), sqrt(2)); log m = 2 atanh((m-1)/(m+1)), a series in s^2 <= 0.0295.
  auto bits = std::bit_cast<uint64_t>(x);
  int64_t e = static_cast<int64_t>(bits >> 52) - 1022;
  bits = (bits & 0x000FFFFFFFFFFFFF) | 0x3FE0000000000000;
  auto m = std::bit_cast<double>(bits);
  if (m < 0.70710678118654752) {
    m *= 2;
    --e;
  }
  const double s = (m - 1) / (m + 1);
  const double z = s * s;
  double sum = 0;
  for (int n = 23; n >= 3; n -= 2) sum = z * (sum + 1.0 / n);
  constexpr double kLn2High = 0x1.62e42fefa38p-1;  // ln 2 = high + low; e * high is exact
  constexpr double kLn2Low = 0x1.ef35793c7673p-45;
  const auto exponent = static_cast<double>(e);
  return exponent * kLn2High + (2 * s + (2 * s * sum + exponent * kLn2Low));
}

}  // namespace t2v
