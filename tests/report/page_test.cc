#include "report/page.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "made.h"
#include "report/html.h"
#include "report/number_text.h"
#include "report/pictures.h"

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
  for (const Experiment& experiment : results.experiments) {
    for (const Figure& figure : experiment.figures) {
      for (const Series& series : figure.series) {
        for (const double y : series.y) {
          if (std::isnan(y)) continue;
          EXPECT_TRUE(
              has(html, R"(<data value=")" + exact_text(y) + R"(">)" + number_text(y, figure.y.format)))
              << figure.id << " " << y;
        }
      }
    }
  }
}

TEST(Page, ShowsTheVerdictsByWordAndSymbolWithTheirIntervals) {
  const std::string html = page(made_results());
  EXPECT_TRUE(has(html, R"(<span class="verdict yes"><span aria-hidden="true">✓</span> reproduces</span>)"));
  EXPECT_TRUE(has(html, R"(<span aria-hidden="true">✗</span> does not)"));
  EXPECT_TRUE(has(html, R"(<span aria-hidden="true">?</span> undecided)"));
  EXPECT_TRUE(has(html, R"(<strong><data value="0.1181">+0.1181</data></strong> accuracy<span class="quiet )"
                        R"(block">95&nbsp;% interval <data value="0.1093">+0.1093</data> to <data )"
                        R"(value="0.1269">+0.1269</data>, n&nbsp;=&nbsp;<data value="5">5</data></span>)"));
  EXPECT_TRUE(has(html, "0.930 against 0.882 after 200 epochs"));
  EXPECT_TRUE(has(html, R"(<a href="#event-mnist">Time2Vec beats raw time on Event-MNIST</a>)"));
  EXPECT_TRUE(has(html, R"(<li><strong>2</strong> <span class="verdict open">)"));
  EXPECT_TRUE(has(html, R"(<data value="-0.0625">-0.0625</data></strong> share of runs)"));
  EXPECT_TRUE(has(html, R"(<th role="rowheader" colspan="6">Event-MNIST</th>)"));
}

TEST(Page, WritesRatiosWithTheDigitsOfEachEnd) {
  const std::string html = page(changed([](json& document) {
    document["verdicts"][0]["effect"] = {
        {"mean", 0.314}, {"low", 0.000484}, {"high", 203}, {"n", 2}, {"unit", "ratio of variances"}};
  }));
  EXPECT_TRUE(has(html, R"(<strong><data value="0.314">0.314</data></strong> ratio of variances)"));
  EXPECT_TRUE(has(html, R"(<data value="0.000484">0.000484</data> to <data value="203">203</data>)"));
}

TEST(Page, SaysWhereAnExperimentRanAndWhatDiffersFromItsProtocol) {
  const std::string html = page(changed([](json& document) {
    document["experiments"][0]["ran_on"] = "A CPU (avx2), 2026-01-02";
    document["experiments"][0]["settings"] = {{"batch", "5"}, {"inner", "tanh"}};
  }));
  EXPECT_TRUE(has(html, R"(<span class="tag">on A CPU (avx2), 2026-01-02</span>)"));
  EXPECT_TRUE(has(html, R"(<span class="tag">but batch=5, inner=tanh</span>)"));
}

TEST(Page, PutsVerdictsOfNoExperimentUnderATitleOfTheirOwn) {
  const std::string html = page(changed([](json& document) {
    json all = document["verdicts"][0];
    all["experiment"] = "all";
    all["claim"] = "most comparisons improve";
    document["verdicts"].push_back(all);
  }));
  const std::size_t title = html.find(R"(<th role="rowheader" colspan="6">All together</th>)");
  ASSERT_NE(title, std::string::npos);
  EXPECT_LT(title, html.find("Most comparisons improve"));
}

TEST(Page, IsHeadedByTheVerdictsOnThePaperByItsOwnProtocol) {
  const std::string html = page(changed([](json& document) {
    json other = document["verdicts"][0];
    other["protocol"] = "best";
    document["verdicts"].push_back(other);
    other["protocol"] = "paper";
    other["where"] = "not in the paper";
    document["verdicts"].push_back(other);
  }));
  EXPECT_TRUE(has(html, "<title>Time2Vec reproduction: 1 of 3 verdicts reproduce</title>"));
  EXPECT_TRUE(has(html, ", by its own protocol; 2 more below, by others or not in the paper."));
  EXPECT_TRUE(has(html, R"(<li><strong>1</strong> <span class="verdict yes">)"));
}

TEST(Page, CountsVerdictsOnSynthesisedDataApart) {
  const auto with = [](const char* first, const char* others) {
    return page(changed([&](json& document) {
      for (json& experiment : document["experiments"]) experiment["data"]["kind"] = others;
      document["experiments"][0]["data"]["kind"] = first;
    }));
  };
  const std::string html = with("made", "original");
  EXPECT_TRUE(has(html, " Those on synthesised data are not among them: 1 of 1 reproduce.<"));
  EXPECT_TRUE(has(html, "<title>Time2Vec reproduction: 0 of 3 verdicts reproduce</title>"));
  EXPECT_FALSE(has(with("original", "original"), "synthesised data"));
  const std::string made = page(changed([](json& document) {
    for (json& experiment : document["experiments"]) experiment["data"]["kind"] = "made";
    document["verdicts"].erase(3);  // of no experiment
  }));
  EXPECT_TRUE(has(made, "<title>Time2Vec reproduction: 1 of 3 verdicts reproduce</title>"))
      << "where there are no others, they are what the page is about";
}

TEST(Page, DoesNotSpeakOfThePapersProtocolWhereItWasNotRun) {
  const std::string html = page(changed([](json& document) {
    for (json& verdict : document["verdicts"]) verdict["protocol"] = "best";
    document["verdicts"][0]["where"] = "not in the paper";
  }));
  EXPECT_TRUE(has(html, "3 verdicts on claims of "));
  EXPECT_TRUE(has(html, "(Kazemi et al., 2019); 1 more below, not in the paper."));
}

TEST(Page, TellsExperimentsOfTwoProtocolsApart) {
  const std::string html = page(changed([](json& document) {
    json other = document["experiments"][0];
    other["protocol"] = "best";
    document["experiments"].push_back(other);
  }));
  EXPECT_EQ(count_of(html, ">Event-MNIST, protocol best</h2>"), 1U);
  EXPECT_EQ(count_of(html, ">Event-MNIST, protocol best</a></li>"), 1U);
  EXPECT_EQ(count_of(html, ">Event-MNIST</h2>"), 1U);
}

TEST(Page, SaysAboveTheVerdictsThatDataAreNotThePapers) {
  const auto above = [](const char* kind) {
    return page(changed([&](json& document) { document["experiments"][0]["data"]["kind"] = kind; }));
  };
  EXPECT_TRUE(has(above("stand-in"), ">Event-MNIST (on a stand-in, not the data of the paper)</th>"));
  EXPECT_TRUE(has(above("part"), ">Event-MNIST (on a part of the data of the paper)</th>"));
  EXPECT_TRUE(has(above("invented"), ">Event-MNIST (on invented data: says nothing of the paper)</th>"));
  EXPECT_TRUE(has(above("original"), ">Event-MNIST</th>"));
}

TEST(Page, AnswersThePapersQuestions) {
  const std::string html = page(changed([](json& document) {
    document["questions"] = {{{"question", "Q1"},
                              {"asks", "Is it <good>?"},
                              {"answer", "in part"},
                              {"reproduces", 3},
                              {"does_not", 2},
                              {"undecided", 4},
                              {"stand_ins", 5}}};
  }));
  EXPECT_TRUE(
      has(html, R"(<th scope="row">Q1</th><td>Is it &lt;good&gt;?</td><td><strong>in part</strong>)"));
  EXPECT_TRUE(has(html, R"(<td class="number"><data value="4">4</data></td>)"));
  EXPECT_TRUE(has(html, R"(<li><a href="#questions">The paper's questions</a></li>)"));
  EXPECT_FALSE(has(page(made_results()), "The paper's questions"));
}

TEST(Page, ShowsANumberThatHasNoInterval) {
  const std::string html = page(changed([](json& document) {
    document["verdicts"][0]["effect"] = {
        {"mean", 1e-7}, {"low", nullptr}, {"high", nullptr}, {"n", 2}, {"unit", "probability"}};
  }));
  EXPECT_TRUE(has(html, R"(<strong><data value="1e-07">1e-07</data></strong> probability<span class="quiet )"
                        R"(block">n&nbsp;=&nbsp;)"));
}

TEST(Page, TellsEachRuleOfVerdictsOnce) {
  const std::string rule = "paired over seeds";
  const std::string html = page(changed([&](json& document) {
    for (json& verdict : document["verdicts"]) verdict["rule"] = rule;
  }));
  const std::string shown = html.substr(0, html.find(R"(id="results")"));
  EXPECT_EQ(count_of(shown, R"(<span class="tag">rule 1</span>)"), 4U);
  EXPECT_EQ(count_of(shown, "<li>Paired over seeds.</li>"), 1U);
}

TEST(Page, SaysOfEveryExperimentWhatItRanOnAndHowToRunItAgain) {
  const std::string html = page(made_results());
  EXPECT_TRUE(has(html, "Event-MNIST, the data of the paper."));
  EXPECT_TRUE(has(html, "a stand-in: not the data of the paper. A sixth of the images."));
  EXPECT_TRUE(has(html, "days 1 to 365, made as the paper describes it."));
  EXPECT_TRUE(has(html, R"(ran <data value="1234.5">20 min 35 s</data>)"));
  EXPECT_TRUE(has(html, "<code>t2v reproduce toy --seeds 4</code>"));
  EXPECT_TRUE(has(html, "<li>50 epochs where the paper shows 200.</li>"));
  EXPECT_TRUE(has(html, "<dt>Processor</dt><dd>Made-up CPU 9000 (not a measurement)</dd>"));
  EXPECT_TRUE(has(html, R"(<td class="number"><data value="0.92123456">0.92123</data></td>)"));
}

TEST(Page, HasATextAndATableForEveryChart) {
  const std::string html = page(made_results());
  EXPECT_EQ(count_of(html, R"(<div class="chart" role="img" aria-label=")"), 4U);
  EXPECT_TRUE(has(html, R"(aria-label="The sine gets 0.918, the triangle 0.912, the others less.")"));
  EXPECT_EQ(count_of(html, "<summary>Values as a table</summary>"), 4U);
  EXPECT_TRUE(has(html, "<td>threshold</td><td>all</td>"));
}

/// Everything that is a text in the file, made hostile.
void make_hostile(json& value) {
  static const std::string kHostile = R"(</script><script>bad()</script><img src=x onerror=bad()>"'&<!--)";
  if (value.is_string()) value = kHostile + value.get<std::string>();
  if (!value.is_structured()) return;
  for (const auto& [key, each] : value.items()) {
    const bool is_word =
        key == "kind" || key == "verdict" || key == "scale" || key == "style" || key == "format";
    if (!is_word) make_hostile(each);
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
    json& series = document["experiments"][0]["figures"][0]["series"];
    series = json::array({{{"name", "long"}, {"x", json::array()}, {"y", json::array()}}});
    for (int i = 0; i < 4000; ++i) {
      series[0]["x"].push_back(i);
      series[0]["y"].push_back(i + 0.25);
    }
    document["experiments"][0]["figures"][0]["published"] = json::array();
  });
  const std::string html = page(results);
  EXPECT_TRUE(has(html, "Every 10th of 4000 rows; results.json has all."));
  EXPECT_TRUE(has(html, R"(<td><data value="3990">3990</data></td>)"));
  EXPECT_TRUE(has(html, R"(<td><data value="3999">3999</data></td>)"));
  EXPECT_FALSE(has(html, R"(<td><data value="3998">3998</data></td>)"));
}

TEST(Page, IsMadeOfResultsWithoutAnything) {
  const std::string html = page(parse_results("r", R"({"format": 1, "verdicts": [], "experiments": []})"));
  EXPECT_TRUE(has(html, "No claim has been tested yet."));
}

TEST(Base64, IsTakenApart) {
  const auto text = [](std::string_view base64) {
    const std::vector<std::byte> bytes = from_base64(base64);
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  EXPECT_EQ(text(""), "");
  EXPECT_EQ(text("TQ=="), "M");
  EXPECT_EQ(text("TWE="), "Ma");
  EXPECT_EQ(text("TWFu"), "Man");
  EXPECT_EQ(text("+/+/"), "\xfb\xff\xbf");
  EXPECT_THROW(from_base64("TQ="), Error);
  EXPECT_THROW(from_base64("T*=="), Error);
}

}  // namespace
}  // namespace t2v::report
