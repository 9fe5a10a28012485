#include "base/container.h"

#include <algorithm>
#include <array>

#include "base/checksum.h"
#include "base/container_json.h"
#include "base/fail.h"

namespace t2v {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::array<std::array<std::string_view, 2>, 4> kKinds = {{{"events", "an event store"},
                                                                    {"model", "a model"},
                                                                    {"checkpoint", "a checkpoint"},
                                                                    {"stream", "a snapshot of a stream"}}};

std::string kind_text(std::string_view kind) {
  for (const auto& [name, text] : kKinds) {
    if (name == kind) return std::string(text);
  }
  return "a file of kind " + in_quotes(kind);
}

/// The length of the header, as the first bytes say it.
std::size_t header_length(const std::string& path, Bytes file) {
  constexpr std::string_view kAdvice = "; it is damaged, or not a file that time2vec wrote";
  if (file.size() < kLengthBytes) fail("{}: has only {} bytes, too short{}", path, file.size(), kAdvice);
  uint64_t length = 0;
  for (std::size_t i = kLengthBytes; i-- > 0;) length = length << 8 | std::to_integer<uint64_t>(file[i]);
  if (length > file.size() - kLengthBytes) {
    fail("{}: the first 8 bytes announce a header of {} bytes, but {} follow{}", path, length,
         file.size() - kLengthBytes, kAdvice);
  }
  if (length > static_cast<uint64_t>(kLargestHeader)) {
    fail("{}: the first 8 bytes announce a header of {} bytes, more than the {} that are allowed{}", path,
         length, kLargestHeader, kAdvice);
  }
  const uint64_t payload = file.size() - kLengthBytes - length;
  if (length > payload + kFreeHeader) {
    fail("{}: the first 8 bytes announce a header of {} bytes for a payload of {}{}", path, length, payload,
         kAdvice);
  }
  return static_cast<std::size_t>(length);
}

}  // namespace

Container Container::open(const std::string& path, std::string_view kind, FileSystem& files) {
  Container self;
  self.file_ = std::make_unique<const MappedFile>(files, path);
  const Bytes bytes = self.file_->bytes();
  const std::size_t length = header_length(path, bytes);
  const Bytes text = bytes.subspan(kLengthBytes, length);
  self.payload_ = bytes.subspan(kLengthBytes + length);
  self.header_ = parse_header(path, {reinterpret_cast<const char*>(text.data()), text.size()},
                              static_cast<int64_t>(self.payload_.size()));
  self.check_intact();
  if (!kind.empty() && self.kind() != kind) {
    fail("{}: this is {}, not {}; give {}", path, kind_text(self.kind()), kind_text(kind), kind_text(kind));
  }
  for (const TensorInfo& tensor : self.header_.tensors)
    self.places_.emplace(tensor.name, self.places_.size());
  self.blocks_ = parse_blocks(path, self.header_.metadata, static_cast<int64_t>(self.payload_.size()));
  self.checked_ = std::make_unique<std::atomic<bool>[]>(self.blocks_.size());
  return self;
}

std::optional<std::string> Container::find(std::string_view key) const {
  const auto found = header_.metadata.find(key);
  if (found == header_.metadata.end()) return std::nullopt;
  return found->second;
}

const std::string& Container::get(std::string_view key) const {
  const auto found = header_.metadata.find(key);
  if (found == header_.metadata.end())
    fail("{}: metadata {} is missing; write the file again", path(), in_quotes(key));
  return found->second;
}

std::vector<std::string> Container::names() const {
  std::vector<std::string> all;
  for (const TensorInfo& tensor : header_.tensors) all.push_back(tensor.name);
  return all;
}

void Container::verify() const {
  for (const TensorInfo& tensor : header_.tensors)
    check_blocks(tensor, tensor.begin, tensor.end);  // there are no gaps between them
  check_intact();
}

const TensorInfo& Container::info(std::string_view name) const {
  const auto found = places_.find(name);
  if (found == places_.end()) fail("{}: tensor {} is missing; write the file again", path(), in_quotes(name));
  return header_.tensors[found->second];
}

Bytes Container::typed_bytes(const TensorInfo& tensor, Dtype dtype) const {
  if (tensor.dtype != dtype) {
    fail("{}: tensor {} is of {}, but {} is needed; write the file again", path(), in_quotes(tensor.name),
         name_of(tensor.dtype), name_of(dtype));
  }
  return payload_.subspan(static_cast<std::size_t>(tensor.begin),
                          static_cast<std::size_t>(tensor.end - tensor.begin));
}

void Container::check(std::string_view name, int64_t begin, int64_t end) const {
  const TensorInfo& tensor = info(name);
  const int64_t size = size_of(tensor.dtype);
  const int64_t count = (tensor.end - tensor.begin) / size;
  if (begin < 0 || begin > end || end > count) {
    fail("{}: tensor {} has {} elements, but [{}, {}) are asked for", path(), in_quotes(name), count, begin,
         end);
  }
  check_blocks(tensor, tensor.begin + begin * size, tensor.begin + end * size);
}

Bytes Container::checked_bytes(std::string_view name, Dtype dtype) const {
  const TensorInfo& tensor = info(name);
  const Bytes bytes = typed_bytes(tensor, dtype);
  check_blocks(tensor, tensor.begin, tensor.end);
  if (dtype == Dtype::kBool &&
      std::any_of(bytes.begin(), bytes.end(), [](std::byte b) { return b > std::byte{1}; })) {
    fail("{}: tensor {} is of BOOL, but has a byte that is neither 0 nor 1{}", path(), in_quotes(name),
         kDamaged);
  }
  return bytes;
}

void Container::check_blocks(const TensorInfo& tensor, int64_t begin, int64_t end) const {
  if (begin >= end) return;
  const auto last = static_cast<std::size_t>((end - 1) / kBlockBytes);
  for (auto block = static_cast<std::size_t>(begin / kBlockBytes); block <= last; ++block) {
    check_block(tensor, block);
  }
}

void Container::check_block(const TensorInfo& tensor, std::size_t block) const {
  if (checked_[block].load(std::memory_order_acquire)) return;
  const std::size_t begin = block * kBlockBytes;
  const Bytes bytes = payload_.subspan(begin, std::min<std::size_t>(kBlockBytes, payload_.size() - begin));
  const uint64_t found = checksum(bytes);
  if (found != blocks_[block]) {
    check_intact();  // says it better, if that is the reason
    const std::size_t at = begin + static_cast<std::size_t>(payload_.data() - file_->bytes().data());
    fail("{}: tensor {}: block {} (bytes [{}, {}) of the file) has the checksum {}, but {} was written{}",
         path(), in_quotes(tensor.name), block, at, at + bytes.size(), checksum_text(found),
         checksum_text(blocks_[block]), kDamaged);
  }
  checked_[block].store(true, std::memory_order_release);
}

}  // namespace t2v
