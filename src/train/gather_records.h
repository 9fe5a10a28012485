#pragma once

#include <cstring>
#include <vector>

#include "comm/communicator.h"

namespace t2v {

/// Appends the records of all other ranks, by rank, to those of rank 0. To be called by all ranks; those of
/// the others stay as they are.
template <class Record>
void gather_records(comm::Communicator& ranks, std::vector<Record>& records) {
  static_assert(std::is_trivially_copyable_v<Record>);
  if (ranks.alone()) return;
  comm::Bytes mine(static_cast<int64_t>(ranks.rank() == 0 ? 0 : records.size() * sizeof(Record)));
  if (mine.size() > 0) std::memcpy(mine.data(), records.data(), static_cast<std::size_t>(mine.size()));
  for (const comm::Bytes& bytes : comm::gather(ranks, mine)) {
    if (bytes.size() == 0) continue;
    const std::size_t before = records.size();
    records.resize(before + static_cast<std::size_t>(bytes.size()) / sizeof(Record));
    std::memcpy(records.data() + before, bytes.data(), static_cast<std::size_t>(bytes.size()));
  }
}

}  // namespace t2v
