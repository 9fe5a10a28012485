#include "base/checksum.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <memory>
#include <new>

namespace t2v {

uint64_t checksum(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

uint64_t checksum(std::span<const std::span<const std::byte>> pieces) {
  if (pieces.size() == 1) return checksum(pieces.front());
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                              &XXH3_freeState);
  if (!state) throw std::bad_alloc();
  XXH3_64bits_reset(state.get());
  for (const auto piece : pieces) XXH3_64bits_update(state.get(), piece.data(), piece.size());
  return XXH3_64bits_digest(state.get());
}

std::string checksum_text(uint64_t sum) { return fmt::format("{:016x}", sum); }

std::optional<uint64_t> parse_checksum(std::string_view text) {
  if (text.size() != kChecksumDigits) return std::nullopt;
  uint64_t sum = 0;
  for (const char digit : text) {
    const bool decimal = digit >= '0' && digit <= '9';
    if (!decimal && (digit < 'a' || digit > 'f')) return std::nullopt;
    sum = sum << 4 | static_cast<uint64_t>(decimal ? digit - '0' : digit - 'a' + 10);
  }
  return sum;
}

}  // namespace t2v
