#include "base/container_header.h"

#include <fmt/format.h>

#include <array>
#include <span>

#include "base/checksum.h"
#include "base/container_json.h"
#include "base/fail.h"

namespace t2v {
namespace {

// The header's checksum stands after these bytes, which valid JSON has nowhere else.
constexpr std::string_view kHeaderField = R"("t2v.header":")";
constexpr std::string_view kNoChecksum = "0000000000000000";

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

/// The checksum of a header in which sixteen zeros stand at `at` instead of what is there.
std::string header_checksum(std::string_view text, std::size_t at) {
  const std::array<std::span<const std::byte>, 3> pieces = {
      bytes_of(text.substr(0, at)), bytes_of(kNoChecksum), bytes_of(text.substr(at + kChecksumDigits))};
  return checksum_text(checksum(pieces));
}

/// Where the digits of the header's checksum start.
std::size_t find_checksum(const std::string& path, std::string_view text) {
  const std::size_t field = text.find(kHeaderField);
  if (field == std::string_view::npos || text.find(kHeaderField, field + 1) != std::string_view::npos) {
    fail("{}: metadata 't2v.header' does not occur once, as it must{}", path, kDamaged);
  }
  const std::size_t at = field + kHeaderField.size();
  if (!parse_checksum(text.substr(at, kChecksumDigits))) {
    fail("{}: metadata 't2v.header' is {}, not 16 hexadecimal digits{}", path,
         in_quotes(text.substr(at, kChecksumDigits)), kDamaged);
  }
  return at;
}

void check_checksum(const std::string& path, std::string_view text) {
  const std::size_t at = find_checksum(path, text);
  const std::string found = header_checksum(text, at);
  const std::string_view written = text.substr(at, kChecksumDigits);
  if (found != written)
    fail("{}: the header has the checksum {}, but {} was written{}", path, found, written, kDamaged);
}

const std::string& required(const std::string& path, const Metadata& metadata, std::string_view key) {
  const auto found = metadata.find(key);
  if (found == metadata.end()) fail("{}: metadata '{}' is missing{}", path, key, kDamaged);
  return found->second;
}

void check_format(const std::string& path, const Metadata& metadata) {
  const std::string& format = required(path, metadata, "t2v.format");
  const bool digits = format.find_first_not_of("0123456789") == std::string::npos;
  if (!digits || format.empty() || format.front() == '0' || format.size() > 9) {
    fail("{}: metadata 't2v.format' is {}, not a version{}", path, in_quotes(format), kDamaged);
  }
  if (std::stoi(format) <= std::stoi(std::string(kFormat))) return;
  const auto version = metadata.find("t2v.version");
  fail("{}: made by a newer version {}, format {}; this one reads {}; use that version, or a newer one", path,
       in_quotes(version == metadata.end() ? "" : version->second), format, kFormat);
}

[[noreturn]] void fail_tensor(const std::string& path, const std::string& name, const std::string& what) {
  fail("{}: tensor {}: {}{}", path, in_quotes(name), what, kDamaged);
}

std::string range_text(const TensorInfo& tensor) {
  return fmt::format("offsets [{}, {})", tensor.begin, tensor.end);
}

/// The fields of a tensor as values; what they say of each other is not yet checked.
TensorInfo to_info(const std::string& path, const JsonTensor& json) {
  const auto wrong = [&](const std::string& what) { fail_tensor(path, json.name, what); };
  if (!json.dtype || !json.shape || !json.offsets) {
    wrong(fmt::format("'{}' is missing", !json.dtype ? "dtype" : !json.shape ? "shape" : "data_offsets"));
  }
  const auto dtype = dtype_named(*json.dtype);
  if (!dtype) wrong(fmt::format("dtype {} is unknown", in_quotes(*json.dtype)));
  if (json.offsets->size() != 2)
    wrong(fmt::format("data_offsets holds {} numbers, not 2", json.offsets->size()));
  TensorInfo info = {json.name, *dtype, *json.shape, json.offsets->front(), json.offsets->back()};
  if (info.end < info.begin) wrong(fmt::format("{} end before they begin", range_text(info)));
  return info;
}

/// A tensor has the bytes of its shape, aligned, right behind the tensor before it.
void check_place(const std::string& path, const TensorInfo& tensor, int64_t previous_end, int64_t payload) {
  const auto wrong = [&](const std::string& what) {
    fail_tensor(path, tensor.name, range_text(tensor) + what);
  };
  const int64_t bytes = bytes_of(tensor.dtype, tensor.shape);
  const std::string shape = shape_text(tensor.dtype, tensor.shape);
  if (bytes < 0) wrong(fmt::format(", but {} are more bytes than can be counted", shape));
  if (tensor.end - tensor.begin != bytes) {
    wrong(fmt::format(" are {} bytes, but {} are {}", tensor.end - tensor.begin, shape, bytes));
  }
  if (tensor.begin < previous_end)
    wrong(fmt::format(" overlap the tensor before, which ends at {}", previous_end));
  if (tensor.begin > previous_end) wrong(fmt::format(" leave a gap after {}", previous_end));
  if (tensor.begin % size_of(tensor.dtype) != 0) {
    wrong(fmt::format(" do not start at a multiple of {} bytes", size_of(tensor.dtype)));
  }
  if (tensor.end > payload) wrong(fmt::format(" reach beyond the {} bytes that the file has", payload));
}

std::vector<TensorInfo> check_tensors(const std::string& path, const std::vector<JsonTensor>& json,
                                      int64_t payload) {
  std::vector<TensorInfo> tensors;
  tensors.reserve(json.size());
  int64_t end = 0;
  for (const JsonTensor& one : json) {
    tensors.push_back(to_info(path, one));
    check_place(path, tensors.back(), end, payload);
    end = tensors.back().end;
  }
  if (end < payload)
    fail("{}: the tensors are {} bytes, but {} follow the header{}", path, end, payload, kDamaged);
  return tensors;
}

}  // namespace

int64_t bytes_of(Dtype dtype, const std::vector<int64_t>& shape) {
  int64_t bytes = size_of(dtype);
  for (const int64_t n : shape) {
    if (n < 0 || __builtin_mul_overflow(bytes, n, &bytes)) return -1;
  }
  return bytes;
}

std::string shape_text(Dtype dtype, const std::vector<int64_t>& shape) {
  constexpr std::size_t kMost = 8;
  std::string text;
  for (std::size_t i = 0; i < shape.size() && i < kMost; ++i) text += fmt::format("{} x ", shape[i]);
  if (shape.size() > kMost) text += "... x ";
  return text + std::string(name_of(dtype));
}

std::string header_text(const ContainerHeader& header) {
  std::string text = json_of(header, std::string(kNoChecksum));
  const auto unpadded = static_cast<int64_t>(text.size()) + kLengthBytes;
  const int64_t padded = (unpadded + kPayloadAlignment - 1) / kPayloadAlignment * kPayloadAlignment;
  text.resize(static_cast<std::size_t>(padded - kLengthBytes), ' ');
  if (static_cast<int64_t>(text.size()) > kLargestHeader) {
    fail("the header would be {} bytes, more than the {} that safetensors allows; store less in one file",
         text.size(), kLargestHeader);
  }
  const std::size_t at = text.find(kHeaderField) + kHeaderField.size();
  const std::string sum = header_checksum(text, at);
  text.replace(at, kChecksumDigits, sum);
  return text;
}

ContainerHeader parse_header(const std::string& path, std::string_view text, int64_t payload) {
  JsonHeader json = parse_json(path, text);
  if (!json.metadata.contains("t2v.format")) {
    fail("{}: a safetensors file, but without the metadata of time2vec; give a file that time2vec wrote",
         path);
  }
  check_checksum(path, text);
  check_format(path, json.metadata);
  const int64_t start = kLengthBytes + static_cast<int64_t>(text.size());
  if (start % kPayloadAlignment != 0) {
    fail("{}: the payload starts at byte {}, not at a multiple of {}{}", path, start, kPayloadAlignment,
         kDamaged);
  }
  if (!json.problem.empty()) fail("{}: {}{}", path, json.problem, kDamaged);
  required(path, json.metadata, "t2v.kind");
  required(path, json.metadata, "t2v.version");
  ContainerHeader header;
  header.tensors = check_tensors(path, json.tensors, payload);
  header.metadata = std::move(json.metadata);
  return header;
}

std::vector<uint64_t> parse_blocks(const std::string& path, const Metadata& metadata, int64_t payload) {
  const std::string_view text = required(path, metadata, "t2v.blocks");
  const auto count = static_cast<std::size_t>(block_count(payload));
  if (text.size() != count * kChecksumDigits) {
    fail("{}: metadata 't2v.blocks' has {} digits, but a payload of {} bytes needs {}{}", path, text.size(),
         payload, count * kChecksumDigits, kDamaged);
  }
  std::vector<uint64_t> blocks(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto digits = text.substr(i * kChecksumDigits, kChecksumDigits);
    const auto sum = parse_checksum(digits);
    if (!sum) {
      fail("{}: metadata 't2v.blocks': block {} is {}, not 16 hexadecimal digits{}", path, i,
           in_quotes(digits), kDamaged);
    }
    blocks[i] = *sum;
  }
  return blocks;
}

}  // namespace t2v
