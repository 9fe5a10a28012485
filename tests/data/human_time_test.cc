#include "data/human_time.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace t2v::data {
namespace {

using Cases = std::vector<std::pair<double, std::string>>;

void expect_durations(const Cases& cases) {
  for (const auto& [seconds, text] : cases) {
    EXPECT_EQ(human_duration(seconds), text) << seconds;
    EXPECT_EQ(human_duration(-seconds), "-" + text) << seconds;
  }
}

TEST(HumanDuration, HasThreeDigitsBelowAMinute) {
  expect_durations({{2.5e-10, "0.25 ns"},
                    {1e-9, "1 ns"},
                    {1.234e-6, "1.23 us"},
                    {9.994e-7, "999 ns"},
                    {9.996e-7, "1 us"},
                    {0.00999, "9.99 ms"},
                    {0.09, "90 ms"},
                    {0.5, "500 ms"},
                    {0.9994, "999 ms"},
                    {0.9996, "1 s"},
                    {1, "1 s"},
                    {1.5, "1.5 s"},
                    {12.345, "12.3 s"},
                    {59.94, "59.9 s"},
                    {59.96, "1 min"}});
}

TEST(HumanDuration, HasTwoWholeUnitsBelowADay) {
  expect_durations({{60, "1 min"},
                    {60.4, "1 min"},
                    {61, "1 min 1 s"},
                    {330, "5 min 30 s"},
                    {3599.4, "59 min 59 s"},
                    {3599.6, "1 h"},
                    {3600, "1 h"},
                    {3629, "1 h"},
                    {3631, "1 h 1 min"},
                    {86164.1, "23 h 56 min"},
                    {21600, "6 h"},
                    {86369, "23 h 59 min"},
                    {86371, "1.0 d"}});
}

TEST(HumanDuration, HasOneUnitAboveADay) {
  const double day = 86400;
  const double year = 365.25 * day;
  expect_durations({{day, "1.0 d"},
                    {7 * day, "7.0 d"},
                    {29.53 * day, "29.5 d"},
                    {99.94 * day, "99.9 d"},
                    {99.96 * day, "100 d"},
                    {182.4 * day, "182 d"},
                    {365.2 * day, "365 d"},
                    {year, "1.0 y"},
                    {2 * year, "2.0 y"},
                    {584.4 * year, "584 y"},
                    {123456 * year, "123456 y"},
                    {1.5e8 * year, "1.5e+08 y"}});
}

TEST(HumanDuration, KnowsNumbersThatAreNoDurations) {
  EXPECT_EQ(human_duration(0), "0 s");
  EXPECT_EQ(human_duration(-0.0), "0 s");
  EXPECT_EQ(human_duration(std::numeric_limits<double>::quiet_NaN()), "unknown");
  expect_durations({{std::numeric_limits<double>::infinity(), "for ever"}});
}

TEST(HumanCount, SeparatesThousands) {
  const std::vector<std::pair<int64_t, std::string>> cases = {
      {0, "0"},
      {7, "7"},
      {999, "999"},
      {1000, "1,000"},
      {-999, "-999"},
      {-1000, "-1,000"},
      {123456, "123,456"},
      {1234567, "1,234,567"},
      {-123456, "-123,456"},
      {std::numeric_limits<int64_t>::max(), "9,223,372,036,854,775,807"},
      {std::numeric_limits<int64_t>::min(), "-9,223,372,036,854,775,808"}};
  for (const auto& [count, text] : cases) EXPECT_EQ(human_count(count), text);
}

}  // namespace
}  // namespace t2v::data
