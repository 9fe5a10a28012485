#include "model/timed_head.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/losses.h"
#include "kernels/matmul.h"
#include "kernels/squash.h"

namespace t2v {
namespace {

using kernels::matmul;
using kernels::Matrix;

/// The times of some events to come, as a batch of one sequence.
struct NextTimes {
  std::vector<int64_t> offsets;
  std::vector<double> query;
  std::vector<double> until;
  std::vector<int32_t> source;

  NextTimes(double start, std::span<const double> gaps, double most)
      : offsets{0, static_cast<int64_t>(gaps.size())}, source(gaps.size()) {
    for (const double gap : gaps) {
      until.push_back(std::min(gap, most));
      query.push_back(start + until.back());
    }
    std::iota(source.begin(), source.end(), 0);
  }
  SequenceBatch view() const {
    SequenceBatch batch;
    batch.offsets = offsets;
    batch.times[static_cast<std::size_t>(TimeInput::kQuery)] = query;
    batch.times[static_cast<std::size_t>(TimeInput::kUntil)] = until;
    return batch;
  }
};

/// Phases are exact up to 1e12 rad and calendars go to 27 million years, of which times of the data take a
/// part.
double most_gap_of(const Model& model, const nn::Parameters<float>& parameters) {
  constexpr double kMostPhase = 1e11;
  constexpr double kMostSeconds = 1e13;  // of a calendar: some 300,000 years
  double most = 1e30;
  for (const nn::TimeEncoder* encoder : model.encoders()) {
    const nn::TimeEncoderConfig& config = encoder->config();
    const bool dates = config.kind == "week" || config.kind == "calendar";
    if (dates) most = std::min(most, kMostSeconds / config.unit);
    if (!encoder->learned()) continue;
    const nn::Tensor& omega = model.layout()[encoder->omega()];
    for (int64_t i = encoder->first_periodic(); i < omega.size(); ++i) {
      const double frequency = std::abs(parameters.wide_data(omega)[i]);
      if (frequency > 0) most = std::min(most, kMostPhase / frequency);
    }
  }
  return most;
}

}  // namespace

TimedHead::TimedHead(const Model& model, const nn::Parameters<float>& parameters, std::size_t head)
    : model_(model), parameters_(parameters), head_(head), most_gap_(most_gap_of(model, parameters)) {}

void TimedHead::logits(std::vector<float>& logits, const float* open, double start,
                       std::span<const double> gaps) const {
  const Model::HeadPlace place = model_.head_place(head_);
  const nn::Layout& layout = model_.layout();
  const int64_t classes = model_.outputs(head_);
  const int64_t units = place.hidden->units();
  const auto count = static_cast<int64_t>(gaps.size());
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i) values.insert(values.end(), open + classes, open + classes + units);
  nn::TimeInputs::State<float> times;
  const NextTimes next(start, gaps, most_gap_);
  model_.next_times().forward(times, next.view(), next.source, layout, parameters_);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const nn::Tensor& weights = layout[place.hidden->time_weights()[i]];
    for (std::size_t e = 0; e < gaps.size(); ++e) {  // of times that are equal one vector may stand for all
      const auto at = times[i].shared ? times[i].distinct.index()[e] : static_cast<int32_t>(e);
      const Matrix<float> vector{times[i].value.data() + at * weights.rows, weights.rows};
      matmul(values.data() + static_cast<int64_t>(e) * units, units, vector,
             Matrix<float>{parameters_.data(weights), units}, 1, units, weights.rows, 1);
    }
  }
  kernels::squash(values.data(), count * units);
  logits.clear();
  for (int64_t i = 0; i < count; ++i) logits.insert(logits.end(), open, open + classes);
  matmul(logits.data(), classes, Matrix<float>{values.data(), units},
         Matrix<float>{parameters_.data(layout[place.hidden_weights]), classes}, count, classes, units, 1);
}

double TimedHead::marginal(std::span<double> probabilities, const float* open, double start,
                           const nn::GapMixture& when) const {
  std::vector<double> gaps = when.middles(kGapNodes);
  gaps.push_back(0);  // of the atom
  std::vector<float> all;
  logits(all, open, start, gaps);
  const auto classes = static_cast<std::size_t>(model_.outputs(head_));
  const auto some = static_cast<int64_t>(probabilities.size());
  std::vector<double> halves[2] = {std::vector<double>(probabilities.size()),
                                   std::vector<double>(probabilities.size())};
  std::vector<double> row(probabilities.size());
  std::ranges::fill(probabilities, 0.0);
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(i * classes), row.size(), row.begin());
    kernels::softmax(row.data(), row.data(), some);
    const bool atom = i + 1 == gaps.size();
    const double weight = atom ? when.atom() : (1 - when.atom()) / static_cast<double>(kGapNodes);
    for (std::size_t c = 0; c < row.size(); ++c) {
      probabilities[c] += weight * row[c];
      if (!atom) halves[i % 2][c] += 2 * weight * row[c];
    }
  }
  double difference = 0;
  for (std::size_t c = 0; c < row.size(); ++c) {
    difference = std::max(difference, std::abs(halves[0][c] - halves[1][c]));
  }
  return difference / 2;
}

}  // namespace t2v
