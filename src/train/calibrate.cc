#include "train/calibrate.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "train/prediction_records.h"

namespace t2v {
namespace {

/// Of the logarithm of the temperature; it counts like this many predictions.
constexpr double kSpread = 0.3;
constexpr double kWidest = 1.5;

double log_loss(std::span<const float> outputs, std::span<const int32_t> labels, int64_t classes,
                double temperature) {
  double sum = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto row =
        outputs.subspan(i * static_cast<std::size_t>(classes), static_cast<std::size_t>(classes));
    const auto largest = static_cast<double>(std::ranges::max(row));
    double all = 0;
    for (const float z : row) all += std::exp((static_cast<double>(z) - largest) / temperature);
    const auto own = static_cast<double>(row[static_cast<std::size_t>(labels[i])]);
    sum += std::log(all) - (own - largest) / temperature;
  }
  return sum;
}

struct Outputs {
  std::vector<float> outputs;
  std::vector<int32_t> labels;
};

Outputs outputs_of(const TrainedModel& trained, const Model& model, const data::Batches& valid,
                   ThreadPool& pool) {
  Outputs all;
  data::Batch batch;
  Workspace<float> work;
  for (int64_t i = 0; i < valid.count(); ++i) {
    valid.make(i, batch);
    const SequenceBatch view = batch.view();
    std::vector<float> outputs(static_cast<std::size_t>(view.sequences() * model.outputs(0)));
    model.outputs_of<float>(outputs, 0, trained.parameters, view, work, pool);
    all.outputs.insert(all.outputs.end(), outputs.begin(), outputs.end());
    all.labels.insert(all.labels.end(), view.labels.begin(), view.labels.end());
  }
  return all;
}

/// All that the outputs are linear in.
std::vector<int> output_tensors(const Model& model) {
  std::vector<int> tensors = {model.head_place(0).bias};
  if (model.head_place(0).weights >= 0) tensors.push_back(model.head_place(0).weights);
  if (model.straight() < 0) return tensors;
  const std::vector<int>& times = model.inputs().back().time_weights();
  tensors.insert(tensors.end(), times.begin(), times.end());
  const std::string prefix = model.layers().empty() ? "head" : "skip";
  for (const char* part : {".features", ".events"}) {
    const int id = model.layout().find(prefix + part);
    if (id >= 0) tensors.push_back(id);
  }
  return tensors;
}

void divide_outputs(TrainedModel& trained, const Model& model, double temperature) {
  for (const int id : output_tensors(model)) {
    const nn::Tensor& tensor = model.layout()[id];
    float* values = trained.parameters.data(tensor);
    for (int64_t i = 0; i < tensor.size(); ++i)
      values[i] = static_cast<float>(static_cast<double>(values[i]) / temperature);
  }
}

/// Weighted classes are learned as if they were as frequent as their weights say.
void take_weights_out(TrainedModel& trained, const Model& model) {
  const std::vector<double>& weights = trained.config.heads[0].class_weights;
  float* bias = trained.parameters.data(model.layout()[model.head_bias(0)]);
  for (std::size_t c = 0; c < weights.size(); ++c) bias[c] -= static_cast<float>(std::log(weights[c]));
}

double threshold_by(const TrainedModel& trained, const Model& model, const data::Batches& valid,
                    ThreadPool& pool) {
  std::vector<HeadRecords> heads;
  heads.emplace_back(trained.config.heads[0], false);
  Workspace<float> work;
  record_predictions(heads, model, trained.parameters, valid, work, pool);
  return best_threshold(heads[0].classes);
}

}  // namespace

double best_temperature(std::span<const float> outputs, std::span<const int32_t> labels, int64_t classes) {
  const auto cost = [&](double log_t) {
    return log_loss(outputs, labels, classes, std::exp(log_t)) + log_t * log_t / (2 * kSpread * kSpread);
  };
  const double ratio = (std::sqrt(5.0) - 1) / 2;  // golden section
  double low = -kWidest;
  double high = kWidest;
  while (high - low > 1e-4) {
    const double a = high - ratio * (high - low);
    const double b = low + ratio * (high - low);
    (cost(a) < cost(b) ? high : low) = cost(a) < cost(b) ? b : a;
  }
  return std::exp((low + high) / 2);
}

void calibrate(TrainedModel& trained, const Model& model, const data::Batches& valid, ThreadPool& pool) {
  const bool classes = trained.task == Task::kClassify && trained.config.heads[0].kind == "softmax";
  if (!classes || static_cast<int64_t>(valid.pieces().size()) < kLeastCalibrated) return;
  const int64_t count = trained.config.heads[0].classes;
  const bool weighted = !trained.config.heads[0].class_weights.empty();
  if (weighted && count != 2) return;  // then the weights are to decide
  if (weighted) take_weights_out(trained, model);
  const Outputs all = outputs_of(trained, model, valid, pool);
  divide_outputs(trained, model, best_temperature(all.outputs, all.labels, count));
  if (count == 2) trained.threshold = threshold_by(trained, model, valid, pool);
}

}  // namespace t2v
