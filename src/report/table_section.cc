#include <fmt/format.h>

#include <algorithm>

#include "report/html.h"
#include "report/sections.h"

namespace t2v::report {
namespace {

/// How an answer looks, by its word: what speaks for the claim, against it, or leaves it open.
struct Look {
  std::string_view answer;
  const char* style;
  const char* symbol;
};
constexpr Look kLooks[] = {{"yes", "yes", "✓"},
                           {"smaller", "yes", "✓"},
                           {"larger", "yes", "✓"},
                           {"no effect", "no", "="},
                           {"opposite", "no", "✗"}};
constexpr Look kOpen = {"", "open", "?"};

std::string answer_html(const std::string& answer) {
  const auto* found = std::ranges::find(kLooks, answer, &Look::answer);
  const Look& look = found == std::end(kLooks) ? kOpen : *found;
  return fmt::format(R"(<span class="verdict {}"><span aria-hidden="true">{}</span> {}</span>)", look.style,
                     look.symbol, escaped(answer));
}

/// A cell that says what it is where the table is shown as cards.
std::string cell_html(const std::string& column, const std::string& text) {
  return fmt::format(R"(<td role="cell" data-label="{}"><div>{}</div></td>)", escaped(capitalised(column)),
                     text.empty() ? "–" : escaped(text));
}

std::string row_html(const Table& table, const std::vector<std::string>& row) {
  std::string html =
      fmt::format(R"(<tr role="row"><td role="cell" class="outcome">{}</td>)", answer_html(row[0]));
  for (std::size_t i = 1; i < row.size(); ++i) {
    html += i == 1 ? fmt::format(R"(<th role="rowheader" scope="row">{}</th>)", escaped(capitalised(row[i])))
                   : cell_html(table.columns[i], row[i]);
  }
  return html + "</tr>\n";
}

}  // namespace

std::string table_html(const Table& table) {
  std::string html = R"(<table role="table" class="verdicts"><thead role="rowgroup"><tr role="row">)";
  for (const std::string& column : table.columns) {
    html += fmt::format(R"(<th role="columnheader" scope="col">{}</th>)", escaped(capitalised(column)));
  }
  html += "</tr></thead>\n<tbody role=\"rowgroup\">\n";
  for (const std::vector<std::string>& row : table.rows) html += row_html(table, row);
  return html + "</tbody></table>\n";
}

}  // namespace t2v::report
