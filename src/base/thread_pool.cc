#include "base/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "base/fail.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

// Of libgomp, which oneDNN uses. Declared here because clang's own header is not always installed.
extern "C" void omp_set_num_threads(int);
extern "C" int omp_get_max_threads(void);

namespace t2v {
namespace {

/// While it lives, this thread computes as all threads of a pool do: OpenMP regions use this thread alone,
/// and subnormal numbers count as zero. (Gradients that fade over a long sequence become subnormal, and x86
/// cores multiply those a hundred times slower.)
class ComputeScope {
 public:
  ComputeScope() : threads_(omp_get_max_threads()) {
    omp_set_num_threads(1);
#ifdef __SSE2__
    control_ = _mm_getcsr();
    constexpr unsigned kFlushToZero = 0x8000;
    constexpr unsigned kDenormalsAreZero = 0x0040;
    _mm_setcsr(control_ | kFlushToZero | kDenormalsAreZero);
#endif
  }
  ~ComputeScope() {
#ifdef __SSE2__
    _mm_setcsr(control_);
#endif
    omp_set_num_threads(threads_);
  }
  ComputeScope(const ComputeScope&) = delete;
  ComputeScope& operator=(const ComputeScope&) = delete;

 private:
  int threads_;
  unsigned control_ = 0;
};

}  // namespace

ThreadPool::ThreadPool(int threads) {
  if (threads <= 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  try {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this, i] { work(i); });
  } catch (const std::system_error& error) {
    stop();
    fail("{} threads cannot be started: {}; use fewer (`threads`), or raise the limit of processes", threads,
         error.code().message());
  }
}

ThreadPool::~ThreadPool() { stop(); }

void ThreadPool::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run(int64_t count, const std::function<void(int64_t)>& task) {
  run_with_worker(count, [&task](int64_t i, int /*worker*/) { task(i); });
}

void ThreadPool::run_with_worker(int64_t count, const std::function<void(int64_t, int)>& task) {
  const ComputeScope scope;
  const bool alone = workers_.empty() || count <= 1;
  {
    const std::scoped_lock lock(mutex_);
    task_ = &task;
    count_ = count;
    next_ = 0;
    error_ = nullptr;
    if (!alone) {
      busy_ = static_cast<int>(workers_.size());
      ++round_;
    }
  }
  if (!alone) wake_.notify_all();
  take_tasks(0);
  wait_for_others();
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void ThreadPool::wait_for_others() {
  constexpr std::chrono::milliseconds kBetweenQuestions{20};
  const auto done = [this] { return busy_ == 0; };
  std::unique_lock lock(mutex_);
  while (asked_ != nullptr && !done_.wait_for(lock, kBetweenQuestions, done)) {
    lock.unlock();
    if ((*asked_)()) stopped_ = true;
    lock.lock();
  }
  done_.wait(lock, done);
  task_ = nullptr;
}

void ThreadPool::check_stop(int worker) {
  if (worker == 0 && asked_ != nullptr && (*asked_)()) stopped_ = true;
  if (stopped_) throw Stopped();
}

void ThreadPool::work(int worker) {
  const ComputeScope scope;
  uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [&] { return stop_ || round_ != seen; });
    if (stop_) return;
    seen = round_;
    lock.unlock();
    take_tasks(worker);
    lock.lock();
    if (--busy_ == 0) done_.notify_one();
  }
}

void ThreadPool::take_tasks(int worker) {
  for (int64_t i = next_++; i < count_; i = next_++) {
    try {
      check_stop(worker);
      (*task_)(i, worker);
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!error_ || i < error_index_) {
        error_ = std::current_exception();
        error_index_ = i;
      }
    }
  }
}

StopScope::StopScope(ThreadPool& pool, const std::function<bool()>& stop)
    : pool_(pool), before_(pool.asked_) {
  if (stop) pool_.asked_ = &stop;
}

StopScope::~StopScope() {
  if (pool_.asked_ != before_) pool_.stopped_ = false;
  pool_.asked_ = before_;
}

}  // namespace t2v
