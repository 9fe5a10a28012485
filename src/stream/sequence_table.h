#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/packed_batch.h"
#include "model/rules.h"

namespace t2v {

/// What a stream keeps of a sequence.
struct Sequence {
  std::string id = {};
  int64_t first_tick = 0;
  int64_t last_tick = 0;
  std::vector<float> numbers = {};  // the state of the model; then the features of the waiting event
  // The waiting event: the last one, if the model needs the time of the one after it; or the last step, if
  // the model takes events of one time together.
  std::vector<EventPart> parts = {};
  int32_t event = 0;
  double start = 0;  // its times
  double gap = 0;
  RecentTypes past = {};  // for models with rules
  uint64_t used = 0;      // when the table had it used last: larger is later
};

class TableCopy;
struct SequenceColumns;

/// The sequences of a stream by id, at most so many: of more, the one that was not used for longest makes
/// room. Allocates nothing for a known id, nor, as far as ids are no longer than those before, once it is
/// full.
class SequenceTable {
 public:
  /// Hashes of ids that made room, to know them again: the last ones, about so many.
  static constexpr std::size_t kRemembered = std::size_t{1} << 16;

  /// `numbers`: of each sequence.
  SequenceTable(int64_t most, int64_t numbers);
  ~SequenceTable();
  SequenceTable(const SequenceTable&) = delete;
  SequenceTable& operator=(const SequenceTable&) = delete;

  int64_t size() const { return static_cast<int64_t>(places_.size()); }
  /// Of each sequence.
  int64_t numbers() const { return static_cast<int64_t>(numbers_); }
  int64_t evicted() const { return evicted_; }
  /// The id that made room last; empty for none yet.
  std::string_view last_evicted() const { return last_evicted_; }
  /// New sequences whose id is remembered as one that made room.
  int64_t returned() const { return returned_; }

  /// The sequence of an id, or null. Good until it makes room.
  Sequence* find(std::string_view id);
  /// A new sequence, all zero, and the one used last.
  Sequence& add(std::string_view id);
  /// Makes it the one used last. To be called before it is changed.
  void use(const Sequence& sequence);

  /// Starts a copy of all sequences as they are now; another one that is not whole is forgotten.
  void start_copy();
  bool is_copying() const { return copy_ != nullptr; }
  /// Copies up to so many more. True once all are there: take_copy() has them then.
  bool copy_some(int64_t most);
  SequenceColumns take_copy();

  /// Calls visit(sequence), those not used for longest first.
  template <class Visit>
  void visit(const Visit& visit) const {
    for (int64_t at = oldest_; at >= 0; at = entry(at).newer) visit(entry(at).sequence);
  }

  // For snapshots.
  std::span<const uint64_t> remembered() const { return remembered_; }
  /// `remembered`: in any order, with or without zeros.
  void restore_memory(std::span<const uint64_t> remembered, int64_t evicted, int64_t returned);

 private:
  struct Entry {
    Sequence sequence;
    int64_t older = -1;
    int64_t newer = -1;
  };

  Entry& entry(int64_t at) { return entries_[static_cast<std::size_t>(at)]; }
  const Entry& entry(int64_t at) const { return entries_[static_cast<std::size_t>(at)]; }
  /// A place for an id that is in none: a new one, or the oldest's.
  int64_t take_place(std::string_view id);
  void unlink(int64_t at);
  void link_as_newest(int64_t at);
  uint64_t& memory_of(uint64_t hash) { return remembered_[hash % kRemembered]; }

  int64_t most_;
  std::size_t numbers_;
  std::deque<Entry> entries_;                             // never moved: the keys view their ids
  std::unordered_map<std::string_view, int64_t> places_;  // id -> entry
  int64_t oldest_ = -1;
  int64_t newest_ = -1;
  std::vector<uint64_t> remembered_;  // [kRemembered] by remainder, 0 for none
  int64_t evicted_ = 0;
  std::string last_evicted_;
  int64_t returned_ = 0;
  uint64_t uses_ = 0;
  int64_t id_bytes_ = 0;
  std::unique_ptr<TableCopy> copy_;
};

}  // namespace t2v
