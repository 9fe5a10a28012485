#include "data/time_shape.h"

#include <gtest/gtest.h>

#include "data/importer_files.h"

namespace t2v::data {
namespace {

TEST(TimeShape, IsTheFormThatADateIsWrittenIn) {
  const std::vector<std::pair<const char*, const char*>> forms = {
      {"Jan 1 2000", "%b %d %Y"},
      {"January 1, 2000", "%b %d, %Y"},
      {"1 Jan 2000 14:05", "%d %b %Y %H:%M"},
      {"2000 Jan 1", "%Y %b %d"},
      {"1-JAN-2000", "%d-%b-%Y"},
      {"01-Jan-00", "%d-%b-%y"},
      {"Jan 2000", "%b %Y"},
      {"1949-01", "%Y-%m"},
      {"01/2024", "%m/%Y"},
      {"2024-1-5 3:04", "%Y-%m-%d %H:%M"},
      {"2024.01.31 14:05:09,250", "%Y.%m.%d %H:%M:%S,%f"},
      {"20240131 140509", "%Y%m%d %H%M%S"},
      {"10/Oct/2000:13:55:36 -0700", "%d/%b/%Y:%H:%M:%S %z"},
      {"[10/Oct/2000:13:55:36", "[%d/%b/%Y:%H:%M:%S"},
      {"Mon, 03 Jan 2000 10:00:00 GMT", "%a, %d %b %Y %H:%M:%S %Z"},
      {"Wed Aug 27 13:08:45 +0000 2008", "%a %b %d %H:%M:%S %z %Y"},
      {"Mon Jan  3 10:00:00 2000", "%a %b %d %H:%M:%S %Y"},
      {"5 May 2021 3:04:05.25 PM", "%d %b %Y %I:%M:%S.%f %p"},
      {"5 May 2021 13:04:05 +01:00", "%d %b %Y %H:%M:%S %z"},
  };
  for (const auto& [text, form] : forms) {
    EXPECT_EQ(time_shapes(text), Texts{form}) << text;
    IsoTime time;
    EXPECT_EQ(TimeFormat(form).parse(text, time), TimeFault::kNone) << text;
  }
}

TEST(TimeShape, HasTwoFormsWhereDayAndMonthLookAlike) {
  EXPECT_EQ(time_shapes("01/02/2024 3:04 PM"), (Texts{"%m/%d/%Y %I:%M %p", "%d/%m/%Y %I:%M %p"}));
  EXPECT_EQ(time_shapes("31.01.2024"), (Texts{"%m.%d.%Y", "%d.%m.%Y"}));
  EXPECT_EQ(time_shapes("05-02-2010"), (Texts{"%m-%d-%Y", "%d-%m-%Y"}));
  EXPECT_EQ(time_shapes("6/7/19 14:05"), (Texts{"%m/%d/%y %H:%M", "%d/%m/%y %H:%M"}));
}

TEST(TimeShape, IsNoneOfOtherTexts) {
  for (const char* text : {"",
                           "hello",
                           "Jan",
                           "Monday",
                           "14:05",
                           "1.2.10",
                           "10.0.0.1",
                           "555-1234",
                           "12 2000",
                           "1/2",
                           "Jan Feb 2000",
                           "1 2 Jan 3 2000",
                           "a/b/2000",
                           "12:00 PM",
                           "PM 2000",
                           "2024-01-31T",
                           "v1.2.2024.3",
                           "1,234,567",
                           "5 May 2021 3:04 PM PM",
                           "31 May 2021 14:05 EST",
                           "2024/1-5",
                           "1-2-3",
                           "{10/Oct/2000:13:55:36"}) {
    EXPECT_EQ(time_shapes(text), Texts{}) << text;
  }
}

FoundFormat found(const std::vector<std::string_view>& texts, std::string_view day_first = "auto") {
  return find_time_format(texts, day_first);
}

TEST(FindTimeFormat, TellsDayAndMonthByValuesBeyondTwelve) {
  EXPECT_EQ(found({"01/02/2024", "13/02/2024"}).pattern, "%d/%m/%Y");
  EXPECT_EQ(found({"01/02/2024", "01/13/2024"}).pattern, "%m/%d/%Y");
  EXPECT_FALSE(found({"01/02/2024", "13/02/2024"}).undecided);
  EXPECT_TRUE(found({"01/02/2024", "12/12/2024"}).undecided);
  const FoundFormat both = found({"01/13/2024", "13/02/2024"});
  EXPECT_EQ(both.day_first, "13/02/2024");
  EXPECT_EQ(both.day_last, "01/13/2024");
}

TEST(FindTimeFormat, TakesTheOrderThatIsGiven) {
  EXPECT_EQ(found({"01/02/2024"}, "yes").pattern, "%d/%m/%Y");
  EXPECT_EQ(found({"01/02/2024"}, "no").pattern, "%m/%d/%Y");
  EXPECT_FALSE(found({"01/02/2024"}, "no").undecided);
}

TEST(FindTimeFormat, TakesPointsForTheDayFirstUnlessAValueSaysOtherwise) {
  EXPECT_EQ(found({"01.02.2024"}).pattern, "%d.%m.%Y");
  EXPECT_FALSE(found({"01.02.2024"}).undecided);
  EXPECT_EQ(found({"01.02.2024", "01.31.2024"}).pattern, "%m.%d.%Y");
}

TEST(FindTimeFormat, TakesTheFormOfMost) {
  const FoundFormat most = found({"unknown", "2024", "Jan 1 2000", "1 Feb 2000", "2 Feb 2000", "3 Feb 2000"});
  EXPECT_EQ(most.pattern, "%d %b %Y");
  EXPECT_EQ(most.count, 3);
  EXPECT_EQ(found({"a", "b"}).pattern, "");
  EXPECT_EQ(found({}).count, 0);
}

}  // namespace
}  // namespace t2v::data
