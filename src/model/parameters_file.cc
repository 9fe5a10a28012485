#include "model/parameters_file.h"

#include <algorithm>

#include "base/fail.h"
#include "kernels/rows.h"

namespace t2v {
namespace {

using nn::Tensor;

std::vector<int64_t> shape_of(const Tensor& tensor) { return {tensor.rows, tensor.cols}; }

void check_shapes(const Container& file, const std::string& prefix, const nn::Layout& layout) {
  for (const Tensor& tensor : layout.tensors()) {
    const std::string name = prefix + tensor.name;
    if (!file.has(name)) fail("{}: has no tensor '{}'{}", file.path(), name, kDamaged);
    const std::vector<int64_t>& shape = file.shape(name);
    if (shape == shape_of(tensor)) continue;
    fail("{}: tensor '{}' is {}, but by its configuration {}{}", file.path(), name,
         shape_text(file.dtype(name), shape), shape_text(file.dtype(name), shape_of(tensor)), kDamaged);
  }
}

template <class T>
void read_tensor(T* to, const Container& file, const std::string& name) {
  const std::span<const T> values = file.tensor<T>(name);
  std::ranges::copy(values, to);
  if (kernels::all_finite(to, static_cast<int64_t>(values.size()))) return;
  fail("{}: tensor '{}' has a number that is not finite; train the model again", file.path(), name);
}

}  // namespace

void add_parameters(ContainerWriter& writer, const std::string& prefix, const nn::Layout& layout,
                    const nn::Parameters<float>& parameters) {
  for (const Tensor& tensor : layout.tensors()) {
    const std::string name = prefix + tensor.name;
    const auto size = static_cast<std::size_t>(tensor.size());
    if (tensor.wide()) {
      writer.add(name, std::span<const double>(parameters.wide_data(tensor), size), shape_of(tensor));
    } else {
      writer.add(name, std::span<const float>(parameters.data(tensor), size), shape_of(tensor));
    }
  }
}

nn::Parameters<float> read_parameters(const Container& file, const std::string& prefix,
                                      const nn::Layout& layout) {
  check_shapes(file, prefix, layout);
  nn::Parameters<float> parameters;
  parameters.assign_zeros(layout);
  for (const Tensor& tensor : layout.tensors()) {
    const std::string name = prefix + tensor.name;
    if (tensor.wide()) {
      read_tensor(parameters.wide_data(tensor), file, name);
    } else {
      read_tensor(parameters.data(tensor), file, name);
    }
  }
  return parameters;
}

}  // namespace t2v
