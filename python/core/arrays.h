#pragma once

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fail.h"

namespace t2v::python {

namespace py = pybind11;

/// Numbers of one type, one after another; other arrays are not taken, so that nothing is converted unseen.
template <class T>
using Array = py::array_t<T, py::array::c_style>;

template <class T>
std::span<const T> span_of(const Array<T>& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

/// The memory of an array to be written to. Throws t2v::Error unless it has the size.
template <class T>
T* writable(Array<T>& array, int64_t size, std::string_view name) {
  if (array.size() != size) fail("{} has {} numbers, not {}", name, array.size(), size);
  return array.mutable_data();
}

/// A vector as an array that owns it: nothing is copied.
template <class T>
Array<T> array_of(std::vector<T>&& numbers, std::vector<py::ssize_t> shape = {}) {
  auto* owned = new std::vector<T>(std::move(numbers));
  const py::capsule owner(owned, [](void* memory) { delete static_cast<std::vector<T>*>(memory); });
  if (shape.empty()) shape = {static_cast<py::ssize_t>(owned->size())};
  return Array<T>(std::move(shape), owned->data(), owner);
}

}  // namespace t2v::python
