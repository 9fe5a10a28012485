#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/text_check.h"
#include "train/evaluation.h"
#include "train/training.h"

// What is said of a training once it ended.
namespace t2v {
namespace {

/// The measure of a table that training lowers, or nothing.
std::string_view loss_of(const MeasureTable& table) {
  for (const std::string_view name : {"log loss", "RMSE"}) {
    if (std::ranges::find(table.columns, name, &MeasureColumn::name) != table.columns.end()) return name;
  }
  return "";
}

/// Of the best baseline of a table, if it is better than the model.
std::string better_baseline(const MeasureTable& table) {
  const std::string_view measure = loss_of(table);
  if (measure.empty() || table.rows.empty()) return "";
  const double of_model = table.at(table.rows[0].name, measure);
  double best = of_model;
  std::string_view name;
  for (const MeasureTable::Row& row : table.rows) {
    const double loss = table.at(row.name, measure);
    if (!(loss < best)) continue;
    best = loss;
    name = row.name;
  }
  if (name.empty()) return "";
  return fmt::format(
      "the baseline '{}' is better on the validation data ({} predictions): {} {:.4g}, the model {:.4g}; "
      "more "
      "data, a smaller `hidden`, fewer sines (`time` t2v:4) or `time` none may help",
      name, table.predictions, measure, best, of_model);
}

}  // namespace

std::vector<std::string> Training::remarks(FitEnd end, const TrainedModel& result,
                                           const Fit::Stop& stop) const {
  std::vector<std::string> remarks;
  if (split_.valid.empty()) return remarks;
  const auto epochs = static_cast<int64_t>(fit_->history().size());
  if (fit_->start() && fit_->best_epoch() == 0) {
    remarks.push_back(fmt::format(
        "no epoch was better than the model that it started from (validation loss {:.4f}), which is kept",
        fit_->start()->loss));
  }
  if (rule_) {
    remarks.push_back(fmt::format(
        "the rule '{}' is better on the validation data than the network, so the model is that rule",
        rule_->name));
  }
  if (constant_gaps_) {
    remarks.emplace_back(
        "one log-normal distribution for all gaps is better on the validation data than what was learned of "
        "them, "
        "so the model says that");
  }
  const bool bounded = end == FitEnd::kEpochs || end == FitEnd::kTime;
  if (bounded && config_.patience > 0 && epochs > 0 && fit_->best_epoch() == epochs) {
    remarks.push_back(
        fmt::format("the last epoch was the best: {} may help",
                    end == FitEnd::kTime ? "more time (`max_time`)" : "more epochs (`epochs`)"));
  }
  if (result.threshold) {
    remarks.push_back(
        fmt::format("'{}' is predicted from a probability of {:.3f} on, by the validation data "
                    "(`no_calibrate` to change it)",
                    shown(result.encoding.label->names[1]), *result.threshold));
  }
  if (rule_) return remarks;
  try {
    const StopScope scope(pool_, stop);
    const Evaluation evaluation =
        evaluate(result, *model_, result.baselines, events_, split_.valid, {.distributions = false}, pool_);
    const std::string better = better_baseline(evaluation.tables[0]);
    if (!better.empty()) remarks.push_back(better);
  } catch (const Stopped&) {  // of no matter: it is only said
  }
  return remarks;
}

}  // namespace t2v
