#include "train/prediction_records.h"

#include <algorithm>

#include "base/fail.h"
#include "model/timed_head.h"
#include "nn/when.h"
#include "train/gather_records.h"

namespace t2v {
namespace {

using nn::TargetKind;

/// How many targets of this kind a batch has.
std::size_t targets_in(const SequenceBatch& batch, TargetKind kind, bool each) {
  switch (kind) {
    case TargetKind::kClass:
      return each ? batch.next_events.size() : batch.labels.size();
    case TargetKind::kValue:
      return batch.values.size();
    case TargetKind::kGap:
      return batch.next_gaps.size();
  }
  return 0;
}

}  // namespace

HeadRecords::HeadRecords(const nn::HeadConfig& head, bool medians, std::optional<double> threshold,
                         double grid)
    : head_(head),
      kind_(&nn::head_from(head)),
      targets_(head),
      medians_(medians),
      threshold_(threshold),
      grid_(grid) {}

void HeadRecords::start(const SequenceBatch& batch) {
  const auto places = static_cast<std::size_t>(targets_.places(batch));
  const std::size_t there = targets_in(batch, kind(), at_each_event());
  if (there != places) {
    fail("the head '{}' of the model has {} places to predict, but its task has {}", head_.kind, places,
         there);
  }
  slots_.assign(places, -1);
  for (std::size_t place = 0; place < places; ++place) {
    nn::Target target{};
    if (!targets_.get(target, batch, static_cast<int64_t>(place))) continue;
    check(target);
    slots_[place] = count();
    wanted_.push_back(target);
    losses_.push_back(0);
  }
  grow();
}

void HeadRecords::check(const nn::Target& target) const {
  if (kind() == TargetKind::kClass && target.label >= head_.classes) {
    fail("a class to be predicted is {}, but the head '{}' has {}", target.label, head_.kind, head_.classes);
  }
  if (kind() == TargetKind::kGap && !(target.value > 0) && !(head_.atom && target.value == 0)) {
    fail("a gap to be predicted is {}, but all gaps that the model learned from were above 0", target.value);
  }
}

void HeadRecords::grow() {
  switch (kind()) {
    case TargetKind::kClass:
      at_each_event() ? ranks.resize(losses_.size()) : classes.resize(losses_.size());
      return;
    case TargetKind::kValue:
      return values.resize(losses_.size());
    case TargetKind::kGap:
      return gaps.resize(losses_.size());
  }
}

void HeadRecords::record(int64_t place, const float* outputs) {
  if (slot_of(place) < 0) return;
  const auto slot = static_cast<std::size_t>(slot_of(place));
  const nn::Target& target = wanted_[slot];
  const double loss = kind_->functions.get<float>().loss(nullptr, outputs, head_, target, 1);
  losses_[slot] = loss;
  switch (kind()) {
    case TargetKind::kClass:
      if (at_each_event()) {
        ranks[slot] = rank_record(outputs, target, loss);
      } else {
        classes[slot] = class_record(outputs, target, loss);
      }
      return;
    case TargetKind::kValue:
      values[slot] = {target.value, static_cast<double>(outputs[0])};
      return;
    case TargetKind::kGap:
      gaps[slot] = gap_record(outputs, target, loss);
      return;
  }
}

ClassRecord HeadRecords::class_record(const float* outputs, const nn::Target& target, double loss) const {
  std::vector<float> probabilities(static_cast<std::size_t>(head_.classes));
  nn::class_probabilities(probabilities.data(), outputs, head_);
  const auto top = std::ranges::max_element(probabilities);
  ClassRecord record{static_cast<int32_t>(target.label), static_cast<int32_t>(top - probabilities.begin())};
  record.loss = loss;
  for (std::size_t c = 0; c < probabilities.size(); ++c) {
    const double error =
        static_cast<double>(probabilities[c]) - (static_cast<int64_t>(c) == target.label ? 1 : 0);
    record.brier += error * error;
  }
  if (head_.classes == 2) record.second = static_cast<double>(probabilities[1]);
  if (threshold_) record.predicted = record.second >= *threshold_ ? 1 : 0;
  record.confidence = static_cast<double>(probabilities[static_cast<std::size_t>(record.predicted)]);
  return record;
}

RankRecord HeadRecords::rank_record(const float* outputs, const nn::Target& target, double loss) const {
  const float both[2] = {0, outputs[0]};  // of a logistic head
  const std::span<const float> scores =
      head_.kind == "logistic" ? std::span<const float>(both)
                               : std::span<const float>(outputs, static_cast<std::size_t>(head_.classes));
  RankRecord record = rank_of(scores, target.label);
  record.loss = loss;
  return record;
}

GapRecord HeadRecords::gap_record(const float* outputs, const nn::Target& target, double loss) const {
  GapRecord record;
  record.gap = target.value;
  record.loss = loss;
  if (!medians_) return record;
  const nn::GapMixture mixture(outputs, head_);
  record.median = mixture.median();
  record.share_below = mixture.share_below(target.value);
  record.mean = mixture.mean();
  std::vector<double> quantiles;
  for (int64_t i = 0; i < kGapNodes; ++i) {
    quantiles.push_back(mixture.quantile((static_cast<double>(i) + 0.5) / static_cast<double>(kGapNodes)));
  }
  record.crps = crps_of(quantiles, target.value);
  if (grid_ > 0) record.cell_loss = mixture.cell_loss(target.value, grid_);
  return record;
}

double HeadRecords::mean_loss() const {
  double sum = 0;
  double weights = 0;
  for (std::size_t i = 0; i < losses_.size(); ++i) {
    const double weight = targets_.weight(wanted_[i]);
    sum += weight * losses_[i];
    weights += weight;
  }
  return sum / weights;
}

void HeadRecords::gather(comm::Communicator& others) {
  gather_records(others, wanted_);
  gather_records(others, losses_);
  gather_records(others, classes);
  gather_records(others, ranks);
  gather_records(others, values);
  gather_records(others, gaps);
}

bool record_predictions(std::vector<HeadRecords>& heads, const Model& model,
                        const nn::Parameters<float>& parameters, const data::Batches& batches,
                        Workspace<float>& work, ThreadPool& pool,
                        const std::function<void(const data::Batch&)>& done,
                        const std::function<bool()>& stop, Share share) {
  const Model::Consumer<float> consumer = [&](std::size_t head, int64_t place, const float* outputs) {
    heads[head].record(place, outputs);
  };
  data::Batch batch;
  const IndexRange range = share.of(batches.count());
  const StopScope scope(pool, stop);
  try {
    for (int64_t i = range.begin; i < range.end; ++i) {
      if (stop && stop()) return false;
      batches.make(i, batch);
      for (HeadRecords& head : heads) head.start(batch.view());
      model.visit_outputs<float>(consumer, parameters, batch.view(), work, pool);
      if (done) done(batch);
    }
  } catch (const Stopped&) {
    if (!stop) throw;
    return false;
  }
  return true;
}

}  // namespace t2v
