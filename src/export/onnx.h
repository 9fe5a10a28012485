#pragma once

#include <string>
#include <vector>

#include "base/file_system.h"
#include "model/trained_model.h"

namespace t2v {

struct OnnxConfig {
  bool single_step = false;  // one event of each sequence, with the state before it in and after it out
  bool every_event = false;  // outputs after every event, not after the last alone
};

/// |ωτ| up to here is encoded, with phases right to 1e-6 rad: a product of doubles is off by at most 6e-8
/// there.
inline constexpr double kMaxOnnxPhase = 1e9;

struct OnnxFile {
  std::string bytes;
  std::vector<std::string> inputs;  // names
  std::vector<std::string> outputs;
};

/// A model as a file of ONNX (docs/onnx.md says what goes in and comes out). Throws t2v::Error for a
/// model that leaves the range of exact phases on its own training data, for one that is too large for the
/// format, and for `every_event` where there is one prediction a sequence.
OnnxFile to_onnx(const TrainedModel& trained, const OnnxConfig& config);

/// Writes that to a file, at once.
OnnxFile export_onnx(FileSystem& files, const std::string& path, const TrainedModel& trained,
                     const OnnxConfig& config);

}  // namespace t2v
