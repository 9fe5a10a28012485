#include "bench/workload.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "t2v/error.h"

namespace t2v::bench {
namespace {

TEST(Workloads, HaveNamesOfTheirOwnAndAreFoundByThem) {
  std::set<std::string> names;
  for (const WorkloadKind& kind : workloads()) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
    EXPECT_EQ(&workload_named(kind.name), &kind);
  }
  EXPECT_THROW(workload_named("train-nothing"), Error);
}

double goal_of(std::string_view name) { return workload_named(name).goal; }

TEST(Workloads, OfTimeLstmHaveGoalsForHeadAndRecurrenceAlone) {
  EXPECT_EQ(goal_of("train-tlstm3-head"), 0.8);
  EXPECT_EQ(goal_of("train-tlstm3-recurrence"), 0.5);
  EXPECT_EQ(goal_of("train-tlstm1-recurrence"), 0.5);
  EXPECT_EQ(goal_of("train-tlstm1"), 0);
  EXPECT_EQ(goal_of("train-tlstm3"), 0);
}

}  // namespace
}  // namespace t2v::bench
