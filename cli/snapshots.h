#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include "stream/stream.h"

namespace t2v::cli {

/// Writes a stream to a file every so many lines, on a thread of its own, without holding up the lines: the
/// sequences are copied a few after each.
class Snapshots {
 public:
  /// `every`: 0 for only at the end. No path: never.
  Snapshots(Stream& stream, std::string path, int64_t every)
      : stream_(stream), path_(std::move(path)), every_(path_.empty() ? 0 : every) {}
  ~Snapshots();
  Snapshots(const Snapshots&) = delete;
  Snapshots& operator=(const Snapshots&) = delete;

  /// To be called after each line.
  void after_line();
  /// Whether there is something to copy; copy() does some of it.
  bool is_copying() const { return stream_.has_started_snapshot(); }
  void copy();
  /// At the end: writes all that the stream knows. Throws t2v::Error if that fails.
  void write_last();

 private:
  void write_beside(StreamSnapshot snapshot);
  void join();

  Stream& stream_;
  std::string path_;
  int64_t every_;
  int64_t lines_ = 0;  // since the last one was started
  std::thread writer_;
  std::atomic<bool> writing_{false};
  std::string error_;  // of the writer, once it has ended
};

}  // namespace t2v::cli
