#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/packed_batch.h"
#include "base/periodogram.h"
#include "base/random.h"
#include "nn/time_encoder.h"

namespace t2v::nn {

/// A cycle that is not seen so often is a trend, which sequences to come do not follow.
inline constexpr double kSeenCycles = 6;

/// What the starts `span`, `cycles` and `periodogram` need to know about the data.
struct TimeScale {
  double span = 0;              // between the first and the last time
  double median_gap = 0;        // of the positive gaps
  std::vector<Period> periods;  // to start from
  double grid = 0;              // all times are multiples of it; 0 if that is not known

  FrequencyRange range() const;
  /// Of cycles: seen kSeenCycles times, and no shorter than the grid or an eighth of what gaps show.
  FrequencyRange cycles() const;
};

/// The span and the median gap of one time input. Gaps are those between consecutive events of a sequence,
/// or, where no sequence has two, those between all times in order; for the input `gap`, the values
/// themselves.
TimeScale time_scale(const SequenceBatch& data, TimeInput input);

/// The same with the strongest periods of the labels over the time of each sequence's last event.
TimeScale time_scale_of_labels(const SequenceBatch& data, TimeInput input, int64_t classes);

/// Sets by what raw, log and t2v measure times, from those of a batch: raw and the logarithms get mean 0 and
/// deviation 1, frequencies are in radians per span. Times that are all the same leave it as it is.
void measure(TimeEncoderConfig& encoder, const SequenceBatch& data);

/// Starting values for all terms of a Time2Vec encoder. ω and φ have a random stream each, so that neither
/// changes when the other is drawn differently. Throws t2v::Error if the start needs data and has none.
void start_frequencies(double* omega, double* phi, const TimeEncoderConfig& config, const TimeScale& scale,
                       Random& omega_random, Random& phi_random);

}  // namespace t2v::nn
