#include "data/mnist_idx.h"

#include <algorithm>
#include <span>

#include "base/fail.h"
#include "data/byte_stream.h"
#include "data/parts.h"

namespace t2v::data {
namespace {

using Bytes = std::vector<std::byte>;

constexpr int64_t kImagesMagic = 2051;
constexpr int64_t kLabelsMagic = 2049;
/// An IDX file has at most so many bytes, packed or not.
constexpr int64_t kMostBytes = int64_t{1} << 30;

int64_t big_endian(const Bytes& bytes, std::size_t at) {
  int64_t number = 0;
  for (std::size_t i = at; i < at + 4; ++i) number = number * 256 + std::to_integer<int64_t>(bytes[i]);
  return number;
}

/// An IDX file of bytes: `count` things of `size` bytes each behind the header.
struct Idx {
  Bytes bytes;
  int64_t count = 0;
  int64_t size = 1;
  std::size_t header = 0;

  std::span<const std::byte> operator[](int64_t i) const {
    return std::span(bytes).subspan(header + static_cast<std::size_t>(i * size),
                                    static_cast<std::size_t>(size));
  }
};

/// Reads on until there are `size` bytes, or the stream ends. In pieces: the file may promise more than it
/// has.
void read_to(ByteStream& stream, Bytes& bytes, std::size_t size) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  while (bytes.size() < size) {
    const std::size_t before = bytes.size();
    bytes.resize(std::min(size, before + kPiece));
    const std::span<std::byte> piece = std::span(bytes).subspan(before);
    const auto count =
        static_cast<std::size_t>(stream.read({reinterpret_cast<char*>(piece.data()), piece.size()}));
    bytes.resize(before + count);
    if (count < piece.size()) return;
  }
}

Idx read_idx(const std::string& path, int64_t magic, std::string_view what) {
  Idx idx;
  const auto stream = open_stream(path);
  const auto dimensions = static_cast<std::size_t>(magic % 256);
  idx.header = 4 + 4 * dimensions;
  read_to(*stream, idx.bytes, idx.header);
  if (idx.bytes.size() < idx.header) {
    fail("{}: {} bytes, but the header of an IDX file of {} has {}; get it again", path, idx.bytes.size(),
         what, idx.header);
  }
  if (const int64_t seen = big_endian(idx.bytes, 0); seen != magic) {
    fail("{}: magic number '{}', expected {}: not an IDX file of {}; give images first, then labels", path,
         seen, magic, what);
  }
  idx.count = big_endian(idx.bytes, 4);
  for (std::size_t d = 1; d < dimensions; ++d) {
    const int64_t extent = big_endian(idx.bytes, 4 + 4 * d);
    if (extent < 1 || extent > 1 << 15) {
      fail("{}: dimension {} has an extent of '{}', expected 1 to 32768; get the file again", path, d + 1,
           extent);
    }
    idx.size *= extent;
  }
  const int64_t expected = idx.count * idx.size;
  if (expected > kMostBytes) {
    fail("{}: {} {} of {} bytes, more than {} in all; cut the file in parts", path, idx.count, what, idx.size,
         kMostBytes);
  }
  read_to(*stream, idx.bytes, idx.header + static_cast<std::size_t>(expected) + 1);
  const auto seen = static_cast<int64_t>(idx.bytes.size() - idx.header);
  if (seen != expected) {
    fail("{}: {} bytes behind the header, expected {} ({} {} of {} bytes); get the file again", path,
         seen > expected ? "more" : std::to_string(seen), expected, idx.count, what, idx.size);
  }
  return idx;
}

/// The smallest byte that is an event.
std::byte faintest(double threshold) {
  int byte = 0;
  while (byte / 255.0 <= threshold) ++byte;
  return static_cast<std::byte>(byte);
}

/// Adds the events of an image. False if it has none but the one at 0.
bool add_image(EventTable& table, std::span<const std::byte> pixels, std::byte faintest_event, bool shift) {
  const std::size_t before = table.ticks.size();
  int64_t first = -1;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    if (pixels[i] < faintest_event) continue;
    const auto position = static_cast<int64_t>(i);
    if (first < 0) first = position;
    table.ticks.push_back(shift ? position - first : position);
  }
  const bool any = first >= 0;
  if (!any) table.ticks.push_back(0);
  table.sequence.insert(table.sequence.end(), table.ticks.size() - before, table.ids.size() - 1);
  return any;
}

/// Adds a pair of files; returns the number of images without an event.
int64_t add_files(EventTable& table, const MnistFiles& files, const MnistOptions& options) {
  const Idx images = read_idx(files.images, kImagesMagic, "images");
  const Idx labels = read_idx(files.labels, kLabelsMagic, "labels");
  if (images.count != labels.count) {
    fail("{} has {} images, but {} has {} labels: give the two files of one set", files.images, images.count,
         files.labels, labels.count);
  }
  const std::string prefix = id_prefix(files.part);
  const std::byte faintest_event = faintest(options.threshold);
  int64_t empty = 0;
  for (int64_t i = 0; i < images.count; ++i) {
    add_sequence(table, prefix + std::to_string(i), files.part, files.images);
    if (!add_image(table, images[i], faintest_event, options.shift)) ++empty;
    table.label->codes.push_back(std::to_integer<int32_t>(labels[i][0]));
  }
  return empty;
}

}  // namespace

EventTable import_mnist(const std::vector<MnistFiles>& files, const MnistOptions& options) {
  if (!(options.threshold >= 0 && options.threshold < 1)) {
    fail("threshold '{}' is no share of full scale; set it from 0 to below 1", options.threshold);
  }
  EventTable table;
  table.from_zero = !options.shift;
  table.label = Categories{"digit", {}, {}};
  int64_t empty = 0;
  for (const MnistFiles& pair : files) empty += add_files(table, pair, options);
  const std::vector<int32_t>& codes = table.label->codes;
  const int32_t most = codes.empty() ? -1 : *std::max_element(codes.begin(), codes.end());
  for (int32_t digit = 0; digit <= most; ++digit) table.label->names.add(std::to_string(digit));
  table.source = fmt::format("images in IDX files, {} of them", table.sequences());
  table.notes.push_back(
      fmt::format("Events are pixels brighter than {} of full scale; times are positions{}.",
                  options.threshold, options.shift ? " since the first of the image" : " in the image"));
  if (empty > 0) {
    table.notes.push_back(fmt::format("{} images have no such pixel; they have one event at 0.", empty));
  }
  return table;
}

EventTable import_mnist(const std::string& images_path, const std::string& labels_path,
                        const MnistOptions& options) {
  return import_mnist({MnistFiles{images_path, labels_path}}, options);
}

}  // namespace t2v::data
