#include "train/joint_records.h"

#include <algorithm>
#include <cmath>

#include "kernels/losses.h"
#include "model/prediction.h"
#include "model/typed_gaps.h"
#include "nn/when.h"
#include "train/gather_records.h"

namespace t2v {
namespace {

std::size_t index_of_place(int64_t i) { return static_cast<std::size_t>(i); }

/// Where a batch has both a type and a gap to predict: the slot of each event's record, -1 for none.
std::vector<int64_t> slots_of(const SequenceBatch& batch, int64_t first) {
  std::vector<int64_t> slots;
  for (std::size_t e = 0; e < batch.next_events.size(); ++e) {
    const bool there = batch.next_events[e] >= 0 && !std::isnan(batch.next_gaps[e]);
    slots.push_back(there ? first++ : -1);
  }
  return slots;
}

template <class Row>
double is_largest(const Row& row, int32_t target) {
  return std::ranges::max_element(row) - row.begin() == target ? 1 : 0;
}

}  // namespace

JointMeasures joint_measures(std::span<const JointRecord> records) {
  JointMeasures measures;
  measures.count = static_cast<int64_t>(records.size());
  for (const JointRecord& record : records) {
    measures.nll += record.loss;
    measures.accuracy_given_time += record.given;
    measures.accuracy += record.without;
    measures.error = std::max(measures.error, record.error);
  }
  const auto count = static_cast<double>(records.size());
  for (double* mean : {&measures.nll, &measures.accuracy_given_time, &measures.accuracy}) *mean /= count;
  return measures;
}

JointRecords::JointRecords(const TrainedModel& trained, const Model& model, const Baselines& baselines)
    : trained_(trained),
      network_(model),
      baselines_(baselines),
      head_(model, trained.parameters, 0),
      when_(index_of_place(find_head(trained.config, "when"))) {}

void JointRecords::add(const SequenceBatch& batch, Workspace<float>& work, ThreadPool& pool) {
  const std::vector<int64_t> slots = slots_of(batch, static_cast<int64_t>(model_records_.size()));
  const auto count = std::ranges::count_if(slots, [](int64_t slot) { return slot >= 0; });
  model_records_.resize(model_records_.size() + static_cast<std::size_t>(count));
  const int64_t width = network_.outputs(when_);
  when_outputs_.resize(slots.size() * index_of_place(width));
  work.open = true;
  network_.visit_outputs<float>(
      [&](std::size_t head, int64_t place, const float* outputs) {
        const int64_t slot = slots[index_of_place(place)];
        if (slot < 0) return;
        if (head == when_) std::copy_n(outputs, width, when_outputs_.begin() + place * width);
        if (head == 0) record(model_records_[index_of_place(slot)], index_of_place(place), outputs, batch);
      },
      trained_.parameters, batch, work, pool);
  if (!baselines_.type_gaps.empty()) add_rule(batch);
}

void JointRecords::record(JointRecord& record, std::size_t event, const float* open,
                          const SequenceBatch& batch) const {
  const auto width = index_of_place(network_.outputs(when_));
  const nn::GapMixture when(when_outputs_.data() + event * width, trained_.config.heads[when_]);
  const double gap = batch.next_gaps[event];
  const double start = batch.times[static_cast<std::size_t>(TimeInput::kStart)][event];
  const int32_t target = batch.next_events[event];
  const auto answers = index_of_place(answers_of(trained_, trained_.config.heads[0]));
  std::vector<float> logits;
  head_.logits(logits, open, start, {&gap, 1});
  const auto classes = static_cast<int64_t>(logits.size());
  record.loss = when.loss(gap) + kernels::softmax_loss(static_cast<float*>(nullptr), logits.data(), classes,
                                                       static_cast<int64_t>(target), 1.0F);
  logits.resize(answers);
  record.given = is_largest(logits, target);
  std::vector<double> probabilities(answers);
  record.error = head_.marginal(probabilities, open, start, when);
  record.without = is_largest(probabilities, target);
}

void JointRecords::add_rule(const SequenceBatch& batch) {
  const TypedGaps rule(baselines_);
  for (std::size_t e = 0; e < batch.next_events.size(); ++e) {
    if (batch.next_events[e] < 0 || std::isnan(batch.next_gaps[e])) continue;
    const TypedGaps::Said said = rule.after(batch.events[e], batch.next_events[e], batch.next_gaps[e]);
    rule_records_.push_back({said.loss, said.given ? 1.0 : 0.0, said.without ? 1.0 : 0.0, 0});
  }
}

void JointRecords::gather(comm::Communicator& others) {
  gather_records(others, model_records_);
  gather_records(others, rule_records_);
}

}  // namespace t2v
