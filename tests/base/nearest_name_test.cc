#include "base/nearest_name.h"

#include <gtest/gtest.h>

namespace t2v {
namespace {

TEST(EditDistance, CountsLettersPutInTakenOutReplacedAndSwapped) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("time", "time"), 0);
  EXPECT_EQ(edit_distance("time", "times"), 1);
  EXPECT_EQ(edit_distance("time", "tme"), 1);
  EXPECT_EQ(edit_distance("time", "tame"), 1);
  EXPECT_EQ(edit_distance("time", "tiem"), 1);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(NearestName, IsTheOneWithTheFewestDifferences) {
  const std::vector<std::string> names = {"timestamp", "user_id", "item_id"};
  EXPECT_EQ(nearest_name("timestmap", names), "timestamp");
  EXPECT_EQ(nearest_name("userid", names), "user_id");
  EXPECT_EQ(nearest_name("price", names), "");
}

}  // namespace
}  // namespace t2v
