#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "data/event_store.h"
#include "model/trained_model.h"
#include "train/fit.h"
#include "train/start_rules.h"
#include "train/train_config.h"
#include "train/training_data.h"
#include "train/validation_split.h"

namespace t2v {

/// From a data set and options to a model that is ready to be fitted, and to what came of it. It holds views
/// of the data, which must stay; it cannot be moved.
class Training {
 public:
  /// Chooses the task, splits off validation data, learns the encoding, lays out the model and starts its
  /// weights. `init`: a trained model to go on from, whose encoding, times and weights are taken over, and
  /// its task if none is asked for; what it computes must be what is asked for. Throws t2v::Error for what
  /// cannot be.
  /// Several ranks train together: each makes a training of the same, and shares in the work.
  Training(const data::EventStore& store, TrainConfig config, ThreadPool& pool,
           const TrainedModel* init = nullptr, comm::Communicator& ranks = comm::only_rank());
  /// The same of data that were prepared, with the record of their split.
  Training(const TrainingData& data, const TrainConfig& config, ThreadPool& pool,
           const TrainedModel* init = nullptr, comm::Communicator& ranks = comm::only_rank());
  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;

  /// What it decided, a sentence each, for people.
  const std::vector<std::string>& choices() const { return choices_; }
  const data::Events& events() const { return events_; }
  const data::Split& split() const { return split_; }
  const TrainConfig& config() const { return config_; }  // as it was settled
  /// Whether values over time are predicted.
  bool is_over_time() const;
  int64_t batches() const { return train_->count(); }  // of one pass over the training data
  const Model& model() const { return *model_; }
  const TrainedModel& description() const { return trained_; }  // without fitted weights
  Fit& fit() { return *fit_; }
  const Fit& fit() const { return *fit_; }

  /// Fits, with a measure of each epoch on the validation data (main_measure).
  /// Then, if a simple rule is better on the validation data, that rule is the result. Stopped at any time,
  /// it goes on from a checkpoint.
  FitEnd run(const Fit::Hooks& hooks);
  /// The validation loss of the result; infinite without.
  double best_loss() const;
  /// The model with the best weights so far.
  TrainedModel result() const;
  /// Makes that, which takes a pass over the validation data where there are classes. False if it was
  /// stopped: then a checkpoint goes on as from a run that was.
  bool make_result(const Fit::Stop& stop);
  /// What is worth knowing once it ended, a sentence each, for people: whether more epochs may help, whether
  /// the weights are those that it started from, whether a baseline is better on the validation data.
  /// Without the last where `stop` says so.
  std::vector<std::string> remarks(FitEnd end, const TrainedModel& result, const Fit::Stop& stop = {}) const;

  /// Writes everything to go on from, atomically.
  void save_checkpoint(FileSystem& files, const std::string& path) const;
  /// Goes on from there. Throws t2v::Error if it is of other options (and names one) or of other data.
  void restore_checkpoint(const std::string& path, FileSystem& files = FileSystem::real());

  /// Throws t2v::Error if a rank has another version, instruction set, configuration, other data or weights
  /// than rank 0, and names it. To be called by all ranks before they run.
  void check_same_on_all_ranks() const;
  /// What tells these data, their split and their encoding from others.
  std::string data_digest() const;

 private:
  void choose_task(const TrainedModel* init);
  void settle_options(const TrainedModel* init);
  void choose_split(const data::EventStore& store);
  void choose_encoding(const data::EventStore& store);
  void leave_out_without_targets(const TrainedModel* init);
  void settle_sizes(const TrainedModel* init);
  void lay_out(const TrainedModel* init);
  void lay_out_times(const TrainedModel* init);
  void leave_out_constant_times();
  void lay_out_heads(const TrainedModel* init);
  void lay_out_when(const TrainedModel* init);
  void lay_out_rules(const TrainedModel* init);
  void record_options();
  /// Some of the training data as one batch, with targets.
  data::Batch sample() const;
  nn::Parameters<float> start_weights(const TrainedModel* init);
  void count_rules(const TrainedModel* init);
  /// False if it was stopped.
  bool choose_rule(const Fit::Stop& stop);
  /// The same.
  bool choose_gaps(const Fit::Stop& stop);
  /// The best weights, or the rules that are better.
  nn::Parameters<float> delivered() const;
  TrainedModel made_result() const;
  /// In one pass over the validation data; nothing if it was stopped.
  std::optional<Validation> validation_of(const nn::Parameters<float>& weights, const Fit::Stop& stop);

  TrainConfig config_;
  ThreadPool& pool_;
  comm::Communicator& ranks_;
  data::Events events_;
  data::Split split_;
  bool validation_is_given_ = false;
  HeldOut held_out_ = HeldOut::kRandomSequences;
  TrainedModel trained_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<data::Batches> train_;
  std::unique_ptr<data::Batches> valid_;
  Workspace<float> valid_work_;
  std::unique_ptr<Fit> fit_;
  std::vector<std::string> choices_;
  NamedRule start_rule_ = {"all rules together", {}};
  std::optional<NamedRule> rule_;  // that is better than the network
  double rule_loss_ = 0;           // its validation loss
  bool constant_gaps_ = false;     // one distribution of all gaps is better than what was learned of them
  std::optional<TrainedModel> result_;
  double span_ = 0;  // of the times of some training sequences, in units
};

/// Takes the options with which a checkpoint of an older format was made, where they were not given: their
/// defaults have changed since.
void take_old_defaults(TrainConfig& config, const std::string& checkpoint,
                       FileSystem& files = FileSystem::real());

/// The options as JSON, and back. Options that are absent keep their values. Throws t2v::Error for one that
/// is unknown, of another type or out of its range.
nlohmann::json to_json(const TrainConfig& config);
void read_json(TrainConfig& config, const nlohmann::json& json);

}  // namespace t2v
