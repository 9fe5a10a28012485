#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace t2v::testing {

/// A message of Protocol Buffers, taken apart.
class ProtoReader {
 public:
  explicit ProtoReader(std::string_view bytes) {
    while (!bytes.empty()) read_field(bytes);
  }

  struct Field {
    int number;
    uint64_t integer = 0;    // of a varint
    std::string bytes = {};  // of what has a length
  };
  const std::vector<Field>& fields() const { return fields_; }

  std::vector<std::string> all(int number) const {
    std::vector<std::string> found;
    for (const Field& field : fields_) {
      if (field.number == number) found.push_back(field.bytes);
    }
    return found;
  }
  std::string text(int number) const { return one(number).bytes; }
  int64_t integer(int number) const { return static_cast<int64_t>(one(number).integer); }
  ProtoReader message(int number) const { return ProtoReader(one(number).bytes); }

 private:
  const Field& one(int number) const {
    const Field* found = nullptr;
    for (const Field& field : fields_) {
      if (field.number != number) continue;
      if (found != nullptr) throw std::runtime_error("a field is there twice");
      found = &field;
    }
    if (found == nullptr) throw std::runtime_error("a field is not there");
    return *found;
  }

  static uint64_t varint(std::string_view& bytes) {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes.at(0));
      bytes.remove_prefix(1);
      value |= static_cast<uint64_t>(byte & 0x7FU) << shift;
      if (byte < 0x80) return value;
    }
  }

  void read_field(std::string_view& bytes) {
    const uint64_t tag = varint(bytes);
    Field field{static_cast<int>(tag >> 3U)};
    const uint64_t type = tag & 7U;
    if (type == 0) {
      field.integer = varint(bytes);
    } else {
      const std::size_t size = varint(bytes);
      if (type != 2 || size > bytes.size()) throw std::runtime_error("not a message");
      field.bytes = bytes.substr(0, size);
      bytes.remove_prefix(size);
    }
    fields_.push_back(field);
  }

  std::vector<Field> fields_;
};

}  // namespace t2v::testing
