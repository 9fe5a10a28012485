#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace t2v::onnx {

/// A message in the wire format of Protocol Buffers, field after field in the order they are added: all that
/// writing ONNX needs of it. It is written by hand because Google's library allows one copy of itself, with
/// one set of message names, in a process: ours would clash with those within PyTorch, TensorFlow and the
/// Python package onnx, and would make every start of the program slower.
class ProtoMessage {
 public:
  /// Of the types int32, int64 and enum.
  void add_int(int field, int64_t value);
  /// Of the types string and bytes.
  void add_bytes(int field, std::string_view bytes);
  void add_message(int field, const ProtoMessage& message) { add_bytes(field, message.bytes_); }

  const std::string& bytes() const { return bytes_; }
  std::string take() && { return std::move(bytes_); }

 private:
  void add_tag(int field, int wire_type);
  void add_varint(uint64_t value);

  std::string bytes_;
};

}  // namespace t2v::onnx
