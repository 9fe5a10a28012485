#include "model/targets.h"

#include <cmath>

#include "base/fail.h"

namespace t2v {

using nn::TargetKind;

Targets::Targets(const nn::HeadConfig& head)
    : head_(head), kind_(nn::head_from(head).target), each_(head.each_step || kind_ == TargetKind::kGap) {}

bool Targets::get(nn::Target& target, const SequenceBatch& batch, int64_t place) const {
  const auto at = static_cast<std::size_t>(place);
  switch (kind_) {
    case TargetKind::kClass:
      target = {each_ ? batch.next_events[at] : batch.labels[at], 0};
      return target.label >= 0;
    case TargetKind::kValue:
      target = {0, static_cast<double>(batch.values[at])};
      return !std::isnan(target.value);
    case TargetKind::kGap:
      target = {0, batch.next_gaps[at]};
      return !std::isnan(target.value);
  }
  return false;
}

double Targets::weight(const nn::Target& target) const {
  return head_.class_weights.empty() ? 1 : head_.class_weights[static_cast<std::size_t>(target.label)];
}

void Targets::check_size(const SequenceBatch& batch) const {
  const auto check = [&](std::size_t count, const char* name) {
    if (static_cast<int64_t>(count) == places(batch)) return;
    fail("the batch has {} {} for {} {}", count, name, places(batch), each_ ? "events" : "sequences");
  };
  switch (kind_) {
    case TargetKind::kClass:
      return each_ ? check(batch.next_events.size(), "next events") : check(batch.labels.size(), "labels");
    case TargetKind::kValue:
      return check(batch.values.size(), "values");
    case TargetKind::kGap:
      return check(batch.next_gaps.size(), "gaps");
  }
}

void Targets::check_target(const nn::Target& target, bool there, int64_t place) const {
  const char* what = each_ ? "event" : "sequence";
  switch (kind_) {
    case TargetKind::kClass:
      if (target.label >= head_.classes || (!there && !each_)) {
        fail("the label of {} {} is {}, not one of 0..{}", what, place, target.label, head_.classes - 1);
      }
      return;
    case TargetKind::kValue:
      if (there && !std::isfinite(target.value)) fail("the value of {} {} is {}", what, place, target.value);
      return;
    case TargetKind::kGap:
      if (there && head_.atom && target.value == 0) return;
      if (there && !(target.value > 0 && std::isfinite(target.value))) {
        fail("the gap after event {} is {}; it must be positive", place, target.value);
      }
      return;
  }
}

void Targets::count(std::span<int64_t> counts, const SequenceBatch& batch,
                    std::span<const int32_t> sequences) const {
  check_size(batch);
  for (const int32_t sequence : sequences) {
    const auto b = static_cast<std::size_t>(sequence);
    const int64_t begin = each_ ? batch.offsets[b] : sequence;
    const int64_t end = each_ ? batch.offsets[b + 1] : sequence + 1;
    for (int64_t place = begin; place < end; ++place) {
      nn::Target target{};
      const bool there = get(target, batch, place);
      check_target(target, there, place);
      if (there) ++counts[kinds() == 1 ? 0 : static_cast<std::size_t>(target.label)];
    }
  }
}

double Targets::weight_of(std::span<const int64_t> counts) const {
  double sum = 0;
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    const double weight = head_.class_weights.empty() ? 1 : head_.class_weights[kind];
    sum += weight * static_cast<double>(counts[kind]);
  }
  if (!(sum > 0)) fail("the batch has nothing to predict for the head '{}'", head_.kind);
  return sum;
}

}  // namespace t2v
