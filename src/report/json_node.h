#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace t2v::report {

/// A value of a JSON file that knows its place in it, so that every error can name it. A key that is missing
/// and one that is null are the same. Every method throws t2v::Error where the value is not what it asks for.
class JsonNode {
 public:
  /// The document. `file` is the name that errors give it; both must outlive all nodes.
  JsonNode(const std::string& file, const nlohmann::json& document) : file_(&file), value_(&document) {}

  bool has(const std::string& key) const;
  JsonNode at(const std::string& key) const;
  std::string text(const std::string& key) const;
  std::string text_or_empty(const std::string& key) const { return has(key) ? text(key) : ""; }
  double number(const std::string& key) const { return at(key).as_number(); }
  /// NaN where there is none.
  double number_or_nan(const std::string& key) const;
  int64_t integer(const std::string& key) const;
  /// The elements of an array; none where it is missing.
  std::vector<JsonNode> list(const std::string& key) const;
  /// The same of an array of numbers; a null is NaN.
  std::vector<double> numbers(const std::string& key) const;

  std::vector<JsonNode> elements() const;
  std::string as_text() const;
  double as_number() const;
  const nlohmann::json& value() const { return *value_; }

  /// Throws what is wrong here and what to do.
  [[noreturn]] void refuse(std::string_view what) const;

 private:
  JsonNode(const JsonNode& parent, std::string path, const nlohmann::json& value)
      : file_(parent.file_), value_(&value), path_(std::move(path)) {}
  const nlohmann::json& object() const;
  [[noreturn]] void wrong_type(std::string_view expected) const;

  const std::string* file_;
  const nlohmann::json* value_;
  std::string path_;  // as in experiments[0].figures[1].kind
};

/// Reads the text of a JSON file. Throws t2v::Error with line and column of what is malformed.
nlohmann::json parse_document(const std::string& file, const std::string& text);

}  // namespace t2v::report
