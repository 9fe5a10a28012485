#include "comm/communicator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "comm/message.h"
#include "comm/same_facts.h"
#include "comm/thread_ranks.h"

namespace t2v::comm {
namespace {

using Texts = std::vector<std::string>;

/// Nothing was thrown on any rank.
Texts fine(int ranks) { return Texts(static_cast<std::size_t>(ranks)); }

TEST(Communicator, GivesRankZerosBytesToAll) {
  for (int size = 1; size <= 9; ++size) {
    const Texts ends = run_ranks(size, [](Communicator& ranks) {
      Bytes bytes = bytes_of(ranks.rank() == 0 ? "from rank 0" : "");
      broadcast(ranks, bytes);
      EXPECT_EQ(text_of(bytes), "from rank 0") << ranks.rank() << " of " << ranks.size();
    });
    EXPECT_EQ(ends, fine(size));
  }
}

TEST(Communicator, SumsOverAllRanks) {
  for (int size = 1; size <= 9; ++size) {
    const Texts ends = run_ranks(size, [](Communicator& ranks) {
      std::vector<int64_t> numbers = {1, ranks.rank(), int64_t{1} << (4 * ranks.rank())};
      sum(ranks, numbers);
      int64_t powers = 0;
      for (int rank = 0; rank < ranks.size(); ++rank) powers += int64_t{1} << (4 * rank);
      EXPECT_EQ(numbers, (std::vector<int64_t>{ranks.size(), ranks.size() * (ranks.size() - 1) / 2, powers}));
    });
    EXPECT_EQ(ends, fine(size));
  }
}

TEST(Communicator, GathersTheBytesOfAllRanksInTheirOrder) {
  for (int size = 1; size <= 5; ++size) {
    const Texts ends = run_ranks(size, [](Communicator& ranks) {
      Bytes mine = bytes_of(std::string(static_cast<std::size_t>(ranks.rank()), 'x'));
      const std::vector<Bytes> all = gather(ranks, mine);
      ASSERT_EQ(static_cast<int>(all.size()), ranks.rank() == 0 ? ranks.size() : 0);
      for (std::size_t rank = 0; rank < all.size(); ++rank)
        EXPECT_EQ(text_of(all[rank]), std::string(rank, 'x'));
    });
    EXPECT_EQ(ends, fine(size));
  }
}

TEST(Communicator, NamesALostRankOnAllOthers) {
  for (const int lost : {0, 1, 2}) {
    for (const int64_t after : {0, 1, 4}) {
      const Texts ends = run_ranks(3,
                                   [](Communicator& ranks) {
                                     for (int i = 0; i < 100; ++i) {
                                       int64_t one[] = {1};
                                       sum(ranks, one);
                                     }
                                   },
                                   0.05, {{lost, after}});
      for (int rank = 0; rank < 3; ++rank) {
        const std::string& end = ends[static_cast<std::size_t>(rank)];
        if (rank == lost) {
          EXPECT_EQ(end, "lost");
        } else {
          EXPECT_TRUE(
              end.starts_with("rank " + std::to_string(lost) + " of 3 is lost: no sign of life for 0.05 s"))
              << end;
        }
      }
    }
  }
}

TEST(Communicator, EndsTheWaitOfTheOthersWhenOneFails) {
  const auto start = std::chrono::steady_clock::now();
  const Texts ends = run_ranks(4, [](Communicator& ranks) {
    if (ranks.rank() == 2) {
      EXPECT_TRUE(reports_failure(ranks, "the file is damaged"));
      return;
    }
    int64_t one[] = {1};
    sum(ranks, one);
  });
  EXPECT_EQ(ends, (Texts{"the file is damaged", "the file is damaged", "", "the file is damaged"}));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(Communicator, HasOneOfThoseThatFailAtOnceReportIt) {
  std::mutex mutex;
  std::set<int> reporting;
  const Texts ends = run_ranks(4, [&](Communicator& ranks) {
    if (ranks.rank() == 0) return;
    if (!reports_failure(ranks, "no such file")) return;
    const std::lock_guard lock(mutex);
    reporting.insert(ranks.rank());
  });
  EXPECT_EQ(ends, fine(4));
  EXPECT_EQ(reporting, std::set<int>{1});
}

TEST(SameFacts, NameTheRankAndTheFirstFactThatDiffersOnAllRanks) {
  const auto ends_with = [](const Facts& other, int odd) {
    return run_ranks(3, [&](Communicator& ranks) {
      check_same(ranks, ranks.rank() == odd ? other : Facts{{"the version", "1"}, {"`hidden`", "8"}});
    });
  };
  EXPECT_EQ(ends_with({{"the version", "1"}, {"`hidden`", "8"}}, 1), fine(3));
  const std::string hidden = "rank 2 of 3 has `hidden` 9, but rank 0 has 8; start all ranks with the same";
  EXPECT_EQ(ends_with({{"the version", "1"}, {"`hidden`", "9"}}, 2), (Texts{hidden, hidden, hidden}));
  const std::string version =
      "rank 1 of 3 has the version 2, but rank 0 has 1; start all ranks with the same";
  EXPECT_EQ(ends_with({{"the version", "2"}, {"`hidden`", "9"}}, 1), (Texts{version, version, version}));
  const std::string unset = "rank 1 of 3 has `hidden` unset, but rank 0 has 8; start all ranks with the same";
  EXPECT_EQ(ends_with({{"the version", "1"}}, 1), (Texts{unset, unset, unset}));
  const std::string more = "rank 1 of 3 has `more` , but rank 0 has unset; start all ranks with the same";
  EXPECT_EQ(ends_with({{"the version", "1"}, {"`hidden`", "8"}, {"`more`", ""}}, 1),
            (Texts{more, more, more}));
}

TEST(Message, GivesBackTheArraysThatWerePutIn) {
  const std::vector<float> floats = {1, 2, 3};
  const std::vector<int32_t> numbers = {7};
  const std::vector<double> doubles = {0.5, 0.25};
  MessageWriter writer;
  writer.put(std::span<const float>(floats));
  writer.put_part(std::span<const int32_t>(numbers));
  writer.put_part(std::span<const int32_t>(numbers));
  writer.put_part(std::span<const int32_t>(numbers));
  writer.pad();
  writer.put(std::span<const float>());
  writer.put(std::span<const double>(doubles));
  Bytes message;
  writer.finish(message);
  EXPECT_EQ(message.size(), 16 + 16 + 16);
  MessageReader reader(message);
  EXPECT_TRUE(std::ranges::equal(reader.take<float>(3), floats));
  EXPECT_TRUE(std::ranges::equal(reader.take<int32_t>(3), std::vector<int32_t>{7, 7, 7}));
  EXPECT_TRUE(std::ranges::equal(reader.take<double>(2), doubles));
  EXPECT_THROW(reader.take<double>(1), Error);
}

}  // namespace
}  // namespace t2v::comm
