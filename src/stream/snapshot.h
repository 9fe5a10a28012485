#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "stream/sequence_columns.h"

namespace t2v {

/// What a stream knew at a moment, apart from the stream: another thread may write it.
struct StreamSnapshot {
  std::string model;  // its digest
  std::string about;  // JSON, for people
  int64_t numbers_of_each = 0;
  bool steps_wait = false;             // the model takes events of one time together
  bool rules = false;                  // whether the sequences have a past
  SequenceColumns sequences;           // in any order
  std::array<int64_t, 8> counts = {};  // of StreamCounts
  std::vector<uint64_t> evicted;       // hashes

  /// Writes the file (docs/file-format.md), atomically.
  void write(FileSystem& files, const std::string& path) const;
};

}  // namespace t2v
