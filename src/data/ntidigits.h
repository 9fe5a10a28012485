#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "data/event_table.h"

namespace t2v::data {

/// What a person is told before such a file is read: afterwards may be too late.
inline constexpr std::string_view kHdf5Trust =
    "an HDF5 file is to come from a source that you trust; a manipulated one may crash its library";

enum class SpikeForm : uint8_t {
  kRaw,     // an event is a spike; its type is the channel
  kBinned,  // an event is a frame of spikes: their number in each channel, at the time of the last one
  kTimes,   // as binned, but only the times
};

struct NtidigitsOptions {
  bool single_digits = true;  // only utterances of one digit
  SpikeForm form = SpikeForm::kRaw;
  int64_t frame = 100;  // spikes of a frame
};

/// N-TIDIGITS18, an HDF5 file: the datasets train_labels and test_labels hold keys such as man-ja-10-7, whose
/// part behind the last dash is what was said; the groups {train,test}_timestamps and {train,test}_addresses
/// have a dataset for each key: seconds, and channels 0 to 63. A sample is a sequence, its class is what was
/// said. Times become whole nanoseconds; the last frame may have fewer spikes than the others. Throws
/// t2v::Error for what is missing or does not fit, by its key, and for a file whose datasets would become
/// more than 256 times as long as it is, and longer than 8 MiB. The file must come from a source that one
/// trusts: the library that reads it is not ours, and a manipulated file may crash it. Not to be called by
/// two threads at once.
EventTable import_ntidigits(const std::string& path, const NtidigitsOptions& options);

}  // namespace t2v::data
