#include "stream/sequence_table.h"

#include <algorithm>

#include "base/checksum.h"
#include "base/fail.h"
#include "stream/table_copy.h"

namespace t2v {
namespace {

/// Of an id; never 0.
uint64_t hash_of(std::string_view id) {
  return std::max<uint64_t>(1, checksum(std::as_bytes(std::span(id))));
}

}  // namespace

SequenceTable::SequenceTable(int64_t most, int64_t numbers)
    : most_(most), numbers_(static_cast<std::size_t>(numbers)), remembered_(kRemembered) {
  if (most < 1) fail("a stream needs room for at least 1 sequence, not {}", most);
  // To grow at some event would hold it up by tens of milliseconds.
  constexpr int64_t kReserved = 1'000'000;
  places_.reserve(static_cast<std::size_t>(std::min(most, kReserved)));
}

SequenceTable::~SequenceTable() = default;

void SequenceTable::start_copy() { copy_ = std::make_unique<TableCopy>(size(), numbers(), id_bytes_); }

bool SequenceTable::copy_some(int64_t most) {
  for (int64_t i = 0; i < most && !copy_->is_whole(); ++i) {
    const int64_t at = copy_->next();
    copy_->add(at, entry(at).sequence);
  }
  return copy_->is_whole();
}

SequenceColumns SequenceTable::take_copy() {
  SequenceColumns columns = copy_->take();
  copy_ = nullptr;
  return columns;
}

Sequence* SequenceTable::find(std::string_view id) {
  const auto found = places_.find(id);
  return found == places_.end() ? nullptr : &entry(found->second).sequence;
}

Sequence& SequenceTable::add(std::string_view id) {
  uint64_t& memory = memory_of(hash_of(id));
  if (memory == hash_of(id)) {
    ++returned_;
    memory = 0;
  }
  const int64_t at = take_place(id);
  link_as_newest(at);
  Sequence& sequence = entry(at).sequence;
  sequence.first_tick = sequence.last_tick = 0;
  sequence.parts.clear();
  sequence.event = 0;
  sequence.start = sequence.gap = 0;
  sequence.past.clear();
  sequence.numbers.assign(numbers_, 0.0F);
  return sequence;
}

int64_t SequenceTable::take_place(std::string_view id) {
  if (size() < most_) {
    const auto at = static_cast<int64_t>(entries_.size());
    entries_.emplace_back().sequence.id = id;
    places_.emplace(entries_.back().sequence.id, at);
    id_bytes_ += static_cast<int64_t>(id.size());
    return at;
  }
  const int64_t at = oldest_;
  if (copy_) copy_->add(at, entry(at).sequence);
  unlink(at);
  std::string& name = entry(at).sequence.id;
  const uint64_t hash = hash_of(name);
  memory_of(hash) = hash;
  ++evicted_;
  // The node of the map is used again, as is the memory of the ids.
  auto node = places_.extract(name);
  last_evicted_.swap(name);
  name = id;
  id_bytes_ += static_cast<int64_t>(id.size()) - static_cast<int64_t>(last_evicted_.size());
  node.key() = name;
  places_.insert(std::move(node));
  return at;
}

void SequenceTable::use(const Sequence& sequence) {
  const int64_t at = places_.find(sequence.id)->second;
  if (copy_) copy_->add(at, sequence);
  if (at == newest_) return;
  unlink(at);
  link_as_newest(at);
}

void SequenceTable::unlink(int64_t at) {
  Entry& gone = entry(at);
  (gone.older < 0 ? oldest_ : entry(gone.older).newer) = gone.newer;
  (gone.newer < 0 ? newest_ : entry(gone.newer).older) = gone.older;
  gone.older = gone.newer = -1;
}

void SequenceTable::link_as_newest(int64_t at) {
  entry(at).older = newest_;
  entry(at).newer = -1;
  (newest_ < 0 ? oldest_ : entry(newest_).newer) = at;
  newest_ = at;
  entry(at).sequence.used = ++uses_;
}

void SequenceTable::restore_memory(std::span<const uint64_t> remembered, int64_t evicted, int64_t returned) {
  for (const uint64_t hash : remembered) {
    if (hash != 0) memory_of(hash) = hash;
  }
  evicted_ = evicted;
  returned_ = returned;
}

}  // namespace t2v
