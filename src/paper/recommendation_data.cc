#include "paper/recommendation_data.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "base/fail.h"
#include "base/random.h"

namespace t2v::paper {
namespace {

constexpr double kNanosecondsPerSecond = 1e9;

std::size_t index(int64_t i) { return static_cast<std::size_t>(i); }

data::TimeLstmOptions preparation_of(const RecommendationConfig& config) {
  data::TimeLstmOptions options;
  options.preparation = config.delta == "as_coded" ? data::Preparation::kAsCoded : data::Preparation::kClean;
  options.carry_across_users = config.carry_across_users;
  options.vocabulary = config.vocabulary;
  options.longest = config.max_len;
  options.train_users = config.train_users;
  options.test_users = config.test_users;
  options.train_share = config.train_users > 0 ? 0 : config.train_share;
  if (config.split == "random") options.drawn_by = config.split_seed;
  return options;
}

/// Seconds of each event [begin, end) of a table: as stored, or since or until its neighbour in the history,
/// 0 where there is none.
std::vector<double> intervals(const data::EventTable& table, int64_t begin, int64_t end,
                              const std::string& delta) {
  std::vector<double> seconds(index(end - begin), 0.0);
  const auto gap = [&](int64_t from) {
    return static_cast<double>(table.ticks[index(from + 1)] - table.ticks[index(from)]) /
           kNanosecondsPerSecond;
  };
  for (int64_t e = begin; e < end; ++e) {
    double& value = seconds[index(e - begin)];
    if (delta == "as_coded") value = table.interval->values[index(e)];
    if (delta == "forward" && e + 1 < end) value = gap(e);
    if (delta == "backward" && e > begin) value = gap(e - 1);
  }
  return seconds;
}

History history_of(const data::EventTable& table, int64_t begin, int64_t end,
                   const RecommendationConfig& config) {
  const std::vector<int32_t>& codes = table.event->codes;
  History history{{codes.begin() + begin, codes.begin() + end}, intervals(table, begin, end, config.delta)};
  for (double& time : history.times) time = in_unit(time, config.time_unit);
  return history;
}

void check_parts(const RecommendationData& data) {
  if (data.items < 2) fail("there are {} items to recommend; at least 2 are needed", data.items);
  if (data.train.empty()) fail("no user is left to learn from; set a larger train_share");
  if (data.test.empty()) fail("no user is left to recommend for; set a smaller train_share");
}

}  // namespace

int64_t RecommendationData::events() const {
  int64_t sum = 0;
  for (const auto* part : {&train, &test}) {
    for (const History& history : *part) sum += history.size();
  }
  return sum;
}

RecommendationData prepare_recommendation(const data::ItemLog& log, const RecommendationConfig& config) {
  check(config);
  data::EventTable table = data::prepare_time_lstm(log, preparation_of(config), "item");
  RecommendationData data;
  data.items = table.event->names.size();
  data.notes = std::move(table.notes);
  for (int64_t begin = 0; begin < table.rows();) {
    const int32_t user = table.sequence[index(begin)];
    int64_t end = begin;
    while (end < table.rows() && table.sequence[index(end)] == user) ++end;
    auto& part = table.part[index(user)] == data::Part::kTrain ? data.train : data.test;
    part.push_back(history_of(table, begin, end, config));
    begin = end;
  }
  check_parts(data);
  return data;
}

Lesson lesson_of(const History& history) {
  const auto last = static_cast<std::ptrdiff_t>(history.size()) - 1;
  return {{history.items.begin(), history.items.begin() + last},
          {history.times.begin(), history.times.begin() + last},
          {history.items.begin() + 1, history.items.end()}};
}

Question question_of(const History& history) {
  const auto last = static_cast<std::ptrdiff_t>(history.size()) - 1;
  return {{history.items.begin(), history.items.begin() + last},
          {history.times.begin(), history.times.begin() + last},
          history.items.back()};
}

void LessonBatch::clear() {
  offsets_.resize(1);
  items_.clear();
  times_.clear();
  next_.clear();
}

void LessonBatch::add(const Lesson& lesson) {
  items_.insert(items_.end(), lesson.items.begin(), lesson.items.end());
  times_.insert(times_.end(), lesson.times.begin(), lesson.times.end());
  next_.insert(next_.end(), lesson.next.begin(), lesson.next.end());
  offsets_.push_back(static_cast<int64_t>(items_.size()));
}

void LessonBatch::add(const Question& question) {
  items_.insert(items_.end(), question.items.begin(), question.items.end());
  times_.insert(times_.end(), question.times.begin(), question.times.end());
  next_.resize(items_.size(), -1);
  next_.back() = question.answer;
  offsets_.push_back(static_cast<int64_t>(items_.size()));
}

SequenceBatch LessonBatch::view() const {
  SequenceBatch batch;
  batch.offsets = offsets_;
  batch.times[static_cast<std::size_t>(TimeInput::kGap)] = times_;
  batch.events = items_;
  batch.next_events = next_;
  return batch;
}

}  // namespace t2v::paper
