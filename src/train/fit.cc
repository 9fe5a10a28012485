#include "train/fit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/fail.h"
#include "base/steady_seconds.h"

namespace t2v {
namespace {

template <class T>
void copy(Buffer<T>& to, const Buffer<T>& from) {
  to.reserve(from.size());
  std::copy_n(from.data(), from.size(), to.data());
}

void copy(nn::Parameters<float>& to, const nn::Parameters<float>& from) {
  copy(to.dense, from.dense);
  copy(to.table, from.table);
  copy(to.wide, from.wide);
}

/// Counts are in their ranges already (check_counts).
void check(const FitConfig& config) {
  if (!(config.cut > 0 && config.cut < 1)) fail("the rate is cut by a factor in (0, 1), not {}", config.cut);
  if (!(config.average >= 0 && config.average < 1)) {
    fail("the share that the average keeps is in [0, 1); it is {}", config.average);
  }
  if (!(config.max_seconds >= 0)) fail("a fit cannot last at most {} seconds", config.max_seconds);
}

}  // namespace

int64_t steps_of_epoch(int64_t at_least, int64_t batches) {
  const int64_t pass = std::max<int64_t>(batches, 1);
  return std::max<int64_t>((at_least + pass - 1) / pass, 1) * pass;
}

Fit::Fit(const Model& model, nn::Parameters<float> start, const FitConfig& config, data::Batches& train,
         Validate validate, ThreadPool& pool, comm::Communicator& ranks)
    : model_(model),
      config_((check(config), config)),
      train_(train),
      validate_(std::move(validate)),
      pool_(pool),
      ranks_(ranks),
      trainer_(model, std::move(start), config.optimizer, pool, config.seed, ranks) {
  if (train_.count() == 0) fail("there is nothing to learn from");
}

int64_t Fit::steps_of_epoch() const { return t2v::steps_of_epoch(config_.epoch_steps, train_.count()); }

int64_t Fit::patience() const {
  return std::max(config_.patience, (config_.patience_steps + steps_of_epoch() - 1) / steps_of_epoch());
}

double Fit::seconds() const { return seconds_before_ + (started_ > 0 ? steady_seconds() - started_ : 0); }

bool Fit::out_of_time() const { return config_.max_seconds > 0 && seconds() >= config_.max_seconds; }

FitEnd Fit::run(const Hooks& hooks) {
  started_ = epoch_started_ = steady_seconds();
  events_ = 0;
  const FitEnd end = go_on(hooks);
  seconds_before_ = seconds();
  started_ = 0;
  return end;
}

bool Fit::judge_start(const Stop& stop) {
  const bool wanted = config_.judge_start && config_.patience > 0 && validate_;
  if (!wanted || start_ || trainer_.steps() > 0) return true;
  const std::optional<Validation> valid = validate_(trainer_.parameters(), stop);
  if (!valid) return false;
  if (!std::isfinite(valid->loss)) return true;
  start_ = valid;
  best_loss_ = valid->loss;
  copy(best_, trainer_.parameters());
  return true;
}

Fit::Wishes Fit::wishes(const Stop& stop) const {
  int64_t all[] = {stop && stop() ? 1 : 0, ranks_.rank() == 0 && out_of_time() ? 1 : 0};
  comm::sum(ranks_, all);
  return {all[0] > 0, all[1] > 0};
}

FitEnd Fit::go_on(const Hooks& hooks) {
  if (!judge_start(hooks.stop)) return FitEnd::kStopped;
  while (!converged_ && epoch_ < config_.epochs) {
    while (batch_ < steps_of_epoch()) {
      const Wishes now = wishes(hooks.stop);
      if (batch_ > 0 && now.time_over) break;
      if (now.stop || !step(hooks)) return FitEnd::kStopped;
    }
    if (!end_epoch(hooks)) return FitEnd::kStopped;
    if (wishes({}).time_over) return FitEnd::kTime;
  }
  return converged_ ? FitEnd::kConverged : FitEnd::kEpochs;
}

double Fit::learning_rate() const {
  return config_.optimizer.learning_rate * std::pow(config_.cut, static_cast<double>(cuts_));
}

bool Fit::step(const Hooks& hooks) {
  trainer_.optimizer().set_learning_rate(learning_rate());
  const int64_t passes = steps_of_epoch() / train_.count();
  const int64_t pass = epoch_ * passes + batch_ / train_.count();
  if (pass != shuffled_) train_.shuffle(pass);
  shuffled_ = pass;
  const SequenceBatch batch = train_.make(batch_ % train_.count(), trainer_.share()).view();
  double loss = 0;
  try {
    loss = trainer_.step(batch, hooks.stop);
  } catch (const Stopped&) {
    return false;
  }
  loss_sum_ += std::isfinite(loss) ? loss : 0;
  average();
  ++batch_;
  events_ += batch.event_count();
  if (!hooks.step) return true;
  const double mean = loss_sum_ / static_cast<double>(batch_);
  hooks.step({epoch_ + 1, batch_, steps_of_epoch(), events_, mean, steady_seconds() - started_});
  return true;
}

/// Moves the average of the weights towards those of the last step: by 1/n at first, so that it starts as a
/// plain mean.
void Fit::average() {
  if (!has_average()) return;
  const nn::Parameters<float>& weights = trainer_.parameters();
  const int64_t n = trainer_.steps() - config_.average_after;
  if (n == 1) {
    copy(average_, weights);
    return;
  }
  const double share = std::max(1 - config_.average, 1 / static_cast<double>(n));
  const auto move = [&](auto& to, const auto& from) {
    constexpr int64_t kBlock = 16384;
    pool_.run((from.size() + kBlock - 1) / kBlock, [&](int64_t block) {
      const int64_t end = std::min(from.size(), (block + 1) * kBlock);
      for (int64_t i = block * kBlock; i < end; ++i) {
        using T = std::remove_cvref_t<decltype(to[i])>;
        to[i] += static_cast<T>(share) * (from[i] - to[i]);
      }
    });
  };
  move(average_.dense, weights.dense);
  move(average_.table, weights.table);
  move(average_.wide, weights.wide);
}

const nn::Parameters<float>* Fit::better_weights(Validation& valid, const Stop& stop) {
  const std::optional<Validation> of_result = validate_(result(), stop);
  if (!of_result) return nullptr;
  valid = *of_result;
  if (!has_average() || config_.patience == 0) return &result();
  const std::optional<Validation> of_last = validate_(trainer_.parameters(), stop);
  if (!of_last) return nullptr;
  if (!(of_last->loss < valid.loss)) return &average_;
  valid = *of_last;
  return &trainer_.parameters();
}

bool Fit::end_epoch(const Hooks& hooks) {
  EpochReport report;
  report.seconds = steady_seconds() - epoch_started_;
  const nn::Parameters<float>* weights = &result();
  if (validate_) {
    Validation valid;
    weights = better_weights(valid, hooks.stop);
    if (weights == nullptr) return false;
    report.valid_loss = valid.loss;
    report.measure = valid.measure;
  }
  report.epoch = ++epoch_;
  report.loss = loss_sum_ / static_cast<double>(std::max<int64_t>(batch_, 1));
  trainer_.optimizer().set_learning_rate(learning_rate());  // it may have been restored since the last step
  report.rate = trainer_.optimizer().rate();
  const bool judged = config_.patience > 0 && validate_;
  report.best = !judged || report.valid_loss < best_loss_;
  judge(report, *weights);
  batch_ = 0;
  loss_sum_ = 0;
  history_.push_back(report);
  epoch_started_ = steady_seconds();
  if (hooks.epoch) hooks.epoch(report);
  return true;
}

/// Keeps the best weights, and goes back to them with a smaller rate where there were none for a while.
void Fit::judge(const EpochReport& report, const nn::Parameters<float>& weights) {
  if (report.best) {
    copy(best_, weights);
    best_epoch_ = epoch_;
    best_loss_ = report.valid_loss;
    worse_ = 0;
    return;
  }
  if (++worse_ < patience()) return;
  worse_ = 0;
  converged_ = ++cuts_ > config_.cuts;
  if (converged_ || !has_best()) return;
  copy(trainer_.parameters(), best_);
  if (has_average()) copy(average_, best_);
}

}  // namespace t2v
