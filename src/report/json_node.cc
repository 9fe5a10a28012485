#include "report/json_node.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/text_check.h"

namespace t2v::report {
namespace {

constexpr std::size_t kMostValues = 1'000'000;
constexpr int kDeepest = 32;  // of what is read here nothing lies deeper than 8

/// "line:column" of a byte, both from 1.
std::string place_of(const std::string& text, std::size_t byte) {
  std::size_t line = 1;
  std::size_t start = 0;
  for (std::size_t i = 0; i < std::min(byte, text.size()); ++i) {
    if (text[i] != '\n') continue;
    ++line;
    start = i + 1;
  }
  return fmt::format("{}:{}", line, std::min(byte, text.size()) - start + 1);
}

}  // namespace

void JsonNode::refuse(std::string_view what) const {
  fail("{}: {}{}{}; write it again with 't2v reproduce'", *file_, path_, path_.empty() ? "" : ": ", what);
}

void JsonNode::wrong_type(std::string_view expected) const {
  refuse(fmt::format("is {} where {} is expected", shown(value_->dump()), expected));
}

const nlohmann::json& JsonNode::object() const {
  if (!value_->is_object()) wrong_type("an object");
  return *value_;
}

bool JsonNode::has(const std::string& key) const {
  const auto found = object().find(key);
  return found != value_->end() && !found->is_null();
}

JsonNode JsonNode::at(const std::string& key) const {
  if (!has(key)) refuse(fmt::format("'{}' is missing", key));
  return {*this, path_.empty() ? key : path_ + "." + key, (*value_)[key]};
}

std::string JsonNode::text(const std::string& key) const { return at(key).as_text(); }

double JsonNode::number_or_nan(const std::string& key) const {
  return has(key) ? number(key) : std::numeric_limits<double>::quiet_NaN();
}

int64_t JsonNode::integer(const std::string& key) const {
  const JsonNode node = at(key);
  if (!node.value_->is_number_integer()) node.wrong_type("a whole number");
  return node.value_->get<int64_t>();
}

std::vector<JsonNode> JsonNode::list(const std::string& key) const {
  return has(key) ? at(key).elements() : std::vector<JsonNode>();
}

std::vector<double> JsonNode::numbers(const std::string& key) const {
  std::vector<double> all;
  for (const JsonNode& node : list(key)) {
    all.push_back(node.value_->is_null() ? std::numeric_limits<double>::quiet_NaN() : node.as_number());
  }
  return all;
}

std::vector<JsonNode> JsonNode::elements() const {
  if (!value_->is_array()) wrong_type("an array");
  std::vector<JsonNode> all;
  for (std::size_t i = 0; i < value_->size(); ++i) {
    all.push_back(JsonNode(*this, fmt::format("{}[{}]", path_, i), (*value_)[i]));
  }
  return all;
}

std::string JsonNode::as_text() const {
  if (!value_->is_string()) wrong_type("a text");
  return value_->get<std::string>();
}

double JsonNode::as_number() const {
  if (!value_->is_number()) wrong_type("a number");
  return value_->get<double>();
}

nlohmann::json parse_document(const std::string& file, const std::string& text) {
  std::size_t values = 0;
  const auto shallow = [&](int depth, nlohmann::json::parse_event_t, const nlohmann::json&) {
    if (depth > kDeepest)
      fail("{}: is nested more than {} levels deep; it is no results.json", file, kDeepest);
    if (++values > kMostValues) fail("{}: has more than {} values; it is no results.json", file, kMostValues);
    return true;
  };
  try {
    return nlohmann::json::parse(text, shallow);
  } catch (const nlohmann::json::parse_error& error) {
    fail("{}:{}: is not valid JSON from here on; write it again with 't2v reproduce'", file,
         place_of(text, error.byte == 0 ? 0 : error.byte - 1));
  } catch (const nlohmann::json::out_of_range&) {
    fail("{}: has a number beyond the range of a double; write it again with 't2v reproduce'", file);
  }
}

}  // namespace t2v::report
