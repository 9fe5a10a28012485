#include "report/number_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace t2v::report {
namespace {

TEST(NumberText, FollowsTheFormat) {
  EXPECT_EQ(number_text(0.93049, ".3f"), "0.930");
  EXPECT_EQ(number_text(0.12, ".1%"), "12.0 %");
  EXPECT_EQ(number_text(12345.6, ",.1f"), "12,345.6");
  EXPECT_EQ(number_text(-1234567, ",d"), "-1,234,567");
  EXPECT_EQ(number_text(123, ",d"), "123");
  EXPECT_EQ(number_text(0.5, "+.2f"), "+0.50");
  EXPECT_EQ(number_text(-0.5, "+.2f"), "-0.50");
  EXPECT_EQ(number_text(1234.5, ".2e"), "1.23e+03");
}

TEST(NumberText, IsShortWithoutAFormat) {
  EXPECT_EQ(number_text(51210), "51210");
  EXPECT_EQ(number_text(-0.0), "0");
  EXPECT_EQ(number_text(0.92123456), "0.92123");
  EXPECT_EQ(number_text(1234567.8), "1234568");
  EXPECT_EQ(number_text(1e-9), "1e-09");
  EXPECT_EQ(number_text(std::nan("")), "–");
}

TEST(NumberText, KnowsWhatIsAFormat) {
  for (const char* good : {"", ".3f", "d", ",", "+,.2f", ".1%", ".2e", "g", ".4g", ".3"}) {
    EXPECT_TRUE(is_number_format(good)) << good;
  }
  for (const char* bad : {".f", ".123f", "s", "3f", ".3ff", "%d", "<script>"}) {
    EXPECT_FALSE(is_number_format(bad)) << bad;
  }
}

TEST(NumberText, IsExactForPrograms) {
  EXPECT_EQ(exact_text(0.1), "0.1");
  EXPECT_EQ(exact_text(50), "50");
  EXPECT_EQ(std::stod(exact_text(1.0 / 3)), 1.0 / 3);
}

}  // namespace
}  // namespace t2v::report
