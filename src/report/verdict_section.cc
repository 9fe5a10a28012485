#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/html.h"
#include "report/number_text.h"
#include "report/sections.h"

namespace t2v::report {
namespace {

struct OutcomeText {
  Verdict::Outcome outcome;
  const char* style;
  const char* symbol;
  const char* name;
};

constexpr OutcomeText kOutcomes[] = {{Verdict::Outcome::kReproduces, "yes", "✓", "reproduces"},
                                     {Verdict::Outcome::kDoesNot, "no", "✗", "does not"},
                                     {Verdict::Outcome::kUndecided, "open", "?", "undecided"}};

const OutcomeText& text_of(Verdict::Outcome outcome) {
  return *std::ranges::find(kOutcomes, outcome, &OutcomeText::outcome);
}

/// How the numbers of an effect are written. A ratio's interval has ends of very different size, and what is
/// no difference has no sign.
std::string format_of(const Effect& effect) {
  if (effect.unit.starts_with("ratio") || std::isnan(effect.high - effect.low)) return ".3g";
  const bool difference = !effect.unit.starts_with("share") && !effect.unit.starts_with("probability");
  return fmt::format("{}.{}f", difference ? "+" : "", decimals_for((effect.high - effect.low) / 2));
}

/// "+0.120 accuracy (95 % interval +0.110 to +0.130, n = 5)".
std::string effect_html(const Effect& effect) {
  const std::string format = format_of(effect);
  const auto number = [&](double value) { return number_html(value, number_text(value, format)); };
  std::string html = fmt::format("<strong>{}</strong>", number(effect.mean));
  if (!effect.unit.empty()) html += " " + escaped(effect.unit);
  std::string details;
  if (!std::isnan(effect.low) && !std::isnan(effect.high)) {
    details = fmt::format("95&nbsp;% interval {} to {}", number(effect.low), number(effect.high));
  }
  if (effect.n > 0) {
    details += fmt::format("{}n&nbsp;=&nbsp;{}", details.empty() ? "" : ", ",
                           number_html(static_cast<double>(effect.n), std::to_string(effect.n)));
  }
  if (!details.empty()) html += fmt::format(R"(<span class="quiet block">{}</span>)", details);
  return html;
}

const Experiment* experiment_of(const Verdict& verdict, const Results& results) {
  const auto found = std::ranges::find_if(
      results.experiments, [&](const Experiment& experiment) { return belongs(verdict, experiment); });
  return found == results.experiments.end() ? nullptr : &*found;
}

/// A cell that says what it is where the table is shown as cards.
std::string cell(const char* label, const std::string& html) {
  return fmt::format(R"(<td role="cell" data-label="{}"><div>{}</div></td>)", label,
                     html.empty() ? "–" : html);
}

/// The rules by which verdicts were reached, each once, numbered from 1.
class Rules {
 public:
  std::size_t number(const std::string& rule) {
    const auto found = std::ranges::find(all_, rule);
    if (found != all_.end()) return static_cast<std::size_t>(found - all_.begin()) + 1;
    all_.push_back(rule);
    return all_.size();
  }
  std::string html() const {
    if (all_.empty()) return "";
    std::string items;
    for (const std::string& rule : all_) items += fmt::format("<li>{}</li>\n", escaped(sentence(rule)));
    return "<h3>Rules of the verdicts</h3>\n<ol class=\"quiet\">\n" + items + "</ol>\n";
  }

 private:
  std::vector<std::string> all_;
};

std::string claim_html(const Verdict& verdict, const Experiment* experiment, Rules& rules) {
  std::string html = escaped(capitalised(verdict.claim));
  if (experiment != nullptr) html = fmt::format(R"(<a href="#{}">{}</a>)", experiment->id, html);
  const auto tag = [&](const std::string& text) {
    html += fmt::format(R"( <span class="tag">{}</span>)", escaped(text));
  };
  if (!verdict.rule.empty()) tag(fmt::format("rule {}", rules.number(verdict.rule)));
  return html;
}

std::string row_html(const Verdict& verdict, const std::string& claim) {
  return fmt::format(R"(<tr role="row"><td role="cell" class="outcome">{}</td>)"
                     "<th role=\"rowheader\" scope=\"row\">{}</th>{}{}{}{}</tr>\n",
                     outcome_html(verdict.outcome), claim, cell("In the paper", escaped(verdict.where)),
                     cell("Published", escaped(verdict.published)), cell("Ours", escaped(verdict.ours)),
                     cell("Effect", verdict.effect ? effect_html(*verdict.effect) : ""));
}

/// What stands above the rows of an experiment: its heading, and whether the data are the paper's.
std::string group_title(const Verdict& verdict, const Experiment* experiment) {
  if (experiment == nullptr) {
    return verdict.protocol.empty() || verdict.protocol == "paper"
               ? "All together"
               : "All together, protocol " + verdict.protocol;
  }
  const std::string& kind = experiment->data_kind;
  return heading_of(*experiment) + (kind == "stand-in"   ? " (on a stand-in, not the data of the paper)"
                                    : kind == "part"     ? " (on a part of the data of the paper)"
                                    : kind == "invented" ? " (on invented data: says nothing of the paper)"
                                                         : "");
}

/// All rows, those of an experiment below its title, those of none below one for all.
std::string rows_html(const Results& results, Rules& rules) {
  std::string html;
  std::string last;
  for (const Verdict& verdict : results.verdicts) {
    const Experiment* experiment = experiment_of(verdict, results);
    const std::string title = group_title(verdict, experiment);
    if (title != last) {
      html +=
          fmt::format("<tr role=\"row\" class=\"group\"><th role=\"rowheader\" colspan=\"6\">{}</th></tr>\n",
                      escaped(title));
      last = title;
    }
    html += row_html(verdict, claim_html(verdict, experiment, rules));
  }
  return html;
}

}  // namespace

std::string outcome_html(Verdict::Outcome outcome) {
  const OutcomeText& text = text_of(outcome);
  return fmt::format(R"(<span class="verdict {}"><span aria-hidden="true">{}</span> {}</span>)", text.style,
                     text.symbol, text.name);
}

std::string_view outcome_name(Verdict::Outcome outcome) { return text_of(outcome).name; }

bool belongs(const Verdict& verdict, const Experiment& experiment) {
  const bool same_protocol =
      verdict.protocol.empty() || experiment.protocol.empty() || verdict.protocol == experiment.protocol;
  return verdict.experiment == experiment.name && same_protocol;
}

std::string verdict_section(const Results& results) {
  std::string html = "<section aria-labelledby=\"verdicts\">\n<h2 id=\"verdicts\">Verdicts</h2>\n";
  if (results.verdicts.empty()) return html + "<p>No claim has been tested yet.</p>\n</section>\n";
  html += R"(<table role="table" class="verdicts"><thead role="rowgroup"><tr role="row">)"
          R"(<th role="columnheader" scope="col">Verdict</th><th role="columnheader" scope="col">Claim</th>)"
          R"(<th role="columnheader" scope="col">In the paper</th>)"
          R"(<th role="columnheader" scope="col">Published</th>)"
          R"(<th role="columnheader" scope="col">Ours</th>)"
          "<th role=\"columnheader\" scope=\"col\">Effect</th></tr></thead>\n<tbody role=\"rowgroup\">\n";
  Rules rules;
  html += rows_html(results, rules);
  return html + "</tbody></table>\n" + rules.html() + "</section>\n";
}

}  // namespace t2v::report
