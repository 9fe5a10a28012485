#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace t2v::comm {

/// What to do about a call that never returns: say this, and end the process.
using GiveUp = std::function<void(const std::string& complaint)>;

/// Gives up, on a thread of its own, unless it is destroyed in time.
class Deadline {
 public:
  Deadline(double seconds, std::string complaint, GiveUp give_up)
      : complaint_(std::move(complaint)), give_up_(std::move(give_up)), thread_([this, seconds] {
          std::unique_lock lock(mutex_);
          const std::chrono::duration<double> most(seconds);
          if (!ended_.wait_for(lock, most, [this] { return done_; })) give_up_(complaint_);
        }) {}
  ~Deadline() {
    {
      const std::scoped_lock lock(mutex_);
      done_ = true;
    }
    ended_.notify_all();
    thread_.join();
  }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

 private:
  std::string complaint_;
  GiveUp give_up_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace t2v::comm
