#include "paper/training_run.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/steady_seconds.h"
#include "paper/run_record.h"
#include "train/diverged.h"
#include "train/evaluation.h"
#include "train/prediction_records.h"
#include "train/training.h"

namespace t2v::paper {
namespace {

using Json = nlohmann::json;

constexpr int64_t kTestBatch = 256;
constexpr double kSecondsBetweenCheckpoints = 30;

/// What a model gets right on the test part.
Measures measures_of(const HeadRecords& head) {
  if (!head.at_each_event()) {
    const ClassMeasures m = class_measures(head.classes);
    return {{"accuracy", m.accuracy}, {"log_loss", m.log_loss}};
  }
  const int64_t at[] = {1, 3};
  const RankMeasures m = rank_measures(head.ranks, at);
  return {{"accuracy", m.recall[0]}, {"recall@3", m.recall[1]}, {"mrr", m.mrr}, {"log_loss", m.log_loss}};
}

/// The values of each epoch so far, kept in a file beside the checkpoint.
class Curve {
 public:
  explicit Curve(std::string path) : path_(std::move(path)) {}

  void add(const Measures& measures) {
    for (const auto& [name, value] : measures) {
      values_[name].push_back(std::isfinite(value) ? Json(value) : Json(nullptr));
    }
  }
  void save(FileSystem& files) const { write_file_atomically(files, path_, values_.dump() + "\n"); }
  /// The first epochs of what was saved. Throws t2v::Error if it is shorter.
  void restore(FileSystem& files, int64_t epochs) {
    values_ = read_own_json(files, path_);
    const bool sound = values_.is_object() && std::ranges::all_of(values_, [&](const Json& curve) {
                         return curve.is_array() && static_cast<int64_t>(curve.size()) >= epochs;
                       });
    if (!sound) fail("{}: does not belong to the checkpoint beside it; delete both to start anew", path_);
    for (Json& curve : values_) {
      while (static_cast<int64_t>(curve.size()) > epochs) curve.erase(curve.size() - 1);
    }
  }
  /// Nothing after the epochs so far.
  void fill(int64_t epochs) {
    for (Json& curve : values_) {
      while (static_cast<int64_t>(curve.size()) < epochs) curve.push_back(nullptr);
    }
  }
  const Json& values() const { return values_; }

 private:
  std::string path_;
  Json values_ = Json::object();
};

/// Measures a model on the test part again and again.
class Tester {
 public:
  Tester(const Training& training, ThreadPool& pool)
      : training_(training),
        pool_(pool),
        batches_(training.events(), training.split().test, training.description().encoding,
                 measuring_batches(training.description(), kTestBatch)) {}

  Measures measure() {
    std::vector<HeadRecords> heads;
    heads.emplace_back(training_.model().config().heads[0], false);
    record_predictions(heads, training_.model(), training_.fit().best(), batches_, work_, pool_);
    return measures_of(heads[0]);
  }

 private:
  const Training& training_;
  ThreadPool& pool_;
  data::Batches batches_;
  Workspace<float> work_;
};

/// What predictors without a network get right.
void add_baselines(Json& record, const TrainedModel& result, const Training& training, ThreadPool& pool) {
  if (result.task != Task::kNext) return;
  const Model model = network_of(result);
  const Evaluation evaluation = evaluate(result, model, result.baselines, training.events(),
                                         training.split().test, {.at = {1, 3}}, pool);
  const MeasureTable& types = evaluation.table("types");
  for (const auto& row : types.rows) {
    if (row.name == "model") continue;
    record["baselines"][row.name] = {{"accuracy", types.at(row.name, "recall@1")},
                                     {"recall@3", types.at(row.name, "recall@3")},
                                     {"mrr", types.at(row.name, "MRR")}};
  }
}

int64_t parameters_of(const LoadedData& data, const TrainConfig& config, ThreadPool& pool) {
  return Training(data.store, config, pool).model().layout().parameter_count();
}

TrainConfig settled(const TrainingSpec& spec, const LoadedData& data, int64_t epochs, uint64_t seed,
                    ThreadPool& pool) {
  TrainConfig config = spec.train;
  config.epochs = epochs;
  config.seed = seed;
  if (spec.like_raw_hidden == 0) return config;
  TrainConfig raw = config;
  raw.time = "raw";
  raw.hidden = spec.like_raw_hidden;
  config.match_params = parameters_of(data, raw, pool);
  return config;
}

/// Fits, measures after each epoch, and saves now and then. False if it was stopped.
bool fit(Training& training, Tester& tester, Curve& curve, RunContext& context, int64_t epochs) {
  const std::string checkpoint = context.partial + ".checkpoint";
  double saved = steady_seconds();
  const auto save = [&] {
    curve.save(context.files);
    training.save_checkpoint(context.files, checkpoint);
    saved = steady_seconds();
  };
  Fit::Hooks hooks;
  hooks.stop = context.stop;
  hooks.step = [&](const FitProgress& progress) {
    const double of_epoch = static_cast<double>(progress.batch) / static_cast<double>(progress.batches);
    context.progress((static_cast<double>(progress.epoch - 1) + of_epoch) / static_cast<double>(epochs));
  };
  hooks.epoch = [&](const EpochReport& report) {
    const Measures measures = tester.measure();
    curve.add(measures);
    context.epoch(report.epoch, measures);
    if (steady_seconds() - saved >= kSecondsBetweenCheckpoints) save();
  };
  if (training.run(hooks) != FitEnd::kStopped) return true;
  save();
  return false;
}

/// Goes on where the run was stopped, if it was.
void go_on(Training& training, Curve& curve, RunContext& context) {
  const std::string checkpoint = context.partial + ".checkpoint";
  if (!exists(context.files, checkpoint)) return;
  try {
    training.restore_checkpoint(checkpoint, context.files);
    curve.restore(context.files, static_cast<int64_t>(training.fit().history().size()));
  } catch (const Error& error) {
    fail("a run that was stopped cannot go on: {}; or delete {}.* to start it anew", error.what(),
         context.partial);
  }
}

std::optional<Json> go(const TrainingSpec& spec, int64_t epochs, uint64_t seed, RunContext& context) {
  const LoadedData& data = context.data.load(spec.data);
  if (context.found) context.found(data.about);
  const TrainConfig config = settled(spec, data, epochs, seed, context.pool);
  Training training(data.store, config, context.pool);
  Curve curve(context.partial + ".curve");
  go_on(training, curve, context);
  Tester tester(training, context.pool);
  std::string stopped;
  try {
    if (!fit(training, tester, curve, context, epochs)) return std::nullopt;
  } catch (const Diverged& error) {  // a result, too: the other runs go on
    stopped = error.what();
    curve.fill(epochs);
  }
  double seconds = 0;
  for (const EpochReport& report : training.fit().history()) seconds += report.seconds;
  Json record = {{"parameters", training.model().layout().parameter_count()},
                 {"hidden", training.model().config().hidden},
                 {"curve", curve.values()},
                 {"seconds", seconds},
                 {"threads", context.pool.threads()},
                 {"data", data.about}};
  if (!stopped.empty()) {
    record["stopped"] = stopped;
    return record;
  }
  const TrainedModel result = training.result();
  add_baselines(record, result, training, context.pool);
  return record;
}

/// Multiply-adds of an event through the cell, forward. About the same for all models with as many
/// parameters.
double work_of_event(const TrainingSpec& spec) {
  const auto hidden = static_cast<double>(std::max<int64_t>(spec.like_raw_hidden, spec.train.hidden));
  const double work = 4 * hidden * (hidden + 1);
  const std::size_t sines = spec.train.time.rfind(':');
  const bool reduced = spec.like_raw_hidden > 0 && sines != std::string::npos;
  if (spec.data.set != "mnist" || !reduced) return work;
  // Images have few distinct times, each of which is encoded once: what is left is the product with a hidden
  // state of h units, which has as many parameters as `hidden` if h (h + 1 + inputs) = hidden (hidden + 1).
  const double inputs = std::strtod(spec.train.time.c_str() + sines + 1, nullptr) + 1;
  const double h = (std::sqrt((inputs + 1) * (inputs + 1) + work) - inputs - 1) / 2;
  return 4 * h * (h + 1);
}

}  // namespace

TrainConfig paper_training() {
  TrainConfig config;
  config.together = "no";
  config.typed_values = "no";
  config.time_input = "start";
  config.time_scale = "unit";
  config.omega_init = "u11";
  config.l1 = 0;
  config.cell = "lstm";
  config.head_pool = "last";
  config.no_calibrate = true;
  config.no_skip = true;
  config.no_rules = true;
  config.start = "pytorch";
  config.rate = 1e-3;
  config.clip = 0;
  config.epoch_steps = 1;
  config.patience = 0;
  config.average = 0;
  config.valid_share = 0;
  return config;
}

Run training_run(const TrainingSpec& spec, Scale scale, int64_t epochs, uint64_t seed, double train_events,
                 double test_events) {
  Run run;
  run.home = spec.home;
  run.model = spec.model;
  run.seed = seed;
  run.scale = scale;
  run.data_set = spec.data.set;
  run.epochs = epochs;
  run.work = work_of_event(spec) * static_cast<double>(epochs) * (3 * train_events + test_events);
  Json train = t2v::to_json(spec.train);
  for (const char* key : {"seed", "epochs", "max-time"}) train.erase(key);
  run.config = {{"train", train}, {"data", to_json(spec.data)}, {"like_raw_hidden", spec.like_raw_hidden}};
  run.go = [spec, epochs, seed](RunContext& context) { return go(spec, epochs, seed, context); };
  return run;
}

}  // namespace t2v::paper
