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

/// The rows of the first table that have an answer.
std::size_t answered(const Results& results) {
  if (results.tables.empty()) return 0;
  return static_cast<std::size_t>(std::ranges::count_if(results.tables[0].rows, [](const auto& row) {
    return row[0] != "not run yet" && row[0] != "not testable here" && row[0] != "inconclusive";
  }));
}

std::size_t claims(const Results& results) {
  return results.tables.empty() ? 0 : results.tables[0].rows.size();
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
      "<title>Time2Vec reproduction: {} of {} decided</title>\n<link rel=\"icon\" href=\"data:,\">\n"
      "<style>\n{}</style>\n</head>\n",
      kPolicy, answered(results), plural(claims(results), "claim"), page_style());
}

std::string header_html(const Results& results) {
  return fmt::format(
      "<header id=\"top\">\n<p class=\"over\">time2vec</p>\n"
      "<h1>The Time2Vec paper, run again</h1>\n"
      R"(<p class="lead">{} of <cite>Time2Vec: Learning a Vector Representation of Time</cite> )"
      "(Kazemi et al., 2019): {} decided by fixed rules.</p>\n<p class=\"conditions\">{}</p>\n</header>\n",
      plural(claims(results), "claim"), answered(results), escaped(conditions(results)));
}

std::string contents_html(const Results& results) {
  std::string html = "<nav aria-label=\"Contents\">\n<h2>Contents</h2>\n<ol>\n";
  html += "<li><a href=\"#claims\">The claims</a></li>\n";
  for (const Figure& figure : results.figures) {
    html += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", figure.id, escaped(figure.title));
  }
  return html + "<li><a href=\"#machine\">Machine and version</a></li>\n</ol>\n</nav>\n";
}

std::string tables_html(const Results& results) {
  std::string html;
  for (std::size_t i = 0; i < results.tables.size(); ++i) {
    const Table& table = results.tables[i];
    if (table.rows.empty() && i > 0) continue;
    html += fmt::format("<section>\n<h2{}>{}</h2>\n{}</section>\n", i == 0 ? " id=\"claims\"" : "",
                        escaped(table.title),
                        table.rows.empty() ? "<p>No claim has been tested yet.</p>\n" : table_html(table));
  }
  return html;
}

/// What people call the fields of the machine, in the order in which they are shown; others come after them,
/// under their own names.
constexpr std::pair<const char*, const char*> kMachine[] = {
    {"cpu", "Processor"},          {"cores", "Cores"},     {"memory_gib", "Memory, GiB"},
    {"target", "Instruction set"}, {"threads", "Threads"}, {"compiler", "Compiler"},
    {"onednn", "oneDNN"},          {"date", "Date"}};

std::string machine_html(const Results& results) {
  std::string html = "<section>\n<h2 id=\"machine\">Machine and version</h2>\n<dl>\n";
  const auto item = [&](const std::string& label, const std::string& value) {
    html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(label), escaped(value));
  };
  item("t2v", results.version.empty() ? "–" : results.version);
  nlohmann::json rest = results.machine;
  for (const auto& [key, label] : kMachine) {
    if (rest.contains(key)) item(label, text_of(rest, key));
    rest.erase(key);
  }
  for (const auto& [key, value] : rest.items()) item(key, text_of(rest, key.c_str()));
  html += "</dl>\n";
  if (!results.command.empty()) {
    html += fmt::format("<h3>The last command</h3>\n<pre class=\"command\"><code>{}</code></pre>\n",
                        escaped(results.command));
  }
  return html + "</section>\n";
}

}  // namespace

std::string page_of(const Results& results, std::string_view charts) {
  std::string html = head(results);
  html += "<body>\n<a class=\"skip\" href=\"#main\">Skip to the results</a>\n";
  html += header_html(results);
  html += "<div class=\"columns\">\n" + contents_html(results) + "<main id=\"main\" tabindex=\"-1\">\n";
  html += R"(<noscript><p class="warning">Charts need JavaScript. All their values are in the tables below )"
          "them.</p></noscript>\n";
  if (!results.figures.empty()) html += figure_html(results.figures[0]);
  html += tables_html(results);
  for (std::size_t i = 1; i < results.figures.size(); ++i) html += figure_html(results.figures[i]);
  html += machine_html(results);
  html += "</main>\n</div>\n";
  html += R"(<script type="application/json" id="results">)" + json_html(results.document) + "</script>\n";
  html += fmt::format("<script>\n{}\n</script>\n<script>\n{}</script>\n</body>\n</html>\n", charts,
                      page_script());
  return html;
}

}  // namespace t2v::report
