#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "comm/communicator.h"
#include "data/batches.h"
#include "data/events.h"
#include "data/pieces.h"
#include "model/baselines.h"
#include "model/trained_model.h"
#include "nn/when.h"
#include "train/metrics.h"
#include "train/prediction_records.h"

namespace t2v {

/// Records of a predictor, of the places of a head.
template <class Record>
struct PredictorRecords {
  std::string name;
  std::vector<Record> records = {};
};

/// What the baselines predict where a head of a model does. Each knows what the model knows: the piece up to
/// the place. All that is given must outlive it.
class BaselineRecords {
 public:
  BaselineRecords(const Baselines& baselines, const TrainedModel& trained, const data::Events& events,
                  const HeadRecords& head);

  /// Adds the places of the head's last batch, made of these pieces.
  void add(const data::Batch& batch, const std::vector<data::Piece>& pieces);

  /// Appends the records of all other ranks to those of rank 0.
  void gather(comm::Communicator& others);

  std::vector<PredictorRecords<ClassRecord>> classes;
  std::vector<PredictorRecords<RankRecord>> ranks;
  std::vector<PredictorRecords<ValueRecord>> values;  // in the unit of the data
  std::vector<PredictorRecords<GapRecord>> gaps;

 private:
  void name_values();
  int32_t code_of(int64_t event) const;
  void add_sequence(const data::Piece& piece, int64_t place);
  void add_types(const data::Piece& piece, int64_t place);
  void add_values(const data::Piece& piece, int64_t place);
  void add_value(int64_t sequence, int64_t event);
  void add_gaps(const data::Piece& piece, int64_t place);
  void add_gap(double gap, double last, std::vector<double>& own);

  const Baselines& baselines_;
  const data::Events& events_;
  const HeadRecords& head_;
  data::ValueTarget target_;
  TypeRanking ranking_;
  TypePast types_;
  ValuePast values_;
  std::vector<int32_t> codes_;  // of the encoding, for those of the data
  int32_t unknown_ = -1;
  double grid_ = 0;                       // of the times, in units
  std::optional<nn::GapMixture> always_;  // the log-normal distribution of all gaps
  std::vector<double> quantiles_;         // in the middle of shares of equal size
};

}  // namespace t2v
