#pragma once

#include <cstdint>

#include "data/column_sketch.h"

namespace t2v::data {

// How columns of the same rows go together, in the rows that their sketches hold.

/// Whether a value's rows all follow each other.
bool is_grouped(const ColumnSketch& column);
/// Rows of each value in the mean.
double rows_per_value(const ColumnSketch& column);
/// Whether two columns tell the same rows apart.
bool split_alike(const ColumnSketch& a, const ColumnSketch& b);

/// In how many groups of at least two rows of the same id a column has one value, and in how many it varies;
/// empty cells are left out.
struct Constancy {
  int64_t constant = 0;
  int64_t varying = 0;

  int64_t groups() const { return constant + varying; }
};
Constancy constancy(const ColumnSketch& column, const ColumnSketch& id);

/// Whether numbers or dates mostly do not fall from one row of an id to its next, and rise at least once.
bool rises_within(const ColumnSketch& column, const ColumnSketch& id);
/// Whether numbers or dates mostly do not fall from row to row, and rise at least once.
bool rises(const ColumnSketch& column);
/// Whether rows are sorted by id and then by a column, upwards or downwards: it mostly goes one way within an
/// id, and often the other way where the next id starts.
bool is_sorted_within(const ColumnSketch& column, const ColumnSketch& id);

/// Whether rows come as a panel: most times are shared by several rows, whose ids all differ.
bool is_panel(const ColumnSketch& id, const ColumnSketch& time);

}  // namespace t2v::data
