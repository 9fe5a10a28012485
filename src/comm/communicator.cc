#include "comm/communicator.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "base/fail.h"

namespace t2v::comm {
namespace {

class OnlyRank final : public Communicator {
 public:
  OnlyRank() : Communicator(0, 1) {}
  void exchange(std::span<const Outgoing>, std::span<const Incoming>) override {}
  void notify(int, std::string_view) override {}
  std::optional<Notice> next_notice(double) override { return std::nullopt; }
};

void send(Communicator& ranks, int to, Bytes& bytes) {
  const Outgoing one[] = {{to, &bytes}};
  ranks.exchange(one, {});
}

void receive(Communicator& ranks, int from, Bytes& bytes) {
  const Incoming one[] = {{from, &bytes}};
  ranks.exchange({}, one);
}

/// The lowest bit of a rank, by which its parent in a binomial tree differs; for rank 0, one above all ranks.
int low_bit(int rank, int size) {
  int bit = 1;
  while (bit < size && (rank & bit) == 0) bit *= 2;
  return bit;
}

}  // namespace

Communicator& only_rank() {
  static OnlyRank rank;
  return rank;
}

void fail_lost(int rank, int size, double seconds, const std::string& where) {
  fail("rank {} of {}{} is lost: no sign of life for {:g} s; see whether it was killed, stopped or cut off",
       rank, size, where, seconds);
}

void broadcast(Communicator& ranks, Bytes& bytes) {
  const int bit = low_bit(ranks.rank(), ranks.size());
  if (ranks.rank() != 0) receive(ranks, ranks.rank() - bit, bytes);
  std::vector<Outgoing> out;
  for (int step = bit / 2; step > 0; step /= 2) {
    if (ranks.rank() + step < ranks.size()) out.push_back({ranks.rank() + step, &bytes});
  }
  ranks.exchange(out, {});
}

bool agreed(Communicator& ranks, bool yes) {
  Bytes answer = bytes_of(yes ? "y" : "");
  broadcast(ranks, answer);
  return answer.size() > 0;
}

void sum(Communicator& ranks, std::span<int64_t> numbers) {
  if (ranks.alone()) return;
  const int bit = low_bit(ranks.rank(), ranks.size());
  Bytes bytes;
  for (int step = 1; step < bit && ranks.rank() + step < ranks.size(); step *= 2) {
    receive(ranks, ranks.rank() + step, bytes);
    if (static_cast<std::size_t>(bytes.size()) != numbers.size_bytes()) {
      fail("ranks sum {} and {} bytes; do all run the same command?", numbers.size_bytes(), bytes.size());
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      int64_t theirs = 0;
      std::memcpy(&theirs, bytes.data() + i * sizeof(theirs), sizeof(theirs));
      numbers[i] += theirs;
    }
  }
  bytes.reserve(static_cast<int64_t>(numbers.size_bytes()));
  std::memcpy(bytes.data(), numbers.data(), numbers.size_bytes());
  if (ranks.rank() != 0) send(ranks, ranks.rank() - bit, bytes);
  broadcast(ranks, bytes);
  std::memcpy(numbers.data(), bytes.data(), numbers.size_bytes());
}

std::vector<Bytes> gather(Communicator& ranks, Bytes& mine) {
  std::vector<Bytes> all;
  if (ranks.rank() != 0) {
    send(ranks, 0, mine);
    return all;
  }
  all.resize(static_cast<std::size_t>(ranks.size()));
  std::vector<Incoming> in;
  for (int rank = 1; rank < ranks.size(); ++rank) in.push_back({rank, &all[static_cast<std::size_t>(rank)]});
  ranks.exchange({}, in);
  all[0] = mine;
  return all;
}

bool reports_failure(Communicator& ranks, const std::string& text) {
  constexpr double kPatience =
      1;  // seconds: ranks that fail for the same reason do so at about the same time
  for (int rank = 0; rank < ranks.size(); ++rank) {
    if (rank != ranks.rank()) ranks.notify(rank, text);
  }
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(kPatience);
  for (double left = ranks.rank() == 0 ? 0 : kPatience; left > 0;) {
    const std::optional<Notice> notice = ranks.next_notice(left);
    if (notice && notice->rank < ranks.rank()) return false;
    left = std::chrono::duration<double>(until - std::chrono::steady_clock::now()).count();
  }
  return true;
}

Bytes bytes_of(std::string_view text) {
  Bytes bytes(static_cast<int64_t>(text.size()));
  std::ranges::copy(std::as_bytes(std::span(text)), bytes.begin());
  return bytes;
}

std::string_view text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(bytes.size())};
}

}  // namespace t2v::comm
