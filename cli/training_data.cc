#include "training_data.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "train/common_origin.h"

namespace t2v::cli {
namespace {

/// Nothing if the files for validation are files.
std::optional<double> share_instead_of_files(const std::vector<std::string>& valid) {
  if (valid.size() != 1 || std::filesystem::exists(valid[0])) return std::nullopt;
  char* end = nullptr;
  const double share = std::strtod(valid[0].c_str(), &end);
  if (end == valid[0].c_str() || *end != '\0') return std::nullopt;
  if (!(share >= 0 && share < 1)) fail("the share for validation is in [0, 1); it is {}", share);
  return share;
}

}  // namespace

void add_training_data(CLI::App& command, TrainingData& options) {
  options.data.time_option = "--time-column";
  add_data_options(command, options.data);
  add_split_options(command, options.split, false);
  command.get_option("--valid-share")->default_str("0.1");
  // Here it also does something without a split.
  std::erase_if(options.split.all,
                [](const CLI::Option* option) { return option->get_name() == "--valid-share"; });
}

void settle_training_data(TrainingData& options, const CLI::App& command) {
  if (command.get_option("--valid-share")->count() > 0) options.valid_share = options.split.split.valid;
  if (const auto share = share_instead_of_files(options.data.valid)) {
    options.data.valid.clear();
    options.split.split.valid = *share;
    options.valid_share = share;
  }
  options.splits_anew =
      std::ranges::any_of(options.split.all, [](const CLI::Option* option) { return option->count() > 0; });
  check_data_options(options.data, {options.split.test_from});
}

data::EventStore load_training_data(const TrainingData& options, TrainConfig& train, ThreadPool& pool) {
  train.valid_share = options.valid_share.value_or(train.valid_share);
  LoadedData data = load_data(options.data, pool);
  if (options.data.origin == "auto") use_common_origin(data.store.events, train);
  const bool by_source = options.split.split.kind == "auto" || options.split.split.kind == "given";
  const bool has_valid = (by_source && std::ranges::count(data.store.events.part, data::Part::kValid) > 0) ||
                         (!options.splits_anew && data.store.split && !data.store.split->valid.empty());
  if (options.valid_share && has_valid) {
    fail("a share for validation does nothing, since the data say what validation is; leave it out");
  }
  if (options.splits_anew) prepare_store(data.store, options.split, options.data.table.timezone);
  return std::move(data.store);
}

nlohmann::json given_split(const TrainingData& options) {
  nlohmann::json given = nlohmann::json::object();
  if (!options.splits_anew) return given;
  const SplitOptions& split = options.split;
  const auto add = [&](const std::string& name, const auto& value) {
    if (is_given(split.all, "--" + name)) given[name] = value;
  };
  add("split", split.split.kind);
  add("test-share", split.split.test);
  add("split-seed", split.split.seed);
  add("test-from", split.test_from);
  add("vocab", split.encoding.vocabulary);
  add("vocab-from-all", split.encoding.vocabulary_from_all);
  add("unknown", split.encoding.unknown);
  add("max-len", split.max_len);
  add("cut", split.cut);
  // A split takes the share only if it was given; else it is taken from what is left to learn from.
  given["valid-share"] = options.valid_share ? nlohmann::json(*options.valid_share) : nlohmann::json();
  return given;
}

}  // namespace t2v::cli
