#include "train/race.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>

#include "base/container.h"
#include "base/container_writer.h"
#include "base/fail.h"
#include "base/json_text.h"
#include "base/steady_seconds.h"
#include "train/checkpoint.h"
#include "train/diverged.h"
#include "train/training.h"

namespace t2v {
namespace {

using Json = nlohmann::json;

/// Options that say nothing of a network or of how it is fitted.
constexpr std::array<std::string_view, 13> kOfTask = {
    "task",     "query_time",    "when",         "horizon",  "together", "typed_values", "seed",
    "max_time", "class_weights", "no_calibrate", "valid_by", "auto",     "valid_share"};
/// One in so many goes on, so many times as long.
constexpr std::size_t kCut = 3;
/// The first trials have at least so many steps, fewer tell little, and at most so many: then most have
/// converged.
constexpr int64_t kFirstSteps = 200;
constexpr int64_t kEnoughSteps = 1600;
/// Events of all trials, passes included, times parameters. Within the first, trials are as long as need be;
/// beyond the second, a race would take minutes.
constexpr double kLittleWork = 1.5e11;
constexpr double kMostWork = 4e11;
/// The validation losses of fewer predictions differ by chance more than by what is tried.
constexpr int64_t kFewestPredictions = 100;
/// Other draws that are tried of the winner.
constexpr int64_t kDraws = 4;
/// Of the time that a training may take (`max_time`), the race takes at most this share.
constexpr double kShareOfTime = 1.0 / 3;

/// Some changes and then others of the same options or further ones.
template <class Changes>
Changes changed(Changes changes, const Changes& others) {
  for (const auto& [option, value] : others) {
    const auto same = std::ranges::find(changes, option, &Changes::value_type::first);
    if (same == changes.end()) {
      changes.emplace_back(option, value);
    } else {
      same->second = value;
    }
  }
  return changes;
}

/// Each change of one list with each of another.
template <class Changes>
std::vector<Changes> crossed(const std::vector<Changes>& a, const std::vector<Changes>& b) {
  std::vector<Changes> all;
  for (const Changes& first : a) {
    for (const Changes& second : b) {
      all.push_back(changed(first, second));
    }
  }
  return all;
}

template <class Changes>
std::string name_of(const Changes& changes) {
  std::string name;
  for (const auto& [option, value] : changes) {
    if (!name.empty()) name += ", ";
    name += value == "true" ? fmt::format("`{}`", option) : fmt::format("`{}` {}", option, value);
  }
  return name.empty() ? std::string(kDefaults) : name;
}

/// How many entrants are in each round, the first one first, until one is left.
std::vector<std::size_t> rounds_of(std::size_t entrants) {
  std::vector<std::size_t> rounds;
  for (; entrants > 1; entrants = (entrants + kCut - 1) / kCut) {
    rounds.push_back(entrants);
    if (entrants <= kCut) break;
  }
  return rounds;
}

/// The epochs of all trials, where the first have one each.
double epochs_of(std::size_t entrants, std::size_t variations) {
  double epochs = 0;
  double each = 1;
  for (const std::size_t round : rounds_of(entrants)) {
    epochs += static_cast<double>(round) * each;
    each *= kCut;
  }
  return epochs + static_cast<double>(variations) * each / kCut;
}

int64_t events_of(const std::vector<data::Piece>& pieces) {
  return std::accumulate(pieces.begin(), pieces.end(), int64_t{0},
                         [](int64_t sum, const data::Piece& piece) { return sum + piece.end - piece.begin; });
}

/// How many the validation loss is the mean of, about.
int64_t predictions_of(const Training& training) {
  const std::vector<data::Piece>& valid = training.split().valid;
  if (!training.model().config().heads[0].each_step) return static_cast<int64_t>(valid.size());
  return std::accumulate(valid.begin(), valid.end(), int64_t{0}, [](int64_t sum, const data::Piece& piece) {
    return sum + piece.end - std::max(piece.first_target, piece.begin + 1);
  });
}

Json json_of(const Trial& trial) {
  return {{"name", trial.name},
          {"epochs", trial.epochs},
          {"loss", std::isfinite(trial.loss) ? Json(trial.loss) : Json()},
          {"converged", trial.converged}};
}

Trial trial_from(const Json& json) {
  Trial trial{json.at("name").get<std::string>(), json.at("epochs").get<int64_t>()};
  trial.converged = json.at("converged").get<bool>();
  if (!json.at("loss").is_null()) trial.loss = json.at("loss").get<double>();
  return trial;
}

}  // namespace

Race::Race(const TrainingData& data, const TrainConfig& config, ThreadPool& pool, const TrainedModel* init,
           comm::Communicator& ranks)
    : data_(data), config_(config), pool_(pool), ranks_(ranks) {
  if (config.always_race && config.no_auto)
    fail("`auto` and `no_auto` contradict each other; use one of them");
  if (!may_be_held(init)) return;
  const Training base(data, config, pool, nullptr, ranks);
  if (base.is_over_time() || predictions_of(base) < kFewestPredictions) return;
  if (!ranks.alone()) base.check_same_on_all_ranks();
  digest_ = base.data_digest();
  line_up(base);
}

bool Race::may_be_held(const TrainedModel* init) const {
  if (init != nullptr || config_.no_auto) return false;
  if (config_.always_race) return true;
  return std::ranges::all_of(config_.given, [](const std::string& name) {
    return std::ranges::find(kOfTask, std::string_view(name)) != kOfTask.end();
  });
}

/// Who is in it, by the data and by what was given.
void Race::line_up(const Training& base) {
  const TrainConfig& settled = base.config();
  const bool types = settled.task == "next" || settled.task == "recommend";
  const auto is_open = [&](std::string_view option) { return !config_.given.contains(option); };
  std::vector<Changes> all = {{}};
  const auto offer = [&](const char* option, const std::vector<Changes>& values) {
    if (is_open(option)) all = crossed(all, values);
  };
  if (!base.model().config().times.empty()) {
    std::vector<Changes> times = {{}, {{"time", "plain"}}};
    if (!config_.query_time) times.push_back({{"time", "none"}});
    offer("time", times);
  }
  if (types && base.model().rules() != nullptr) offer("no_rules", {{}, {{"no_rules", "true"}}});
  offer("cell", {{}, {{"cell", settled.cell == "gru" ? "lstm" : "gru"}}});
  if (is_open("hidden")) {
    sizes_.push_back({{"hidden", fmt::format("{}", 2 * settled.hidden)}});
    sizes_.push_back({{"hidden", fmt::format("{}", settled.hidden / 2)}});
  }
  if (is_open("head_dropout")) sizes_.push_back({{"head_dropout", settled.head_dropout > 0 ? "0.5" : "0.2"}});
  if (is_open("rate")) sizes_.push_back({{"rate", fmt::format("{:.6g}", settled.rate / 3)}});
  for (int64_t draw = 2; draw <= kDraws && is_open("draw"); ++draw) {
    sizes_.push_back({{"draw", fmt::format("{}", draw)}});
  }
  const int64_t steps = base.fit().steps_of_epoch();
  const auto epochs_for = [&](int64_t wanted) { return std::max<int64_t>(1, (wanted + steps - 1) / steps); };
  const double of_epoch = static_cast<double>(steps) / static_cast<double>(base.batches()) *
                          static_cast<double>(events_of(base.split().train)) *
                          static_cast<double>(base.model().layout().dense_size());
  double longest = epochs_of(all.size(), sizes_.size());
  int64_t wanted = kEnoughSteps;
  if (is_open("draw") &&
      2 * longest * of_epoch * static_cast<double>(epochs_for(kFirstSteps)) <= kLittleWork) {
    all = crossed(all, {{}, {{"draw", "1"}}});
    longest = epochs_of(all.size(), sizes_.size());
  }
  const auto work = [&] { return longest * of_epoch * static_cast<double>(epochs_for(wanted)); };
  while (wanted > kFirstSteps && work() > kLittleWork) wanted /= 2;
  first_epochs_ = epochs_for(wanted);
  if (all.size() + sizes_.size() > 1 && (config_.always_race || work() <= kMostWork)) {
    entrants_ = std::move(all);
    field_ = entrants_;
  }
}

TrainConfig Race::with(const Changes& changes) const {
  TrainConfig config = config_;
  const OptionTable table = options_of(config);
  for (const auto& [option, value] : changes) table.set(option, value);
  config.given = config_.given;
  return config;
}

std::optional<Trial> Race::run_trial(const Changes& changes, int64_t epochs, const Hooks& hooks) {
  TrainConfig config = with(changes);
  config.epochs = std::min(epochs, config.epochs);
  config.max_time *= kShareOfTime;
  const double started = steady_seconds();
  Trial trial{name_of(changes), epochs};
  try {
    Training training(data_, config, pool_, nullptr, ranks_);
    training.fit().add_seconds(seconds_);
    const FitEnd end = training.run({{}, {}, hooks.stop});
    if (end == FitEnd::kStopped) return std::nullopt;
    trial.loss = training.best_loss();
    trial.converged = end == FitEnd::kConverged;
    out_of_time_ = end == FitEnd::kTime;
  } catch (const Diverged&) {  // that is no winner
    trial.converged = true;
  }
  seconds_ += steady_seconds() - started;
  return trial;
}

std::optional<double> Race::loss_of(const Changes& changes, int64_t epochs, const Hooks& hooks) {
  const std::string name = name_of(changes);
  for (std::size_t i = 0; i < replayed_; ++i) {  // longer, it would be the same
    if (trials_[i].name == name && trials_[i].converged) return trials_[i].loss;
  }
  if (replayed_ < trials_.size()) {
    const Trial& trial = trials_[replayed_++];
    if (trial.name == name && trial.epochs == epochs) return trial.loss;
    fail("the trials of the race are others than the options ask for; start without `resume`");
  }
  const std::optional<Trial> trial = run_trial(changes, epochs, hooks);
  if (!trial) return std::nullopt;
  trials_.push_back(*trial);
  ++replayed_;
  if (hooks.trial) hooks.trial(*trial);
  return trial->loss;
}

bool Race::run(const Hooks& hooks) {
  if (!is_held()) return true;
  replayed_ = 0;
  field_ = entrants_;
  epochs_ = first_epochs_;
  return halve(hooks) && (out_of_time_ || vary_sizes(hooks));
}

bool Race::halve(const Hooks& hooks) {
  for (const std::size_t entrants : rounds_of(field_.size())) {
    std::vector<double> losses(entrants, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> order(entrants);
    std::iota(order.begin(), order.end(), 0);
    bool stopped = false;
    for (std::size_t i = 0; i < entrants && !stopped && !out_of_time_; ++i) {
      const std::optional<double> loss = loss_of(field_[i], epochs_, hooks);
      stopped = !loss;
      if (loss) losses[i] = *loss;
    }
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return losses[i]; });
    std::vector<Changes> sorted;
    for (const std::size_t i : order) sorted.push_back(field_[i]);
    const std::size_t kept = entrants <= kCut ? 1 : (entrants + kCut - 1) / kCut;
    sorted.resize(kept);
    field_ = std::move(sorted);
    best_ = losses[order[0]];
    if (stopped) return false;
    if (out_of_time_) break;
    if (kept > 1) epochs_ *= static_cast<int64_t>(kCut);
  }
  return true;
}

bool Race::vary_sizes(const Hooks& hooks) {
  for (const Changes& change : sizes_) {
    const Changes varied = changed(field_[0], change);
    const std::optional<double> loss = loss_of(varied, epochs_, hooks);
    if (!loss) return false;
    if (*loss < best_) {
      best_ = *loss;
      field_[0] = varied;
    }
    if (out_of_time_) break;
  }
  return true;
}

TrainConfig Race::winner() const {
  TrainConfig config = is_held() ? with(field_[0]) : config_;
  config.race = record();
  return config;
}

void Race::save(FileSystem& files, const std::string& path) const {
  ContainerWriter writer{kCheckpointKind};
  writer.set("options", to_json(config_).dump());
  writer.set("data", digest_);
  writer.set("race", record().dump());
  writer.write(files, path);
}

bool Race::restore(const std::string& path, FileSystem& files) {
  const Container file = Container::open(path, kCheckpointKind, files);
  const bool fitting = file.find("fit").has_value();
  if (!file.find("race") || !is_held()) {
    if (!fitting) fail("{}: is of a race, which these options do not hold; give the same options", path);
    entrants_.clear();
    return true;
  }
  file.verify();
  if (!fitting) check_options(parsed_metadata(file, "options"), to_json(config_), path);
  if (file.get("data") != digest_) {
    fail("{}: was made with other data; give the same, or start without `resume`", path);
  }
  try {
    trials_.clear();
    for (const Json& trial : parsed_metadata(file, "race")) trials_.push_back(trial_from(trial));
  } catch (const Json::exception&) {
    fail("{}: the trials of its race lack a field or have one of another type{}", path, kDamaged);
  }
  return fitting;
}

nlohmann::json Race::record() const {
  Json trials = Json::array();
  for (const Trial& trial : trials_) trials.push_back(json_of(trial));
  return trials;
}

}  // namespace t2v
