#pragma once

#include "export/events.h"

namespace t2v::onnx {

/// The state of a layer, [B, H] each. Without tensors it is zero.
struct CellState {
  Tensor c;
  Tensor h;
};

/// What a layer makes of the events.
struct LayerTensors {
  Tensor all;       // [T, B, H], h after each event; beyond the end of a sequence it means nothing
  CellState after;  // after the last event of each sequence
};

/// Adds a layer: LSTM, with or without peepholes, and GRU as ONNX's own operators, the others as Scan, and
/// for a single step as the nodes of that step. `below`: outputs of the layer below, none for the first.
LayerTensors add_layer(EventTensors& events, const Tensor& below, const CellState& before, std::size_t layer,
                       const Model& model, const nn::Parameters<float>& parameters);

}  // namespace t2v::onnx
