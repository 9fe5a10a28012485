#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace t2v {

/// The types of numbers in a container.
enum class Dtype : uint8_t { kBool, kU8, kI8, kU16, kI16, kU32, kI32, kF32, kU64, kI64, kF64 };

/// As safetensors writes it: "BOOL", "U8", ..., "F64".
std::string_view name_of(Dtype dtype);
std::optional<Dtype> dtype_named(std::string_view name);
/// Bytes of an element.
int64_t size_of(Dtype dtype);

/// The Dtype of a C++ type; bytes of text and plain bytes are U8.
template <class T>
constexpr Dtype dtype_of() {
  if constexpr (std::is_same_v<T, double>) {
    return Dtype::kF64;
  } else if constexpr (std::is_same_v<T, float>) {
    return Dtype::kF32;
  } else if constexpr (std::is_same_v<T, int64_t>) {
    return Dtype::kI64;
  } else if constexpr (std::is_same_v<T, uint64_t>) {
    return Dtype::kU64;
  } else if constexpr (std::is_same_v<T, int32_t>) {
    return Dtype::kI32;
  } else if constexpr (std::is_same_v<T, uint32_t>) {
    return Dtype::kU32;
  } else if constexpr (std::is_same_v<T, int16_t>) {
    return Dtype::kI16;
  } else if constexpr (std::is_same_v<T, uint16_t>) {
    return Dtype::kU16;
  } else if constexpr (std::is_same_v<T, int8_t>) {
    return Dtype::kI8;
  } else if constexpr (std::is_same_v<T, bool>) {
    return Dtype::kBool;
  } else {
    static_assert(std::is_same_v<T, uint8_t> || std::is_same_v<T, char> || std::is_same_v<T, std::byte>);
    return Dtype::kU8;
  }
}

}  // namespace t2v
