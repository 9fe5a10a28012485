#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/container.h"
#include "base/container_writer.h"
#include "data/batches.h"
#include "model/model.h"
#include "train/trainer.h"

namespace t2v {

/// How a model is fitted. The single source of the options' names and defaults.
struct FitConfig {
  int64_t epochs = 100;       // at most
  int64_t epoch_steps = 100;  // an epoch passes over the batches again until it has so many steps
  /// After so many epochs without a better validation loss the best weights are taken up again with a smaller
  /// rate; 0 for never, and then the last weights are the result.
  int64_t patience = 3;
  int64_t patience_steps = 0;  // but not before so many steps without one: the first of them may do harm
  int64_t cuts = 2;            // how often the rate is made smaller; then it ends
  double cut = 0.3;            // by this factor
  bool judge_start = false;    // the starting weights are validated first, and kept if none are better
  double average = 0;          // share of the average of weights that a step keeps; 0 for no average
  int64_t average_after = 0;   // steps before it: the first ones are far from any minimum
  double max_seconds = 0;      // 0 for no limit
  uint64_t seed = 1;           // of the dropout; that of the order is the batches'
  OptimizerConfig optimizer;
};

/// Steps of an epoch of at least so many: it passes over all batches, once or more.
int64_t steps_of_epoch(int64_t at_least, int64_t batches);

/// How weights do on data that they were not learned from.
struct Validation {
  double loss = 0;
  double measure = 0;  // for people; nothing depends on it
};

/// What came of an epoch.
struct EpochReport {
  int64_t epoch = 0;  // from 1 on
  double loss = 0;    // mean over its steps, before each
  double valid_loss = std::numeric_limits<double>::quiet_NaN();
  double measure = std::numeric_limits<double>::quiet_NaN();  // for people
  double rate = 0;                                            // learning rate of its last step
  double seconds = 0;                                         // of the epoch, without the validation
  bool best = false;                                          // so far
};

/// Where a fit is within an epoch, for a display.
struct FitProgress {
  int64_t epoch = 0;  // from 1 on
  int64_t batch = 0;  // done in it
  int64_t batches = 0;
  int64_t events = 0;  // of the batches done since the fit was started or resumed
  double loss = 0;     // mean of the epoch so far
  double seconds = 0;  // since the fit was started or resumed
};

enum class FitEnd : uint8_t {
  kConverged,  // no better any more
  kEpochs,     // all epochs are done
  kTime,       // the time is over
  kStopped,    // it was asked to
};

/// Fits a model to batches, epoch by epoch, and keeps the weights that are best on other batches. Everything
/// that it is at can be saved between two steps, and a restored fit goes on to the same bits, on any number
/// of threads and of ranks. Each rank makes a fit of its own, with the same start, configuration and batches.
class Fit {
 public:
  using Stop = std::function<bool()>;
  /// Validates weights; nothing if it was stopped meanwhile. `stop` may be empty.
  using Validate = std::function<std::optional<Validation>(const nn::Parameters<float>&, const Stop& stop)>;

  /// `validate` may be empty; it gives the same on all ranks. All of them must outlive it.
  Fit(const Model& model, nn::Parameters<float> start, const FitConfig& config, data::Batches& train,
      Validate validate, ThreadPool& pool, comm::Communicator& ranks = comm::only_rank());

  struct Hooks {
    std::function<void(const FitProgress&)> step;   // after each step
    std::function<void(const EpochReport&)> epoch;  // after each epoch
    Stop stop;                                      // whether to stop; asked often
  };
  FitEnd run(const Hooks& hooks);

  /// The best weights so far.
  const nn::Parameters<float>& best() const { return has_best() ? best_ : result(); }
  /// 0 for none, or for the starting weights, if start() is there.
  int64_t best_epoch() const { return best_epoch_; }
  /// Their validation loss; infinite without.
  double best_loss() const { return best_loss_; }
  /// How the starting weights do, if they were judged.
  const std::optional<Validation>& start() const { return start_; }
  const std::vector<EpochReport>& history() const { return history_; }
  int64_t steps() const { return trainer_.steps(); }
  int64_t skipped() const { return trainer_.skipped(); }
  /// The weights of the last step.
  const nn::Parameters<float>& weights() const { return trainer_.parameters(); }
  /// What the sum of a whole batch's gradients over the ranks takes; to be called by all of them, at the end.
  ExchangePrice exchange_price() { return trainer_.exchange_price(train_.make(0, trainer_.share()).view()); }

  /// Time that was spent before, which counts towards the limit.
  void add_seconds(double seconds) { seconds_before_ += seconds; }
  /// Of an epoch: all batches, as often as it takes.
  int64_t steps_of_epoch() const;

  /// Adds all that a fit is to a file. It must not go on until the file is written.
  void add_to(ContainerWriter& writer) const;
  /// Goes on from there. Throws t2v::Error if that does not fit the model or makes no sense; then it must not
  /// be used any more.
  void restore(const Container& file);

 private:
  /// The weights to be judged: their average, if there is one.
  const nn::Parameters<float>& result() const { return has_average() ? average_ : trainer_.parameters(); }
  bool has_average() const { return config_.average > 0 && trainer_.steps() > config_.average_after; }
  bool has_best() const { return best_epoch_ > 0 || start_; }
  /// What all ranks agree on.
  struct Wishes {
    bool stop;       // of any rank
    bool time_over;  // by the clock of rank 0
  };
  Wishes wishes(const Stop& stop) const;
  /// False if it was stopped before the validation was done.
  bool judge_start(const Stop& stop);
  FitEnd go_on(const Hooks& hooks);
  /// False if it was stopped; then nothing has changed.
  bool step(const Hooks& hooks);
  void average();
  /// False if it was stopped before the validation was done.
  bool end_epoch(const Hooks& hooks);
  /// The rate that the schedule starts from, after the cuts so far.
  double learning_rate() const;
  /// Takes the weights that `report` is of, if they are the best so far.
  void judge(const EpochReport& report, const nn::Parameters<float>& weights);
  /// The last step's weights or their average: whichever is better on the validation data, which is then in
  /// `valid`. Null if it was stopped.
  const nn::Parameters<float>* better_weights(Validation& valid, const Stop& stop);
  /// Whether it can be where a file says that it is.
  bool makes_sense() const;
  bool out_of_time() const;
  /// Epochs without a better validation loss after which the rate is cut.
  int64_t patience() const;
  double seconds() const;

  const Model& model_;
  FitConfig config_;
  data::Batches& train_;
  Validate validate_;
  ThreadPool& pool_;
  comm::Communicator& ranks_;
  Trainer<float> trainer_;
  nn::Parameters<float> average_;
  nn::Parameters<float> best_;

  // Where it is.
  int64_t epoch_ = 0;  // done
  int64_t batch_ = 0;  // done in this epoch
  double loss_sum_ = 0;
  std::optional<Validation> start_;  // of the starting weights
  int64_t best_epoch_ = 0;           // 0 for none
  double best_loss_ = std::numeric_limits<double>::infinity();
  int64_t worse_ = 0;  // epochs since the best or the last cut
  int64_t cuts_ = 0;
  bool converged_ = false;
  int64_t shuffled_ = -1;  // which pass the batches are in the order of
  std::vector<EpochReport> history_;
  double seconds_before_ = 0;  // of runs before this one

  double started_ = 0;  // 0 while it does not run
  double epoch_started_ = 0;
  int64_t events_ = 0;
};

}  // namespace t2v
