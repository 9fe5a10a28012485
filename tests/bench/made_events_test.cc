#include "bench/made_events.h"

#include <gtest/gtest.h>

#include <set>

namespace t2v::bench {
namespace {

TEST(MadePixels, HaveTheShapeOfEventMnist) {
  const data::EventStore store = made_pixels(500);
  const data::Events& events = store.events;
  EXPECT_EQ(events.sequences(), 500);
  EXPECT_EQ(events.label->names.size(), 10);
  EXPECT_NEAR(static_cast<double>(events.size()) / 500, 69, 5);
  for (int64_t s = 0; s < events.sequences(); ++s) {
    for (int64_t e = events.begin(s) + 1; e < events.end(s); ++e) {
      ASSERT_GT(events.tick(e), events.tick(e - 1));
      ASSERT_LT(events.tick(e), 784);
    }
  }
  EXPECT_EQ(store.split->train.size(), 400U);
  EXPECT_EQ(store.split->test.size(), 100U);
}

TEST(MadeBadges, HaveAllTypesAndTimesThatDiffer) {
  const data::Events events = made_badges(100, 22).events;
  EXPECT_EQ(events.event->names.size(), 22);
  EXPECT_NEAR(static_cast<double>(events.size()) / 100, 72, 12);
  std::set<int64_t> ticks(events.ticks.begin(), events.ticks.end());
  EXPECT_EQ(static_cast<int64_t>(ticks.size()), events.size());
}

}  // namespace
}  // namespace t2v::bench
