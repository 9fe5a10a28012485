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
#include "base/start_thread.h"
#include "comm/deadline.h"
#include "comm/mpi_library.h"

namespace t2v::comm {
namespace {

using Clock = std::chrono::steady_clock;

enum Tag : int { kData = 1, kLife = 2, kNotice = 3 };

/// A message is a head, with its length and, if it is short, the rest of it; a long one follows in pieces.
/// Few are on their way at once, so that signs of life get through between them, also over a slow network.
constexpr int64_t kPiece = 256 << 10;
constexpr int64_t kShort = 4096;
constexpr int64_t kLengthBytes = sizeof(int64_t);
constexpr std::size_t kPiecesAtOnce = 2;
constexpr std::size_t kMostText = 2000;  // of a notice
constexpr double kSignsPerTimeout = 6;
/// Seconds for the start and the end of the library, or the timeout if longer.
constexpr double kSlow = 60;
/// Seconds that a rank leaves the ones before it to report what all of them see.
constexpr double kTurnToReport = 0.5;
constexpr int kMostTurns = 20;
/// Seconds for a measurement.
constexpr double kMeasure = 2;

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

double turn_of(int rank) { return kTurnToReport * std::min(rank, kMostTurns); }

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
    life_ = start_thread([this] { give_signs(); });
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

  std::optional<double> library_sum_seconds(int64_t count, double ours) override {
    constexpr int kTimes = 20;
    const bool slow = ours > timeout_ / (2 * kSignsPerTimeout) || count > std::numeric_limits<int>::max();
    if (agreed(*this, slow)) return std::nullopt;
    // They stay to the end: if a rank is lost, the library may still use them.
    Bytes& from = kept_.emplace_back(count * static_cast<int64_t>(sizeof(float)));
    Bytes& to = kept_.emplace_back(from.size());
    std::ranges::fill(from, std::byte{0});
    double best = std::numeric_limits<double>::infinity();
    const Clock::time_point start = Clock::now();
    for (int i = 0; agreed(*this, i < kTimes && (i == 0 || seconds_since(start) < kMeasure)); ++i) {
      best = std::min(best, library_sum(from, to, static_cast<int>(count)));
    }
    return best;
  }

  void finish() override {
    std::array<int64_t, 1> done = {1};
    sum(*this, done);
    stop_signs();
    const Deadline deadline(std::max(timeout_, kSlow) + turn_of(rank()),
                            "the ranks cannot be ended in order: one of them was lost at the end", give_up_);
    check(mpi().finalize(), "end");
  }

  void end_all(int code) override {
    const Deadline deadline(timeout_, "the other ranks could not be told to end", give_up_);
    const std::scoped_lock lock(mutex_);
    mpi().abort(mpi().world, code);
  }

 private:
  static constexpr int64_t kTurnsPerLook = 64;

  struct Receive {
    int from = 0;
    Bytes bytes = {};
    bool begun = false;                  // the head is here
    int64_t asked = 0;                   // bytes that are here or on their way into the buffer
    std::vector<MpiHandle> pieces = {};  // on their way
    bool done() const { return begun && asked == bytes.size() && pieces.empty(); }
  };
  struct Send {
    int to = 0;
    std::span<const std::byte> bytes = {};
    Bytes head = {};
    std::size_t given = 0;               // bytes that are sent or on their way
    std::vector<MpiHandle> pieces = {};  // on their way
    bool done() const { return given == bytes.size() && pieces.empty(); }
  };
  struct Transfer {
    std::vector<Receive> receives;
    std::vector<Send> sends;
  };

  void start(Transfer& transfer, std::span<const Outgoing> out, std::span<const Incoming> in) {
    for (const Incoming& message : in) transfer.receives.push_back({message.from, std::move(*message.bytes)});
    const std::scoped_lock lock(mutex_);
    for (const Outgoing& message : out) {
      start(transfer.sends.emplace_back(Send{message.to, all_of(*message.bytes)}));
    }
  }

  static std::span<const std::byte> all_of(const Bytes& bytes) {
    return {bytes.data(), static_cast<std::size_t>(bytes.size())};
  }

  static void start(Send& send) {
    const auto size = static_cast<int64_t>(send.bytes.size());
    if (size <= kShort) send.given = send.bytes.size();
    send.head.reserve(kLengthBytes + static_cast<int64_t>(send.given));
    std::memcpy(send.head.data(), &size, kLengthBytes);
    std::ranges::copy(send.bytes.first(send.given), send.head.data() + kLengthBytes);
    give(send, all_of(send.head));
  }

  static void give(Send& send, std::span<const std::byte> bytes) {
    MpiHandle& request = send.pieces.emplace_back(nullptr);
    check(mpi().isend(bytes.data(), static_cast<int>(bytes.size()), mpi().byte, send.to, kData, mpi().world,
                      &request),
          "send");
  }

  /// A turn of the wheel; whether all is done.
  bool advance(Transfer& transfer) {
    const std::scoped_lock lock(mutex_);
    bool done = true;
    for (Send& send : transfer.sends) {
      if (!send.done()) advance(send);
      done = done && send.done();
    }
    for (Receive& receive : transfer.receives) {
      if (!receive.done()) advance(receive);
      done = done && receive.done();
    }
    return done;
  }

  static void advance(Send& send) {
    std::erase_if(send.pieces, tested);
    while (send.given < send.bytes.size() && send.pieces.size() < kPiecesAtOnce) {
      const std::size_t size = std::min<std::size_t>(kPiece, send.bytes.size() - send.given);
      give(send, send.bytes.subspan(send.given, size));
      send.given += size;
    }
  }

  static void advance(Receive& receive) {
    if (!receive.begun) take_head(receive);
    std::erase_if(receive.pieces, tested);
    while (receive.begun && receive.asked < receive.bytes.size() && receive.pieces.size() < kPiecesAtOnce) {
      if (!ask_for_piece(receive)) return;
    }
  }

  static bool tested(MpiHandle& request) {
    int done = 0;
    MpiStatus status{};
    check(mpi().test(&request, &done, &status), "send or receive");
    return done != 0;
  }

  /// The next message of a rank, if it is there, and how long it is.
  static std::optional<int> next_from(int from, MpiHandle& message) {
    int there = 0;
    MpiStatus status{};
    check(mpi().improbe(from, kData, mpi().world, &there, &message, &status), "receive");
    if (there == 0) return std::nullopt;
    int count = 0;
    check(mpi().get_count(&status, mpi().byte, &count), "receive");
    return count;
  }

  static void take_head(Receive& receive) {
    MpiHandle message = nullptr;
    const std::optional<int> count = next_from(receive.from, message);
    if (!count) return;
    std::array<std::byte, kLengthBytes + kShort> head{};
    if (*count < kLengthBytes || *count > static_cast<int>(head.size())) fail_mixed();
    MpiStatus status{};
    check(mpi().mrecv(head.data(), *count, mpi().byte, &message, &status), "receive");
    int64_t size = 0;
    std::memcpy(&size, head.data(), kLengthBytes);
    const int64_t rest = *count - kLengthBytes;
    if (size < 0 || (rest != size && (rest != 0 || size <= kShort))) fail_mixed();
    receive.bytes.reserve(size);
    if (rest > 0)
      std::memcpy(receive.bytes.data(), head.data() + kLengthBytes, static_cast<std::size_t>(rest));
    receive.asked = rest;
    receive.begun = true;
  }

  /// Whether the next piece is on its way into the buffer.
  static bool ask_for_piece(Receive& receive) {
    MpiHandle message = nullptr;
    const std::optional<int> count = next_from(receive.from, message);
    if (!count) return false;
    if (*count != std::min(kPiece, receive.bytes.size() - receive.asked)) fail_mixed();
    MpiHandle& request = receive.pieces.emplace_back(nullptr);
    check(mpi().imrecv(receive.bytes.data() + receive.asked, *count, mpi().byte, &message, &request),
          "receive");
    receive.asked += *count;
    return true;
  }

  [[noreturn]] static void fail_mixed() {
    fail("a message of another kind than expected came in; do all ranks run the same version of t2v?");
  }

  /// Memory that MPI may still use when an exchange failed.
  void keep(Transfer& transfer, std::span<const Outgoing> out) {
    const std::scoped_lock lock(mutex_);
    for (Receive& receive : transfer.receives) kept_.push_back(std::move(receive.bytes));
    for (Send& send : transfer.sends) kept_.push_back(std::move(send.head));
    for (const Outgoing& message : out) kept_.push_back(std::move(*message.bytes));
  }

  /// Seconds of one sum by the library. It does not block, so that a rank that is lost is noticed.
  double library_sum(const Bytes& from, Bytes& to, int count) {
    const Clock::time_point start = Clock::now();
    MpiHandle request = nullptr;
    {
      const std::scoped_lock lock(mutex_);
      check(mpi().iallreduce(from.data(), to.data(), count, mpi().float32, mpi().sum, mpi().world, &request),
            "sum");
    }
    const auto done = [&] {
      const std::scoped_lock lock(mutex_);
      return tested(request);
    };
    for (int64_t turn = 0; !done(); ++turn) {
      if (turn % kTurnsPerLook == 0) look_around();
      pause(turn);
    }
    return seconds_since(start);
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

int started_together() { return number_of("OMPI_COMM_WORLD_SIZE", 1); }

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
    const Deadline deadline(std::max(timeout, kSlow) + turn_of(rank_by_launcher()),
                            fmt::format("the ranks did not all start within {:g} s; see whether each "
                                        "machine can be reached, or set a longer `rank_timeout`",
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
