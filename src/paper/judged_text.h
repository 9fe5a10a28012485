#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "paper/judge.h"

namespace t2v::paper {

// Judged rows for people and programs.

/// For a terminal: two lines a row.
std::string table_text(const std::vector<Judged>& all);
/// The rows of the page as a table of Markdown.
std::string table_markdown(const std::vector<Judged>& all);
/// All rows with their numbers in full.
std::string table_csv(const std::vector<Judged>& all);
/// {columns, rows} of texts, as results.json has it: those of the page, or those beside it.
nlohmann::json table_json(const std::vector<Judged>& all, bool beside);

}  // namespace t2v::paper
