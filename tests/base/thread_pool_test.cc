#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

extern "C" void omp_set_num_threads(int);
extern "C" int omp_get_max_threads(void);

namespace t2v {
namespace {

/// Lets `count` tasks go on only when all of them have arrived, so that each must have a thread of its own.
class Meeting {
 public:
  explicit Meeting(int count) : missing_(count) {}
  /// False if the others do not come.
  bool wait() {
    --missing_;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (missing_ > 0) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::yield();
    }
    return true;
  }

 private:
  std::atomic<int> missing_;
};

class EachPool : public ::testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Threads, EachPool, ::testing::Values(1, 2, 3, 4));

TEST_P(EachPool, RunsEveryTaskExactlyOnce) {
  ThreadPool pool(GetParam());
  EXPECT_EQ(pool.threads(), GetParam());
  for (const int count : {0, 1, 2, 1000, 3, 0, 17}) {
    std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count) + 1);
    pool.run(count, [&](int64_t i) { ++calls.at(static_cast<std::size_t>(i)); });
    for (int i = 0; i < count; ++i) EXPECT_EQ(calls[static_cast<std::size_t>(i)], 1) << i << " of " << count;
    EXPECT_EQ(calls.back(), 0) << "of " << count;
  }
}

TEST_P(EachPool, TellsATaskItsThreadWhichHasNoOtherTaskMeanwhile) {
  ThreadPool pool(GetParam());
  std::vector<std::atomic<int>> busy(static_cast<std::size_t>(GetParam()));
  std::vector<std::atomic<int>> calls(1000);
  pool.run_with_worker(1000, [&](int64_t i, int worker) {
    ASSERT_GE(worker, 0);
    ASSERT_LT(worker, GetParam());
    EXPECT_EQ(++busy[static_cast<std::size_t>(worker)], 1);
    ++calls[static_cast<std::size_t>(i)];
    --busy[static_cast<std::size_t>(worker)];
  });
  for (const std::atomic<int>& count : calls) EXPECT_EQ(count, 1);
}

TEST_P(EachPool, ReturnsOnlyWhenAllTasksAreDone) {
  ThreadPool pool(GetParam());
  std::atomic<int> done = 0;
  pool.run(8, [&](int64_t i) {
    if (i == 0 || i == 7) std::this_thread::sleep_for(std::chrono::milliseconds(30));
    ++done;
  });
  EXPECT_EQ(done, 8);
}

TEST_P(EachPool, RunsManyShortRounds) {
  ThreadPool pool(GetParam());
  std::atomic<int64_t> sum = 0;
  for (int round = 0; round < 1000; ++round) pool.run(5, [&](int64_t i) { sum += i + 1; });
  EXPECT_EQ(sum, 15'000);
}

TEST_P(EachPool, WorksOnAllItsThreadsAtOnceAndOnTheCallersToo) {
  const int threads = GetParam();
  ThreadPool pool(threads);
  Meeting meeting(threads);
  std::mutex mutex;
  std::set<std::thread::id> ids;
  std::atomic<bool> met = true;
  pool.run(threads, [&](int64_t) {
    if (!meeting.wait()) met = false;
    const std::scoped_lock lock(mutex);
    ids.insert(std::this_thread::get_id());
  });
  EXPECT_TRUE(met);
  EXPECT_EQ(ids.size(), static_cast<std::size_t>(threads));
  EXPECT_EQ(ids.count(std::this_thread::get_id()), 1U);
}

TEST_P(EachPool, ThrowsTheExceptionOfTheLowestIndexAndWorksAfterwards) {
  ThreadPool pool(GetParam());
  for (int round = 0; round < 3; ++round) {
    std::string what;
    try {
      pool.run(200, [&](int64_t i) {
        // Late, so that with several threads a higher index throws first.
        if (i == 3) std::this_thread::sleep_for(std::chrono::milliseconds(30));
        if (i == 3 || i == 4 || i == 150) throw std::runtime_error("task " + std::to_string(i));
      });
    } catch (const std::runtime_error& error) {
      what = error.what();
    }
    EXPECT_EQ(what, "task 3");
    std::atomic<int> calls = 0;
    EXPECT_NO_THROW(pool.run(50, [&](int64_t) { ++calls; }));
    EXPECT_EQ(calls, 50);
  }
}

TEST_P(EachPool, RunsTheOtherTasksWhenOneThrows) {
  ThreadPool pool(GetParam());
  std::atomic<int> calls = 0;
  const auto task = [&](int64_t i) {
    ++calls;
    if (i == 2) throw std::runtime_error("two");
  };
  EXPECT_THROW(pool.run(10, task), std::runtime_error);
  EXPECT_EQ(calls, 10);
}

TEST_P(EachPool, ThrowsTheExceptionOfASingleTask) {
  ThreadPool pool(GetParam());
  EXPECT_THROW(pool.run(1, [](int64_t) { throw std::runtime_error("alone"); }), std::runtime_error);
}

TEST_P(EachPool, HoldsOpenMpToOneThreadInsideTasksAndRestoresTheCaller) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(5);
  {
    const int threads = GetParam();
    ThreadPool pool(threads);
    Meeting meeting(threads);
    std::vector<int> inside(static_cast<std::size_t>(threads));
    pool.run(threads, [&](int64_t i) {
      meeting.wait();
      inside[static_cast<std::size_t>(i)] = omp_get_max_threads();
    });
    for (const int seen : inside) EXPECT_EQ(seen, 1);
    EXPECT_EQ(omp_get_max_threads(), 5);
    EXPECT_THROW(pool.run(threads, [](int64_t) { throw std::runtime_error("stop"); }), std::runtime_error);
    EXPECT_EQ(omp_get_max_threads(), 5);
  }
  omp_set_num_threads(before);
}

#ifdef __SSE2__
/// Whether results and operands below the normal range count here. Volatile, or the compiler works it out.
bool makes_subnormals() {
  volatile float small = 1e-30F;
  volatile float product = small * 1e-10F;
  return product != 0.0F;
}
bool reads_subnormals() {
  volatile float subnormal = 1e-40F;
  volatile float product = subnormal * 1e20F;
  return product != 0.0F;
}

TEST_P(EachPool, TreatsSubnormalsAsZeroInsideTasksAndRestoresTheCaller) {
  ASSERT_TRUE(makes_subnormals());
  ASSERT_TRUE(reads_subnormals());
  const int threads = GetParam();
  ThreadPool pool(threads);
  Meeting meeting(threads);
  std::vector<char> seen(static_cast<std::size_t>(threads), 1);
  pool.run(threads, [&](int64_t i) {
    meeting.wait();
    seen[static_cast<std::size_t>(i)] = makes_subnormals() || reads_subnormals() ? 1 : 0;
  });
  for (const char any : seen) EXPECT_EQ(any, 0);
  EXPECT_TRUE(makes_subnormals());
  EXPECT_TRUE(reads_subnormals());
  EXPECT_THROW(pool.run(threads, [](int64_t) { throw std::runtime_error("stop"); }), std::runtime_error);
  EXPECT_TRUE(makes_subnormals());
  EXPECT_TRUE(reads_subnormals());
}
#endif

TEST_P(EachPool, LeavesWorkOffThatIsStopped) {
  ThreadPool pool(GetParam());
  std::atomic<int> done = 0;
  std::thread::id asked_on;
  const std::function<bool()> stop = [&] {
    asked_on = std::this_thread::get_id();
    return done >= 10;
  };
  {
    const StopScope scope(pool, stop);
    EXPECT_THROW(pool.run(1'000'000, [&](int64_t) { ++done; }), Stopped);
    EXPECT_THROW(pool.run(10, [&](int64_t) { ++done; }), Stopped);
  }
  EXPECT_LT(done, 1'000'000);
  EXPECT_EQ(asked_on, std::this_thread::get_id());
  const int before = done;
  pool.run(100, [&](int64_t) { ++done; });
  EXPECT_EQ(done, before + 100);
}

TEST_P(EachPool, StopsALongTaskThatAsks) {
  ThreadPool pool(GetParam());
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const std::function<bool()> stop = [&] { return seconds() > 0.1; };
  const StopScope scope(pool, stop);
  // The caller's own task ends at once, the others never.
  const auto task = [&](int64_t i, int worker) {
    while (i > 0 || pool.threads() == 1) pool.check_stop(worker);
  };
  EXPECT_THROW(pool.run_with_worker(4, task), Stopped);
  EXPECT_LT(seconds(), 5);
}

TEST_P(EachPool, KeepsTheStopOfAnOuterScope) {
  ThreadPool pool(GetParam());
  bool stopped = false;
  const std::function<bool()> stop = [&] { return stopped; };
  const std::function<bool()> none;
  const StopScope scope(pool, stop);
  { const StopScope inner(pool, none); }
  pool.run(4, [](int64_t) {});
  stopped = true;
  const StopScope inner(pool, none);
  EXPECT_THROW(pool.run(1'000'000, [](int64_t) {}), Stopped);
}

TEST(ThreadPool, HasAsManyThreadsAsTheMachineUnlessTold) {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  EXPECT_EQ(ThreadPool().threads(), cores > 0 ? cores : 1);
  EXPECT_EQ(ThreadPool(-1).threads(), cores > 0 ? cores : 1);
}

TEST(ThreadPool, StopsWithoutHavingRun) {
  for (int i = 0; i < 50; ++i) ThreadPool pool(4);
}

}  // namespace
}  // namespace t2v
