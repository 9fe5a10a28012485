#include <fmt/format.h>

#include "report/html.h"
#include "report/sections.h"

namespace t2v::report {

std::string question_section(const Results& results) {
  if (results.questions.empty()) return "";
  std::string rows;
  for (const Question& question : results.questions) {
    const auto count = [](int64_t value) {
      return fmt::format("<td class=\"number\">{}</td>",
                         number_html(static_cast<double>(value), std::to_string(value)));
    };
    rows += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td><strong>{}</strong></td>{}{}{}{}</tr>\n",
                        escaped(question.question), escaped(question.asks), escaped(question.answer),
                        count(question.reproduces), count(question.does_not), count(question.undecided),
                        count(question.stand_ins));
  }
  return "<section aria-labelledby=\"questions\">\n<h2 id=\"questions\">The paper's questions</h2>\n"
         "<p>Answers by the verdicts that bear on them, by the paper's protocol, where more than half are "
         "decided. "
         "Yes: all of those reproduce; no: none does; in part: some do. Verdicts on stand-ins say how the "
         "models "
         "compare on such data, not whether the paper's numbers are right.</p>\n"
         "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"The paper's questions\"><table>"
         "<thead><tr><th scope=\"col\"></th><th scope=\"col\">Question</th><th scope=\"col\">Answer</th>"
         "<th scope=\"col\" class=\"number\">reproduces</th><th scope=\"col\" class=\"number\">does not</th>"
         "<th scope=\"col\" class=\"number\">undecided</th>"
         "<th scope=\"col\" class=\"number\">on stand-ins</th></tr></thead>\n<tbody>\n" +
         rows + "</tbody></table></div>\n</section>\n";
}

}  // namespace t2v::report
