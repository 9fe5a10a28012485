#pragma once

#include <string_view>
#include <vector>

#include "export/cells.h"

namespace t2v::onnx {

/// A cell that is an operator of ONNX, with gates in another order than ours.
struct StandardCell {
  std::string_view name;
  std::string_view op;
  std::vector<int> input;    // for each gate of the operator, the block of ours that inputs feed
  std::vector<int> hidden;   // the block that the previous state feeds
  std::vector<int> vectors;  // for each peephole of the operator, ours
  bool has_cell;             // a state c beside h
  std::vector<Attribute> attributes = {};
};

/// Null for a cell that is none.
const StandardCell* find_standard_cell(std::string_view name);

/// See add_layer.
LayerTensors add_standard_layer(const StandardCell& cell, const EventTensors& events, const Tensor& below,
                                const CellState& before, std::size_t layer, const Model& model,
                                const nn::Parameters<float>& parameters);

}  // namespace t2v::onnx
