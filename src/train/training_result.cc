#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "data/provenance.h"
#include "train/calibrate.h"
#include "train/evaluation.h"
#include "train/training.h"

// What a training ends with: the best weights, or the rule that is better.
namespace t2v {
namespace {

/// At most about kMostReports of the epochs, the best and the last among them: a file of a model is bounded.
std::vector<EpochReport> some_of(const std::vector<EpochReport>& history, int64_t best) {
  constexpr int64_t kMostReports = 1000;
  const auto all = static_cast<int64_t>(history.size());
  const int64_t every = (all + kMostReports - 1) / kMostReports;
  std::vector<EpochReport> some;
  for (const EpochReport& report : history) {
    if (report.epoch % every == 0 || report.epoch == best || report.epoch == all) some.push_back(report);
  }
  return some;
}

}  // namespace

FitEnd Training::run(const Fit::Hooks& hooks) {
  result_.reset();
  const FitEnd end = fit_->run(hooks);
  if (end == FitEnd::kStopped) return end;
  return choose_rule(hooks.stop) && choose_gaps(hooks.stop) ? end : FitEnd::kStopped;
}

bool Training::make_result(const Fit::Stop& stop) {
  const Fit::Stop alone = ranks_.alone() ? stop : Fit::Stop();
  try {
    const StopScope scope(pool_, alone);
    result_ = made_result();
  } catch (const Stopped&) {
    return false;
  }
  return true;
}

nn::Parameters<float> Training::delivered() const {
  nn::Parameters<float> weights = nn::convert<float>(fit_->best());
  if (rule_) set_rules_alone(weights, *model_, 0, rule_->weights);
  if (constant_gaps_) set_gaps_alone(weights, *model_, 1, trained_.baselines);
  return weights;
}

bool Training::choose_gaps(const Fit::Stop& stop) {
  constant_gaps_ = false;
  const auto& heads = trained_.config.heads;
  const bool when = heads.size() == 2 && heads[1].kind == "when";
  const bool fits =
      when && trained_.baselines.gap.size() == (heads[1].atom ? 3U : trained_.baselines.gap.size());
  if (!fits || trained_.baselines.gap.empty() || split_.valid.empty() || config_.patience == 0) return true;
  const std::optional<Validation> learned = validation_of(delivered(), stop);
  if (!learned) return false;
  constant_gaps_ = true;
  const std::optional<Validation> constant = validation_of(delivered(), stop);
  constant_gaps_ = constant && constant->loss < learned->loss;
  if (constant_gaps_) rule_loss_ = constant->loss;
  return constant.has_value();
}

bool Training::choose_rule(const Fit::Stop& stop) {
  if (model_->rules() == nullptr || split_.valid.empty() || config_.patience == 0) return true;
  rule_.reset();
  double best = fit_->best_loss();
  std::vector<NamedRule> rules(kNamedRules.begin(), kNamedRules.end());
  if (!fit_->start()) rules.push_back(start_rule_);
  for (const NamedRule& rule : rules) {
    nn::Parameters<float> alone = nn::convert<float>(fit_->best());
    set_rules_alone(alone, *model_, 0, rule.weights);
    const std::optional<Validation> valid = validation_of(alone, stop);
    if (!valid) return false;
    if (!(valid->loss < best)) continue;
    best = rule_loss_ = valid->loss;
    rule_ = rule;
  }
  return true;
}

TrainedModel Training::result() const { return result_ ? *result_ : made_result(); }

TrainedModel Training::made_result() const {
  TrainedModel result;
  result.task = trained_.task;
  result.values = trained_.values;
  result.config = trained_.config;
  result.encoding = trained_.encoding;
  result.times = trained_.times;
  result.options = trained_.options;
  result.parameters = delivered();
  if (!config_.no_calibrate) calibrate(result, *model_, *valid_, pool_);
  result.baselines = trained_.baselines;
  nlohmann::json epochs = nlohmann::json::array();
  for (const EpochReport& report : some_of(fit_->history(), fit_->best_epoch())) {
    epochs.push_back({{"epoch", report.epoch},
                      {"loss", report.loss},
                      {"valid_loss", report.valid_loss},
                      {main_measure(trained_.task).name, report.measure},
                      {"rate", report.rate}});
  }
  result.training = {{"epochs", epochs},
                     {"best_epoch", fit_->best_epoch()},
                     {"steps", fit_->steps()},
                     {"skipped_steps", fit_->skipped()},
                     {"span", span_},
                     {"train_sequences", split_.train.size()},
                     {"valid_sequences", split_.valid.size()},
                     {"data", data::record_for_model(parse_json_text(events_.provenance))}};
  if (!config_.race->empty()) result.training["race"] = *config_.race;
  if (rule_) result.training["rule"] = rule_->name;
  if (constant_gaps_) result.training["gaps"] = "log-normal";
  if (fit_->start()) result.training["start_valid_loss"] = fit_->start()->loss;
  return result;
}

}  // namespace t2v
