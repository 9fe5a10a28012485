#pragma once

#include <fstream>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "train/training.h"

namespace t2v::cli {

/// What a person sees of a training: on a terminal a live line and a line an epoch, elsewhere a line for
/// each tenth of the epochs, on standard error; and a file of JSON lines for machines, if one is named.
class TrainDisplay {
 public:
  /// Throws t2v::Error if the log cannot be written.
  TrainDisplay(const Training& training, const std::string& log, int64_t epochs);

  void step(const FitProgress& progress);
  void epoch(const EpochReport& report);
  void end(std::string_view reason);

 private:
  void log(const nlohmann::json& line);
  /// Takes the live line away.
  void clear() const;

  const Training& training_;
  bool terminal_;
  int64_t epochs_;  // at most
  std::string path_;
  std::string measure_;  // what the main measure of the task is called
  std::ofstream log_;
  double shown_ = 0;    // seconds at which the live line was last drawn
  int64_t events_ = 0;  // at the end of the epoch before
  int64_t now_events_ = 0;
  std::string last_;  // the validation of the epoch before
};

}  // namespace t2v::cli
