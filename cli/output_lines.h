#pragma once

#include <string>
#include <string_view>

#include "stop_poll.h"

namespace t2v::cli {

/// Lines for an open file, gathered and written in pieces. Where nobody reads what is written, a signal still
/// ends the wait.
class OutputLines {
 public:
  OutputLines(int file, const StopPoll& stop) : file_(file), stop_(stop) {}

  /// Both do nothing once it is broken.
  void write(std::string_view line);
  void flush();
  /// Whether something could not be written: the file was closed, or a signal came and it took no more.
  bool is_broken() const { return broken_; }

 private:
  bool wait_for_room() const;

  int file_;
  const StopPoll& stop_;
  std::string text_;
  bool broken_ = false;
};

}  // namespace t2v::cli
