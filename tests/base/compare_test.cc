// The tests' own rule: a comparison that could not have found much fails.
#include "compare.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cmath>

namespace t2v::testing {
namespace {

using Values = std::vector<double>;

TEST(ExpectClose, AcceptsWhatIsWithinTheToleranceOfTheLargest) {
  expect_close(Values{1.0, -2.0, 0.5 + 1e-7}, Values{1.0, -2.0, 0.5}, 1e-7, "values");
}

TEST(ExpectClose, RejectsOneEntryThatIsNot) {
  EXPECT_NONFATAL_FAILURE(expect_close(Values{1, -2, 0.5001}, Values{1, -2, 0.5}, 1e-7, "values"),
                          "values[2]");
}

TEST(ExpectClose, RejectsExpectationsThatAreMostlyZero) {
  EXPECT_NONFATAL_FAILURE(expect_close(Values{0, 0, 0, 1, 2}, Values{0, 0, 0, 1, 2}, 1, "values"), "is zero");
}

TEST(ExpectClose, RejectsExpectationsThatAreMostlyAsLargeAsTheLargest) {
  EXPECT_NONFATAL_FAILURE(expect_close(Values{1, -1, 1, 0.5}, Values{1, -1, 1, 0.5}, 1e-3, "values"),
                          "saturated");
  expect_close(Values{1, -1, 1, 0.5}, Values{1, -1, 1, 0.5}, 1e-3, "values", true);
}

TEST(ExpectClose, RejectsValuesThatAreNotFinite) {
  EXPECT_FATAL_FAILURE(expect_close(Values{NAN, 1, 2}, Values{NAN, 1, 2}, 1, "values"), "values");
  EXPECT_NONFATAL_FAILURE(expect_close(Values{NAN, 1, 2}, Values{3, 1, 2}, 1, "values"), "values[0]");
}

TEST(ExpectClose, RejectsOtherSizes) {
  EXPECT_FATAL_FAILURE(expect_close(Values{1, 2}, Values{1, 2, 3}, 1, "values"), "values");
}

}  // namespace
}  // namespace t2v::testing
