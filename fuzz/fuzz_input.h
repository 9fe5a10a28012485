#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>
#include <string_view>

#include "base/checksum.h"
#include "t2v/error.h"

namespace t2v::fuzz {

inline void check(bool good) {
  if (!good) std::abort();
}

/// Calls it; t2v::Error with a message of one printable line is fine, any other exception ends the process.
template <class Call>
void expect_error_or_nothing(Call call) {
  try {
    call();
  } catch (const Error& error) {
    const std::string_view what = error.what();
    check(!what.empty());
    for (const char c : what) check(static_cast<unsigned char>(c) >= 0x20);
  }
}

inline std::string_view text_of(const uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Where the environment names a file by T2V_FUZZ_SEED, writes the seed there and ends: for what only the
/// target itself can make.
inline void leave_seed(const std::string& bytes) {
  const char* path = std::getenv("T2V_FUZZ_SEED");
  if (path == nullptr) return;
  std::ofstream(path, std::ios::binary) << bytes;
  std::exit(0);
}

/// A file in memory that has a path.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : file_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    check(file_ >= 0 && ::write(file_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  }
  ~MemoryFile() { ::close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

/// The last brace of a container's header: below the end that its first bytes tell, where they make sense.
inline std::size_t last_brace(std::string_view bytes) {
  uint64_t length = 0;
  for (std::size_t i = 8; i-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes[i]);
  return length <= bytes.size() - 8 ? bytes.substr(0, 8 + length).rfind('}') : bytes.rfind('}');
}

/// Corrects what a fuzzer cannot guess in a container: the length of the header (to its last brace and the
/// padding), the checksum of the only block, that of the header.
inline std::string corrected(std::string bytes) {
  if (bytes.size() < 8) return bytes;
  const std::size_t brace = last_brace(bytes);
  if (brace == std::string::npos || brace < 8) return bytes;
  const std::size_t payload = (brace + 64) / 64 * 64;
  const std::size_t padded = std::min(bytes.find_first_not_of(' ', brace + 1), payload);
  bytes.erase(brace + 1, padded - brace - 1);
  bytes.insert(brace + 1, payload - brace - 1, ' ');
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>((payload - 8) >> (8 * i) & 0xff);
  const auto all = [&] { return std::as_bytes(std::span(bytes)); };
  const auto put = [&](std::string_view field, uint64_t sum) {
    const std::size_t at = bytes.find(field, 8);
    if (at == std::string::npos || at + field.size() + kChecksumDigits > brace) return;
    bytes.replace(at + field.size(), kChecksumDigits, checksum_text(sum));
  };
  const auto zero = [&](std::string_view field) {
    const std::size_t at = bytes.find(field, 8);
    if (at == std::string::npos || at + field.size() + kChecksumDigits > brace) return;
    bytes.replace(at + field.size(), kChecksumDigits, kChecksumDigits, '0');
  };
  if (payload < bytes.size()) put(R"("t2v.blocks":")", checksum(all().subspan(payload)));
  zero(R"("t2v.header":")");
  put(R"("t2v.header":")", checksum(all().subspan(8, payload - 8)));
  return bytes;
}

}  // namespace t2v::fuzz
