#include "data/byte_stream.h"

#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/fail.h"

namespace t2v::data {
namespace {

constexpr std::size_t kInputBytes = std::size_t{1} << 18;

template <class Call>
auto retry(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

/// The bytes as they lie in the source.
class RawStream : public ByteStream {
 public:
  RawStream(const std::string& path, FileSystem& files)
      : files_(files), name_(source_name(path)), owned_(path != "-") {
    if (owned_ && files.is_folder(path)) fail("{}: this is a folder; name the files in it", name_);
    if (owned_) file_ = retry([&] { return files.open(path, FileSystem::Mode::kRead); });
    if (file_ < 0) fail("{}: cannot open: {}", name_, std::generic_category().message(errno));
    total_ = std::max<int64_t>(0, retry([&] { return files.size(file_); }));
  }
  ~RawStream() override {
    if (owned_) files_.close(file_);
  }
  RawStream(const RawStream&) = delete;
  RawStream& operator=(const RawStream&) = delete;

  int64_t read(std::span<char> buffer) override {
    std::size_t done = std::min(buffer.size(), peeked_.size());
    std::copy_n(peeked_.begin(), done, buffer.begin());
    peeked_.remove_prefix(done);
    while (done < buffer.size()) {
      const int64_t count = read_once(buffer.subspan(done));
      if (count == 0) break;
      done += static_cast<std::size_t>(count);
    }
    return static_cast<int64_t>(done);
  }
  int64_t taken() const override { return taken_; }
  int64_t total() const override { return total_; }
  const std::string& name() const { return name_; }

  /// The first bytes, which read() will give again.
  std::string_view peek() {
    std::size_t done = 0;
    while (done < first_.size()) {
      const int64_t count = read_once(std::span(first_).subspan(done));
      if (count == 0) break;
      done += static_cast<std::size_t>(count);
    }
    peeked_ = {first_.data(), done};
    return peeked_;
  }

 private:
  int64_t read_once(std::span<char> buffer) {
    const int64_t count = retry([&] { return files_.read(file_, std::as_writable_bytes(buffer)); });
    if (count < 0) fail("{}: cannot be read: {}", name_, std::generic_category().message(errno));
    taken_ += count;
    return count;
  }

  FileSystem& files_;
  std::string name_;
  bool owned_;  // standard input is not
  int file_ = STDIN_FILENO;
  int64_t taken_ = 0;
  int64_t total_ = 0;
  std::array<char, 4> first_{};
  std::string_view peeked_;
};

/// What gzip and zstd share: compressed bytes come in as they are needed.
class Decompressor : public ByteStream {
 public:
  explicit Decompressor(std::unique_ptr<RawStream> source)
      : source_(std::move(source)), input_(kInputBytes) {}
  int64_t taken() const override { return source_->taken(); }
  int64_t total() const override { return source_->total(); }
  int64_t read(std::span<char> buffer) final {
    const int64_t count = decompress(buffer);
    given_ += count;
    if (given_ > kAlwaysFine && given_ / kMostGrowth > taken()) {
      fail("{}: {} compressed bytes become more than {} times as many; unpack it first if it is meant so",
           name(), taken(), kMostGrowth);
    }
    return count;
  }

 protected:
  virtual int64_t decompress(std::span<char> buffer) = 0;
  const std::string& name() const { return source_->name(); }
  /// The next compressed bytes; none at the end.
  std::span<char> refill() {
    return std::span(input_).first(static_cast<std::size_t>(source_->read(input_)));
  }

 private:
  std::unique_ptr<RawStream> source_;
  std::vector<char> input_;
  int64_t given_ = 0;
};

class GzipStream : public Decompressor {
 public:
  explicit GzipStream(std::unique_ptr<RawStream> source) : Decompressor(std::move(source)) {
    constexpr int kGzip = 16;
    if (inflateInit2(&state_, MAX_WBITS + kGzip) != Z_OK) fail("{}: zlib could not be started", name());
  }
  ~GzipStream() override { inflateEnd(&state_); }
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;

  int64_t decompress(std::span<char> buffer) override {
    state_.next_out = reinterpret_cast<Bytef*>(buffer.data());
    state_.avail_out = static_cast<uInt>(buffer.size());
    while (state_.avail_out > 0 && inflate_some()) {
    }
    return static_cast<int64_t>(buffer.size() - state_.avail_out);
  }

 private:
  /// False at the end. Output may be pending when the input is used up, so the end is where neither moves.
  bool inflate_some() {
    if (state_.avail_in == 0) {
      const std::span<char> input = refill();
      state_.next_in = reinterpret_cast<Bytef*>(input.data());
      state_.avail_in = static_cast<uInt>(input.size());
      if (input.empty() && between_members_) return false;
    }
    if (between_members_) inflateReset(&state_);  // another member follows
    between_members_ = false;
    const int status = inflate(&state_, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      between_members_ = true;
    } else if (status == Z_BUF_ERROR) {
      fail("{}: the gzip data ends early; the file is cut off, fetch or compress it again", name());
    } else if (status != Z_OK) {
      fail("{}: the gzip data is damaged ({}); fetch or compress the file again", name(),
           state_.msg == nullptr ? "zlib error" : state_.msg);
    }
    return true;
  }

  z_stream state_{};
  bool between_members_ = false;
};

class ZstdStream : public Decompressor {
 public:
  explicit ZstdStream(std::unique_ptr<RawStream> source)
      : Decompressor(std::move(source)), state_(ZSTD_createDStream()) {
    if (state_ == nullptr) fail("{}: zstd could not be started", name());
  }
  ~ZstdStream() override { ZSTD_freeDStream(state_); }
  ZstdStream(const ZstdStream&) = delete;
  ZstdStream& operator=(const ZstdStream&) = delete;

  int64_t decompress(std::span<char> buffer) override {
    ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
    while (out.pos < out.size && decompress_some(out)) {
    }
    return static_cast<int64_t>(out.pos);
  }

 private:
  /// False at the end. Output may be pending when the input is used up, so the end is where neither moves.
  bool decompress_some(ZSTD_outBuffer& out) {
    if (in_.pos == in_.size) {
      const std::span<char> input = refill();
      in_ = {input.data(), input.size(), 0};
      if (input.empty() && !within_frame_) return false;
    }
    const std::size_t before = out.pos;
    const bool no_input = in_.pos == in_.size;
    const std::size_t status = ZSTD_decompressStream(state_, &out, &in_);
    if (ZSTD_isError(status) != 0) {
      fail("{}: the zstd data is damaged ({}); fetch or compress the file again", name(),
           ZSTD_getErrorName(status));
    }
    within_frame_ = status != 0;
    if (no_input && within_frame_ && out.pos == before) {
      fail("{}: the zstd data ends early; the file is cut off, fetch or compress it again", name());
    }
    return true;
  }

  ZSTD_DStream* state_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool within_frame_ = false;
};

}  // namespace

std::string source_name(const std::string& path) { return path == "-" ? "standard input" : path; }

std::unique_ptr<ByteStream> open_stream(const std::string& path, FileSystem& files) {
  auto raw = std::make_unique<RawStream>(path, files);
  const std::string_view first = raw->peek();
  if (first.starts_with("\x1f\x8b")) return std::make_unique<GzipStream>(std::move(raw));
  if (first.starts_with("\x28\xb5\x2f\xfd")) return std::make_unique<ZstdStream>(std::move(raw));
  return raw;
}

}  // namespace t2v::data
