#include "train/evaluation.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "base/fail.h"
#include "base/named.h"
#include "train/baseline_records.h"
#include "train/joint_records.h"
#include "train/prediction_records.h"

namespace t2v {
namespace {

using data::Piece;
using nn::TargetKind;
using Row = MeasureTable::Row;

/// Adds what `values_of` makes of the records of the model, then of each other predictor.
template <class Record, class Function>
void add_rows(MeasureTable& table, const std::vector<Record>& model,
              const std::vector<PredictorRecords<Record>>& others, Function values_of) {
  table.predictions = static_cast<int64_t>(model.size());
  table.rows.push_back({"model", values_of(std::span<const Record>(model))});
  for (const auto& other : others) {
    table.rows.push_back({other.name, values_of(std::span<const Record>(other.records))});
  }
}

MeasureTable class_table(const HeadRecords& model, const BaselineRecords& others) {
  MeasureTable table{.name = "classes"};
  table.columns = {{"accuracy"},
                   {"macro F1"},
                   {"log loss", MeasureForm::kNumber, "nats"},
                   {"calibration error"},
                   {"Brier"}};
  const bool two = model.head().classes == 2;
  if (two) table.columns.insert(table.columns.end(), {{"AUC"}, {"average precision"}});
  add_rows(table, model.classes, others.classes, [&](std::span<const ClassRecord> records) {
    const ClassMeasures m = class_measures(records);
    std::vector<double> values = {m.accuracy, m.macro_f1, m.log_loss, m.calibration_error, m.brier};
    if (two) values.insert(values.end(), {m.auc, m.average_precision});
    return values;
  });
  return table;
}

MeasureTable type_table(const HeadRecords& model, const BaselineRecords& others,
                        const std::vector<int64_t>& at) {
  MeasureTable table{.name = "types"};
  for (const int64_t q : at) table.columns.push_back({fmt::format("recall@{}", q)});
  for (const int64_t q : at) table.columns.push_back({fmt::format("MRR@{}", q)});
  table.columns.push_back({"MRR"});
  table.columns.push_back({"log loss", MeasureForm::kNumber, "nats"});
  table.columns.push_back({"tied", MeasureForm::kCount});
  add_rows(table, model.ranks, others.ranks, [&](std::span<const RankRecord> records) {
    const RankMeasures m = rank_measures(records, at);
    std::vector<double> values = m.recall;
    values.insert(values.end(), m.mrr_at.begin(), m.mrr_at.end());
    values.insert(values.end(), {m.mrr, m.log_loss, static_cast<double>(m.tied)});
    return values;
  });
  return table;
}

/// Among drawn candidates; and what that is on average.
MeasureTable candidate_table(const HeadRecords& model, const BaselineRecords& others,
                             const EvaluationConfig& config, ThreadPool& pool) {
  MeasureTable table{.name = "candidates"};
  for (const char* measure : {"recall", "MRR"}) {
    for (const int64_t q : config.at) {
      table.columns.push_back({fmt::format("{}@{} drawn", measure, q)});
      table.columns.push_back({fmt::format("{}@{} exact", measure, q)});
    }
  }
  const CandidateConfig candidates{model.head().classes, config.negatives, config.draws, config.seed};
  add_rows(table, model.ranks, others.ranks, [&](std::span<const RankRecord> records) {
    const CandidateMeasures drawn = sampled_measures(records, config.at, candidates, pool);
    const CandidateMeasures exact = expected_measures(records, config.at, candidates);
    std::vector<double> values;
    for (std::size_t i = 0; i < config.at.size(); ++i) {
      values.insert(values.end(), {drawn.recall[i], exact.recall[i]});
    }
    for (std::size_t i = 0; i < config.at.size(); ++i) {
      values.insert(values.end(), {drawn.mrr_at[i], exact.mrr_at[i]});
    }
    return values;
  });
  return table;
}

/// The scale that a model's values are standardised by.
const data::NumberFeature& scale_of(const TrainedModel& trained) {
  const bool of_sequence = trained.values == data::ValueTarget::kOfSequence;
  const auto& scale = of_sequence ? trained.encoding.target_scale : trained.encoding.value_scale;
  if (!scale) fail("the model does not say in which unit it predicts values; train it again");
  return *scale;
}

std::vector<ValueRecord> in_unit_of_the_data(std::vector<ValueRecord> records,
                                             const data::NumberFeature& scale) {
  for (ValueRecord& record : records) {
    record = {record.target * scale.std + scale.mean, record.predicted * scale.std + scale.mean};
  }
  return records;
}

MeasureTable value_table(const HeadRecords& model, const BaselineRecords& others,
                         const TrainedModel& trained) {
  const data::NumberFeature& scale = scale_of(trained);
  const std::string unit = fmt::format("of {}", scale.name);
  MeasureTable table{.name = "values"};
  table.columns = {
      {"RMSE", MeasureForm::kNumber, unit}, {"MAE", MeasureForm::kNumber, unit}, {"variance left"}};
  add_rows(table, in_unit_of_the_data(model.values, scale), others.values,
           [](std::span<const ValueRecord> records) {
             const ValueMeasures m = value_measures(records);
             return std::vector<double>{m.rmse, m.mae, m.variance_left};
           });
  return table;
}

MeasureTable gap_table(const HeadRecords& model, const BaselineRecords& others, const ModelTimes& times) {
  MeasureTable table{.name = "gaps"};
  const std::string unit = times.view.unit == "1" ? "units of time" : times.view.unit;
  table.columns = {
      {"NLL", MeasureForm::kNumber, "nats"},         {"NLL of cell", MeasureForm::kNumber, "nats"},
      {"MAE of median", MeasureForm::kNumber, unit}, {"RMSE of mean", MeasureForm::kNumber, unit},
      {"CRPS", MeasureForm::kNumber, unit},          {"PIT error"}};
  for (const double p : kQuantiles) table.columns.push_back({fmt::format("below {:.0f} %", 100 * p)});
  add_rows(table, model.gaps, others.gaps, [](std::span<const GapRecord> records) {
    const GapMeasures m = gap_measures(records);
    return std::vector<double>{m.nll,       m.cell_nll, m.mae_of_median, m.rmse_of_mean, m.crps,
                               m.pit_error, m.below[0], m.below[1],      m.below[2]};
  });
  return table;
}

/// What and when together, as the field has it.
MeasureTable joint_table(const JointRecords& joint) {
  MeasureTable table{.name = "joint"};
  table.columns = {{"joint NLL", MeasureForm::kNumber, "nats"},
                   {"accuracy given time"},
                   {"accuracy"},
                   {"quadrature error", MeasureForm::kNumber}};
  table.predictions = static_cast<int64_t>(joint.model().size());
  const auto add = [&](const char* name, const std::vector<JointRecord>& records) {
    const JointMeasures m = joint_measures(records);
    table.rows.push_back({name, {m.nll, m.accuracy_given_time, m.accuracy, m.error}});
  };
  add("model", joint.model());
  if (!joint.rule().empty()) add("Markov chain, log-normal a type", joint.rule());
  return table;
}

EvaluationConfig completed(EvaluationConfig config, Task task) {
  if (config.at.empty()) {
    config.at = task == Task::kRecommend ? std::vector<int64_t>{5, 10, 20} : std::vector<int64_t>{1, 3, 5};
  }
  for (const int64_t q : config.at) {
    if (q < 1) fail("a list cannot have {} types; use at least 1", q);
  }
  if (config.draws < 1 || config.negatives < 1) {
    fail("at least 1 candidate must be drawn at least once, not {} candidates {} times", config.negatives,
         config.draws);
  }
  return config;
}

/// The tables of one head.
void add_tables(Evaluation& out, const HeadRecords& model, const BaselineRecords& others,
                const TrainedModel& trained, ThreadPool& pool) {
  switch (model.kind()) {
    case TargetKind::kClass:
      if (!model.at_each_event()) {
        out.tables.push_back(class_table(model, others));
        out.confusion = class_measures(model.classes).confusion;
        if (trained.encoding.classes() == model.head().classes) out.classes = trained.encoding.label->names;
        return;
      }
      out.tables.push_back(type_table(model, others, out.config.at));
      if (out.task == Task::kRecommend) {
        out.tables.push_back(candidate_table(model, others, out.config, pool));
      }
      return;
    case TargetKind::kValue:
      out.tables.push_back(value_table(model, others, trained));
      return;
    case TargetKind::kGap:
      out.tables.push_back(gap_table(model, others, trained.times));
      return;
  }
}

void check_there(const std::vector<HeadRecords>& heads) {
  for (const HeadRecords& head : heads) {
    if (head.count() > 0) continue;
    fail("there is nothing to predict in these data for the head '{}'; sequences of one event have no next",
         head.head().kind);
  }
}

std::vector<HeadRecords> records_for(const Model& model, bool medians,
                                     std::optional<double> threshold = std::nullopt, double grid = 0) {
  std::vector<HeadRecords> heads;
  for (const nn::HeadConfig& head : model.config().heads) heads.emplace_back(head, medians, threshold, grid);
  return heads;
}

double main_value(const HeadRecords& head, const TrainedModel& trained) {
  switch (head.kind()) {
    case TargetKind::kClass: {
      if (!head.at_each_event()) return class_measures(head.classes).accuracy;
      const int64_t at[] = {trained.task == Task::kRecommend ? 10 : 1};
      return rank_measures(head.ranks, at).recall[0];
    }
    case TargetKind::kValue:
      return value_measures(head.values).rmse * scale_of(trained).std;
    case TargetKind::kGap:
      return gap_measures(head.gaps).nll;
  }
  return std::nan("");
}

Score score_of(const std::vector<HeadRecords>& heads, const TrainedModel& trained) {
  check_there(heads);
  Score score;
  for (const HeadRecords& head : heads) score.loss += head.head().weight * head.mean_loss();
  score.measure = main_value(heads[0], trained);
  score.predictions = heads[0].count();
  return score;
}

}  // namespace

double MeasureTable::at(std::string_view row, std::string_view column) const {
  const Row& found = find_named(rows, row, "row");
  const MeasureColumn& of = find_named(columns, column, "measure");
  return found.values[static_cast<std::size_t>(&of - columns.data())];
}

const MeasureTable& Evaluation::table(std::string_view name) const {
  return find_named(tables, name, "table of measures");
}

data::BatchConfig measuring_batches(const TrainedModel& trained, int64_t batch) {
  data::BatchConfig config = trained.batches(true);
  config.batch = batch;
  config.least_gap = trained.times.least_gap;
  return config;
}

Evaluation evaluate(const TrainedModel& trained, const Model& model, const Baselines& baselines,
                    const data::Events& events, const std::vector<Piece>& pieces,
                    const EvaluationConfig& config, ThreadPool& pool, comm::Communicator& ranks,
                    const std::function<void()>& meanwhile, const PieceConsumer& each) {
  if (pieces.empty()) fail("there is no sequence to measure on");
  Evaluation out;
  out.task = trained.task;
  out.config = completed(config, trained.task);
  out.sequences = static_cast<int64_t>(pieces.size());
  for (const Piece& piece : pieces) out.events += piece.end - piece.begin;
  const data::Batches batches(events, pieces, trained.encoding, measuring_batches(trained, config.batch));
  std::vector<HeadRecords> heads =
      records_for(model, config.distributions, trained.threshold, trained.times.grid);
  std::vector<BaselineRecords> others;
  others.reserve(heads.size());
  for (const HeadRecords& head : heads) others.emplace_back(baselines, trained, events, head);
  Workspace<float> work;
  const bool of_values = heads.front().kind() == TargetKind::kValue;
  const double std = each && of_values ? scale_of(trained).std : 1;
  Workspace<float> joint_work;
  std::optional<JointRecords> joint;
  if (config.distributions && is_timed(trained.config)) joint.emplace(trained, model, baselines);
  const auto add_baselines = [&](const data::Batch& batch) {
    if (each) measure_pieces(heads.front(), batch, std, each);
    for (BaselineRecords& records : others) records.add(batch, pieces);
    if (joint) joint->add(batch.view(), joint_work, pool);
    if (meanwhile) meanwhile();
  };
  record_predictions(heads, model, trained.parameters, batches, work, pool, add_baselines, {},
                     {ranks.rank(), ranks.size()});
  for (HeadRecords& head : heads) head.gather(ranks);
  for (BaselineRecords& records : others) records.gather(ranks);
  if (joint) joint->gather(ranks);
  if (ranks.rank() != 0) return out;
  check_there(heads);
  for (std::size_t i = 0; i < heads.size(); ++i) add_tables(out, heads[i], others[i], trained, pool);
  if (joint) out.tables.push_back(joint_table(*joint));
  return out;
}

MainMeasure main_measure(Task task) {
  switch (task) {
    case Task::kClassify:
    case Task::kNext:
      return {"accuracy", true};
    case Task::kRecommend:
      return {"recall@10", true};
    case Task::kRegress:
    case Task::kForecast:
      return {"RMSE", false};
  }
  return {"loss", false};
}

std::optional<Score> validation_score(const TrainedModel& trained, const Model& model,
                                      const nn::Parameters<float>& parameters, const data::Batches& batches,
                                      Workspace<float>& work, ThreadPool& pool,
                                      const std::function<bool()>& stop, comm::Communicator& ranks) {
  std::vector<HeadRecords> heads = records_for(model, false);
  const bool done = record_predictions(heads, model, parameters, batches, work, pool, {}, stop,
                                       {ranks.rank(), ranks.size()});
  int64_t stopped[] = {done ? 0 : 1};
  comm::sum(ranks, stopped);
  if (stopped[0] > 0) return std::nullopt;
  for (HeadRecords& head : heads) head.gather(ranks);
  comm::Bytes bytes(sizeof(Score));
  if (ranks.rank() == 0) {
    const Score score = score_of(heads, trained);
    std::memcpy(bytes.data(), &score, sizeof(score));
  }
  comm::broadcast(ranks, bytes);
  Score score;
  std::memcpy(&score, bytes.data(), sizeof(score));
  return score;
}

}  // namespace t2v
