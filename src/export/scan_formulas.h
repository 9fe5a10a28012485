#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "export/cells.h"

namespace t2v::onnx {

using Squash = Tensor (*)(const Tensor&);

/// One step of a cell, as its file in nn/ has it: from the sums of its blocks [B, H] and its weights per unit
/// [H].
struct ScanFormula {
  std::string_view name;
  CellState (*step)(const std::vector<Tensor>& sums, const std::vector<Tensor>& vectors,
                    const CellState& before, Squash inner);
};

/// The cells that are no operators of ONNX.
std::span<const ScanFormula> scan_formulas();

}  // namespace t2v::onnx
