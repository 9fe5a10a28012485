#pragma once

#include <csignal>

namespace t2v::cli {

/// While it lives, the first SIGINT or SIGTERM is only noted, so that work can be ended in order; a second
/// one ends the process as usual.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  /// The signal that came, 0 for none.
  static int received();

 private:
  struct sigaction interrupt_;
  struct sigaction terminate_;
};

}  // namespace t2v::cli
