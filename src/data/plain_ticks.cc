#include "data/plain_ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "data/decimal.h"

namespace t2v::data {
namespace {

constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
constexpr int kMostTickDecimals = 18;

uint64_t size_of(int64_t x) { return x < 0 ? 0 - static_cast<uint64_t>(x) : static_cast<uint64_t>(x); }

/// How many decimals more a number of this size may get.
int room(uint64_t size) {
  int more = 0;
  while (more < 18 && size <= kMost / kPowersOfTen[static_cast<std::size_t>(more) + 1]) ++more;
  return more;
}

}  // namespace

int64_t PlainTicks::scaled(int64_t mantissa, int from, int to) {
  if (to >= from) {
    const auto factor = static_cast<int64_t>(kPowersOfTen[static_cast<std::size_t>(std::min(to - from, 18))]);
    return mantissa * factor;  // zero, or known to fit
  }
  if (from - to > 18) {
    if (mantissa != 0) ++rounded_;
    return 0;
  }
  const auto divisor = static_cast<int64_t>(kPowersOfTen[static_cast<std::size_t>(from - to)]);
  const int64_t whole = mantissa / divisor;
  const uint64_t rest = size_of(mantissa % divisor);
  if (rest == 0) return whole;
  ++rounded_;
  const uint64_t other = static_cast<uint64_t>(divisor) - rest;
  const bool away = rest > other || (rest == other && whole % 2 != 0);
  return away ? whole + (mantissa < 0 ? -1 : 1) : whole;
}

void PlainTicks::rescale(int decimals) {
  if (decimals == decimals_) return;
  largest_ = 0;
  for (int64_t& tick : ticks_) {
    tick = scaled(tick, decimals_, decimals);
    largest_ = std::max(largest_, size_of(tick));
  }
  decimals_ = decimals;
}

void PlainTicks::add(std::span<const int64_t> mantissa, std::span<const int8_t> decimals) {
  // As many decimals as wanted, if all numbers then fit.
  int wanted = decimals_;
  for (const int8_t d : decimals) wanted = std::max(wanted, static_cast<int>(d));
  wanted = std::min(wanted, kMostTickDecimals);
  int fitting = std::min(wanted, largest_ == 0 ? wanted : decimals_ + room(largest_));
  for (std::size_t i = 0; i < mantissa.size(); ++i) {
    if (mantissa[i] != 0) fitting = std::min(fitting, decimals[i] + room(size_of(mantissa[i])));
  }
  rescale(fitting);
  const std::size_t before = ticks_.size();
  ticks_.resize(before + mantissa.size());
  for (std::size_t i = 0; i < mantissa.size(); ++i) {
    const int64_t tick = scaled(mantissa[i], decimals[i], decimals_);
    ticks_[before + i] = tick;
    largest_ = std::max(largest_, size_of(tick));
  }
}

std::string PlainTicks::note() const {
  return fmt::format("{} times have more than the {} decimals that fit beside the largest, and are rounded",
                     rounded_, decimals_);
}

}  // namespace t2v::data
