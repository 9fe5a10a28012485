#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "paper/answer.h"
#include "paper/rows.h"
#include "paper/run_files.h"

namespace t2v::paper {

/// A row with what its runs say.
struct Judged {
  const Row* row = nullptr;
  Size size;
  Answer answer = Answer::kNotRun;
  std::optional<double> published = std::nullopt;
  std::vector<double> a = {};  // values of the runs, seed by seed; of a share 0 or 1
  std::vector<double> b = {};
  double difference = 0;                         // the mean; of a share its distance from a half
  Interval seeds = {};                           // 95 %; of no meaning without runs
  std::optional<Interval> users = std::nullopt;  // of recommendations
  std::string data = {};  // what they were made of: original, part, stand-in, made, invented
  std::string note = {};  // why there is no answer, or what would bring one

  bool has_runs() const { return !a.empty(); }
};

/// The value of a run: the mean of its last epochs, of those that count; of a run without a curve its only
/// one. NaN if it diverged.
double value_of(const nlohmann::json& record, std::string_view measure, int64_t epochs);

/// All rows of a scale, from the finished runs of a folder.
std::vector<Judged> judge_all(const RunFiles& files, Scale scale);

/// What t2v reproduce is called with to make the runs of a row.
std::string command_of(const Row& row, Scale scale);

}  // namespace t2v::paper
