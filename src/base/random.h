#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace t2v {

/// Philox 4x32-10 (Salmon et al., SC 2011): a random function of (key, counter). The same arguments give the
/// same numbers on every machine and thread, in any order.
std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

/// A stream of random numbers, named by a seed and a stream number; streams are independent of each other.
/// Every method uses IEEE arithmetic alone (no libm), so all numbers are equal on all machines.
class Random {
 public:
  explicit Random(uint64_t seed, uint64_t stream = 0) : seed_(seed), stream_(stream) {}

  uint32_t next32();
  uint64_t next64();
  /// Uniform in [0, 1), a multiple of 2^-53.
  double uniform();
  /// Uniform in [low, high]; high itself only by rounding.
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Normal with mean 0 and standard deviation 1 (Marsaglia's polar method).
  double normal();
  /// Uniform in 0..bound-1, without bias; bound > 0.
  uint64_t below(uint64_t bound);
  /// A random permutation of the values (Fisher and Yates).
  void shuffle(std::span<int64_t> values);

 private:
  uint64_t seed_;
  uint64_t stream_;
  uint64_t block_ = 0;
  std::array<uint32_t, 4> ready_{};
  int used_ = 4;
  double spare_ = 0;
  bool has_spare_ = false;
};

/// The natural logarithm of a positive, normal number, within 2 ULP, from +, -, *, / alone.
double portable_log(double x);

}  // namespace t2v
