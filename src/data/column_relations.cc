#include "data/column_relations.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

namespace t2v::data {
namespace {

/// Steps of a column from a row to a later one.
struct Steps {
  int64_t up = 0;
  int64_t level = 0;
  int64_t down = 0;

  void add(double from, double to) {
    if (std::isnan(from) || std::isnan(to)) return;
    ++(to > from ? up : to < from ? down : level);
  }
  int64_t all() const { return up + level + down; }
  /// Nineteen of twenty, so that a few rows out of order do not matter.
  bool rise() const { return up > 0 && down * 20 <= all(); }
  bool fall() const { return down > 0 && up * 20 <= all(); }
};

std::size_t codes_of(const ColumnSketch& column) { return static_cast<std::size_t>(column.distinct); }

/// The code that goes with each code of `a`, -1 for none yet; false if one goes with several.
bool maps_to(const ColumnSketch& a, const ColumnSketch& b) {
  std::vector<int32_t> other(codes_of(a), -1);
  for (std::size_t row = 0; row < std::min(a.codes.size(), b.codes.size()); ++row) {
    if (a.codes[row] < 0) continue;
    int32_t& seen = other[static_cast<std::size_t>(a.codes[row])];
    if (seen >= 0 && seen != b.codes[row]) return false;
    seen = b.codes[row];
  }
  return true;
}

/// From each row of an id to its next.
Steps steps_within(const ColumnSketch& column, const ColumnSketch& id) {
  std::vector<double> last(codes_of(id), std::nan(""));
  Steps steps;
  for (std::size_t row = 0; row < column.sizes.size(); ++row) {
    if (id.codes[row] < 0) continue;
    double& before = last[static_cast<std::size_t>(id.codes[row])];
    steps.add(before, column.sizes[row]);
    before = column.sizes[row];
  }
  return steps;
}

}  // namespace

bool is_grouped(const ColumnSketch& column) {
  int64_t runs = 0;
  for (std::size_t row = 0; row < column.codes.size(); ++row) {
    runs += row == 0 || column.codes[row] != column.codes[row - 1] ? 1 : 0;
  }
  return column.empty == 0 && runs == column.distinct;
}

double rows_per_value(const ColumnSketch& column) {
  return column.distinct == 0 ? 0
                              : static_cast<double>(column.filled()) / static_cast<double>(column.distinct);
}

bool split_alike(const ColumnSketch& a, const ColumnSketch& b) { return maps_to(a, b) && maps_to(b, a); }

Constancy constancy(const ColumnSketch& column, const ColumnSketch& id) {
  enum : uint8_t { kNew, kOnce, kConstant, kVarying };
  std::vector<uint8_t> state(codes_of(id), kNew);
  std::vector<int32_t> first(codes_of(id), -1);
  for (std::size_t row = 0; row < column.codes.size(); ++row) {
    if (id.codes[row] < 0 || column.codes[row] < 0) continue;
    const auto group = static_cast<std::size_t>(id.codes[row]);
    if (state[group] == kNew) {
      first[group] = column.codes[row];
      state[group] = kOnce;
    } else if (first[group] != column.codes[row]) {
      state[group] = kVarying;
    } else if (state[group] == kOnce) {
      state[group] = kConstant;
    }
  }
  return {std::ranges::count(state, kConstant), std::ranges::count(state, kVarying)};
}

bool rises_within(const ColumnSketch& column, const ColumnSketch& id) {
  return steps_within(column, id).rise();
}

bool rises(const ColumnSketch& column) {
  Steps steps;
  for (std::size_t row = 1; row < column.sizes.size(); ++row) {
    steps.add(column.sizes[row - 1], column.sizes[row]);
  }
  return steps.rise();
}

bool is_sorted_within(const ColumnSketch& column, const ColumnSketch& id) {
  const Steps within = steps_within(column, id);
  Steps between;
  for (std::size_t row = 1; row < column.sizes.size(); ++row) {
    if (id.codes[row] != id.codes[row - 1]) between.add(column.sizes[row - 1], column.sizes[row]);
  }
  const int64_t back = within.rise() ? between.down : within.fall() ? between.up : 0;
  return back > 0 && back * 3 >= between.all();
}

bool is_panel(const ColumnSketch& id, const ColumnSketch& time) {
  constexpr double kShared = 1.8;
  if (rows_per_value(time) < kShared || rows_per_value(id) < kShared) return false;
  std::set<std::pair<int32_t, int32_t>> seen;
  for (std::size_t row = 0; row < id.codes.size(); ++row) {
    if (!seen.emplace(id.codes[row], time.codes[row]).second) return false;
  }
  return true;
}

}  // namespace t2v::data
