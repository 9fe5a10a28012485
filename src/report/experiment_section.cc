#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/html.h"
#include "report/number_text.h"
#include "report/sections.h"

namespace t2v::report {
namespace {

std::string command_html(const std::string& command) {
  return command.empty() ? ""
                         : fmt::format("<pre class=\"command\"><code>{}</code></pre>\n", escaped(command));
}

std::string facts_html(const Experiment& experiment) {
  std::string html = R"(<p class="facts">)";
  const auto tag = [&](const std::string& text) {
    if (!text.empty()) html += fmt::format(R"(<span class="tag">{}</span> )", escaped(text));
  };
  tag(experiment.shows);
  tag(experiment.protocol.empty() ? "" : "protocol " + experiment.protocol);
  tag(experiment.settings.empty() ? "" : "but " + experiment.settings);
  tag(experiment.scale.empty() ? "" : "scale " + experiment.scale);
  if (!std::isnan(experiment.seconds)) {
    html += fmt::format(R"(<span class="tag">ran {}</span> )",
                        number_html(experiment.seconds, duration_text(experiment.seconds)));
  }
  tag(experiment.ran_on.empty() ? "" : "on " + experiment.ran_on);
  return html + "</p>\n";
}

/// Whether the data is the paper's is said in words.
std::string data_html(const Experiment& experiment) {
  if (experiment.data_name.empty()) return "";
  const char* meaning = experiment.data_kind == "original"   ? "the data of the paper"
                        : experiment.data_kind == "part"     ? "a part of the data of the paper"
                        : experiment.data_kind == "stand-in" ? "a stand-in: not the data of the paper"
                        : experiment.data_kind == "invented"
                            ? "invented to try the program: says nothing of the paper"
                            : "made as the paper describes it";
  return fmt::format("<p class=\"data {}\"><strong>Data:</strong> {}, {}.{}</p>\n",
                     escaped(experiment.data_kind), escaped(experiment.data_name), meaning,
                     experiment.data_note.empty() ? "" : " " + escaped(sentence(experiment.data_note)));
}

std::string claims_html(const Experiment& experiment, const std::vector<Verdict>& verdicts) {
  std::string items;
  for (const Verdict& verdict : verdicts) {
    if (!belongs(verdict, experiment)) continue;
    items +=
        fmt::format("<li>{} {}</li>\n", outcome_html(verdict.outcome), escaped(capitalised(verdict.claim)));
  }
  return items.empty() ? "" : "<ul class=\"claims\">\n" + items + "</ul>\n";
}

std::string notes_html(const Experiment& experiment) {
  if (experiment.notes.empty()) return "";
  std::string html = "<h3>Notes</h3>\n<ul>\n";
  for (const std::string& note : experiment.notes) html += fmt::format("<li>{}</li>\n", escaped(note));
  return html + "</ul>\n";
}

/// What people call the fields of the machine, in the order in which they are shown; others come after them,
/// under their own names.
constexpr std::pair<const char*, const char*> kMachine[] = {
    {"cpu", "Processor"},          {"cores", "Cores"},     {"memory_gib", "Memory, GiB"},
    {"target", "Instruction set"}, {"threads", "Threads"}, {"compiler", "Compiler"},
    {"onednn", "oneDNN"},          {"date", "Date"}};

std::string machine_value(const nlohmann::json& value) {
  if (value.is_string()) return escaped(value.get<std::string>());
  if (value.is_number()) return number_html(value.get<double>(), number_text(value.get<double>()));
  return value.is_null() ? "–" : value.dump();
}

}  // namespace

std::string heading_of(const Experiment& experiment) {
  const bool other = !experiment.protocol.empty() && experiment.protocol != "paper";
  return experiment.title + (other ? ", protocol " + experiment.protocol : "");
}

std::string experiment_section(const Experiment& experiment, const std::vector<Verdict>& verdicts) {
  std::string html = fmt::format("<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n",
                                 experiment.id, escaped(heading_of(experiment)));
  html += facts_html(experiment) + claims_html(experiment, verdicts) + data_html(experiment);
  for (const Figure& figure : experiment.figures) html += figure_html(figure);
  for (const Table& table : experiment.tables) html += table_html(table);
  html += notes_html(experiment);
  if (!experiment.command.empty()) html += "<h3>Run it again</h3>\n" + command_html(experiment.command);
  return html + "</section>\n";
}

std::string machine_section(const Results& results) {
  std::string html =
      "<section aria-labelledby=\"machine\">\n<h2 id=\"machine\">Machine and version</h2>\n<dl>\n";
  const auto item = [&](const std::string& label, const std::string& value) {
    html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(label), value);
  };
  item("t2v", escaped(results.version.empty() ? "–" : results.version));
  nlohmann::json rest = results.machine;
  for (const auto& [key, label] : kMachine) {
    if (rest.contains(key)) item(label, machine_value(rest[key]));
    rest.erase(key);
  }
  for (const auto& [key, value] : rest.items()) item(key, machine_value(value));
  html += "</dl>\n";
  if (!results.command.empty()) html += "<h3>The last command</h3>\n" + command_html(results.command);
  return html + "</section>\n";
}

}  // namespace t2v::report
