#pragma once

#include <cstdint>
#include <vector>

#include "stream/sequence_columns.h"

namespace t2v {

/// A copy of entries 0 to n-1 of a table as they are when it starts, made a few at a time: what changes or
/// makes room meanwhile is copied before it does.
class TableCopy {
 public:
  TableCopy(int64_t entries, int64_t numbers_of_each, int64_t bytes_of_ids)
      : done_(static_cast<std::size_t>(entries)), left_(entries) {
    columns_.reserve(entries, numbers_of_each, bytes_of_ids);
  }

  bool is_whole() const { return left_ == 0; }
  /// The first entry that is not there yet; the number of entries if all are.
  int64_t next() {
    while (next_ < static_cast<int64_t>(done_.size()) && done_[static_cast<std::size_t>(next_)]) ++next_;
    return next_;
  }
  /// Entry `at`, unless it is there, or younger than the copy.
  void add(int64_t at, const Sequence& sequence) {
    const auto place = static_cast<std::size_t>(at);
    if (place >= done_.size() || done_[place]) return;
    done_[place] = true;
    --left_;
    columns_.add(sequence);
  }
  SequenceColumns take() { return std::move(columns_); }

 private:
  std::vector<bool> done_;
  int64_t left_;
  int64_t next_ = 0;
  SequenceColumns columns_;
};

}  // namespace t2v
