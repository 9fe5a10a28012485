#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/thread_pool.h"
#include "comm/communicator.h"
#include "data/batches.h"
#include "data/events.h"
#include "data/pieces.h"
#include "model/baselines.h"
#include "model/model.h"
#include "model/trained_model.h"
#include "train/metrics.h"
#include "train/piece_measures.h"

namespace t2v {

/// How a model is measured. The single source of the options' names and defaults.
struct EvaluationConfig {
  std::vector<int64_t> at = {};  // lengths of lists; if none: 1, 3, 5, and for kRecommend 5, 10, 20
  int64_t negatives = 100;       // kRecommend: candidates beside the target, where they are drawn
  int64_t draws = 20;            // kRecommend: of candidates for each prediction
  uint64_t seed = 1;             // of the draws
  int64_t batch = 256;           // sequences at once
  bool distributions = true;     // of gaps also what takes long: quantiles, and the table 'joint'
};

/// How a measure is written.
enum class MeasureForm : uint8_t { kShare, kNumber, kCount };

struct MeasureColumn {
  std::string name;
  MeasureForm form = MeasureForm::kShare;
  std::string unit = {};
};

/// Measures of a model, in the first row, and of the baselines, over the same predictions.
struct MeasureTable {
  struct Row {
    std::string name;
    std::vector<double> values;  // one a column; NaN where there is none
  };
  std::string name;  // joint, classes, types, candidates, values or gaps
  int64_t predictions = 0;
  std::vector<MeasureColumn> columns = {};
  std::vector<Row> rows = {};

  /// Throws t2v::Error if there is no such row or column.
  double at(std::string_view row, std::string_view column) const;
};

struct Evaluation {
  Task task = Task::kNext;
  int64_t sequences = 0;  // pieces
  int64_t events = 0;
  EvaluationConfig config;
  std::vector<MeasureTable> tables;
  std::vector<std::string> classes;  // their names, for kClassify
  std::vector<Confusion> confusion;  // of the model, for kClassify

  /// Throws t2v::Error if there is no such table.
  const MeasureTable& table(std::string_view name) const;
};

/// Measures a model, and the baselines (which may be empty), on pieces of a data set that has the unit and
/// origin of the model (fit_to_model). Values are in the unit of the data, gaps in that of the model's times.
/// Equal bits for any number of threads and of ranks, which share the batches; the measures are on rank 0
/// alone. Memory: a few numbers for each prediction. `meanwhile` is called after each batch, on the calling
/// thread; what it throws ends the evaluation. `each` gets the measures of each piece, in order, of one rank.
/// Throws t2v::Error if the data do not fit the model, or there is nothing to predict.
Evaluation evaluate(const TrainedModel& trained, const Model& model, const Baselines& baselines,
                    const data::Events& events, const std::vector<data::Piece>& pieces,
                    const EvaluationConfig& config, ThreadPool& pool,
                    comm::Communicator& ranks = comm::only_rank(),
                    const std::function<void()>& meanwhile = {}, const PieceConsumer& each = {});

nlohmann::json to_json(const Evaluation& evaluation);
/// Tables for people.
std::string describe(const Evaluation& evaluation);

/// The batches that a model is measured on, with what is to be predicted.
data::BatchConfig measuring_batches(const TrainedModel& trained, int64_t batch);

/// The one measure of a task by which models are compared while they are trained: accuracy for kClassify and
/// kNext (recall@1), recall@10 over all types for kRecommend, the root mean squared error for kRegress and
/// kForecast.
struct MainMeasure {
  std::string_view name;
  bool higher_is_better;
};
MainMeasure main_measure(Task task);

struct Score {
  double loss = 0;     // the mean over all predictions, of all heads by their weights; without penalties
  double measure = 0;  // the main measure; values in the unit of the data
  int64_t predictions = 0;
};

/// The loss and the main measure in one pass over batches (made with measuring_batches). The parameters are
/// those of a model in training, so not taken from `trained`. Nothing if `stop`, asked often, ended it on any
/// rank. The ranks share the batches; all get the score.
std::optional<Score> validation_score(const TrainedModel& trained, const Model& model,
                                      const nn::Parameters<float>& parameters, const data::Batches& batches,
                                      Workspace<float>& work, ThreadPool& pool,
                                      const std::function<bool()>& stop = {},
                                      comm::Communicator& ranks = comm::only_rank());

}  // namespace t2v
