#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/packed_batch.h"
#include "data/time_lstm_preparation.h"
#include "paper/recommendation_config.h"

namespace t2v::paper {

/// What a user took, oldest first, with the time value of each, in the unit of the configuration.
struct History {
  std::vector<int32_t> items;  // 0 is the most frequent
  std::vector<double> times;

  int64_t size() const { return static_cast<int64_t>(items.size()); }
};

/// The users of an experiment, each part by number of rows, fewest first.
struct RecommendationData {
  int64_t items = 0;  // V
  std::vector<History> train;
  std::vector<History> test;
  std::vector<std::string> notes;  // how it came about, a sentence each

  int64_t events() const;
};

/// Numbers items by frequency, splits users, cuts histories and makes the time values, as the configuration
/// says. Throws t2v::Error if a part stays empty.
RecommendationData prepare_recommendation(const data::ItemLog& log, const RecommendationConfig& config);

/// One sequence to learn from: at each step an item with its time value, and the item that comes next.
struct Lesson {
  std::vector<int32_t> items;
  std::vector<double> times;
  std::vector<int32_t> next;

  int64_t size() const { return static_cast<int64_t>(items.size()); }
};

/// All but the last event of a training user, each with the one after it.
Lesson lesson_of(const History& history);

/// What is known of a user who is tested: all but the last event, which is to be recommended.
struct Question {
  std::vector<int32_t> items;
  std::vector<double> times;
  int32_t answer = 0;
};
Question question_of(const History& history);

/// The memory of a batch, as the engine takes it: times are those since the previous event (kGap).
class LessonBatch {
 public:
  void clear();
  void add(const Lesson& lesson);
  void add(const Question& question);
  /// Good until the next change.
  SequenceBatch view() const;

 private:
  std::vector<int64_t> offsets_ = {0};
  std::vector<int32_t> items_;
  std::vector<double> times_;
  std::vector<int32_t> next_;
};

}  // namespace t2v::paper
