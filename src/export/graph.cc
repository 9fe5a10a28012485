#include "export/graph.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>

#include "base/fail.h"
#include "base/version.h"

namespace t2v::onnx {
namespace {

constexpr int64_t kIrWritten = 8;
constexpr int64_t kOpsetWritten = 17;

// Numbers of fields, from ONNX's onnx.proto.
namespace model_field {
constexpr int kIrVersion = 1, kProducer = 2, kProducerVersion = 3, kAbout = 6, kGraph = 7, kOpset = 8,
              kNote = 14;
constexpr int kOpsetVersion = 2;
constexpr int kNoteKey = 1, kNoteText = 2;
}  // namespace model_field
namespace graph_field {
constexpr int kNode = 1, kName = 2, kConstant = 5, kInput = 11, kOutput = 12;
}
namespace node_field {
constexpr int kInput = 1, kOutput = 2, kName = 3, kOp = 4, kAttribute = 5;
}
namespace attribute_field {
constexpr int kName = 1, kInt = 3, kGraph = 6, kInts = 8, kKind = 20;
constexpr int kKindInt = 2, kKindGraph = 5, kKindInts = 7;
}  // namespace attribute_field
namespace tensor_field {
constexpr int kDimension = 1, kType = 2, kName = 8, kBytes = 9;
}
namespace value_field {
constexpr int kName = 1, kType = 2, kAbout = 3;
constexpr int kTensor = 1;                 // of a type
constexpr int kElement = 1, kShape = 2;    // of a tensor's type
constexpr int kDimension = 1;              // of a shape
constexpr int kSize = 1, kNameOfSize = 2;  // of a dimension
}  // namespace value_field

ProtoMessage message_of(const Attribute& attribute) {
  using namespace attribute_field;
  ProtoMessage message;
  message.add_bytes(kName, attribute.name);
  if (const auto* number = std::get_if<int64_t>(&attribute.value)) {
    message.add_int(kInt, *number);
    message.add_int(kKind, kKindInt);
  } else if (const auto* numbers = std::get_if<std::vector<int64_t>>(&attribute.value)) {
    for (const int64_t each : *numbers) message.add_int(kInts, each);
    message.add_int(kKind, kKindInts);
  } else {
    message.add_message(kGraph, std::get<const Graph*>(attribute.value)->message());
    message.add_int(kKind, kKindGraph);
  }
  return message;
}

ProtoMessage message_of(const Shape& shape) {
  using namespace value_field;
  ProtoMessage message;
  for (const Dimension& dimension : shape) {
    ProtoMessage size;
    if (const auto* number = std::get_if<int64_t>(&dimension)) {
      size.add_int(kSize, *number);
    } else {
      size.add_bytes(kNameOfSize, std::get<std::string>(dimension));
    }
    message.add_message(kDimension, size);
  }
  return message;
}

ProtoMessage value_message(const std::string& name, Type type, const Shape& shape, std::string_view about) {
  using namespace value_field;
  ProtoMessage tensor;
  tensor.add_int(kElement, static_cast<int64_t>(type));
  tensor.add_message(kShape, message_of(shape));
  ProtoMessage kind;
  kind.add_message(kTensor, tensor);
  ProtoMessage message;
  message.add_bytes(kName, name);
  message.add_message(kType, kind);
  if (!about.empty()) message.add_bytes(kAbout, about);
  return message;
}

template <class T>
std::string bytes_of(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

std::string scalar_bytes(Type type, double value) {
  switch (type) {
    case Type::kFloat:
      return bytes_of(static_cast<float>(value));
    case Type::kDouble:
      return bytes_of(value);
    case Type::kInt32:
      return bytes_of(static_cast<int32_t>(value));
    case Type::kInt64:
      return bytes_of(static_cast<int64_t>(value));
    case Type::kBool:
      return bytes_of(value != 0);
  }
  return {};
}

}  // namespace

Graph::Graph(std::string name) : name_(std::move(name)) {
  message_.add_bytes(graph_field::kName, name_.empty() ? "time2vec" : name_);
}

std::string Graph::made_name(std::string_view what) {
  return fmt::format("{}{}{}_{}", name_, name_.empty() ? "" : "/", what, made_++);
}

Tensor Graph::input(const std::string& name, Type type, const Shape& shape, std::string_view about) {
  const std::string full = name_.empty() ? name : made_name(name);
  inputs_.push_back(full);
  message_.add_message(graph_field::kInput, value_message(full, type, shape, about));
  return {this, full, type};
}

void Graph::output(const Tensor& tensor, const std::string& name, const Shape& shape,
                   std::string_view about) {
  using namespace node_field;
  const std::string full = name_.empty() ? name : made_name(name);
  ProtoMessage message;
  message.add_bytes(kInput, tensor.name);
  message.add_bytes(kOutput, full);
  message.add_bytes(kOp, "Identity");
  message_.add_message(graph_field::kNode, message);
  outputs_.push_back(full);
  message_.add_message(graph_field::kOutput, value_message(full, tensor.type, shape, about));
}

Tensor Graph::add_constant(const std::string& name, Type type, std::span<const std::byte> bytes,
                           const std::vector<int64_t>& shape) {
  using namespace tensor_field;
  ProtoMessage message;
  for (const int64_t size : shape) message.add_int(kDimension, size);
  message.add_int(kType, static_cast<int64_t>(type));
  message.add_bytes(kName, name);
  message.add_bytes(kBytes, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  message_.add_message(graph_field::kConstant, message);
  return {this, name, type};
}

Tensor Graph::scalar(Type type, double value) {
  const std::string bytes = scalar_bytes(type, value);
  Tensor& known = known_[{type, bytes}];
  if (!known) known = add_constant(made_name("scalar"), type, std::as_bytes(std::span(bytes)), {});
  return known;
}

Tensor Graph::integers(const std::vector<int64_t>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  // Beside the bytes their brackets: a list of one is no scalar.
  Tensor& known = known_[{
      Type::kInt64, "[" + std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()) + "]"}];
  if (!known) {
    known = add_constant(made_name("integers"), Type::kInt64, bytes, {static_cast<int64_t>(values.size())});
  }
  return known;
}

std::vector<Tensor> Graph::nodes(int outputs, std::string_view op, const std::vector<Tensor>& inputs,
                                 const std::vector<Attribute>& attributes) {
  using namespace node_field;
  ProtoMessage message;
  std::vector<Tensor> made;
  for (const Tensor& tensor : inputs) message.add_bytes(kInput, tensor.name);
  for (int i = 0; i < outputs; ++i) {
    made.push_back({this, made_name(op), inputs.empty() ? Type::kFloat : inputs.front().type});
    message.add_bytes(kOutput, made.back().name);
  }
  message.add_bytes(kName, made.front().name);
  message.add_bytes(kOp, op);
  for (const Attribute& attribute : attributes) message.add_message(kAttribute, message_of(attribute));
  message_.add_message(graph_field::kNode, message);
  return made;
}

Tensor Graph::node(std::string_view op, const std::vector<Tensor>& inputs,
                   const std::vector<Attribute>& attributes) {
  return nodes(1, op, inputs, attributes).front();
}

Tensor Graph::node(Type type, std::string_view op, const std::vector<Tensor>& inputs,
                   const std::vector<Attribute>& attributes) {
  Tensor made = node(op, inputs, attributes);
  made.type = type;
  return made;
}

std::string file_of(const Graph& graph, std::string_view about, std::span<const Note> notes) {
  using namespace model_field;
  ProtoMessage file;
  file.add_int(kIrVersion, kIrWritten);
  file.add_bytes(kProducer, "time2vec");
  file.add_bytes(kProducerVersion, kVersion);
  file.add_bytes(kAbout, about);
  ProtoMessage opset;
  opset.add_int(kOpsetVersion, kOpsetWritten);
  file.add_message(kOpset, opset);
  for (const Note& note : notes) {
    ProtoMessage pair;
    pair.add_bytes(kNoteKey, note.key);
    pair.add_bytes(kNoteText, note.text);
    file.add_message(kNote, pair);
  }
  file.add_message(kGraph, graph.message());
  constexpr std::size_t kMost = std::numeric_limits<int32_t>::max();
  if (file.bytes().size() > kMost) {
    fail("the model has {} bytes as ONNX, which allows at most {}; train one with fewer event types or units",
         file.bytes().size(), kMost);
  }
  return std::move(file).take();
}

}  // namespace t2v::onnx
