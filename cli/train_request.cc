#include "train_request.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "base/fail.h"

namespace t2v::cli {
namespace {

namespace fs = std::filesystem;

/// Nothing if the files for validation are files.
std::optional<double> share_instead_of_files(const std::vector<std::string>& valid) {
  std::error_code ignored;
  if (valid.size() != 1 || fs::exists(valid[0], ignored)) return std::nullopt;
  char* end = nullptr;
  const double share = std::strtod(valid[0].c_str(), &end);
  if (end == valid[0].c_str() || *end != '\0') return std::nullopt;
  if (!(share >= 0 && share < 1)) fail("the share for validation is in [0, 1); it is {}", share);
  return share;
}

}  // namespace

void take_valid_share(DataFiles& files, TrainRequest& request) {
  const std::optional<double> share = share_instead_of_files(files.valid);
  if (!share) return;
  files.valid.clear();
  request.train.valid_share = *share;
  request.train.given.insert("valid_share");
}

void check_training_data(const DataFiles& files, TrainRequest& request) {
  request.data.dates = {request.split.test_from};
  check_data_options({files, request.data});
  check(request.split);
}

TrainingData load_training_data(const DataFiles& files, TrainRequest& request, ThreadPool& pool) {
  TrainingData data = training_data(load_data({files, request.data}, pool), request);
  say_notes(data.notes);
  return data;
}

}  // namespace t2v::cli
