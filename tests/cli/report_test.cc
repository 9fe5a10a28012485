// t2v report: what it writes and what it refuses. tests/browser has what a browser makes of it.
#include <gtest/gtest.h>

#include <string>

#include "tool.h"

namespace t2v {
namespace {

const std::string kMade = source_path("tests/report/made_results.json");

class Report : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    ASSERT_EQ(bash("mkdir r && cp " + kMade + " r/results.json").code, 0);
    built_without_charts_ = run("report r -o probe.html").err.find("built without") != std::string::npos;
    bash("rm -f probe.html");
  }
  bool built_without_charts_ = false;
};

TEST_F(Report, IsOneFileThatHoldsAll) {
  if (built_without_charts_) {
    expect_refused("report r -o page.html", "get it with scripts/fetch-vega");
    GTEST_SKIP() << "t2v is built without the library that draws charts";
  }
  const Ran ran = run("report r -o page.html");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "page.html: 2 charts; open it in a browser\n");
  const std::string page = get("page.html");
  EXPECT_TRUE(page.starts_with("<!doctype html>\n"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_HAS(page, "/*! vega@");
  EXPECT_EQ(names(), (std::vector<std::string>{"page.html", "r"}));
}

TEST_F(Report, RefusesWhatItCannotUse) {
  expect_refused(
      "report nowhere",
      "nowhere/results.json: cannot open: No such file or directory; check the path: 't2v reproduce");
  ASSERT_EQ(bash("mkdir empty").code, 0);
  expect_refused("report empty", "empty/results.json: cannot open: No such file or directory");
  put("r/results.json", "{\"format\": 2,\n  \"tables\": oops");
  expect_refused("report r", "r/results.json:2:13: is not valid JSON from here on");
  put("r/results.json", R"({"format": 2, "tables": [{"title": 5}], "figures": []})");
  expect_refused("report r",
                 "r/results.json: tables[0].title: is 5 where a text is expected; write it again");
  expect_refused("report", "folder is required");
}

}  // namespace
}  // namespace t2v
