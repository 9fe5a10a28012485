#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "export/protobuf.h"

namespace t2v::onnx {

/// What the elements of a tensor are; the numbers are those of ONNX.
enum class Type : int32_t { kFloat = 1, kInt32 = 6, kInt64 = 7, kBool = 9, kDouble = 11 };

template <class T>
constexpr Type type_of() {
  if constexpr (std::is_same_v<T, float>) return Type::kFloat;
  if constexpr (std::is_same_v<T, double>) return Type::kDouble;
  if constexpr (std::is_same_v<T, int64_t>) return Type::kInt64;
}

class Graph;

/// A tensor within a graph, by name. Without a name it is none: an optional input that is left out.
struct Tensor {
  Graph* graph = nullptr;
  std::string name;
  Type type = Type::kFloat;

  explicit operator bool() const { return !name.empty(); }
};

/// A number, or the name of a size that is free.
using Dimension = std::variant<int64_t, std::string>;
using Shape = std::vector<Dimension>;

/// An attribute of a node: a number, a list of them, or a graph within.
struct Attribute {
  const char* name;
  std::variant<int64_t, std::vector<int64_t>, const Graph*> value;
};

/// A graph of ONNX in the making: nodes in the order they are added, which is an order to compute them in.
/// Names of what is made are its own, also among several graphs of different names.
class Graph {
 public:
  /// `name` starts the names of all that is made in it, but for inputs and outputs of the outermost graph,
  /// whose name is empty.
  explicit Graph(std::string name);
  Graph(const Graph&) = delete;  // tensors point to it
  Graph& operator=(const Graph&) = delete;

  Tensor input(const std::string& name, Type type, const Shape& shape, std::string_view about);
  void output(const Tensor& tensor, const std::string& name, const Shape& shape, std::string_view about);

  /// A constant of that name, row-major.
  template <class T>
  Tensor constant(const std::string& name, std::span<const T> values, const std::vector<int64_t>& shape) {
    return add_constant(name, type_of<T>(), std::as_bytes(values), shape);
  }
  /// A number of no dimension, and a list of integers; equal ones are the same tensor.
  Tensor scalar(Type type, double value);
  Tensor integers(const std::vector<int64_t>& values);

  /// A node with one output, of the type of its first input.
  Tensor node(std::string_view op, const std::vector<Tensor>& inputs,
              const std::vector<Attribute>& attributes = {});
  /// With one output of that type.
  Tensor node(Type type, std::string_view op, const std::vector<Tensor>& inputs,
              const std::vector<Attribute>& attributes = {});
  /// With so many outputs.
  std::vector<Tensor> nodes(int outputs, std::string_view op, const std::vector<Tensor>& inputs,
                            const std::vector<Attribute>& attributes = {});

  /// A tensor of a graph around this one, to be used in this one.
  Tensor outer(const Tensor& tensor) { return {this, tensor.name, tensor.type}; }

  /// The names of its inputs and outputs.
  const std::vector<std::string>& inputs() const { return inputs_; }
  const std::vector<std::string>& outputs() const { return outputs_; }

  /// As ONNX has it (a GraphProto).
  const ProtoMessage& message() const { return message_; }

 private:
  std::string made_name(std::string_view what);
  Tensor add_constant(const std::string& name, Type type, std::span<const std::byte> bytes,
                      const std::vector<int64_t>& shape);

  std::string name_;
  std::vector<std::string> inputs_;
  std::vector<std::string> outputs_;
  int64_t made_ = 0;
  ProtoMessage message_;
  std::map<std::pair<Type, std::string>, Tensor> known_;  // scalars and lists by their bytes
};

/// A pair of texts that goes with a model.
struct Note {
  std::string key;
  std::string text;
};

/// The bytes of a file of ONNX, opset 17, IR version 8. Throws t2v::Error if it is larger than the format
/// allows, 2 GiB.
std::string file_of(const Graph& graph, std::string_view about, std::span<const Note> notes);

}  // namespace t2v::onnx
