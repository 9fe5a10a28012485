#include "export/protobuf.h"

namespace t2v::onnx {
namespace {

// How the bytes of a field are laid out.
constexpr int kVarint = 0;
constexpr int kLengthDelimited = 2;

}  // namespace

void ProtoMessage::add_varint(uint64_t value) {
  for (; value >= 0x80; value >>= 7U) bytes_ += static_cast<char>(value | 0x80U);
  bytes_ += static_cast<char>(value);
}

void ProtoMessage::add_tag(int field, int wire_type) {
  add_varint(static_cast<uint64_t>(field) << 3U | static_cast<uint64_t>(wire_type));
}

void ProtoMessage::add_int(int field, int64_t value) {
  add_tag(field, kVarint);
  add_varint(static_cast<uint64_t>(value));
}

void ProtoMessage::add_bytes(int field, std::string_view bytes) {
  add_tag(field, kLengthDelimited);
  add_varint(bytes.size());
  bytes_ += bytes;
}

}  // namespace t2v::onnx
