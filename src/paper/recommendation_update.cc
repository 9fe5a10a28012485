#include "paper/recommendation_update.h"

#include <algorithm>

namespace t2v::paper {
namespace {

/// The first `steps` steps; beyond what is known come item 0 and time 0.
Lesson steps_of(const Question& question, std::size_t steps) {
  Lesson lesson{question.items, question.times, {question.items.begin() + 1, question.items.end()}};
  lesson.items.resize(steps, 0);
  lesson.times.resize(steps, 0);
  lesson.next.resize(steps, 0);
  return lesson;
}

}  // namespace

int64_t prefix_length(const RecommendationConfig& config, int64_t epoch, int64_t longest) {
  if (!config.dynamic_updating || epoch <= config.first_stage || epoch >= config.epochs) return 0;
  return (epoch - config.first_stage) * longest / (config.epochs - config.first_stage);
}

std::optional<Lesson> prefix_lesson(const Question& question, int64_t length, bool as_coded) {
  const auto known = static_cast<int64_t>(question.items.size());
  const int64_t steps = known > length ? length : as_coded ? length - 1 : known - 1;
  if (steps < 1) return std::nullopt;
  return steps_of(question, static_cast<std::size_t>(steps));
}

std::vector<Lesson> prefix_lessons(std::span<const Question> questions, int64_t length, bool as_coded) {
  std::vector<Lesson> lessons;
  for (const Question& question : questions) {
    std::optional<Lesson> lesson = prefix_lesson(question, length, as_coded);
    if (lesson) lessons.push_back(std::move(*lesson));
  }
  return lessons;
}

}  // namespace t2v::paper
