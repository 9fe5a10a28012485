#pragma once

#include <string>
#include <vector>

#include "export/graph.h"
#include "export/onnx.h"

namespace t2v::onnx {

/// A line about a model, for people.
std::string about(const TrainedModel& model, const OnnxConfig& config);

/// What a program needs beside the graph to give it inputs and to read its outputs: docs/onnx.md lists it.
/// Throws t2v::Error for names that are not UTF-8.
std::vector<Note> notes_of(const TrainedModel& model, const OnnxConfig& config);

}  // namespace t2v::onnx
