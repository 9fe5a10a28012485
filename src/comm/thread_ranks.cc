#include "comm/thread_ranks.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace t2v::comm {
namespace {

using Clock = std::chrono::steady_clock;

/// Thrown on the thread of a rank that is lost, to end it.
struct Lost {};

/// What all ranks share.
struct Switchboard {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::pair<int, int>, std::deque<Bytes>> mail;  // by sender and receiver
  std::vector<std::deque<Notice>> notices;                // by receiver
  std::map<int, Clock::time_point> lost;                  // since when
};

class ThreadRank final : public Communicator {
 public:
  ThreadRank(int rank, int size, Switchboard& board, double timeout, int64_t exchanges)
      : Communicator(rank, size), board_(board), timeout_(timeout), exchanges_(exchanges) {}

  void exchange(std::span<const Outgoing> out, std::span<const Incoming> in) override {
    if (exchanges_-- == 0) be_lost();
    std::unique_lock lock(board_.mutex);
    for (const Outgoing& message : out) board_.mail[{rank(), message.to}].push_back(*message.bytes);
    board_.changed.notify_all();
    for (const Incoming& message : in) {
      auto& box = board_.mail[{message.from, rank()}];
      while (box.empty()) wait(lock);
      *message.bytes = std::move(box.front());
      box.pop_front();
    }
  }

  void notify(int to, std::string_view text) override {
    const std::scoped_lock lock(board_.mutex);
    board_.notices[static_cast<std::size_t>(to)].push_back({rank(), std::string(text)});
    board_.changed.notify_all();
  }

  std::optional<Notice> next_notice(double seconds) override {
    std::unique_lock lock(board_.mutex);
    auto& mine = board_.notices[static_cast<std::size_t>(rank())];
    const bool there =
        board_.changed.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return !mine.empty(); });
    if (!there) return std::nullopt;
    Notice notice = std::move(mine.front());
    mine.pop_front();
    return notice;
  }

 private:
  [[noreturn]] void be_lost() {
    const std::scoped_lock lock(board_.mutex);
    board_.lost[rank()] = Clock::now();
    throw Lost();
  }

  /// For news; throws if there are bad ones.
  void wait(std::unique_lock<std::mutex>& lock) {
    auto& mine = board_.notices[static_cast<std::size_t>(rank())];
    if (!mine.empty()) {
      const Notice notice = mine.front();
      mine.pop_front();
      throw PeerFailed(notice);
    }
    for (const auto& [peer, since] : board_.lost) {
      if (std::chrono::duration<double>(Clock::now() - since).count() > timeout_) {
        fail_lost(peer, size(), timeout_);
      }
    }
    board_.changed.wait_for(lock, std::chrono::milliseconds(10));
  }

  Switchboard& board_;
  double timeout_;
  int64_t exchanges_;  // until it is lost; negative for never
};

std::string outcome_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Lost&) {
    return "lost";
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace

std::vector<std::string> run_ranks(int size, const std::function<void(Communicator&)>& work, double timeout,
                                   const std::vector<Fault>& faults) {
  Switchboard board;
  board.notices.resize(static_cast<std::size_t>(size));
  std::vector<std::string> outcomes(static_cast<std::size_t>(size));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank) {
    int64_t exchanges = -1;
    for (const Fault& fault : faults) {
      if (fault.rank == rank) exchanges = fault.after;
    }
    threads.emplace_back([&, rank, exchanges] {
      ThreadRank communicator(rank, size, board, timeout, exchanges);
      outcomes[static_cast<std::size_t>(rank)] = outcome_of([&] { work(communicator); });
    });
  }
  for (std::thread& thread : threads) thread.join();
  return outcomes;
}

}  // namespace t2v::comm
