#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/container_header.h"
#include "base/file_system.h"

namespace t2v {

/// Collects tensors and metadata, and writes them as one file (docs/file-format.md). All names, keys and
/// values are UTF-8. The same contents give the same bytes.
class ContainerWriter {
 public:
  /// `kind`: what the file is, e.g. "events" or "model".
  explicit ContainerWriter(std::string kind);

  /// Throws t2v::Error for a key that was set before or starts with "t2v.".
  void set(const std::string& key, std::string value);

  /// A tensor of one dimension. The data are not copied: they must stay as they are until write(). Throws
  /// t2v::Error for a name that was added before.
  template <class T>
  void add(std::string name, std::span<const T> data) {
    add(std::move(name), data, {static_cast<int64_t>(data.size())});
  }
  /// The same with a shape, row-major; {} for a single number. Throws t2v::Error if it does not have
  /// data.size() elements.
  template <class T>
  void add(std::string name, std::span<const T> data, std::vector<int64_t> shape) {
    add_bytes({std::move(name), dtype_of<T>(), std::move(shape)}, std::as_bytes(data));
  }

  /// Replaces or makes the file, atomically (see write_file_atomically). Memory: the header alone.
  void write(FileSystem& files, const std::string& path) const;

 private:
  struct Tensor {
    TensorInfo info;
    std::span<const std::byte> bytes;
  };

  void add_bytes(TensorInfo info, std::span<const std::byte> bytes);
  std::vector<Tensor> laid_out() const;

  Metadata metadata_;
  std::vector<Tensor> tensors_;
};

}  // namespace t2v
