#pragma once

namespace t2v::cli {

/// SIGINT and SIGTERM as something to wait for beside input and output, for the rest of the program: none of
/// them interrupts the work on a line or on the last snapshot. To be made before other threads.
class StopPoll {
 public:
  StopPoll();
  ~StopPoll();
  StopPoll(const StopPoll&) = delete;
  StopPoll& operator=(const StopPoll&) = delete;

  /// A descriptor that can be read from once a signal came, and from then on.
  int file() const { return file_; }
  /// Whether one came.
  bool stopped() const;

 private:
  int file_ = -1;
};

}  // namespace t2v::cli
