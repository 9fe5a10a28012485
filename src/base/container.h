#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/container_header.h"
#include "base/mapped_file.h"

namespace t2v {

/// A file that ContainerWriter wrote, mapped into memory (docs/file-format.md). Opening checks the header
/// whole; the payload is checked block by block when it is first asked for. Can be moved; const methods are
/// safe for any number of threads. All errors are t2v::Error that names file and field.
class Container {
 public:
  /// `kind`: the one that the file must be of; empty for any.
  static Container open(const std::string& path, std::string_view kind = "",
                        FileSystem& files = FileSystem::real());

  const std::string& path() const { return file_->path(); }
  const std::string& kind() const { return get("t2v.kind"); }
  /// Of all tensors.
  int64_t payload_bytes() const { return static_cast<int64_t>(payload_.size()); }

  /// All keys, also those of the format.
  const Metadata& metadata() const { return header_.metadata; }
  std::optional<std::string> find(std::string_view key) const;
  /// Throws if there is no such key.
  const std::string& get(std::string_view key) const;

  /// The names of all tensors, in the order of the file.
  std::vector<std::string> names() const;
  bool has(std::string_view name) const { return places_.contains(name); }
  const std::vector<int64_t>& shape(std::string_view name) const { return info(name).shape; }
  Dtype dtype(std::string_view name) const { return info(name).dtype; }

  /// The elements of a tensor, row-major, aligned to their size, as long as this object (or the one that it
  /// was moved to) lives. Throws if it is not there, is of another type, or if a block of it is damaged.
  template <class T>
  std::span<const T> tensor(std::string_view name) const {
    const std::span<const std::byte> bytes = checked_bytes(name, dtype_of<T>());
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }

  /// The same without a look at its blocks, for a tensor of which only parts will be used: check() each part
  /// before.
  template <class T>
  std::span<const T> unchecked_tensor(std::string_view name) const {
    static_assert(!std::is_same_v<T, bool>, "a byte that was not looked at may be no bool");
    const std::span<const std::byte> bytes = typed_bytes(info(name), dtype_of<T>());
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  /// Checks the blocks of elements [begin, end) of a tensor. Throws if there are no such elements.
  void check(std::string_view name, int64_t begin, int64_t end) const;

  /// Checks the blocks that are not yet checked, and that the file is intact.
  void verify() const;
  /// Throws if the file was written to or became shorter since it was opened: what was read of it meanwhile
  /// may be anything.
  void check_intact() const { file_->check_intact(); }

 private:
  Container() = default;

  const TensorInfo& info(std::string_view name) const;
  std::span<const std::byte> checked_bytes(std::string_view name, Dtype dtype) const;
  std::span<const std::byte> typed_bytes(const TensorInfo& tensor, Dtype dtype) const;
  /// Those that bytes [begin, end) of the payload, which are the tensor's, touch.
  void check_blocks(const TensorInfo& tensor, int64_t begin, int64_t end) const;
  void check_block(const TensorInfo& tensor, std::size_t block) const;

  std::unique_ptr<const MappedFile> file_;
  ContainerHeader header_;
  std::map<std::string, std::size_t, std::less<>> places_;  // name -> tensor of the header
  std::span<const std::byte> payload_;
  std::vector<uint64_t> blocks_;                  // the checksum of each block
  std::unique_ptr<std::atomic<bool>[]> checked_;  // whether it was found to be right
};

}  // namespace t2v
