#pragma once

#include <array>
#include <vector>

#include "export/graph.h"
#include "model/model.h"
#include "model/trained_model.h"

namespace t2v::onnx {

/// The events that a graph is given, as the rest of it needs them: T steps of B sequences, where a single
/// step has T = 1. What is given beyond the end of a sequence is replaced by zeros, so that it does no harm
/// however a runtime ends sequences.
struct EventTensors {
  bool single_step = false;
  Tensor lengths;                        // [B] int64, within 1..T; none for a single step
  Tensor there;                          // [T, B] bool, whether it is an event; none for a single step
  Tensor sizes;                          // [2] int64: T, B
  Tensor event;                          // [T, B] int64, if the model has types
  Tensor features;                       // [T, B, F] float, if it has features
  std::array<Tensor, kTimeInputs> taus;  // [T, B] double, those that it looks at
  std::vector<Tensor> times;             // [T, B, width] float, what its encoders make of them
  std::vector<Tensor> next_times;        // the same of the time of the next event, which timed heads see
  Tensor good;  // [T, B] bool, whether all that was given is in range; none if everything is

  /// To be kept in mind for `good`.
  void require(const Tensor& condition);
};

/// Adds the inputs of a graph, and what encodes them. Throws t2v::Error for features of equal names.
EventTensors add_events(Graph& graph, const TrainedModel& trained, const Model& model, bool single_step);

/// The name of the input of a feature's column.
std::string feature_input(const std::string& column);

}  // namespace t2v::onnx
