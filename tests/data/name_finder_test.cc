#include "data/name_finder.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "base/random.h"

namespace t2v::data {
namespace {

/// Looks up a name that lies in memory of exactly its own size, with `behind` bytes after it.
int32_t number(NameFinder& finder, const std::string& name, std::size_t behind, const Names* known,
               Names& fresh) {
  std::vector<char> bytes(name.begin(), name.end());
  bytes.resize(name.size() + behind, 'z');
  return finder.number({bytes.data(), name.size()}, bytes.data() + bytes.size(), known, fresh);
}

TEST(NameFinder, GivesKnownNumbersAndThoseOfFreshNames) {
  Names known;
  known.add("a");
  known.add("a name that is longer than a word");
  NameFinder finder;
  Names fresh;
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(number(finder, "a", 20, &known, fresh), 0);
    EXPECT_EQ(number(finder, "a name that is longer than a word", 0, &known, fresh), 1);
    EXPECT_EQ(number(finder, "b", 20, &known, fresh), ~0);
    EXPECT_EQ(number(finder, "", 20, &known, fresh), ~1);
  }
  EXPECT_EQ(fresh.size(), 2);
}

TEST(NameFinder, TellsNamesFromThemselvesWithZeroBytes) {
  Names known;
  const std::vector<std::string> names = {"", std::string(1, '\0'), "a", std::string("a\0", 2),
                                          std::string(8, '\0')};
  for (const std::string& name : names) known.add(name);
  NameFinder finder;
  Names fresh;
  for (int round = 0; round < 2; ++round) {
    for (int32_t i = 0; i < known.size(); ++i) {
      EXPECT_EQ(number(finder, names[static_cast<std::size_t>(i)], 16, &known, fresh), i);
    }
  }
}

TEST(NameFinder, ReadsNothingBeyondWhatIsReadable) {
  Names known;
  known.add("abc");
  NameFinder finder;
  Names fresh;
  for (std::size_t behind = 0; behind < 10; ++behind)
    EXPECT_EQ(number(finder, "abc", behind, &known, fresh), 0);
}

TEST(NameFinder, LearnsNamesThatBecomeKnownAndForgetsThoseOfOthers) {
  Names one;
  Names other;
  Names fresh;
  NameFinder finder;
  EXPECT_EQ(number(finder, "x", 8, &one, fresh), ~0);
  one.add("x");
  EXPECT_EQ(number(finder, "x", 8, &one, fresh), 0);
  other.add("y");
  other.add("x");
  EXPECT_EQ(number(finder, "x", 8, &other, fresh), 1);
  EXPECT_EQ(number(finder, "x", 8, nullptr, fresh), ~0);
}

TEST(NameFinder, AgreesWithNamesForManyNamesThatShareEntries) {
  Names known;
  for (int i = 0; i < 200'000; ++i) known.add(std::to_string(i));
  NameFinder finder;
  Names fresh;
  Random random(3);
  for (int i = 0; i < 300'000; ++i) {
    const auto wanted = static_cast<int32_t>(random.below(200'000));
    ASSERT_EQ(number(finder, std::to_string(wanted), 8, &known, fresh), wanted);
  }
}

TEST(NameFinder, FindsWholeNumbersByTheirDigits) {
  Names known;
  Names fresh;
  NameFinder finder;
  known.add("7");
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_EQ(finder.number(7, &known, fresh), 0);
    EXPECT_EQ(finder.number(8, &known, fresh), ~0);
    EXPECT_EQ(finder.number(-7, &known, fresh), ~1);
    EXPECT_EQ(finder.number(int64_t{1} << 40, &known, fresh), ~2);
    EXPECT_EQ(finder.number(std::numeric_limits<int64_t>::min(), &known, fresh), ~3);
  }
  EXPECT_EQ(fresh[3], "-9223372036854775808");
  known.add("8");
  EXPECT_EQ(finder.number(8, &known, fresh), 1);
  Names others;
  others.add("9");
  EXPECT_EQ(finder.number(9, &others, fresh), 0);
  EXPECT_EQ(finder.number(7, nullptr, fresh), ~4);
  EXPECT_EQ(fresh[4], "7");
}

}  // namespace
}  // namespace t2v::data
