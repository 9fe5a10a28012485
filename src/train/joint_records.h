#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/packed_batch.h"
#include "base/thread_pool.h"
#include "comm/communicator.h"
#include "model/model.h"
#include "model/timed_head.h"
#include "model/trained_model.h"

namespace t2v {

/// What is said of the next event, what it is and when it comes, together.
struct JointRecord {
  double loss = 0;     // -log p(gap, type)
  double given = 0;    // 1 if its type is the most probable one given its time
  double without = 0;  // 1 if it is without the time
  double error = 0;    // how far probabilities without the time may be off (TimedHead::marginal)
};

struct JointMeasures {
  int64_t count = 0;
  double nll = 0;
  double accuracy_given_time = 0;
  double accuracy = 0;
  double error = 0;  // the largest
};

JointMeasures joint_measures(std::span<const JointRecord> records);

/// Of a model whose first head sees the time of the next event, and of the rule beside it: a Markov chain of
/// types and a log-normal gap before each type.
class JointRecords {
 public:
  /// All must outlive it.
  JointRecords(const TrainedModel& trained, const Model& model, const Baselines& baselines);

  /// Records all places of a batch that has targets.
  void add(const SequenceBatch& batch, Workspace<float>& work, ThreadPool& pool);
  /// Appends the records of all other ranks to those of rank 0.
  void gather(comm::Communicator& others);

  const std::vector<JointRecord>& model() const { return model_records_; }
  /// Empty where the model's file does not have what the rule needs.
  const std::vector<JointRecord>& rule() const { return rule_records_; }

 private:
  void record(JointRecord& record, std::size_t event, const float* open, const SequenceBatch& batch) const;
  void add_rule(const SequenceBatch& batch);

  const TrainedModel& trained_;
  const Model& network_;
  const Baselines& baselines_;
  TimedHead head_;
  std::size_t when_;                 // number of that head
  std::vector<float> when_outputs_;  // [N, its outputs]
  std::vector<JointRecord> model_records_;
  std::vector<JointRecord> rule_records_;
};

}  // namespace t2v
