#include "stream/stream.h"

#include <algorithm>

#include "base/fail.h"
#include "base/text_check.h"
#include "kernels/rows.h"

namespace t2v {
namespace {

constexpr auto kStart = static_cast<std::size_t>(TimeInput::kStart);
constexpr auto kGap = static_cast<std::size_t>(TimeInput::kGap);
constexpr auto kQuery = static_cast<std::size_t>(TimeInput::kQuery);
constexpr auto kUntil = static_cast<std::size_t>(TimeInput::kUntil);
constexpr auto kSince = static_cast<std::size_t>(TimeInput::kSince);

}  // namespace

Stream::Stream(const TrainedModel& model, const StreamConfig& config)
    : trained_(model),
      digest_(digest_of(model)),
      config_(config),
      model_(network_of(model)),
      stepper_(model_, model.parameters),
      encoder_(model),
      waits_(knows_query_time(model.config)),
      together_(model.encoding.together),
      timed_(is_timed(model.config)),
      timed_head_(model_, model.parameters, 0),
      predicts_next_(std::ranges::any_of(model.config.heads, &nn::HeadConfig::each_step)),
      state_size_(static_cast<std::size_t>(stepper_.state_size())),
      table_(config.max_sequences, stepper_.state_size() + (waits_ || together_ ? encoder_.features() : 0)),
      state_(state_size_),
      copy_(state_size_),
      features_(static_cast<std::size_t>(encoder_.features())),
      outputs_(model.config.heads.size()) {
  if (model.forecaster) {
    fail(
        "a forecast is made of a table of values, not of a stream; use `predict`, or train a network for the "
        "next "
        "value by naming a `cell`");
  }
  if (config.top < 1) fail("a prediction has at least 1 choice, not {}", config.top);
}

StreamCounts Stream::counts() const {
  StreamCounts counts = counts_;
  counts.evicted = table_.evicted();
  counts.returned = table_.returned();
  return counts;
}

StreamAnswer Stream::push(const StreamEvent& event) {
  ++counts_.events;
  const int64_t evicted = table_.evicted();
  const int64_t returned = table_.returned();
  try {
    StreamAnswer answer = take(event);
    if (table_.evicted() > evicted) answer.evicted = table_.last_evicted();
    answer.returned = table_.returned() > returned;
    counts_.late_dropped += answer.taken ? 0 : 1;
    counts_.late_kept += answer.late && answer.taken ? 1 : 0;
    counts_.unknown += answer.unknown ? 1 : 0;
    counts_.predictions += answer.prediction != nullptr ? 1 : 0;
    return answer;
  } catch (const Error&) {
    ++counts_.refused;
    throw;
  }
}

StreamAnswer Stream::ask(std::string_view id, int64_t at) {
  try {
    const StreamAnswer answer = answer_to(id, at);
    ++counts_.predictions;
    return answer;
  } catch (const Error&) {
    ++counts_.refused;
    throw;
  }
}

StreamAnswer Stream::take(const StreamEvent& event) {
  if (event.id.empty()) fail("the id is empty; every event needs the id of its sequence");
  if (event.id.size() > kMostIdBytes) {
    fail("the id {}... has {} bytes; an id has at most {}", in_quotes(event.id.substr(0, 20)),
         event.id.size(), kMostIdBytes);
  }
  StreamAnswer answer;
  const EventEncoder::Encoded encoded = encoder_.encode(features_, parts_, event.event, event.features);
  Sequence* sequence = table_.find(event.id);
  StreamEvent taken = event;
  if (sequence != nullptr && event.tick < sequence->last_tick) {
    answer.late = true;
    answer.taken = config_.late == LateEvents::kKeep;
    if (!answer.taken) return answer;
    taken.tick = sequence->last_tick;
  }
  if ((waits_ || timed_) && taken.at && *taken.at < taken.tick)
    fail("the time that is asked about is before the event");
  answer.unknown = encoded.unknown;
  const data::TimeView& view = trained_.times.view;
  StepInput input{encoded.event, features_, {}, parts_};
  input.times[kStart] = view.at(taken.tick, origin_of(sequence, taken.tick));
  input.times[kGap] = sequence == nullptr ? 0 : view.at(taken.tick, sequence->last_tick);
  input.times[kSince] = sequence == nullptr ? 0 : view.at(taken.tick, sequence->first_tick);
  if (together_) {
    take_together(taken, sequence, input, answer);
  } else if (waits_) {
    let_wait(taken, sequence, input, answer);
  } else {
    take_now(taken, sequence, input, answer);
  }
  return answer;
}

void Stream::take_now(const StreamEvent& event, Sequence* sequence, StepInput input, StreamAnswer& answer) {
  load(state_, sequence);
  advance(state_, input);
  const RecentTypes& past = past_with(sequence, input.event);
  answer.prediction = timed_ ? predict_timed(past, event, input.times[kStart]) : predict(past);
  if (prediction_.when) prediction_.after = event.tick;
  updated(event, sequence, state_);
}

/// The event that waited is taken in. The new one is tried on a copy, so that it cannot fail later, and to
/// predict.
void Stream::let_wait(const StreamEvent& event, Sequence* sequence, StepInput input, StreamAnswer& answer) {
  load(state_, sequence);
  if (sequence != nullptr) advance(state_, waiting_event(*sequence, event.tick));
  copy_ = state_;
  const int64_t origin = origin_of(sequence, event.tick);
  const int64_t query = event.at.value_or(event.tick);
  input.times[kQuery] = trained_.times.view.at(query, origin);
  input.times[kUntil] = trained_.times.view.at(query, event.tick);
  advance(copy_, input);
  const RecentTypes& past = past_with(sequence, input.event);
  if (event.at || !predicts_next_) answer.prediction = predict(past);
  Sequence& kept = updated(event, sequence, state_);
  std::ranges::copy(features_, kept.numbers.begin() + static_cast<std::ptrdiff_t>(state_size_));
  kept.event = input.event;
  kept.start = input.times[kStart];
  kept.gap = input.times[kGap];
}

namespace {

/// Adds parts to others, each row once.
void join(std::vector<EventPart>& parts, std::span<const EventPart> more) {
  for (const EventPart& part : more) {
    const auto same = std::ranges::find(parts, part.row, &EventPart::row);
    if (same == parts.end()) {
      parts.push_back(part);
    } else {
      same->weight += part.weight;
    }
  }
}

}  // namespace

/// Where a later step begins, the one that waited is taken in. The step so far is tried on a copy.
void Stream::take_together(const StreamEvent& event, Sequence* sequence, StepInput input,
                           StreamAnswer& answer) {
  const bool joins = sequence != nullptr && event.tick == sequence->last_tick;
  load(state_, sequence);
  step_.clear();
  if (joins) {
    step_ = sequence->parts;
    input.times[kStart] = sequence->start;
    input.times[kGap] = sequence->gap;
  } else if (sequence != nullptr) {
    advance(state_, waiting_event(*sequence, sequence->last_tick));
  }
  join(step_, parts_);
  input.parts = step_;
  copy_ = state_;
  advance(copy_, input);
  answer.prediction = predict(past_);
  Sequence& kept = updated(event, sequence, state_);
  std::ranges::copy(features_, kept.numbers.begin() + static_cast<std::ptrdiff_t>(state_size_));
  kept.parts = step_;
  kept.start = input.times[kStart];
  kept.gap = input.times[kGap];
}

StreamAnswer Stream::answer_to(std::string_view id, int64_t at) {
  if (!waits_) {
    fail("the model does not wait for the time of the next event; ask with an event{}",
         timed_ ? ", which may have the time `at`" : "");
  }
  const Sequence* sequence = table_.find(id);
  if (sequence == nullptr) fail("no events of {} are known", in_quotes(id));
  if (at < sequence->last_tick) fail("the time that is asked about is before the last event");
  load(copy_, sequence);
  advance(copy_, waiting_event(*sequence, at));
  StreamAnswer answer;
  answer.prediction = predict(sequence->past);
  return answer;
}

/// Keeps a state and the time of the event that led to it. From here on nothing fails.
Sequence& Stream::updated(const StreamEvent& event, Sequence* sequence, std::span<const float> state) {
  if (sequence == nullptr) {
    sequence = &table_.add(event.id);
    sequence->first_tick = event.tick;
  } else {
    table_.use(*sequence);
  }
  sequence->last_tick = event.tick;
  sequence->past.swap(past_);
  std::ranges::copy(state, sequence->numbers.begin());
  return *sequence;
}

StepInput Stream::waiting_event(const Sequence& sequence, int64_t query) const {
  StepInput input{sequence.event, std::span(sequence.numbers).subspan(state_size_), {}, sequence.parts};
  input.times[kStart] = sequence.start;
  input.times[kGap] = sequence.gap;
  input.times[kSince] = trained_.times.view.at(sequence.last_tick, sequence.first_tick);
  input.times[kQuery] = trained_.times.view.at(query, origin_of(&sequence, query));
  input.times[kUntil] = trained_.times.view.at(query, sequence.last_tick);
  return input;
}

int64_t Stream::origin_of(const Sequence* sequence, int64_t tick) const {
  const data::TimeView& view = trained_.times.view;
  if (view.origin != data::OriginKind::kSequence) return view.origin_tick;
  return sequence == nullptr ? tick : sequence->first_tick;
}

void Stream::load(std::span<float> state, const Sequence* sequence) {
  if (sequence == nullptr) {
    std::ranges::fill(state, 0.0F);
  } else {
    std::copy_n(sequence->numbers.begin(), state.size(), state.begin());
  }
}

void Stream::advance(std::span<float> state, const StepInput& input) {
  stepper_.advance(state, input);
  if (kernels::all_finite(state.data(), static_cast<int64_t>(state.size()))) return;
  fail("the event leads to numbers that are not finite; look for extreme times or values");
}

/// What the rules know with one more event; nothing is kept yet.
const RecentTypes& Stream::past_with(const Sequence* sequence, int32_t event) {
  past_.clear();
  if (model_.rules() == nullptr) return past_;
  if (sequence != nullptr) past_ = sequence->past;
  past_.add(event);
  return past_;
}

const Prediction* Stream::predict(const RecentTypes& past) {
  for (std::size_t head = 0; head < outputs_.size(); ++head) {
    outputs_[head] = stepper_.outputs(head, past).data();
  }
  interpret(prediction_, trained_, outputs_, config_.top);
  return &prediction_;
}

const Prediction* Stream::predict_timed(const RecentTypes& past, const StreamEvent& event, double start) {
  const auto when = static_cast<std::size_t>(find_head(trained_.config, "when"));
  interpret_head(prediction_, trained_, when, stepper_.outputs(when).data(), config_.top);
  TimedOutputs said{stepper_.outputs(0, past).data(), stepper_.outputs(when).data(), start};
  if (event.at) said.gap = trained_.times.view.at(*event.at, event.tick);
  interpret_timed(prediction_, trained_, timed_head_, said, config_.top);
  return &prediction_;
}

}  // namespace t2v
