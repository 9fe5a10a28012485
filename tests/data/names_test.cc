#include "data/names.h"

#include <gtest/gtest.h>

#include <string>
#include <unordered_map>

#include "base/random.h"

namespace t2v::data {
namespace {

TEST(Names, AreNumberedInOrderOfFirstAppearance) {
  Names names;
  EXPECT_EQ(names.add("b"), 0);
  EXPECT_EQ(names.add(""), 1);
  EXPECT_EQ(names.add("a"), 2);
  EXPECT_EQ(names.add("b"), 0);
  EXPECT_EQ(names.add(""), 1);
  EXPECT_EQ(names.size(), 3);
  EXPECT_EQ(names[0], "b");
  EXPECT_EQ(names[1], "");
  EXPECT_EQ(names[2], "a");
  EXPECT_EQ(names.find("a"), 2);
  EXPECT_EQ(names.find("c"), -1);
  EXPECT_EQ(Names().find("a"), -1);
}

TEST(Names, AgreeWithAMapOnManyRandomStrings) {
  Random random(1);
  Names names;
  std::unordered_map<std::string, int32_t> expected;
  for (int i = 0; i < 50000; ++i) {
    std::string name(random.below(6), 'x');
    for (char& c : name) c = static_cast<char>('a' + random.below(6));
    const auto [entry, is_new] = expected.emplace(name, static_cast<int32_t>(expected.size()));
    ASSERT_EQ(names.add(name), entry->second) << name;
    ASSERT_TRUE(is_new || names.size() == static_cast<int32_t>(expected.size()));
  }
  for (const auto& entry : expected) {
    ASSERT_EQ(names[entry.second], entry.first);
    ASSERT_EQ(names.find(entry.first), entry.second);
  }
}

TEST(Names, ToldTheHashFindTheSameNumber) {
  Names names;
  for (int i = 0; i < 1000; ++i) names.add(std::to_string(i));
  Names copy;
  for (int32_t i = 0; i < names.size(); ++i) EXPECT_EQ(copy.add(names[i], names.hash(i)), i);
  EXPECT_EQ(copy.find("77"), 77);
}

TEST(Names, ForgetAllWhenCleared) {
  Names names;
  names.add("a");
  names.clear();
  EXPECT_EQ(names.size(), 0);
  EXPECT_EQ(names.find("a"), -1);
  EXPECT_EQ(names.add("b"), 0);
  EXPECT_EQ(names[0], "b");
}

}  // namespace
}  // namespace t2v::data
