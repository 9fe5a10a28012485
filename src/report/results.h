#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/file_system.h"

/// What `t2v reproduce` found, as results.json has it. docs/report.md describes the file.
namespace t2v::report {

struct Axis {
  std::string label;
  std::string format;  // as number_text() takes it
};

/// A curve. A missing value is NaN; x never is.
struct Series {
  std::string name;
  std::string like;  // of a published one: the series whose colour it shares
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> low;  // 95 % interval; as many as y, or none
  std::vector<double> high;
  int64_t n = 0;  // seeds; 0: not said
};

struct Figure {
  std::string id;  // letters, digits, '.', '_' and '-'; no two of the results are equal
  std::string title;
  std::string alt;
  Axis x;
  Axis y;
  std::vector<Series> series;
  std::vector<Series> published;
};

struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // as many cells as columns; the first is the answer
};

struct Results {
  std::string version;
  std::string scale;
  std::string command;
  nlohmann::json machine;  // an object of texts and numbers
  std::vector<Table> tables;
  std::vector<Figure> figures;
  nlohmann::json document;  // the whole file
};

/// Reads the text of a results.json. Keys that are not known are ignored. Throws t2v::Error that says what is
/// wrong and where; `file` is the name it gives the file.
Results parse_results(const std::string& file, const std::string& text);

/// Reads `folder`/results.json.
Results read_results(FileSystem& files, const std::string& folder);

}  // namespace t2v::report
