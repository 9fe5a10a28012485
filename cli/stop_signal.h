#pragma once

#include <atomic>
#include <csignal>
#include <thread>

namespace t2v::cli {

/// Takes SIGINT, SIGTERM and SIGHUP (unless that is ignored, as by nohup) on a thread of its own: no handler
/// ever runs on a thread that computes, where matrix products may have put their stack anywhere. It must be
/// made before all other threads, which then leave these signals to it. A closed standard error or output is
/// an error of the write from then on, not a signal.
///
/// Until it is armed a signal ends the process as usual. From then on the first one is only noted, so that
/// work can be ended in order, and a second one ends the process.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  void arm() { armed_ = true; }
  /// The signal that was noted, 0 for none.
  int received() const { return received_; }

 private:
  void watch();

  sigset_t signals_ = {};
  sigset_t blocked_before_ = {};
  std::atomic<bool> armed_{false};
  std::atomic<bool> ended_{false};
  std::atomic<int> received_{0};
  std::thread watcher_;
};

}  // namespace t2v::cli
