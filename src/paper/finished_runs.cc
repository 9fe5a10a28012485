#include "paper/finished_runs.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "train/paired_test.h"

namespace t2v::paper {
namespace {

using Json = nlohmann::json;

/// The value of a measure after an epoch, if there is one.
std::optional<double> value_at(const Json& record, const std::string& measure, int64_t epoch) {
  const auto curves = record.find("curve");
  if (curves == record.end()) return std::nullopt;
  const auto curve = curves->find(measure);
  if (curve == curves->end() || epoch < 1 || epoch > static_cast<int64_t>(curve->size())) return std::nullopt;
  const Json& value = (*curve)[static_cast<std::size_t>(epoch - 1)];
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

/// The last value of a measure's curve, if there is one.
std::optional<double> last_value(const Json& record, const std::string& measure) {
  const auto curves = record.find("curve");
  if (curves == record.end() || !curves->contains(measure)) return std::nullopt;
  return value_at(record, measure, static_cast<int64_t>(curves->at(measure).size()));
}

/// Of the seeds that both have, where both have a value.
template <class ValueOf>
Pairs pairs_by(const ModelRuns& a, const ModelRuns& b, ValueOf value_of) {
  Pairs pairs;
  for (const Json& record : a.records) {
    const auto other = std::ranges::find_if(
        b.records, [&](const Json& candidate) { return candidate.at("seed") == record.at("seed"); });
    if (other == b.records.end()) continue;
    const std::optional<double> x = value_of(record);
    const std::optional<double> y = value_of(*other);
    if (!x || !y) continue;
    pairs.a.push_back(*x);
    pairs.b.push_back(*y);
  }
  return pairs;
}

}  // namespace

std::vector<double> ModelRuns::last(const std::string& measure) const {
  std::vector<double> values;
  for (const Json& record : records) {
    if (const auto value = last_value(record, measure)) values.push_back(*value);
  }
  return values;
}

std::vector<double> ModelRuns::at(const std::string& measure, int64_t epoch) const {
  std::vector<double> values;
  for (const Json& record : records) {
    if (const auto value = value_at(record, measure, epoch)) values.push_back(*value);
  }
  return values;
}

double ModelRuns::mean_last(const std::string& measure) const { return estimate(last(measure)).mean; }

SharedSeeds shared_seeds(const ModelRuns& a, const ModelRuns& b) {
  const auto of_both = [](const ModelRuns& runs, const ModelRuns& other) {
    ModelRuns shared = runs;
    std::erase_if(shared.records, [&](const Json& record) {
      return std::ranges::none_of(
          other.records, [&](const Json& candidate) { return candidate.at("seed") == record.at("seed"); });
    });
    return shared;
  };
  return {of_both(a, b), of_both(b, a)};
}

Pairs pairs_of(const ModelRuns& a, const ModelRuns& b, const std::string& measure) {
  return pairs_by(a, b, [&](const Json& record) { return last_value(record, measure); });
}

Pairs pairs_at(const ModelRuns& a, const ModelRuns& b, const std::string& measure, int64_t epoch) {
  return pairs_by(a, b, [&](const Json& record) { return value_at(record, measure, epoch); });
}

FinishedRuns::FinishedRuns(const RunFiles& files, const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    const bool known =
        std::ranges::any_of(models_, [&](const ModelRuns& model) { return model.model == run.model; });
    if (known) continue;
    ModelRuns model{.model = run.model, .epochs = run.epochs, .trains = run.trains};
    for (Json& record : files.read_all_seeds(run)) {
      (record.contains("stopped") ? model.diverged : model.records).push_back(std::move(record));
    }
    models_.push_back(std::move(model));
  }
}

const ModelRuns& FinishedRuns::of(const std::string& model) const {
  static const ModelRuns kNone;
  const auto found = std::ranges::find(models_, model, &ModelRuns::model);
  return found == models_.end() ? kNone : *found;
}

int64_t FinishedRuns::most_seeds() const {
  std::size_t most = 0;
  for (const ModelRuns& model : models_) {
    if (model.trains) most = std::max(most, model.records.size());
  }
  return static_cast<int64_t>(most);
}

}  // namespace t2v::paper
