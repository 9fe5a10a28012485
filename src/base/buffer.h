#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

namespace t2v {

/// Cache-line alignment, also the widest vector's.
inline constexpr std::size_t kAlignment = 64;

/// An aligned array whose contents are plain numbers. reserve() keeps what is already allocated, so a buffer
/// that is sized once a batch stops allocating after the largest batch; it does not keep the contents.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(int64_t size) { reserve(size); }
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  Buffer(const Buffer& other) { *this = other; }
  Buffer& operator=(const Buffer& other) {
    if (this != &other) {
      reserve(other.size_);
      std::copy_n(other.data(), other.size_, data());
    }
    return *this;
  }
  ~Buffer() = default;

  /// Makes room for `size` numbers, of any value.
  void reserve(int64_t size) {
    if (size > capacity_) {
      data_.reset(static_cast<T*>(::operator new(sizeof(T) * static_cast<std::size_t>(size), kAlign)));
      capacity_ = size;
    }
    size_ = size;
  }
  /// Makes room for `size` zeros.
  void assign_zeros(int64_t size) {
    reserve(size);
    std::fill_n(data(), size, T(0));
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  int64_t size() const { return size_; }
  T& operator[](int64_t i) { return data_.get()[i]; }
  const T& operator[](int64_t i) const { return data_.get()[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  operator std::span<T>() { return {data(), static_cast<std::size_t>(size_)}; }
  operator std::span<const T>() const { return {data(), static_cast<std::size_t>(size_)}; }

 private:
  static constexpr std::align_val_t kAlign{kAlignment};
  struct Free {
    void operator()(T* p) const { ::operator delete(p, kAlign); }
  };
  void swap(Buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  std::unique_ptr<T[], Free> data_;
  int64_t size_ = 0;
  int64_t capacity_ = 0;
};

}  // namespace t2v
