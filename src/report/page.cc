#include "report/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "report/assets.h"
#include "report/html.h"
#include "report/sections.h"

namespace t2v::report {
namespace {

/// Nothing may be loaded from anywhere, whatever the texts of the results hold.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:";

std::string plural(std::size_t count, const char* word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

bool has_papers_protocol(const Results& results) {
  return std::ranges::any_of(results.verdicts,
                             [](const Verdict& verdict) { return verdict.protocol == "paper"; });
}

bool is_on_made_data(const Verdict& verdict, const Results& results) {
  return std::ranges::any_of(results.experiments, [&](const Experiment& experiment) {
    return experiment.data_kind == "made" && belongs(verdict, experiment);
  });
}

/// The verdicts on claims of the paper, by its own protocol if that was run.
struct Headline {
  std::vector<Verdict> verdicts;  // that the page is headed by
  std::vector<Verdict> made;  // on made data, of which there can be any number: not to pass for the others
};

Headline headline(const Results& results) {
  const bool paper = has_papers_protocol(results);
  Headline chosen;
  for (const Verdict& verdict : results.verdicts) {
    const bool by_it = !paper || verdict.protocol == "paper" || verdict.protocol.empty();
    if (!by_it || verdict.where == "not in the paper") continue;
    (is_on_made_data(verdict, results) ? chosen.made : chosen.verdicts).push_back(verdict);
  }
  if (chosen.verdicts.empty()) std::swap(chosen.verdicts, chosen.made);
  return chosen;
}

std::size_t count_of(const std::vector<Verdict>& verdicts, Verdict::Outcome outcome) {
  return static_cast<std::size_t>(std::ranges::count(verdicts, outcome, &Verdict::outcome));
}

std::string text_of_made(const std::vector<Verdict>& made) {
  if (made.empty()) return "";
  return fmt::format(" Those on synthesised data are not among them: {} of {} reproduce.",
                     count_of(made, Verdict::Outcome::kReproduces), made.size());
}

std::string text_of(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return "";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

/// "scale quick · 2 threads of AMD EPYC · 2026-11-16".
std::string conditions(const Results& results) {
  std::string text;
  const auto add = [&](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : " · ") + part;
  };
  const std::string threads = text_of(results.machine, "threads");
  const std::string cpu = text_of(results.machine, "cpu");
  add(results.scale.empty() ? "" : "scale " + results.scale);
  add(cpu + (threads.empty() ? "" : (cpu.empty() ? "threads: " : ", threads: ") + threads));
  add(text_of(results.machine, "date"));
  add(results.version.empty() ? "" : "t2v " + results.version);
  return text;
}

std::string head(const Results& results) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>Time2Vec reproduction: {} of {} reproduce</title>\n<link rel=\"icon\" href=\"data:,\">\n"
      "<style>\n{}</style>\n</head>\n",
      kPolicy, count_of(headline(results).verdicts, Verdict::Outcome::kReproduces),
      plural(headline(results).verdicts.size(), "verdict"), page_style());
}

std::string counts_html(const std::vector<Verdict>& verdicts) {
  std::string html = "<ul class=\"counts\">\n";
  for (const auto outcome :
       {Verdict::Outcome::kReproduces, Verdict::Outcome::kDoesNot, Verdict::Outcome::kUndecided}) {
    html +=
        fmt::format("<li><strong>{}</strong> {}</li>\n", count_of(verdicts, outcome), outcome_html(outcome));
  }
  return html + "</ul>\n";
}

std::string header_html(const Results& results) {
  const auto [verdicts, made] = headline(results);
  const std::size_t more = results.verdicts.size() - verdicts.size() - made.size();
  return fmt::format(
      "<header id=\"top\">\n<p class=\"over\">time2vec</p>\n"
      "<h1>The Time2Vec paper, run again</h1>\n"
      R"(<p class="lead">{} on claims of <cite>Time2Vec: Learning a Vector Representation of Time</cite> )"
      "(Kazemi et al., 2019){}. A claim has one for each data set, and for each reading of what the paper "
      "leaves open.{}</p>\n{}<p class=\"conditions\">{}</p>\n</header>\n",
      plural(verdicts.size(), "verdict"),
      more > 0 ? fmt::format("{}; {} more below, {}not in the paper",
                             has_papers_protocol(results) ? ", by its own protocol" : "", more,
                             has_papers_protocol(results) ? "by others or " : "")
               : "",
      text_of_made(made), verdicts.empty() ? "" : counts_html(verdicts), escaped(conditions(results)));
}

std::string contents_html(const Results& results) {
  std::string html = "<nav aria-label=\"Contents\">\n<h2>Contents</h2>\n<ol>\n";
  if (!results.questions.empty()) html += "<li><a href=\"#questions\">The paper's questions</a></li>\n";
  html += "<li><a href=\"#verdicts\">Verdicts</a></li>\n";
  for (const Experiment& experiment : results.experiments) {
    html += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", experiment.id, escaped(heading_of(experiment)));
  }
  return html + "<li><a href=\"#machine\">Machine and version</a></li>\n</ol>\n</nav>\n";
}

}  // namespace

std::string page_of(const Results& results, std::string_view charts) {
  std::string html = head(results);
  html += "<body>\n<a class=\"skip\" href=\"#main\">Skip to the results</a>\n";
  html += header_html(results);
  html += "<div class=\"columns\">\n" + contents_html(results) + "<main id=\"main\" tabindex=\"-1\">\n";
  html += R"(<noscript><p class="warning">Charts need JavaScript. All their values are in the tables below )"
          "them.</p></noscript>\n";
  html += question_section(results) + verdict_section(results);
  for (const Experiment& experiment : results.experiments) {
    html += experiment_section(experiment, results.verdicts);
  }
  html += machine_section(results);
  html += "</main>\n</div>\n";
  html += R"(<script type="application/json" id="results">)" + json_html(results.document) + "</script>\n";
  html += fmt::format("<script>\n{}\n</script>\n<script>\n{}</script>\n</body>\n</html>\n", charts,
                      page_script());
  return html;
}

}  // namespace t2v::report
