#include "model/predictor.h"

#include <algorithm>
#include <numeric>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/batches.h"
#include "model/forecast_predictor.h"
#include "model/targets.h"

namespace t2v {
namespace {

using data::Piece;
using data::ValueTarget;

// Bounds of a batch: enough for all threads, not too much for memory.
constexpr int64_t kMostSequences = 512;
constexpr int64_t kMostEvents = 1 << 15;
constexpr int64_t kMostChoices = 1 << 23;  // kept until they are given out
/// Numbers of a shard's chunk, and steps: nothing is gained by more.
constexpr int64_t kChunkNumbers = 1 << 24;
constexpr int64_t kMostSteps = 128;
constexpr int64_t kShardRows = 64;

std::size_t at_of(int64_t i) { return static_cast<std::size_t>(i); }

bool predicts_next(const TrainedModel& model) {
  return model.task == Task::kNext || model.task == Task::kRecommend || model.task == Task::kForecast;
}

void check_query(const TrainedModel& model, const PredictConfig& config) {
  const bool knows = knows_query_time(model.config);
  const bool takes = knows || is_timed(model.config);
  if (!config.at.empty()) {
    if (!predicts_next(model)) {
      fail("`at` is for what comes next, but the task of the model is {}; leave it out", name_of(model.task));
    }
    if (!takes) {
      fail(
          "the model does not know the time of the event it predicts, so `at` cannot be used; train with "
          "`when` or `query_time`");
    }
    if (config.every_event) {
      fail("`at` is for the event after the last, `every_event` for known ones; use one of them");
    }
  } else if (knows && predicts_next(model) && !config.every_event) {
    fail(
        "the model needs the time of the event it predicts; give it with `at`, as a time or as a duration "
        "after each sequence's last event, such as `at` '+1 d'; or use `every_event`");
  }
}

/// Whether there is a prediction at each event.
bool predicts_each(const TrainedModel& model, const PredictConfig& config) {
  return config.every_event || model.values == ValueTarget::kOfEvent;
}

void check_config(const TrainedModel& model, const PredictConfig& config) {
  if (config.horizon != 0 || config.every != 0) {
    fail(
        "`horizon` and `every` are for forecasts, `horizon` also for models trained with `when`; the model "
        "was "
        "trained for the task {}{}",
        name_of(model.task),
        model.task == Task::kForecast ? " as a network, which predicts the next value alone" : "");
  }
  if (config.top < 1) fail("a prediction needs at least 1 choice; {} were asked for", config.top);
  check_query(model, config);
  if (!predicts_each(model, config)) return;
  for (const nn::HeadConfig& head : model.config.heads) {
    if (Targets(head).at_each_event()) continue;
    fail("the model predicts once a sequence, so not at every event; leave `every_event` out");
  }
}

/// The model for predictions: the same parameters, but heads at last events where no others are wanted, and
/// sequences in chunks, which bounds memory and changes nothing else.
ModelConfig predicting_config(const TrainedModel& model, bool each) {
  ModelConfig config = model.config;
  int64_t outputs = 0;
  for (nn::HeadConfig& head : config.heads) {
    head.each_step = head.each_step && each;
    outputs += nn::head_from(head).outputs(head);
  }
  const bool straight = config.skip || config.cell == "none";
  const int64_t numbers = 8 * config.hidden * config.layers + (straight ? outputs : 0);
  const int64_t steps = std::clamp<int64_t>(kChunkNumbers / (kShardRows * numbers), 1, kMostSteps);
  config.chunk = config.chunk == 0 ? steps : std::min(config.chunk, steps);
  return config;
}

/// Makes the predictions of one batch after another.
class Predictor {
 public:
  Predictor(const TrainedModel& model, const data::Events& events, std::span<const Piece> pieces,
            const PredictConfig& config, ThreadPool& pool, Share share)
      : model_(model),
        events_(events),
        config_(config),
        pool_(pool),
        share_(share),
        each_(predicts_each(model, config)),
        ahead_(model.values == ValueTarget::kOfEvent ? 0 : 1),
        network_(network_of(model, predicting_config(model, each_))),
        batches_(events, {pieces.begin(), pieces.end()}, model.encoding, model.batches(false)),
        timed_(network_, model.parameters, 0) {
    work_.open = is_timed(model.config);
  }

  void run(const PredictionConsumer& consumer, const std::function<void()>& round) {
    check_queries();
    std::vector<int64_t> some;
    int64_t total = 0;
    int64_t batches = 0;
    const auto take = [&] {
      if (batches % share_.parts == share_.part) run_batch(some, consumer);
      if (++batches % share_.parts == 0 && round) round();
    };
    const auto& pieces = batches_.pieces();
    for (int64_t i = 0; i < static_cast<int64_t>(pieces.size()); ++i) {
      const int64_t length = pieces[at_of(i)].end - pieces[at_of(i)].begin;
      if (!some.empty() && !fits(static_cast<int64_t>(some.size()) + 1, total + length)) {
        take();
        some.clear();
        total = 0;
      }
      some.push_back(i);
      total += length;
    }
    if (!some.empty()) take();
    if (batches % share_.parts != 0 && round) round();
  }

 private:
  bool fits(int64_t sequences, int64_t total) const {
    const int64_t places = each_ ? total : sequences * std::max<int64_t>(1, queries());
    return sequences <= kMostSequences && total <= kMostEvents && places * config_.top <= kMostChoices;
  }
  /// So that nothing is given out before a refusal.
  void check_queries() const {
    for (const Piece& piece : batches_.pieces()) {
      if (queries() > 0) events_.check(piece.end - 1, piece.end);
      for (const QueryTime& at : config_.at) query_tick(at, piece);
    }
  }
  int64_t queries() const { return static_cast<int64_t>(config_.at.size()); }

  void run_batch(const std::vector<int64_t>& some, const PredictionConsumer& consumer) {
    batches_.make(some, batch_);
    find_places();
    const auto count = static_cast<int64_t>(places_.size());
    const int64_t rounds = std::max<int64_t>(1, queries());
    if (at_of(count * rounds) > predictions_.size()) predictions_.resize(at_of(count * rounds));
    for (int64_t round = 0; round < rounds; ++round) {
      if (queries() > 0) set_query(config_.at[at_of(round)]);
      predict_places(round * count);
    }
    for (int64_t i = 0; i < count; ++i) {
      for (int64_t round = 0; round < rounds; ++round) {
        Place place = places_[at_of(i)];
        if (queries() > 0) place.query = query_tick(config_.at[at_of(round)], piece_of(place));
        Prediction& prediction = predictions_[at_of(round * count + i)];
        if (prediction.when) prediction.after = events_.tick(place.event);
        consumer(place, prediction);
      }
    }
  }

  const Piece& piece_of(const Place& place) const { return batches_.pieces()[at_of(place.piece)]; }

  /// Where predictions are wanted, in order; and which of them an event or a sequence of the batch is.
  void find_places() {
    places_.clear();
    of_event_.assign(at_of(batch_.offsets.back()), -1);
    of_sequence_.assign(batch_.pieces.size(), -1);
    const bool next_known = knows_query_time(model_.config) && predicts_next(model_) && each_;
    for (std::size_t row = 0; row < batch_.pieces.size(); ++row) {
      const Piece& piece = batches_.pieces()[at_of(batch_.pieces[row])];
      const int64_t first = each_ ? std::max(piece.begin, piece.first_target - ahead_) : piece.end - 1;
      const int64_t end = piece.end - (next_known ? 1 : 0);
      for (int64_t event = first; event < end; ++event) {
        const auto place = static_cast<int64_t>(places_.size());
        const int64_t last = batch_.offsets[row + 1] - 1;  // of a step, where events are taken together
        of_event_[at_of(each_ ? batch_.offsets[row] + event - piece.begin : last)] = place;
        of_sequence_[row] = place;
        places_.push_back({batch_.pieces[row], event});
      }
    }
  }

  int64_t query_tick(const QueryTime& at, const Piece& piece) const {
    const int64_t last = events_.tick(piece.end - 1);
    int64_t tick = at.ticks;
    if (at.after_last && __builtin_add_overflow(at.ticks, last, &tick)) {
      fail("the time to predict at is too far from the last event of sequence {}; choose a nearer one",
           in_quotes(events_.ids[piece.sequence]));
    }
    if (tick < last) {
      fail(
          "the time to predict at is before the last event of sequence {}; choose a later one, or a duration "
          "after each last event, such as `at` '+1 d'",
          in_quotes(events_.ids[piece.sequence]));
    }
    return tick;
  }

  /// The time that is asked for, at the last event of each piece.
  void set_query(const QueryTime& at) {
    std::vector<double>& query = batch_.times[static_cast<std::size_t>(TimeInput::kQuery)];
    std::vector<double>& until = batch_.times[static_cast<std::size_t>(TimeInput::kUntil)];
    gaps_.resize(batch_.pieces.size());
    for (std::size_t row = 0; row < batch_.pieces.size(); ++row) {
      const Piece& piece = batches_.pieces()[at_of(batch_.pieces[row])];
      const std::size_t last = at_of(batch_.offsets[row + 1] - 1);
      const int64_t tick = query_tick(at, piece);
      gaps_[row] = events_.view.at(tick, events_.tick(piece.end - 1));
      if (!query.empty()) query[last] = events_.view.at(tick, events_.origin_of(piece.sequence));
      if (!until.empty()) until[last] = gaps_[row];
    }
  }

  /// What a timed head says at an event or of a sequence, once 'when' has said when the next one comes.
  TimedOutputs timed_outputs(const float* open, int64_t of, bool each) const {
    const std::size_t row = each ? 0 : at_of(of);
    const auto event = each ? at_of(of) : at_of(batch_.offsets[row + 1] - 1);
    TimedOutputs outputs{open, when_.data() + event * when_width(),
                         batch_.times[static_cast<std::size_t>(TimeInput::kStart)][event]};
    if (queries() > 0) outputs.gap = gaps_[row];
    return outputs;
  }
  std::size_t when_width() const { return at_of(network_.outputs(at_of(find_head(model_.config, "when")))); }

  /// Fills the predictions from number `first` on, one a place: each head replaces what it said before.
  void predict_places(int64_t first) {
    const bool timed = is_timed(model_.config);
    if (timed) when_.resize(at_of(batch_.offsets.back()) * when_width());
    std::vector<bool> at_each;
    for (const nn::HeadConfig& head : network_.config().heads) {
      at_each.push_back(Targets(head).at_each_event());
    }
    network_.visit_outputs<float>(
        [&](std::size_t head, int64_t of, const float* outputs) {
          const int64_t place = at_each[head] ? of_event_[at_of(of)] : of_sequence_[at_of(of)];
          if (place < 0) return;
          if (timed && head == 0) {
            interpret_timed(predictions_[at_of(first + place)], model_, timed_,
                            timed_outputs(outputs, of, at_each[0]), config_.top);
            return;
          }
          if (timed)
            std::copy_n(outputs, when_width(), when_.begin() + of * static_cast<int64_t>(when_width()));
          interpret_head(predictions_[at_of(first + place)], model_, head, outputs, config_.top);
        },
        model_.parameters, batch_.view(), work_, pool_);
  }

  const TrainedModel& model_;
  const data::Events& events_;
  const PredictConfig& config_;
  ThreadPool& pool_;
  Share share_;
  bool each_;
  int64_t ahead_;  // events from a place to what is predicted there
  Model network_;
  data::Batches batches_;
  TimedHead timed_;           // if the model's first head is one
  std::vector<float> when_;   // [N, outputs of 'when']
  std::vector<double> gaps_;  // [B] from the last event to the time that is asked for
  data::Batch batch_;
  Workspace<float> work_;
  std::vector<Place> places_;
  std::vector<int64_t> of_event_;     // [N] number of the place, -1 for none
  std::vector<int64_t> of_sequence_;  // [B] likewise
  std::vector<Prediction> predictions_;
};

}  // namespace

void predict(const TrainedModel& model, const data::Events& events, std::span<const Piece> pieces,
             const PredictConfig& config, ThreadPool& pool, const PredictionConsumer& consumer, Share share,
             const std::function<void()>& round) {
  if (model.forecaster) {
    predict_forecast(model, events, pieces, config, pool, consumer, share, round);
    return;
  }
  check_config(model, config);
  Predictor(model, events, pieces, config, pool, share).run(consumer, round);
}

}  // namespace t2v
