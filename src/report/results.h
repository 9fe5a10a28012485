#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/file_system.h"

/// What `t2v reproduce` measured, as results.json has it. docs/report.md describes the file.
namespace t2v::report {

struct Axis {
  std::string label;
  bool log = false;
  std::string format;  // as number_text() takes it
};

/// Numbers to be drawn. A missing one is NaN; x never is.
struct Series {
  std::string name;
  std::string like;       // of a published one: the series whose colour it shares
  std::vector<double> x;  // of a histogram the edges, one more than counts; of bars none
  std::vector<double> y;
  std::vector<double> low;  // 95 % interval; as many as y, or none
  std::vector<double> high;
  int64_t n = 0;      // seeds; 0: not said
  bool rule = false;  // a horizontal line at the one value of y
};

struct Figure {
  enum class Kind { kCurves, kBars, kHistogram, kPoints };
  std::string id;  // letters, digits, '.', '_' and '-'; no two of the results are equal
  std::string title;
  std::string alt;
  Kind kind = Kind::kCurves;
  Axis x;
  Axis y;
  std::vector<Series> series;
  std::vector<Series> published;
};

struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<nlohmann::json>> rows;  // texts, numbers, null; as many as columns
};

struct Effect {
  double mean = 0;
  double low = 0;  // 95 % interval; NaN: none
  double high = 0;
  int64_t n = 0;
  std::string unit;
};

struct Verdict {
  enum class Outcome { kReproduces, kDoesNot, kUndecided };
  std::string claim;
  std::string where;
  std::string experiment;
  std::string protocol;
  std::string published;
  std::string ours;
  std::optional<Effect> effect;
  Outcome outcome = Outcome::kUndecided;
  std::string rule;
};

/// One of the paper's questions, and how the verdicts that bear on it came out.
struct Question {
  std::string question;  // such as Q1
  std::string asks;
  std::string answer;
  int64_t reproduces = 0;
  int64_t does_not = 0;
  int64_t undecided = 0;
  int64_t stand_ins = 0;  // how many of these are on data that stand in for the paper's
};

struct Experiment {
  std::string id;  // as that of a figure
  std::string name;
  std::string title;
  std::string shows;
  std::string protocol;
  std::string scale;
  std::string command;
  double seconds = 0;    // NaN: not said
  std::string ran_on;    // processors and dates
  std::string settings;  // what differs from the protocol, such as 'inner=tanh, batch=5'
  std::string data_name;
  std::string data_kind;  // original, part, stand-in, made or invented
  std::string data_note;
  std::vector<std::string> notes;
  std::vector<Figure> figures;
  std::vector<Table> tables;
};

struct Results {
  std::string version;
  std::string scale;
  std::string protocol;
  std::string command;
  nlohmann::json machine;  // an object of texts and numbers
  std::vector<Question> questions;
  std::vector<Verdict> verdicts;
  std::vector<Experiment> experiments;
  nlohmann::json document;  // the whole file
};

/// Reads the text of a results.json. Keys that are not known are ignored. Throws t2v::Error that says what is
/// wrong and where; `file` is the name it gives the file.
Results parse_results(const std::string& file, const std::string& text);

/// Reads `folder`/results.json.
Results read_results(FileSystem& files, const std::string& folder);

}  // namespace t2v::report
