#include "train/baseline_records.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "model/timed_head.h"
#include "train/gather_records.h"

namespace t2v {
namespace {

using data::Piece;
using data::ValueTarget;
using nn::TargetKind;

std::size_t at_of(int64_t i) { return static_cast<std::size_t>(i); }

RankRecord record_of(const TypeRank& rank) { return {rank.rank, 0, rank.loss}; }

/// Of all gaps, as a distribution.
nn::GapMixture log_normal_of(const Baselines& baselines) {
  nn::HeadConfig form;
  form.kind = "when";
  form.components = 1;
  form.atom = baselines.gap.size() == 3;
  const double zeros = form.atom ? baselines.gap[2] : 0.5;
  const float z[] = {0, static_cast<float>(baselines.gap[0]), static_cast<float>(std::log(baselines.gap[1])),
                     static_cast<float>(std::log(zeros / (1 - zeros)))};
  return {z, form};
}

ValuePast value_past(const Baselines& baselines) {
  return baselines.value.empty() ? ValuePast(0, 0) : ValuePast(baselines.mean(), baselines.season());
}

}  // namespace

BaselineRecords::BaselineRecords(const Baselines& baselines, const TrainedModel& trained,
                                 const data::Events& events, const HeadRecords& head)
    : baselines_(baselines),
      events_(events),
      head_(head),
      target_(trained.values),
      ranking_(baselines),
      types_(trained.encoding.event_types()),
      values_(value_past(baselines)),
      grid_(trained.times.grid) {
  const bool of_classes = head.kind() == TargetKind::kClass;
  if (of_classes && !head.at_each_event() && !baselines.classes.empty()) classes = {{"majority class"}};
  if (of_classes && head.at_each_event() && !baselines.popularity.empty()) {
    ranks = {{"popularity"}, {"own frequencies"}, {"Markov chain"}};
    codes_ = data::codes_of(*trained.encoding.event, events.event->names);
    unknown_ = trained.encoding.event->unknown_code();
  }
  if (head.kind() == TargetKind::kValue && !baselines.value.empty()) name_values();
  if (head.kind() == TargetKind::kGap && !baselines.gap.empty()) {
    gaps = {{"log-normal"}, {"last gap"}, {"own median"}};
    always_.emplace(log_normal_of(baselines));
    for (int64_t i = 0; i < kGapNodes; ++i) {
      quantiles_.push_back(
          always_->quantile((static_cast<double>(i) + 0.5) / static_cast<double>(kGapNodes)));
    }
  }
}

void BaselineRecords::name_values() {
  values = {{"mean"}};
  if (target_ == ValueTarget::kOfSequence) return;
  // A model of the value of an event itself sees no values.
  const std::string note = target_ == ValueTarget::kOfEvent ? " (sees values)" : "";
  values.push_back({"last value" + note});
  if (baselines_.season() > 0) values.push_back({"one season ago" + note});
}

void BaselineRecords::add(const data::Batch& batch, const std::vector<Piece>& pieces) {
  for (std::size_t b = 0; b < batch.pieces.size(); ++b) {
    const Piece& piece = pieces[at_of(batch.pieces[b])];
    if (!head_.at_each_event()) {
      add_sequence(piece, static_cast<int64_t>(b));
    } else if (!ranks.empty()) {
      add_types(piece, batch.offsets[b]);
    } else if (!values.empty()) {
      add_values(piece, batch.offsets[b]);
    } else if (!gaps.empty()) {
      add_gaps(piece, batch.offsets[b]);
    }
  }
}

void BaselineRecords::gather(comm::Communicator& others) {
  for (auto& predictor : classes) gather_records(others, predictor.records);
  for (auto& predictor : ranks) gather_records(others, predictor.records);
  for (auto& predictor : values) gather_records(others, predictor.records);
  for (auto& predictor : gaps) gather_records(others, predictor.records);
}

void BaselineRecords::add_sequence(const Piece& piece, int64_t place) {
  if (head_.slot_of(place) < 0) return;
  if (!classes.empty()) {
    const auto top = std::ranges::max_element(baselines_.classes);
    const int32_t label = head_.classes[at_of(head_.slot_of(place))].target;
    const auto squares = std::inner_product(baselines_.classes.begin(), baselines_.classes.end(),
                                            baselines_.classes.begin(), 0.0);
    const double share = baselines_.classes[at_of(label)];
    const double second = baselines_.classes.size() == 2 ? baselines_.classes[1] : -1;
    classes[0].records.push_back({label, static_cast<int32_t>(top - baselines_.classes.begin()), *top,
                                  -std::log(share), squares - 2 * share + 1, second});
  }
  if (!values.empty()) {
    values[0].records.push_back({events_.target->values[at_of(piece.sequence)], baselines_.mean()});
  }
}

int32_t BaselineRecords::code_of(int64_t event) const {
  return codes_[at_of(events_.event->codes[at_of(event)])];
}

void BaselineRecords::add_types(const Piece& piece, int64_t place) {
  types_.clear();
  for (int64_t e = piece.begin; e < piece.end; ++e, ++place) {
    const int32_t own = code_of(e);
    if (own != unknown_) types_.add(own);
    if (head_.slot_of(place) < 0) continue;
    const int32_t next = code_of(e + 1);
    ranks[0].records.push_back(record_of(ranking_.by_popularity(next)));
    ranks[1].records.push_back(record_of(ranking_.by_past(next, types_.counts())));
    ranks[2].records.push_back(record_of(ranking_.by_markov(next, own)));
  }
}

void BaselineRecords::add_values(const Piece& piece, int64_t place) {
  values_.clear();
  const bool of_next = target_ == ValueTarget::kOfNextEvent;
  for (int64_t e = piece.begin; e < piece.end; ++e, ++place) {
    const auto remember = [&] {
      values_.add(events_.time(piece.sequence, e), events_.value->values[at_of(e)]);
    };
    if (of_next) remember();
    if (head_.slot_of(place) >= 0) add_value(piece.sequence, of_next ? e + 1 : e);
    if (!of_next) remember();
  }
}

void BaselineRecords::add_value(int64_t sequence, int64_t event) {
  const double target = events_.value->values[at_of(event)];
  values[0].records.push_back({target, baselines_.mean()});
  values[1].records.push_back({target, values_.last()});
  if (values.size() < 3) return;
  values[2].records.push_back({target, values_.one_season_before(events_.time(sequence, event))});
}

void BaselineRecords::add_gaps(const Piece& piece, int64_t place) {
  std::vector<double> own;  // gaps of the sequence so far, ascending
  double last = always_->median();
  for (int64_t e = piece.begin; e < piece.end; ++e, ++place) {
    if (e > piece.begin) {
      last = events_.view.at(events_.tick(e), events_.tick(e - 1));
      own.insert(std::ranges::upper_bound(own, last), last);
    }
    if (head_.slot_of(place) >= 0) add_gap(head_.gaps[at_of(head_.slot_of(place))].gap, last, own);
  }
}

void BaselineRecords::add_gap(double gap, double last, std::vector<double>& own) {
  const GapPrediction said = predict_gap(baselines_, gap);
  GapRecord record{gap, said.loss, said.median, said.share_below, said.mean, crps_of(quantiles_, gap)};
  if (grid_ > 0) record.cell_loss = always_->cell_loss(gap, grid_);
  gaps[0].records.push_back(record);
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  const auto add_point = [&](std::size_t rule, double point) {
    gaps[rule].records.push_back({gap, kNothing, point, kNothing, point, std::abs(point - gap)});
  };
  add_point(1, last);
  add_point(2, own.empty() ? last : own[own.size() / 2]);
}

}  // namespace t2v
