#include "report/page.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "made.h"
#include "report/html.h"
#include "report/number_text.h"

namespace t2v::report {
namespace {

using nlohmann::json;

std::string page(const Results& results) { return page_of(results, "/* library */"); }

/// The JSON that a page holds for programs.
json document_in(const std::string& html) {
  const std::string begin = R"(<script type="application/json" id="results">)";
  const std::size_t at = html.find(begin) + begin.size();
  return json::parse(html.substr(at, html.find("</script>", at) - at));
}

TEST(Page, HoldsTheWholeFile) { EXPECT_EQ(document_in(page(made_results())), made_document()); }

TEST(Page, ShowsEveryNumberOfTheFiguresExactly) {
  const Results results = made_results();
  const std::string html = page(results);
  for (const Figure& figure : results.figures) {
    for (const Series& series : figure.series) {
      for (const double y : series.y) {
        if (std::isnan(y)) continue;
        EXPECT_TRUE(has(html, R"(<data value=")" + exact_text(y) + R"(">)" + number_text(y, figure.y.format)))
            << figure.id << " " << y;
      }
    }
  }
}

TEST(Page, OpensWithTheFirstFigureAndTheTable) {
  const std::string html = page(made_results());
  const std::size_t table = html.find(R"(<table role="table" class="verdicts">)");
  EXPECT_LT(html.find(R"(<figure id="event-mnist">)"), table);
  EXPECT_LT(table, html.find(R"(<figure id="frequencies">)"));
  EXPECT_TRUE(has(html, "<title>Time2Vec reproduction: 3 of 5 claims decided</title>"));
}

TEST(Page, ShowsTheAnswersByWordAndSymbol) {
  const std::string html = page(made_results());
  EXPECT_TRUE(has(html, R"(<span class="verdict yes"><span aria-hidden="true">✓</span> yes</span>)"));
  EXPECT_TRUE(has(html, R"(<span class="verdict no"><span aria-hidden="true">✗</span> opposite</span>)"));
  EXPECT_TRUE(has(html, R"(<span class="verdict no"><span aria-hidden="true">=</span> no effect</span>)"));
  EXPECT_TRUE(
      has(html, R"(<span class="verdict open"><span aria-hidden="true">?</span> not run yet</span>)"));
  EXPECT_TRUE(has(html, R"(<td role="cell" data-label="Published"><div>+0.114</div></td>)"));
  EXPECT_TRUE(has(html, R"(<th role="rowheader" scope="row">The sine beats mod</th>)"));
}

TEST(Page, SaysWhatItRanOn) {
  const std::string html = page(made_results());
  EXPECT_TRUE(has(html, "<dt>Processor</dt><dd>Made-up CPU 9000 (not a measurement)</dd>"));
  EXPECT_TRUE(has(html, "<code>t2v reproduce all --scale paper</code>"));
}

TEST(Page, HasATextAndATableForEveryChart) {
  const std::string html = page(made_results());
  EXPECT_EQ(count_of(html, R"(<div class="chart" role="img" aria-label=")"), 2U);
  EXPECT_TRUE(has(html, R"(aria-label="Learned frequencies end at 0.9.")"));
  EXPECT_EQ(count_of(html, "<summary>Values as a table</summary>"), 2U);
}

/// Everything that is a text in the file, made hostile.
void make_hostile(json& value) {
  static const std::string kHostile = R"(</script><script>bad()</script><img src=x onerror=bad()>"'&<!--)";
  if (value.is_string()) value = kHostile + value.get<std::string>();
  if (!value.is_structured()) return;
  for (const auto& [key, each] : value.items()) {
    if (key != "format") make_hostile(each);
  }
}

TEST(Page, ShowsMarkupInTextsAsText) {
  json document = made_document();
  make_hostile(document);
  const Results results = parse_results("results.json", document.dump());
  const std::string html = page(results);
  EXPECT_EQ(count_of(html, "<script>bad"), 0U);
  EXPECT_EQ(count_of(html, "<img"), 0U);
  EXPECT_EQ(count_of(html, "<!--"), 0U);
  EXPECT_EQ(count_of(html, "</script>"), count_of(page(made_results()), "</script>"));
  EXPECT_EQ(document_in(html), document);
  // No attribute is ended by a quote of a text: behind each one there is a space, a slash or the end of the
  // tag.
  const std::string body =
      html.substr(html.find("<body>"), html.find(R"(id="results")") - html.find("<body>"));
  EXPECT_FALSE(std::regex_search(body, std::regex(R"(aria-label="[^"]*"[^ >/])")));
}

TEST(Page, AllowsNothingToBeLoaded) {
  const std::string html = page(made_results());
  EXPECT_TRUE(has(html, R"(content="default-src 'none'; script-src 'unsafe-inline'; )"));
  EXPECT_FALSE(std::regex_search(html, std::regex(R"((src|href)="(https?:)?//)")));
  EXPECT_EQ(count_of(html, "@import"), 0U);
  EXPECT_EQ(count_of(html, "url("), 0U);
}

TEST(Page, ShowsEveryTenthOfThousandsOfValuesAndSaysSo) {
  const Results results = changed([](json& document) {
    json& series = document["figures"][0]["series"];
    series = json::array({{{"name", "long"}, {"x", json::array()}, {"y", json::array()}}});
    for (int i = 0; i < 4000; ++i) {
      series[0]["x"].push_back(i);
      series[0]["y"].push_back(i + 0.25);
    }
    document["figures"][0]["published"] = json::array();
  });
  const std::string html = page(results);
  EXPECT_TRUE(has(html, "Every 10th of 4000 rows; results.json has all."));
  EXPECT_TRUE(has(html, R"(<td><data value="3990">3990</data></td>)"));
  EXPECT_TRUE(has(html, R"(<td><data value="3999">3999</data></td>)"));
  EXPECT_FALSE(has(html, R"(<td><data value="3998">3998</data></td>)"));
}

TEST(Page, IsMadeOfResultsWithoutAnything) {
  const std::string html = page(parse_results(
      "r", R"({"format": 2, "tables": [{"title": "x", "columns": [], "rows": []}], "figures": []})"));
  EXPECT_TRUE(has(html, "No claim has been tested yet."));
}

}  // namespace
}  // namespace t2v::report
