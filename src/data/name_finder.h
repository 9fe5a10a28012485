#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "data/decimal.h"
#include "data/names.h"

namespace t2v::data {

/// Finds the numbers of names, most of which it has met before: short ones (up to 8 bytes) without hashing
/// them. A name is compared whole, never by its hash alone. Keeps what it knows as long as the names are the
/// same ones, which may only grow.
class NameFinder {
 public:
  /// The same of the name that a whole number has in digits, which are written where it was not met before.
  int32_t number(int64_t whole, const Names* known, Names& fresh) {
    std::array<char, 24> digits{};
    const auto slow = [&] {
      const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), whole).ptr;
      return look_up({digits.data(), static_cast<std::size_t>(end - digits.data())}, known, fresh);
    };
    if (known == nullptr || whole < 0 || whole >= kMostWhole) return slow();
    if (known != names_) forget(known);
    const auto at = static_cast<std::size_t>(whole);
    if (at >= wholes_.size()) wholes_.resize(std::min(2 * at + 1024, std::size_t{kMostWhole}), -1);
    if (wholes_[at] >= 0) return wholes_[at];
    const int32_t number = slow();
    wholes_[at] = std::max(number, -1);  // a fresh name has another number later
    return number;
  }

  /// The number of a name among `known`, else ~i for number i of `fresh`, where it is added if need be. Bytes
  /// from the start of the name up to `readable` may be read.
  int32_t number(std::string_view name, const char* readable, const Names* known, Names& fresh) {
    const bool is_short = name.size() <= sizeof(uint64_t) && readable - name.data() >= 8;
    if (!is_short || known == nullptr) return look_up(name, known, fresh);
    if (known != names_) forget(known);
    const uint64_t word = name.empty() ? 0 : load_short(name);
    // The size tells a name from the same one with zero bytes at its end.
    const uint64_t key = word ^ (uint64_t{name.size()} * 0x9E3779B97F4A7C15U);
    const auto size = static_cast<int32_t>(name.size());
    Entry* const pair = entries_.data() + 2 * (key * 0xD6E8FEB86659FD93U >> (64 - kBits));
    const auto is = [&](const Entry& entry) { return entry.word == word && entry.size == size; };
    const bool second = is(pair[1]);  // which of the two it is cannot be foretold: no branch
    if (static_cast<int>(is(pair[0])) + static_cast<int>(second) > 0) return pair[second ? 1 : 0].number;
    const int32_t number = look_up(name, known, fresh);
    if (number >= 0) {
      pair[1] = pair[0];
      pair[0] = {word, size, number};
    }
    return number;
  }

 private:
  static constexpr int kBits = 15;  // of the number of pairs
  /// Whole numbers below this, as ids often are, are found by their place in a table.
  static constexpr int64_t kMostWhole = int64_t{1} << 22;
  struct Entry {
    uint64_t word = 0;
    int32_t size = -1;
    int32_t number = -1;
  };

  static int32_t look_up(std::string_view name, const Names* known, Names& fresh) {
    const uint64_t hash = Names::hash_of(name);
    const int32_t number = known == nullptr ? -1 : known->find(name, hash);
    return number >= 0 ? number : ~fresh.add(name, hash);
  }
  void forget(const Names* known) {
    entries_.assign(std::size_t{2} << kBits, Entry());
    wholes_.clear();
    names_ = known;
  }

  const Names* names_ = nullptr;
  std::vector<Entry> entries_;
  std::vector<int32_t> wholes_;  // numbers of names, -1 where a name was not met
};

/// Finders for whoever needs some, a set at a time: as many sets come to be as are in use at once, so that
/// each stays in the cache of a core or so.
class FinderSets {
 public:
  using Set = std::vector<NameFinder>;

  std::unique_ptr<Set> take() {
    const std::scoped_lock lock(mutex_);
    if (sets_.empty()) return std::make_unique<Set>();
    std::unique_ptr<Set> set = std::move(sets_.back());
    sets_.pop_back();
    return set;
  }
  void give_back(std::unique_ptr<Set> set) {
    const std::scoped_lock lock(mutex_);
    sets_.push_back(std::move(set));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Set>> sets_;
};

}  // namespace t2v::data
