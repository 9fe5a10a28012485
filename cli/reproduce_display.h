#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "paper/reproduction.h"

namespace t2v::cli {

/// Tells how far a reproduction is, on standard error: on a terminal in a line that rewrites itself, with the
/// time left; elsewhere in a line for each epoch. A line stays for each finished run.
class ReproduceDisplay {
 public:
  ReproduceDisplay();
  ~ReproduceDisplay();
  ReproduceDisplay(const ReproduceDisplay&) = delete;
  ReproduceDisplay& operator=(const ReproduceDisplay&) = delete;

  void progress(const paper::Run& run, const paper::Progress& progress);
  void epoch(const paper::Run& run, int64_t epoch, const paper::Measures& measures,
             const paper::Progress& progress);
  void run(const paper::Run& run, const nlohmann::json& record, const paper::Progress& progress);

 private:
  void clear();

  bool terminal_;
  bool drawn_ = false;
  double shown_ = 0;
  std::string last_;  // measures of the last epoch
};

/// The verdicts of an experiment, for people.
std::string describe(const std::vector<paper::Verdict>& verdicts);

/// What results.json says of the paper's questions and of all comparisons by a protocol, for people.
std::string describe_summary(const nlohmann::json& results, std::string_view protocol);

/// What there is: experiments, their data and models, how long they take.
std::string describe_experiments(const paper::DataShelf& data);

}  // namespace t2v::cli
