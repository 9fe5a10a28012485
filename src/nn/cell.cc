#include "nn/cell.h"

#include <array>
#include <string>

#include "base/fail.h"

namespace t2v::nn {

std::span<const Cell* const> cells() {
  static const std::array kCells = {
      &lstm(),
  };
  return kCells;
}

const Cell& cell_from(std::string_view name) {
  std::string all;
  for (const Cell* cell : cells()) {
    if (cell->name == name) return *cell;
    all += (all.empty() ? "" : ", ") + std::string(cell->name);
  }
  fail("unknown cell '{}'; use one of {}", name, all);
}

}  // namespace t2v::nn
