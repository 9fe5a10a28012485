#include "data/mnist_idx.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <span>

#include "base/fail.h"
#include "base/file_system.h"
#include "data/parts.h"

namespace t2v::data {
namespace {

using Bytes = std::vector<std::byte>;

constexpr int64_t kImagesMagic = 2051;
constexpr int64_t kLabelsMagic = 2049;
constexpr int kGzip = 16 + MAX_WBITS;  // of inflateInit2: a gzip header is expected

bool is_gzip(const Bytes& bytes) {
  return bytes.size() >= 2 && bytes[0] == std::byte{0x1F} && bytes[1] == std::byte{0x8B};
}

/// An open inflation.
struct Inflation {
  z_stream stream = {};
  Inflation() {
    if (inflateInit2(&stream, kGzip) != Z_OK)
      fail("a compressed file cannot be unpacked for lack of memory; unpack it first");
  }
  ~Inflation() { inflateEnd(&stream); }
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;
};

Bytes inflated(const Bytes& bytes, const std::string& path) {
  if (bytes.size() > std::numeric_limits<uInt>::max()) fail("{}: more than 4 GB; unpack it first", path);
  Inflation inflation;
  z_stream& stream = inflation.stream;
  // zlib does not write to its input, but says so only by a macro.
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  Bytes all;
  Bytes piece(1 << 20);
  for (int status = Z_OK; status != Z_STREAM_END;) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    status = inflate(&stream, Z_NO_FLUSH);
    if (status == Z_BUF_ERROR) fail("{}: the compressed file is cut off; get it again", path);
    if (status != Z_OK && status != Z_STREAM_END) {
      fail("{}: the compressed file is damaged ({}); get it again", path,
           stream.msg != nullptr ? stream.msg : "zlib");
    }
    all.insert(all.end(), piece.begin(), piece.end() - stream.avail_out);
  }
  return all;
}

Bytes read_maybe_compressed(const std::string& path) {
  Bytes bytes = read_file(FileSystem::real(), path);
  return is_gzip(bytes) ? inflated(bytes, path) : bytes;
}

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

Idx read_idx(const std::string& path, int64_t magic, std::string_view what) {
  Idx idx;
  idx.bytes = read_maybe_compressed(path);
  const auto dimensions = static_cast<std::size_t>(magic % 256);
  idx.header = 4 + 4 * dimensions;
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
  const auto seen = static_cast<int64_t>(idx.bytes.size() - idx.header);
  if (seen != idx.count * idx.size) {
    fail("{}: {} bytes behind the header, expected {} ({} {} of {} bytes); get the file again", path, seen,
         idx.count * idx.size, idx.count, what, idx.size);
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
