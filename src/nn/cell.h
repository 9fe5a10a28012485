#pragma once

#include <span>
#include <string_view>
#include <type_traits>

#include "kernels/cell.h"

namespace t2v::nn {

/// Column blocks [begin, end) of a cell's sums.
struct Blocks {
  int begin;
  int end;
  int count() const { return end - begin; }
};

template <class T>
struct CellFunctions {
  void (*forward)(const kernels::CellForward<T>&);
  void (*backward)(const kernels::CellBackward<T>&);
};

/// A recurrent cell: an entry of the one table. The driver (recurrent.h) owns the products; the cell says
/// which of its column blocks each source feeds, and does the arithmetic of its units.
struct Cell {
  std::string_view name;
  int blocks;          // column blocks of H sums each
  int vectors;         // weights per unit (peepholes)
  Blocks input;        // fed by events and features
  Blocks time;         // fed by the time vectors
  Blocks hidden;       // fed by the previous hidden state
  bool direct_hidden;  // the previous hidden state acts on the new one past the products too
  CellFunctions<float> fast;
  CellFunctions<double> twin;
  CellFunctions<Complex> complex;

  template <class T>
  const CellFunctions<T>& functions() const {
    if constexpr (std::is_same_v<T, float>) {
      return fast;
    } else if constexpr (std::is_same_v<T, double>) {
      return twin;
    } else {
      return complex;
    }
  }
};

/// A cell's entry from its formula (kernels/cell.h) and the blocks its sources feed.
template <class Formula>
constexpr Cell make_cell(std::string_view name, Blocks input, Blocks time, Blocks hidden,
                         CellFunctions<float> fast) {
  return {name,
          Formula::kBlocks,
          Formula::kVectors,
          input,
          time,
          hidden,
          Formula::kDirectHidden,
          fast,
          {kernels::cell_forward<Formula, double>, kernels::cell_backward<Formula, double>},
          {kernels::cell_forward<Formula, Complex>, kernels::cell_backward<Formula, Complex>}};
}

/// One a file, named after it.
const Cell& lstm();

/// All cells.
std::span<const Cell* const> cells();
/// By name; throws t2v::Error that lists the names.
const Cell& cell_from(std::string_view name);

}  // namespace t2v::nn
