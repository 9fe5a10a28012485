#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace t2v::data {

/// Times that are plain decimal numbers, as ticks of one common size: 10^-decimals of the source's unit, with
/// as many decimals as the number that has most, at most 18. Where that would not fit 64 bits, as many as fit
/// the largest number; what is finer is rounded (to even), which is counted. Even then a tick is at most
/// 10^-17 of the largest number, finer than a double tells apart.
class PlainTicks {
 public:
  /// Adds mantissa[i] * 10^-decimals[i]; a negative number of decimals is a number that does not fit, and
  /// must not be given.
  void add(std::span<const int64_t> mantissa, std::span<const int8_t> decimals);

  std::vector<int64_t>& ticks() { return ticks_; }
  int decimals() const { return decimals_; }
  int64_t rounded() const { return rounded_; }
  /// How many were rounded, as a sentence for people.
  std::string note() const;

 private:
  void rescale(int decimals);
  int64_t scaled(int64_t mantissa, int from, int to);

  std::vector<int64_t> ticks_;
  int decimals_ = 0;
  uint64_t largest_ = 0;  // size of the largest tick
  int64_t rounded_ = 0;
};

}  // namespace t2v::data
