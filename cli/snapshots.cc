#include "snapshots.h"

#include <sys/resource.h>

#include <utility>

#include "base/start_thread.h"
#include "say.h"
#include "t2v/error.h"

namespace t2v::cli {
namespace {

/// Sequences that are copied after a line: some 10 microseconds' worth, so that at 20,000 lines a second a
/// core keeps up.
constexpr int64_t kSlice = 16;

}  // namespace

Snapshots::~Snapshots() { join(); }

void Snapshots::join() {
  if (!writer_.joinable()) return;
  writer_.join();
  if (!error_.empty()) say("t2v: no snapshot was written: {}\n", std::exchange(error_, {}));
}

void Snapshots::after_line() {
  if (every_ == 0) return;
  ++lines_;
  if (is_copying()) {
    copy();
  } else if (lines_ >= every_ && !writing_) {
    join();
    lines_ = 0;
    stream_.start_snapshot();
  }
}

void Snapshots::copy() {
  if (stream_.continue_snapshot(kSlice)) write_beside(stream_.take_snapshot());
}

void Snapshots::write_beside(StreamSnapshot snapshot) {
  join();
  writing_ = true;
  auto write = [this, snapshot = std::move(snapshot)] {
    ::setpriority(PRIO_PROCESS, 0, 10);  // of this thread: lines come first
    try {
      snapshot.write(FileSystem::real(), path_);
    } catch (const std::exception& error) {
      error_ = error.what();
    }
    writing_ = false;
  };
  try {
    writer_ = start_thread(std::move(write));
  } catch (const Error& error) {  // the next one may be written
    writing_ = false;
    say("t2v: no snapshot was written: {}\n", error.what());
  }
}

void Snapshots::write_last() {
  join();
  if (!path_.empty()) stream_.save(FileSystem::real(), path_);
}

}  // namespace t2v::cli
