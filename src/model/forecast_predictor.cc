#include "model/forecast_predictor.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/pieces.h"
#include "forecast/forecaster.h"
#include "model/forecast_panel.h"

namespace t2v {
namespace {

using data::Piece;
using forecast::Track;

/// Pieces that are worked on at once.
constexpr int64_t kBlock = 64;
constexpr int64_t kMostTimes = 10'000'000;

/// A time that is asked for, and the number of the last value that is known.
struct Question {
  int64_t tick;
  int64_t origin;
};

struct Answer {
  Place place;
  Prediction prediction;
};

/// The same time of day so many months later, on the last day of shorter months.
int64_t months_after(int64_t tick, int64_t months) {
  using namespace std::chrono;
  const sys_time<nanoseconds> time{nanoseconds{tick}};
  const sys_days day = floor<days>(time);
  const year_month_day from{day};
  const year_month month = year_month{from.year(), from.month()} + std::chrono::months{months};
  const std::chrono::day last = (month / std::chrono::last).day();
  const sys_days then = month / std::min(from.day(), last);
  return (then + (time - day)).time_since_epoch().count();
}

/// The times of a piece's events that have a value.
std::vector<int64_t> events_with_values(const data::Events& events, const Piece& piece) {
  std::vector<int64_t> known;
  for (int64_t e = piece.begin; e < piece.end; ++e) {
    if (!std::isnan(events.value->values[static_cast<std::size_t>(e)])) known.push_back(e);
  }
  return known;
}

class ForecastPredictor {
 public:
  ForecastPredictor(const TrainedModel& model, const data::Events& events, const PredictConfig& config)
      : model_(model), forecaster_(*model.forecaster), events_(events), config_(config) {
    const double days = forecaster_.day > 0 ? forecaster_.step / forecaster_.day : 0;
    by_months_ = events.scale.instants && config.every == 0 && days >= 28 && days <= 31;
  }

  std::vector<Answer> answer(int64_t number, const Piece& piece) const {
    const std::vector<int64_t> known = events_with_values(events_, piece);
    const Track track(forecaster_, values_over_time(events_, piece));
    std::vector<Answer> answers;
    for (const Question& question : questions(piece, known)) {
      const int64_t event =
          question.origin < 0 ? piece.begin : known[static_cast<std::size_t>(question.origin)];
      answers.push_back({{number, event, question.tick}, predict(track, question)});
    }
    return answers;
  }

 private:
  Prediction predict(const Track& track, const Question& question) const {
    const double time = series_time(events_, question.tick);
    Prediction prediction;
    prediction.value = track.at(question.origin, time);
    const std::vector<double> values = track.quantiles(question.origin, time, config_.quantiles);
    for (std::size_t i = 0; i < values.size(); ++i) {
      prediction.quantiles.push_back({config_.quantiles[i], values[i]});
    }
    return prediction;
  }

  std::vector<Question> questions(const Piece& piece, const std::vector<int64_t>& known) const {
    std::vector<Question> questions;
    const auto last = static_cast<int64_t>(known.size()) - 1;
    if (config_.every_event) {
      for (int64_t i = 1; i <= last; ++i) {
        const int64_t event = known[static_cast<std::size_t>(i)];
        if (event >= piece.first_target) questions.push_back({events_.tick(event), i - 1});
      }
      return questions;
    }
    const int64_t from = last < 0 ? piece.begin - 1 : known.back();
    const int64_t now = events_.tick(std::max(from, piece.begin));
    if (!config_.at.empty()) {
      for (const QueryTime& at : config_.at) questions.push_back({tick_of(at, now, piece), last});
    } else if (config_.horizon == 0 && static_cast<int64_t>(known.size()) < piece.end - piece.begin) {
      add_empty(questions, piece, known);
    } else {
      add_grid(questions, now, last);
    }
    return questions;
  }

  /// The events without a value, each as known before it.
  void add_empty(std::vector<Question>& questions, const Piece& piece,
                 const std::vector<int64_t>& known) const {
    int64_t origin = -1;
    for (int64_t e = piece.begin; e < piece.end; ++e) {
      const bool has_value =
          origin + 1 < std::ssize(known) && known[static_cast<std::size_t>(origin + 1)] == e;
      if (has_value) {
        ++origin;
      } else {
        questions.push_back({events_.tick(e), origin});
      }
    }
  }

  void add_grid(std::vector<Question>& questions, int64_t now, int64_t last) const {
    const double unit = events_.view.ticks_per_unit;
    const int64_t horizon = config_.horizon > 0 ? config_.horizon : std::llround(forecaster_.horizon * unit);
    const int64_t every =
        config_.every > 0 ? config_.every : std::max(std::llround(forecaster_.step * unit), 1LL);
    if (horizon / every > kMostTimes)
      fail("`horizon` has {} steps of `every`; ask for fewer", horizon / every);
    if (horizon > INT64_MAX - std::max<int64_t>(now, 0)) fail("`horizon` leads beyond all times");
    for (int64_t k = 1;; ++k) {
      const int64_t tick = by_months_ ? months_after(now, k) : now + k * every;
      if (tick - now > horizon + (by_months_ ? every / 2 : 0)) break;
      questions.push_back({tick, last});
    }
    if (questions.empty()) questions.push_back({now + horizon, last});
  }

  int64_t tick_of(const QueryTime& at, int64_t now, const Piece& piece) const {
    int64_t tick = at.ticks;
    if (at.after_last && __builtin_add_overflow(at.ticks, now, &tick)) {
      fail("the time to predict at is too far from the last value of sequence {}; choose a nearer one",
           in_quotes(events_.ids[piece.sequence]));
    }
    if (tick >= now) return tick;
    fail(
        "the time to predict at is before the last value of sequence {}; choose a later one, or a duration "
        "after each last value, such as `at` '+1 d'",
        in_quotes(events_.ids[piece.sequence]));
  }

  const TrainedModel& model_;
  const forecast::Forecaster& forecaster_;
  const data::Events& events_;
  const PredictConfig& config_;
  bool by_months_ = false;
};

void check(const PredictConfig& config) {
  for (const double share : config.quantiles) {
    if (!(share > 0 && share < 1)) fail("a quantile of `quantiles` is in (0, 1); it is {}", share);
  }
  const bool grid = config.horizon != 0 || config.every != 0;
  if (grid && (!config.at.empty() || config.every_event)) {
    fail("`horizon` and `every` say which times are predicted, as {} does; use one of them",
         config.every_event ? "`every_event`" : "`at`");
  }
  if (config.every_event && !config.at.empty()) {
    fail("`at` is for values after the last, `every_event` for known ones; use one of them");
  }
  if (config.horizon < 0 || config.every < 0) fail("`horizon` and `every` are above 0");
}

}  // namespace

void predict_forecast(const TrainedModel& model, const data::Events& events, std::span<const Piece> pieces,
                      const PredictConfig& config, ThreadPool& pool, const PredictionConsumer& consumer,
                      Share share, const std::function<void()>& round) {
  check(config);
  if (!events.value) fail("a forecast needs the values so far; name their column by `value`");
  const ForecastPredictor predictor(model, events, config);
  const auto all = static_cast<int64_t>(pieces.size());
  const int64_t blocks = (all + kBlock - 1) / kBlock;
  for (int64_t block = 0; block < blocks; ++block) {
    if (block % share.parts == share.part) {
      const int64_t begin = block * kBlock;
      const int64_t count = std::min(kBlock, all - begin);
      std::vector<std::vector<Answer>> answers(static_cast<std::size_t>(count));
      pool.run(count, [&](int64_t i) {
        answers[static_cast<std::size_t>(i)] =
            predictor.answer(begin + i, pieces[static_cast<std::size_t>(begin + i)]);
      });
      for (const std::vector<Answer>& of_piece : answers) {
        for (const Answer& answer : of_piece) consumer(answer.place, answer.prediction);
      }
    }
    if (((block + 1) % share.parts == 0 || block + 1 == blocks) && round) round();
  }
}

}  // namespace t2v
