#include "nn/cell.h"

#include <array>
#include <string>

#include "base/fail.h"
#include "base/text_check.h"

namespace t2v::nn {

std::span<const Cell> cells() {
  static const std::array kCells = {
      lstm(),       peephole(),    tlstm1(false), tlstm1(true), tlstm2(false),
      tlstm2(true), tlstm3(false), tlstm3(true),  gru(),        phased(),
  };
  return kCells;
}

const Cell& cell_from(std::string_view name, std::string_view inner) {
  if (inner != "sigmoid" && inner != "tanh") {
    fail("unknown squashing of the time gates '{}'; use sigmoid or tanh", shown(inner));
  }
  for (const Cell& cell : cells()) {
    if (cell.name == name && cell.inner == inner) return cell;
  }
  std::string all;
  for (const Cell& cell : cells()) {
    if (cell.name == name) return cell;  // without time gates
    if (cell.inner != "tanh") all += std::string(cell.name) + ", ";
  }
  fail("unknown cell '{}'; use one of {}none", shown(name), all);
}

}  // namespace t2v::nn
