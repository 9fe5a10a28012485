#include "data/names.h"

// Hashes are made for every cell: the function is compiled in.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <cstring>
#include <limits>

#include "base/fail.h"

namespace t2v::data {
namespace {

constexpr std::size_t kFewestSlots = 64;

/// Whether two texts of the same length are equal; names are mostly short.
bool same_bytes(const char* a, const char* b, std::size_t size) {
  if (size > 16 || size < 4) return size == 0 || std::memcmp(a, b, size) == 0;  // no name may be nowhere
  const auto differ = [&]<class Word>(Word /*type*/) {
    std::array<Word, 4> words{};
    std::memcpy(&words[0], a, sizeof(Word));
    std::memcpy(&words[1], b, sizeof(Word));
    std::memcpy(&words[2], a + size - sizeof(Word), sizeof(Word));
    std::memcpy(&words[3], b + size - sizeof(Word), sizeof(Word));
    return ((words[0] ^ words[1]) | (words[2] ^ words[3])) != 0;
  };
  return size >= 8 ? !differ(uint64_t{}) : !differ(uint32_t{});
}

}  // namespace

uint64_t Names::hash_of(std::string_view name) { return XXH3_64bits(name.data(), name.size()); }

std::size_t Names::slot_of(std::string_view name, uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  const auto tag = static_cast<uint32_t>(hash >> 32);
  std::size_t slot = hash & mask;
  const auto other = [&](const Slot& at) {
    if (at.tag != tag) return true;
    const std::string_view known = (*this)[at.number];
    return known.size() != name.size() || !same_bytes(known.data(), name.data(), name.size());
  };
  while (slots_[slot].number >= 0 && other(slots_[slot])) slot = (slot + 1) & mask;
  return slot;
}

int32_t Names::add(std::string_view name, uint64_t hash) {
  if ((hashes_.size() + 1) * 2 > slots_.size()) grow();
  Slot& slot = slots_[slot_of(name, hash)];
  if (slot.number >= 0) return slot.number;
  if (size() == std::numeric_limits<int32_t>::max()) fail("more than {} distinct names", size());
  slot = {static_cast<uint32_t>(hash >> 32), size()};
  bytes_.insert(bytes_.end(), name.begin(), name.end());
  offsets_.push_back(static_cast<int64_t>(bytes_.size()));
  hashes_.push_back(hash);
  return slot.number;
}

int32_t Names::find(std::string_view name, uint64_t hash) const {
  return slots_.empty() ? -1 : slots_[slot_of(name, hash)].number;
}

void Names::clear() {
  if (hashes_.empty()) return;
  bytes_.clear();
  offsets_.assign(1, 0);
  hashes_.clear();
  for (Slot& slot : slots_) slot = Slot();
}

void Names::grow() {
  slots_.assign(slots_.empty() ? kFewestSlots : slots_.size() * 2, Slot());
  const std::size_t mask = slots_.size() - 1;
  for (int32_t number = 0; number < size(); ++number) {
    std::size_t slot = hash(number) & mask;
    while (slots_[slot].number >= 0) slot = (slot + 1) & mask;
    slots_[slot] = {static_cast<uint32_t>(hash(number) >> 32), number};
  }
}

}  // namespace t2v::data
