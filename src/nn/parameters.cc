#include "nn/parameters.h"

#include <utility>

#include "base/fail.h"

namespace t2v::nn {
namespace {

/// Of a kind of storage: so few that no sum of them overflows, nor do their bytes.
constexpr int64_t kMostNumbers = int64_t{1} << 56;

}  // namespace

int Layout::add(std::string name, Role role, int64_t rows, int64_t cols) {
  int64_t& size = size_of(role);
  int64_t count = 0;
  if (__builtin_mul_overflow(rows, cols, &count) || count > kMostNumbers - size) {
    fail("{}: {} x {} numbers are too many for a model; make it smaller", name, rows, cols);
  }
  tensors_.push_back({std::move(name), role, rows, cols, size});
  size += count;
  return static_cast<int>(tensors_.size()) - 1;
}

int Layout::find(std::string_view name) const {
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    if (tensors_[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

int64_t& Layout::size_of(Role role) {
  if (is_wide(role)) return wide_size_;
  return role == Role::kTable ? table_size_ : dense_size_;
}

}  // namespace t2v::nn
