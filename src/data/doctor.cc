#include "data/doctor.h"

#include <array>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "data/doctor_checks.h"

namespace t2v::data {
namespace {

struct Heading {
  Severity severity;
  const char* name;
  const char* text;
};
constexpr std::array<Heading, 3> kHeadings = {{{Severity::kProblem, "problem", "Problems:"},
                                               {Severity::kWarning, "warning", "Worth a look:"},
                                               {Severity::kInfo, "info", "Good to know:"}}};

const char* name_of(Severity severity) {
  for (const Heading& heading : kHeadings) {
    if (heading.severity == severity) return heading.name;
  }
  return "";
}

}  // namespace

std::vector<Finding> examine(const Events& events, const GroupCounts& counts, int64_t now) {
  if (events.size() == 0) fail("there are no events to examine");
  std::vector<Finding> findings;
  check_lengths(findings, events);
  check_order(findings, counts);
  check_ties(findings, events);
  check_gaps(findings, events);
  check_units(findings, events);
  check_future(findings, events, now);
  check_label(findings, events);
  check_types(findings, events);
  check_columns(findings, events);
  check_values(findings, events);
  check_grid(findings, events);
  check_cycles(findings, events);
  return findings;
}

std::string render(const std::vector<Finding>& findings) {
  std::string text;
  for (const Heading& heading : kHeadings) {
    std::string lines;
    for (const Finding& finding : findings) {
      if (finding.severity == heading.severity) lines += "- " + finding.text + "\n";
    }
    if (lines.empty()) continue;
    text += (text.empty() ? "" : "\n") + std::string(heading.text) + "\n" + lines;
  }
  return text.empty() ? "There is nothing to say about these data.\n" : text;
}

nlohmann::json to_json(const std::vector<Finding>& findings) {
  nlohmann::json list = nlohmann::json::array();
  for (const Finding& finding : findings) {
    list.push_back({{"code", finding.code},
                    {"severity", name_of(finding.severity)},
                    {"text", finding.text},
                    {"numbers", finding.numbers}});
  }
  return list;
}

}  // namespace t2v::data
