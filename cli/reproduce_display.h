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

/// What there is: rows, their data, how long they take; and where the data are looked for.
std::string describe_rows(const paper::DataShelf& data);

}  // namespace t2v::cli
