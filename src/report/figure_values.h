#pragma once

#include <string>
#include <vector>

#include "report/results.h"

namespace t2v::report {

/// A value of a figure, with its interval if it has one.
struct ValueCell {
  std::string text;  // "0.923 (0.918 to 0.928)"
  std::string html;  // the same, with the exact numbers
};

/// The numbers of a figure as a table: what the page shows below it, and what the pointer shows over it.
struct FigureValues {
  std::vector<std::string> columns;
  std::vector<std::vector<ValueCell>> rows;
};

/// A row for each x that occurs, a column for each series.
FigureValues values_of(const Figure& figure);

/// The value number `i` of a series.
ValueCell cell_of(const Series& series, std::size_t i, const Axis& y);

}  // namespace t2v::report
