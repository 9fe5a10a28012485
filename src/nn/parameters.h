#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/buffer.h"
#include "kernels/wide.h"

namespace t2v::nn {

/// What a tensor is for; it decides how it is stored, started and updated.
enum class Role {
  kWeight,  // a matrix of a product
  kBias,
  kTable,   // rows that are looked up by number; their gradient touches few rows at a time
  kOmega,   // frequencies
  kPhi,     // phases
  kPeriod,  // of a clock
  kShift,   // of a clock
};

/// Whether tensors of this role are about time itself, and so are kept in Wide<T>.
constexpr bool is_wide(Role role) {
  return role != Role::kWeight && role != Role::kBias && role != Role::kTable;
}

/// One tensor of a model, [rows, cols] row-major.
struct Tensor {
  std::string name;
  Role role;
  int64_t rows;
  int64_t cols;
  int64_t offset;  // within the array of its kind of storage

  int64_t size() const { return rows * cols; }
  bool wide() const { return is_wide(role); }
};

/// The list of a model's tensors and where each is stored. There are three arrays: dense numbers, tables, and
/// wide numbers (frequencies, phases, clocks).
class Layout {
 public:
  /// Adds a tensor; returns its number.
  int add(std::string name, Role role, int64_t rows, int64_t cols);

  const std::vector<Tensor>& tensors() const { return tensors_; }
  const Tensor& operator[](int id) const { return tensors_[static_cast<std::size_t>(id)]; }
  /// The tensor of that name, or -1.
  int find(std::string_view name) const;

  int64_t dense_size() const { return dense_size_; }
  int64_t table_size() const { return table_size_; }
  int64_t wide_size() const { return wide_size_; }
  /// How many numbers there are in all.
  int64_t parameter_count() const { return dense_size_ + table_size_ + wide_size_; }

 private:
  int64_t& size_of(Role role);

  std::vector<Tensor> tensors_;
  int64_t dense_size_ = 0;
  int64_t table_size_ = 0;
  int64_t wide_size_ = 0;
};

/// One number for each parameter of a layout: the values, a gradient or an optimizer's moments.
template <class T>
struct Parameters {
  Buffer<T> dense;
  Buffer<T> table;
  Buffer<Wide<T>> wide;

  void assign_zeros(const Layout& layout) {
    dense.assign_zeros(layout.dense_size());
    table.assign_zeros(layout.table_size());
    wide.assign_zeros(layout.wide_size());
  }

  /// Of a tensor that is not wide.
  T* data(const Tensor& tensor) {
    return (tensor.role == Role::kTable ? table : dense).data() + tensor.offset;
  }
  const T* data(const Tensor& tensor) const {
    return (tensor.role == Role::kTable ? table : dense).data() + tensor.offset;
  }
  Wide<T>* wide_data(const Tensor& tensor) { return wide.data() + tensor.offset; }
  const Wide<T>* wide_data(const Tensor& tensor) const { return wide.data() + tensor.offset; }

  /// Element i of any tensor, converted.
  Wide<T> get(const Tensor& tensor, int64_t i) const {
    return tensor.wide() ? wide_data(tensor)[i] : Wide<T>(data(tensor)[i]);
  }
  void set(const Tensor& tensor, int64_t i, Wide<T> value) {
    if (tensor.wide()) {
      wide_data(tensor)[i] = value;
    } else {
      data(tensor)[i] = T(value);
    }
  }
};

/// The same parameters in another number type.
template <class To, class From>
Parameters<To> convert(const Parameters<From>& from) {
  Parameters<To> to;
  to.dense.reserve(from.dense.size());
  to.table.reserve(from.table.size());
  to.wide.reserve(from.wide.size());
  for (int64_t i = 0; i < from.dense.size(); ++i) to.dense[i] = static_cast<To>(from.dense[i]);
  for (int64_t i = 0; i < from.table.size(); ++i) to.table[i] = static_cast<To>(from.table[i]);
  for (int64_t i = 0; i < from.wide.size(); ++i) to.wide[i] = static_cast<Wide<To>>(from.wide[i]);
  return to;
}

/// The rows of one table that a shard touched, with their gradients [rows, cols].
template <class T>
struct RowGradient {
  std::vector<int32_t> rows;
  std::vector<T> values;
};

}  // namespace t2v::nn
