#include "train/start_heads.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace t2v {
namespace {

using data::ValueTarget;

/// Gaps that are nearly all the same say little of those to come.
constexpr double kLeastSpreadOfGaps = 0.1;
/// So much narrower than all gaps together components start at most.
constexpr double kMostNarrow = 4;

/// Lets the classes start from their shares, each counted once more than it is there.
void start_classes(nn::Parameters<double>& start, const Model& model, std::size_t head,
                   std::span<const int32_t> targets) {
  std::vector<double> counts(static_cast<std::size_t>(model.outputs(head)), 1);
  for (const int32_t target : targets) {
    if (target >= 0) ++counts[static_cast<std::size_t>(target)];
  }
  const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
  double* bias = start.data(model.layout()[model.head_bias(head)]);
  for (std::size_t c = 0; c < counts.size(); ++c) bias[c] = std::log(counts[c] / all);
}

/// Mean and deviation of the logarithms of gaps above zero; which come sorted.
struct LogGaps {
  std::vector<double> logs;
  double mean = 0;
  double deviation = 1;
  int64_t zeros = 0;
};
LogGaps logs_of(std::span<const double> gaps) {
  LogGaps of;
  for (const double gap : gaps) {
    of.zeros += gap == 0 ? 1 : 0;
    if (gap > 0) of.logs.push_back(std::log(gap));
  }
  if (of.logs.size() < 2) return of;
  std::ranges::sort(of.logs);
  const auto n = static_cast<double>(of.logs.size());
  of.mean = std::accumulate(of.logs.begin(), of.logs.end(), 0.0) / n;
  double square = 0;
  for (const double log : of.logs) square += (log - of.mean) * (log - of.mean);
  of.deviation = std::max(std::sqrt(square / n), 1e-3);
  return of;
}

/// Lets the mixture that says when start from the gaps of the data: components side by side over their
/// logarithms.
void start_when(nn::Parameters<double>& start, const Model& model, std::size_t head,
                std::span<const double> gaps) {
  const LogGaps of = logs_of(gaps);
  if (of.logs.size() < 2) return;
  const nn::HeadConfig& config = model.config().heads[head];
  double* bias = start.data(model.layout()[model.head_bias(head)]);
  const int64_t components = config.components;
  const double wide = of.deviation / config.spread;
  for (int64_t m = 0; m < components; ++m) {
    const double share = (static_cast<double>(m) + 0.5) / static_cast<double>(components);
    const double log = of.logs[static_cast<std::size_t>(share * static_cast<double>(of.logs.size()))];
    bias[m] = 0;
    bias[components + m] = (log - config.centre) / config.spread;
    bias[2 * components + m] = std::log(wide / std::min(static_cast<double>(components), kMostNarrow));
  }
  const auto zeros = static_cast<double>(of.zeros) + 0.5;
  if (config.atom) bias[3 * components] = std::log(zeros / (static_cast<double>(of.logs.size()) + 0.5));
}

/// y ≈ level + slope · x by least squares; nothing if no slope can be told.
struct Line {
  double level;
  double slope;
};
std::optional<Line> line_through(std::span<const double> x, std::span<const float> y) {
  double n = 0;
  double mean_x = 0;
  double mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(y[i])) continue;
    ++n;
    mean_x += (x[i] - mean_x) / n;
    mean_y += (y[i] - mean_y) / n;
  }
  double products = 0;
  double squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(y[i])) continue;
    products += (x[i] - mean_x) * (y[i] - mean_y);
    squares += (x[i] - mean_x) * (x[i] - mean_x);
  }
  if (!(squares > 0)) return std::nullopt;
  const double slope = products / squares;
  return Line{mean_y - slope * mean_x, slope};
}

/// The encoder with a linear term of the times at which the values are, or -1.
int encoder_of_values(const ModelConfig& config, ValueTarget values) {
  const TimeInput input = values == ValueTarget::kOfNextEvent ? TimeInput::kQuery : TimeInput::kStart;
  for (std::size_t i = 0; i < config.times.size(); ++i) {
    const nn::TimeEncoderConfig& time = config.times[i];
    if (time.kind == "t2v" && time.linear && time.input == input) return static_cast<int>(i);
  }
  return -1;
}

/// Nothing goes straight from times and features to the heads yet. Random weights there would have to be
/// unlearned; of values over time, the validation data, which come later, see a random slope lead far astray.
void clear_straight(nn::Parameters<double>& start, const Model& model) {
  if (model.straight() < 0) return;
  std::vector<int> tensors = model.inputs()[static_cast<std::size_t>(model.straight())].time_weights();
  tensors.push_back(model.layout().find(model.layers().empty() ? "head.features" : "skip.features"));
  for (const int id : tensors) {
    if (id < 0) continue;
    const nn::Tensor& tensor = model.layout()[id];
    std::fill_n(start.data(tensor), tensor.size(), 0.0);
  }
}

/// Without a straight way to the head, or a linear term, it stays as it is.
void start_line(nn::Parameters<double>& start, const Model& model, ValueTarget values,
                const SequenceBatch& batch) {
  const int encoder = encoder_of_values(model.config(), values);
  if (encoder < 0 || model.straight() < 0) return;
  const auto place = static_cast<std::size_t>(encoder);
  const auto input = static_cast<std::size_t>(model.config().times[place].input);
  const std::optional<Line> line = line_through(batch.times[input], batch.values);
  if (!line) return;
  // The linear term is the first of a time vector: ω τ + φ.
  const nn::TimeEncoder& encoding = model.times().encoders()[place];
  const double omega = start.wide_data(model.layout()[encoding.omega()])[0];
  const double phi = start.wide_data(model.layout()[encoding.phi()])[0];
  if (omega == 0) return;
  const nn::Input& straight = model.inputs()[static_cast<std::size_t>(model.straight())];
  start.data(model.layout()[straight.time_weights()[place]])[0] = line->slope / omega;
  start.data(model.layout()[model.head_bias(0)])[0] = line->level - line->slope * phi / omega;
}

}  // namespace

void measure_gaps(nn::HeadConfig& when, const SequenceBatch& batch, double grid) {
  const LogGaps of = logs_of(batch.next_gaps);
  when.centre = of.mean;
  when.spread = std::max(of.deviation, kLeastSpreadOfGaps);
  when.floor = grid;
  when.atom = of.zeros > 0;
}

void start_heads(nn::Parameters<double>& start, const Model& model, Task task, ValueTarget values,
                 const SequenceBatch& batch) {
  clear_straight(start, model);
  const int classes = find_head(model.config(), "softmax");
  if (classes >= 0) {
    start_classes(start, model, static_cast<std::size_t>(classes),
                  task == Task::kClassify ? batch.labels : batch.next_events);
  }
  const int when = find_head(model.config(), "when");
  if (when >= 0) start_when(start, model, static_cast<std::size_t>(when), batch.next_gaps);
  if (values == ValueTarget::kOfNextEvent || values == ValueTarget::kOfEvent) {
    start_line(start, model, values, batch);
  }
}

}  // namespace t2v
