#pragma once

#include <span>
#include <string_view>

#include "kernels/cell.h"

namespace t2v::nn {

/// Column blocks [begin, end) of a cell's sums.
struct Blocks {
  int begin;
  int end;
  int count() const { return end - begin; }
};

/// A recurrent cell: an entry of the one table. The driver (recurrent.h) owns the products; the cell says
/// which of its column blocks each source feeds, and does the arithmetic of its units.
struct Cell {
  std::string_view name;
  std::string_view inner = {};  // what squashes the time term within the time gates, if there are any
  int blocks;                   // column blocks of H sums each
  int vectors = 0;              // weights per unit (peepholes)
  Blocks input;                 // fed by events and features, or by the layer below
  Blocks time;                  // fed by the time vectors
  Blocks hidden;                // fed by the previous hidden state
  int forget = -1;              // the block of the forget gate
  int first_time_gate = -1;     // the block of the time term within T1, whose weights may be constrained
  int clock = -1;               // the block that a clock opens and shuts (clock.h)
  bool direct_hidden = false;   // the previous hidden state acts on the new one past the products too
  kernels::ByType<kernels::CellFunctions> functions;

  /// Whether time has gates of its own, in each layer; else it is an input of the first.
  bool has_time_gates() const { return !inner.empty(); }
};

// Each in the file of its name. `tanh` chooses what squashes the time term within the time gates.
Cell lstm();
Cell peephole();
Cell tlstm1(bool tanh);
Cell tlstm2(bool tanh);
Cell tlstm3(bool tanh);
Cell gru();
Cell phased();

/// All cells.
std::span<const Cell> cells();
/// By name and, for those with time gates, by `inner`. Throws t2v::Error that lists the names.
const Cell& cell_from(std::string_view name, std::string_view inner = "sigmoid");

}  // namespace t2v::nn
