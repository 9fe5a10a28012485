#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/buffer.h"
#include "t2v/error.h"

namespace t2v::comm {

using Bytes = Buffer<std::byte>;

/// A message on its way to a rank. The buffer is only read, but if the exchange fails it is kept, since the
/// network may still read it.
struct Outgoing {
  int to;
  Bytes* bytes;
};
/// A message from a rank; the buffer becomes as long as it.
struct Incoming {
  int from;
  Bytes* bytes;
};

/// What a rank told the others when it failed.
struct Notice {
  int rank;
  std::string text;
};

/// Another rank failed and told so; it also reports why.
class PeerFailed : public Error {
 public:
  explicit PeerFailed(const Notice& notice) : Error(notice.text), rank_(notice.rank) {}
  int rank() const { return rank_; }

 private:
  int rank_;
};

/// How one of several processes that work together, the ranks 0 .. size - 1, speaks to the others. All of
/// them make the same calls in the same order. For one thread.
class Communicator {
 public:
  Communicator(int rank, int size) : rank_(rank), size_(size) {}
  virtual ~Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool alone() const { return size_ == 1; }

  /// Sends and receives at once, at most one message to and from each rank, and returns when all of it is
  /// done. Messages from one rank to another arrive in the order in which they were sent. Throws t2v::Error
  /// that names a rank which is lost: one that gave no sign of life for a while, whatever it was at; and
  /// PeerFailed if one told that it failed.
  virtual void exchange(std::span<const Outgoing> out, std::span<const Incoming> in) = 0;

  /// Tells another rank that this one failed, without waiting for it.
  virtual void notify(int to, std::string_view text) = 0;
  /// The next thing that another rank told so; nothing if none comes within so many seconds.
  virtual std::optional<Notice> next_notice(double seconds) = 0;

  /// Seconds that the communication library's own sum of so many floats over all ranks takes; nothing if
  /// there is none, or if it may take so long that signs of life do not get through: `ours` is what a sum of
  /// as many by exchange() takes. To compare with. To be called by all ranks.
  virtual std::optional<double> library_sum_seconds(int64_t /*count*/, double /*ours*/) {
    return std::nullopt;
  }
  /// To be called once all work is done, by all ranks.
  virtual void finish() {}
  /// Ends all ranks at once, in vain if there is no way to.
  virtual void end_all(int) {}

 private:
  int rank_;
  int size_;
};

/// The one rank of a process that works by itself.
Communicator& only_rank();

/// Says that a rank is lost.
[[noreturn]] void fail_lost(int rank, int size, double seconds, const std::string& where = "");

/// Whether rank 0 says so.
bool agreed(Communicator& ranks, bool yes);
/// Rank 0's bytes become those of all.
void broadcast(Communicator& ranks, Bytes& bytes);
/// The sums over all ranks; all get them.
void sum(Communicator& ranks, std::span<int64_t> numbers);
/// All ranks' bytes, by rank, on rank 0; nothing on the others.
std::vector<Bytes> gather(Communicator& ranks, Bytes& mine);

/// What a rank does with an error of its own: tells all others, and finds out whether it is the one to report
/// it. Where several fail at once that is the lowest of them.
bool reports_failure(Communicator& ranks, const std::string& text);

Bytes bytes_of(std::string_view text);
std::string_view text_of(const Bytes& bytes);

}  // namespace t2v::comm
