#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <memory>

namespace t2v::python {

/// Ends work that runs without Python's lock, after Ctrl-C or any other signal whose handler raised.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

/// Asks Python for signals from work that runs without its lock: often enough for a person, seldom enough to
/// cost nothing. Ask on the thread that released the lock.
class Signals {
 public:
  /// Whether a handler raised something, such as KeyboardInterrupt.
  bool raised() {
    if (raised_ || Clock::now() < next_) return raised_ != nullptr;
    next_ = Clock::now() + kEvery;
    const pybind11::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) raised_ = std::make_unique<pybind11::error_already_set>();
    return raised_ != nullptr;
  }
  /// Throws Interrupted then.
  void check() {
    if (raised()) throw Interrupted();
  }

  /// Does work without Python's lock, which may call check(); passes on what was raised.
  template <class Work>
  void without_lock(const Work& work) {
    try {
      const pybind11::gil_scoped_release release;
      work();
    } catch (const Interrupted&) {
    }
    rethrow();
  }
  /// With Python's lock: passes on what was raised.
  void rethrow() {
    if (raised_) throw pybind11::error_already_set(*raised_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kEvery{50};

  Clock::time_point next_ = Clock::now();
  std::unique_ptr<pybind11::error_already_set> raised_;
};

}  // namespace t2v::python
