#include "data/sql_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/fail.h"
#include "base/json_text.h"

namespace t2v::data {
namespace {

using SqlTree = nlohmann::json;

constexpr std::array<std::string_view, 9> kReaders = {
    "read_parquet", "parquet_scan",   "read_csv",         "read_csv_auto",    "read_json",
    "read_ndjson",  "read_json_auto", "read_ndjson_auto", "parquet_metadata",
};

std::string text_at(const SqlTree& tree, const char* key) {
  const auto found = tree.find(key);
  return found != tree.end() && found->is_string() ? found->get<std::string>() : "";
}

/// The texts that stand in a query as they are.
void add_constants(std::vector<std::string>& texts, const SqlTree& tree) {
  if (tree.is_object() && text_at(tree, "type") == "VALUE_CONSTANT") {
    const auto value = tree.find("value");
    if (value != tree.end() && value->is_object()) texts.push_back(text_at(*value, "value"));
  }
  if (!tree.is_structured()) return;
  for (const SqlTree& child : tree) add_constants(texts, child);
}

void add_files(std::vector<std::string>& files, const SqlTree& tree) {
  if (!tree.is_structured()) return;
  const std::string type = tree.is_object() ? text_at(tree, "type") : "";
  if (type == "BASE_TABLE") files.push_back(text_at(tree, "table_name"));
  if (type == "TABLE_FUNCTION" && tree.contains("function")) {
    const SqlTree& function = tree["function"];
    if (std::ranges::find(kReaders, text_at(function, "function_name")) != kReaders.end() &&
        function.contains("children")) {
      add_constants(files, function["children"]);
    }
  }
  for (const SqlTree& child : tree) add_files(files, child);
}

/// As DuckDB may come to write it.
std::vector<std::string> spellings(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path absolute = std::filesystem::absolute(path, ignored);
  return {path, absolute.string(), absolute.lexically_normal().string()};
}

}  // namespace

std::vector<std::string> files_named_in(const DuckdbSession& session, const std::string& query) {
  auto statement = session.prepare("SELECT CAST(json_serialize_sql(CAST(? AS VARCHAR)) AS VARCHAR)");
  statement->bind(1, query);
  std::vector<std::string> files;
  add_files(files, parse_json_text(DuckdbSession::texts(std::move(statement)).at(0)));
  std::erase(files, "");
  return files;
}

void confine(const DuckdbSession& session, const std::vector<std::string>& files) {
  std::string list;
  const auto add = [&](const std::string& path) {
    for (const std::string& text : spellings(path)) list += (list.empty() ? "" : ", ") + sql_text(text);
  };
  for (const std::string& file : files) {
    add(file);
    if (file.find_first_of("*?[") == std::string::npos || file.find("://") != std::string::npos) continue;
    auto matching = session.prepare("SELECT file FROM glob(?)");
    matching->bind(1, file);
    for (const std::string& path : DuckdbSession::texts(std::move(matching))) add(path);
  }
  session.run(fmt::format("SET allowed_paths = [{}]", list));
  session.run("SET enable_external_access = false");
  session.run("SET lock_configuration = true");
}

}  // namespace t2v::data
