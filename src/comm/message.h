#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "base/fail.h"
#include "comm/communicator.h"

namespace t2v::comm {

/// Arrays of plain numbers as one message, each at a multiple of eight bytes. What is put must stay until
/// finish().
class MessageWriter {
 public:
  template <class T>
  void put(std::span<const T> numbers) {
    put_part(numbers);
    pad();
  }
  /// A part of an array; pad() ends it.
  template <class T>
  void put_part(std::span<const T> numbers) {
    static_assert(std::is_trivially_copyable_v<T>);
    pieces_.push_back(std::as_bytes(numbers));
    size_ += numbers.size_bytes();
  }
  void pad() {
    pieces_.push_back(std::span(kZeros).first((kZeros.size() - size_ % kZeros.size()) % kZeros.size()));
    size_ += pieces_.back().size();
  }

  void finish(Bytes& message) const {
    message.reserve(static_cast<int64_t>(size_));
    std::byte* to = message.data();
    for (const std::span<const std::byte> piece : pieces_) {
      if (!piece.empty()) std::memcpy(to, piece.data(), piece.size());
      to += piece.size();
    }
  }

 private:
  static constexpr std::array<std::byte, 8> kZeros{};

  std::vector<std::span<const std::byte>> pieces_;
  std::size_t size_ = 0;
};

/// Takes the arrays out of a message, in their order.
class MessageReader {
 public:
  explicit MessageReader(Bytes& message) : rest_(message) {}

  /// The next array, in the memory of the message. Throws t2v::Error if there are not so many numbers.
  template <class T>
  std::span<T> take(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t size = (count * sizeof(T) + 7) / 8 * 8;
    if (size > rest_.size()) fail("a message of another rank is too short; do all run the same version?");
    T* numbers = reinterpret_cast<T*>(rest_.data());
    rest_ = rest_.subspan(size);
    return {numbers, count};
  }

 private:
  std::span<std::byte> rest_;
};

}  // namespace t2v::comm
