#include "comm/mpi_ranks.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/fail.h"
#include "comm/deadline.h"
#include "comm/mpi_library.h"

namespace t2v::comm {
namespace {

using Clock = std::chrono::steady_clock;

enum Tag : int { kData = 1, kLife = 2, kNotice = 3 };

constexpr int64_t kMostBytes = std::numeric_limits<int>::max();  // of a message
constexpr std::size_t kMostText = 2000;                          // of a notice
constexpr double kSignsPerTimeout = 6;
/// Seconds for what all ranks do at once in the library, or the timeout if longer.
constexpr double kSlow = 60;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A whole number of the environment; what is none counts as not there.
int number_of(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody sets any
  if (text == nullptr) return otherwise;
  int number = otherwise;
  std::from_chars(text, text + std::strlen(text), number);
  return number;
}

void check(int code, const char* what) {
  if (code == kMpiSuccess) return;
  std::array<char, kMpiMaxErrorText> text{};
  int length = 0;
  mpi().error_string(code, text.data(), &length);
  fail("MPI cannot {}: {}; see whether a rank or a machine was lost", what, text.data());
}

/// Waits a little, and longer if it has been called often: at first for the speed of messages, later for
/// others that need the core.
void pause(int64_t turns) {
  constexpr int64_t kSpins = 2000;
  constexpr int64_t kYields = 20000;
  if (turns < kSpins) return;
  if (turns < kYields) return std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::microseconds(100));
}

class MpiRanks final : public Communicator {
 public:
  MpiRanks(int rank, int size, double timeout, GiveUp give_up)
      : Communicator(rank, size),
        timeout_(timeout),
        give_up_(std::move(give_up)),
        seen_(static_cast<std::size_t>(size), Clock::now()),
        signs_(static_cast<std::size_t>(size), nullptr) {
    life_ = std::thread([this] { give_signs(); });
  }

  ~MpiRanks() override {
    stop_signs();
    // Whoever did not finish ends by end_all() or leaves it to the launcher: MPI must not be closed then.
  }

  void exchange(std::span<const Outgoing> out, std::span<const Incoming> in) override {
    Transfer transfer;
    try {
      start(transfer, out, in);
      for (int64_t turn = 0; !advance(transfer); ++turn) {
        if (turn % kTurnsPerLook == 0) look_around();
        pause(turn);
      }
    } catch (...) {
      keep(transfer, out);
      throw;
    }
    for (std::size_t i = 0; i < in.size(); ++i) *in[i].bytes = std::move(transfer.receives[i].bytes);
  }

  void notify(int to, std::string_view text) override {
    const std::scoped_lock lock(mutex_);
    kept_.push_back(bytes_of(text.substr(0, kMostText)));
    MpiHandle request = nullptr;
    mpi().isend(kept_.back().data(), static_cast<int>(kept_.back().size()), mpi().byte, to, kNotice,
                mpi().world, &request);
    int done = 0;
    MpiStatus status{};
    for (int turn = 0; turn < 1000 && done == 0; ++turn) mpi().test(&request, &done, &status);
  }

  std::optional<Notice> next_notice(double seconds) override {
    const Clock::time_point start = Clock::now();
    for (int64_t turn = 0;; ++turn) {
      {
        const std::scoped_lock lock(mutex_);
        if (auto notice = take_notice()) return notice;
      }
      if (seconds_since(start) >= seconds) return std::nullopt;
      pause(turn);
    }
  }

  std::optional<double> library_sum_seconds(int64_t count) override {
    constexpr int kTimes = 20;
    const Deadline deadline(std::max(timeout_, kSlow), "a rank was lost while the sums of MPI were measured",
                            give_up_);
    std::vector<float> from(static_cast<std::size_t>(count), 1.0F);
    std::vector<float> to(from.size());
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kTimes; ++i) {
      const Clock::time_point start = Clock::now();
      const std::scoped_lock lock(mutex_);
      check(mpi().allreduce(from.data(), to.data(), static_cast<int>(count), mpi().float32, mpi().sum,
                            mpi().world),
            "sum");
      best = std::min(best, seconds_since(start));
    }  // between two of them signs of life are given
    return best;
  }

  void finish() override {
    std::array<int64_t, 1> done = {1};
    sum(*this, done);
    stop_signs();
    const Deadline deadline(std::max(timeout_, kSlow),
                            "the ranks cannot be ended in order: one of them was lost at the end", give_up_);
    check(mpi().finalize(), "end");
  }

  void end_all(int code) override {
    const Deadline deadline(timeout_, "the other ranks could not be told to end", give_up_);
    mpi().abort(mpi().world, code);
  }

 private:
  static constexpr int64_t kTurnsPerLook = 64;

  struct Receive {
    int from = 0;
    Bytes bytes = {};
    MpiHandle request = nullptr;
    bool matched = false;
    bool done = false;
  };
  struct Transfer {
    std::vector<Receive> receives;
    std::vector<MpiHandle> sends;
    std::size_t open = 0;  // sends and receives that are not done
  };

  void start(Transfer& transfer, std::span<const Outgoing> out, std::span<const Incoming> in) {
    for (const Incoming& message : in) transfer.receives.push_back({message.from});
    const std::scoped_lock lock(mutex_);
    for (const Outgoing& message : out) {
      if (message.bytes->size() > kMostBytes) {
        fail("a message of {} bytes is too long; at most {}: use more ranks or a smaller model",
             message.bytes->size(), kMostBytes);
      }
      MpiHandle request = nullptr;
      check(mpi().isend(message.bytes->data(), static_cast<int>(message.bytes->size()), mpi().byte,
                        message.to, kData, mpi().world, &request),
            "send");
      transfer.sends.push_back(request);
    }
    transfer.open = transfer.sends.size() + transfer.receives.size();
  }

  /// A turn of the wheel; whether all is done.
  bool advance(Transfer& transfer) {
    const std::scoped_lock lock(mutex_);
    for (MpiHandle& request : transfer.sends) {
      if (request != nullptr && tested(request)) {
        request = nullptr;
        --transfer.open;
      }
    }
    for (Receive& receive : transfer.receives) {
      if (receive.done || !matches(receive) || !tested(receive.request)) continue;
      receive.done = true;
      --transfer.open;
    }
    return transfer.open == 0;
  }

  static bool tested(MpiHandle& request) {
    int done = 0;
    MpiStatus status{};
    check(mpi().test(&request, &done, &status), "send or receive");
    return done != 0;
  }

  /// Whether its message is there, or on its way into the buffer.
  static bool matches(Receive& receive) {
    if (receive.matched) return true;
    int there = 0;
    MpiHandle message = nullptr;
    MpiStatus status{};
    check(mpi().improbe(receive.from, kData, mpi().world, &there, &message, &status), "receive");
    if (there == 0) return false;
    int count = 0;
    check(mpi().get_count(&status, mpi().byte, &count), "receive");
    receive.bytes.reserve(count);
    check(mpi().imrecv(receive.bytes.data(), count, mpi().byte, &message, &receive.request), "receive");
    return receive.matched = true;
  }

  /// Memory that MPI may still use when an exchange failed.
  void keep(Transfer& transfer, std::span<const Outgoing> out) {
    const std::scoped_lock lock(mutex_);
    for (Receive& receive : transfer.receives) kept_.push_back(std::move(receive.bytes));
    for (const Outgoing& message : out) kept_.push_back(std::move(*message.bytes));
  }

  /// Throws if a rank told that it failed, or is lost.
  void look_around() {
    const std::scoped_lock lock(mutex_);
    if (const auto notice = take_notice()) throw PeerFailed(*notice);
    if (!trouble_.empty()) throw Error(trouble_);
    take_signs();
    if (seconds_since(last_sign_) > timeout_ / 2) return;  // this process itself was stopped
    for (int rank = 0; rank < size(); ++rank) {
      if (rank != this->rank() && seconds_since(seen_[static_cast<std::size_t>(rank)]) > timeout_) {
        fail_lost(rank, size(), timeout_);
      }
    }
  }

  /// A short message that is there, of any rank.
  static std::optional<Notice> taken(Tag tag) {
    int there = 0;
    MpiHandle message = nullptr;
    MpiStatus status{};
    check(mpi().improbe(kMpiAnySource, tag, mpi().world, &there, &message, &status), "receive");
    if (there == 0) return std::nullopt;
    int count = 0;
    check(mpi().get_count(&status, mpi().byte, &count), "receive");
    std::string text(static_cast<std::size_t>(count), '\0');
    check(mpi().mrecv(text.data(), count, mpi().byte, &message, &status), "receive");
    return Notice{status.source, std::move(text)};
  }

  static std::optional<Notice> take_notice() { return taken(kNotice); }
  void take_signs() {
    while (const auto sign = taken(kLife)) seen_[static_cast<std::size_t>(sign->rank)] = Clock::now();
  }

  /// On a thread of its own: it says that this process is alive, however long it computes.
  void give_signs() {
    const auto period = std::chrono::duration<double>(timeout_ / kSignsPerTimeout);
    std::unique_lock lock(mutex_);
    try {
      while (!stop_) {
        // Who was stopped itself must not take the others for lost.
        if (seconds_since(last_sign_) > timeout_ / 2) std::ranges::fill(seen_, Clock::now());
        last_sign_ = Clock::now();
        give_sign_to_all();
        take_signs();
        stopped_.wait_for(lock, period, [this] { return stop_; });
      }
    } catch (const Error& error) {
      trouble_ = error.what();
    }
  }

  void give_sign_to_all() {
    for (int rank = 0; rank < size(); ++rank) {
      MpiHandle& request = signs_[static_cast<std::size_t>(rank)];
      // One that was not taken yet is sign enough.
      if (rank == this->rank() || (request != nullptr && !tested(request))) continue;
      check(mpi().isend(&kSign, 1, mpi().byte, rank, kLife, mpi().world, &request), "send");
    }
  }

  void stop_signs() {
    {
      const std::scoped_lock lock(mutex_);
      stop_ = true;
    }
    stopped_.notify_all();
    if (life_.joinable()) life_.join();
  }

  static constexpr std::byte kSign{1};

  double timeout_;
  GiveUp give_up_;
  std::mutex mutex_;                            // of all calls of MPI, and of what is below
  Clock::time_point last_sign_ = Clock::now();  // that this rank gave
  std::string trouble_;                         // with signs of life
  std::vector<Clock::time_point> seen_;         // the last sign of life of each rank
  std::vector<MpiHandle> signs_;                // on their way
  std::deque<Bytes> kept_;
  std::condition_variable stopped_;
  bool stop_ = false;
  std::thread life_;
};

/// Throws t2v::Error if several processes were started together in a way that this one cannot use: each
/// would do all of the work, and write over what the others write.
void check_launcher() {
  if (number_of("PMI_SIZE", 1) > 1) {
    fail(
        "{} processes were started by a launcher of MPICH's kind; t2v works with OpenMPI: use its mpirun, or "
        "srun --mpi=pmix",
        number_of("PMI_SIZE", 1));
  }
  if (number_of("SLURM_STEP_NUM_TASKS", 1) > 1) {
    fail("srun started {} tasks without MPI; use srun --mpi=pmix, or mpirun",
         number_of("SLURM_STEP_NUM_TASKS", 1));
  }
}

}  // namespace

int rank_by_launcher() { return number_of("OMPI_COMM_WORLD_RANK", number_of("PMIX_RANK", 0)); }

int ranks_on_this_machine() {
  return std::max(1, number_of("OMPI_COMM_WORLD_LOCAL_SIZE", number_of("SLURM_NTASKS_PER_NODE", 1)));
}

std::unique_ptr<Communicator> mpi_ranks(double timeout, const GiveUp& give_up) {
  const bool pmix = std::getenv("PMIX_RANK") != nullptr;  // NOLINT(concurrency-mt-unsafe): as above
  if (number_of("OMPI_COMM_WORLD_SIZE", pmix ? 2 : 1) < 2) {
    if (!pmix) check_launcher();
    return nullptr;
  }
  const Mpi& library = mpi();
  int rank = 0;
  int size = 1;
  {
    const Deadline deadline(std::max(timeout, kSlow),
                            fmt::format("the ranks did not all start within {:g} s; see whether each "
                                        "machine can be reached, or set a longer --rank-timeout",
                                        std::max(timeout, kSlow)),
                            give_up);
    int provided = 0;
    check(library.init_thread(nullptr, nullptr, kMpiThreadSerialized, &provided), "start");
    if (provided < kMpiThreadSerialized)
      fail("this MPI cannot be used from several threads; use OpenMPI 4 or 5");
  }
  check(library.comm_set_errhandler(library.world, library.errors_return), "start");
  check(library.comm_rank(library.world, &rank), "start");
  check(library.comm_size(library.world, &size), "start");
  if (size == 1) {
    check(library.finalize(), "end");
    return nullptr;
  }
  return std::make_unique<MpiRanks>(rank, size, timeout, give_up);
}

}  // namespace t2v::comm
