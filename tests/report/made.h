#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "build_paths.h"
#include "report/results.h"
#include "t2v/error.h"

namespace t2v::report {

/// Results written by hand that have every kind of figure; no measurement.
inline nlohmann::json made_document() {
  std::ifstream file(source_path("tests/report/made_results.json"));
  return nlohmann::json::parse(file);
}

inline Results made_results() { return parse_results("results.json", made_document().dump()); }

/// The made results with a change.
inline Results changed(const std::function<void(nlohmann::json&)>& change) {
  nlohmann::json document = made_document();
  change(document);
  return parse_results("results.json", document.dump());
}

/// What parse_results says of a text; empty if nothing.
inline std::string error_of(const std::string& text) {
  try {
    (void)parse_results("results.json", text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

inline std::string error_of(const std::function<void(nlohmann::json&)>& change) {
  nlohmann::json document = made_document();
  change(document);
  return error_of(document.dump());
}

inline std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

inline bool has(const std::string& text, const std::string& part) { return count_of(text, part) > 0; }

}  // namespace t2v::report
