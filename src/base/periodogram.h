#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace t2v {

/// A sinusoid sin(ωτ + φ) in some data, and the share of the data's variance that it explains.
struct Period {
  double omega;
  double phi;
  double power;
};

/// Frequencies to look at: from `low` to `high`.
struct FrequencyRange {
  double low;
  double high;
};

/// The generalised Lomb-Scargle periodogram (Zechmeister and Kürster 2009: least squares of a sinusoid and a
/// constant at each frequency) of C values a time, targets [N, C]: its local maxima, strongest first.
/// The power at a frequency is the explained share of the variance of all columns together; the phase is that
/// of the column explained best. At most kMostTimes times, drawn by `seed`, and kMostFrequencies are looked
/// at.
std::vector<Period> strongest_periods(std::span<const double> tau, std::span<const double> targets,
                                      int64_t columns, FrequencyRange range, uint64_t seed = 0);

inline constexpr int64_t kMostTimes = 4096;
inline constexpr int64_t kMostFrequencies = 50000;

}  // namespace t2v
