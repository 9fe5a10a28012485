#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace t2v {

/// Thrown by run() where work was left off because a StopScope said so.
class Stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped"; }
};

/// A fixed set of threads that share out numbered tasks. The calling thread works too, so a pool of one
/// starts no thread. Matrix products inside a task stay on the task's thread (OpenMP is told to use one), and
/// subnormal numbers count as zero there, so that fading gradients cost no more than others.
/// One run() at a time; a task must not call run() of its own pool.
class ThreadPool {
 public:
  /// threads <= 0: as many as the machine has cores.
  explicit ThreadPool(int threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls task(i) once for each i in 0..count-1 and returns when all are done. Tasks are taken in order but
  /// run at once. If tasks throw, the exception of the lowest i is thrown after all have ended.
  void run(int64_t count, const std::function<void(int64_t)>& task);
  /// The same, and the task is told which thread it is on: 0 (the caller) .. threads() - 1. For memory that a
  /// thread uses task after task; what a task computes must not depend on it.
  void run_with_worker(int64_t count, const std::function<void(int64_t, int)>& task);
  /// For long tasks, which are told on which thread they are: throws Stopped if they are to be left off.
  void check_stop(int worker);

 private:
  friend class StopScope;

  void stop();
  void work(int worker);
  void take_tasks(int worker);
  void wait_for_others();

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  uint64_t round_ = 0;
  bool stop_ = false;
  int busy_ = 0;
  const std::function<void(int64_t, int)>* task_ = nullptr;
  int64_t count_ = 0;
  std::atomic<int64_t> next_{0};
  std::exception_ptr error_;
  int64_t error_index_ = 0;
  const std::function<bool()>* asked_ = nullptr;  // of a StopScope
  std::atomic<bool> stopped_ = false;
};

/// While it lives, run() leaves work off once `stop` says so, and throws Stopped: what the tasks did by then
/// is of no use. `stop` is asked often, on the thread that calls run(); it must outlive this. Nothing changes
/// without one: a scope around this one goes on.
class StopScope {
 public:
  StopScope(ThreadPool& pool, const std::function<bool()>& stop);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  ThreadPool& pool_;
  const std::function<bool()>* before_;
};

}  // namespace t2v
