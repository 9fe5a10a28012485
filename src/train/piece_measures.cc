#include "train/piece_measures.h"

#include <cmath>
#include <limits>

namespace t2v {
namespace {

using nn::TargetKind;

/// Of one prediction; over all of them its mean is the measure.
double measure_of(const HeadRecords& head, std::size_t slot, double std) {
  switch (head.kind()) {
    case TargetKind::kClass:
      if (head.at_each_event()) return 1 / static_cast<double>(head.ranks[slot].rank);
      return head.classes[slot].predicted == head.classes[slot].target ? 1 : 0;
    case TargetKind::kValue:
      return std * std::abs(head.values[slot].predicted - head.values[slot].target);
    case TargetKind::kGap:
      return std::abs(head.gaps[slot].median - head.gaps[slot].gap);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::string measure_of_pieces(const nn::HeadConfig& head) {
  const HeadRecords records(head, false);
  switch (records.kind()) {
    case TargetKind::kClass:
      return records.at_each_event() ? "MRR" : "accuracy";
    case TargetKind::kValue:
      return "MAE";
    case TargetKind::kGap:
      return "MAE of median";
  }
  return "";
}

void measure_pieces(const HeadRecords& head, const data::Batch& batch, double std,
                    const PieceConsumer& consumer) {
  for (std::size_t b = 0; b < batch.pieces.size(); ++b) {
    const int64_t begin = head.at_each_event() ? batch.offsets[b] : static_cast<int64_t>(b);
    const int64_t end = head.at_each_event() ? batch.offsets[b + 1] : begin + 1;
    PieceMeasures measures{batch.pieces[b], 0, 0, 0};
    for (int64_t place = begin; place < end; ++place) {
      if (head.slot_of(place) < 0) continue;
      const auto slot = static_cast<std::size_t>(head.slot_of(place));
      ++measures.predictions;
      measures.loss += head.loss_of(slot);
      measures.measure += measure_of(head, slot, std);
    }
    // 0 / 0 is NaN, which says that there was nothing.
    measures.loss /= static_cast<double>(measures.predictions);
    measures.measure /= static_cast<double>(measures.predictions);
    consumer(measures);
  }
}

}  // namespace t2v
