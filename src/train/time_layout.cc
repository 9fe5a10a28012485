#include "train/time_layout.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/human_time.h"

namespace t2v {
namespace {

constexpr int64_t kDefaultTerms = 32;
constexpr int64_t kTermsOfGaps = 16;  // beside their logarithm
/// A distribution of gaps overfits by many terms: those of places alone, and fewer.
constexpr int64_t kTermsOfWhen = 8;
constexpr int64_t kMostTerms = 100'000;
constexpr double kTicksPerSecond = 1e9;
constexpr double kDay = 86400;
constexpr double kYear = 365.25 * kDay;

/// The parts of "a,b,c".
std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return parts;
}

/// "t2v:16" becomes the kind t2v with 16 terms.
nn::TimeEncoderConfig encoder_from(const TrainConfig& config) {
  nn::TimeEncoderConfig encoder;
  const std::size_t colon = config.time.find(':');
  encoder.kind = config.time.substr(0, colon);
  encoder.k = kDefaultTerms;
  if (colon != std::string::npos) {
    const char* end = config.time.data() + config.time.size();
    const auto [stop, error] = std::from_chars(config.time.data() + colon + 1, end, encoder.k);
    const bool sound = error == std::errc() && stop == end && encoder.k >= 1 && encoder.k <= kMostTerms;
    if (encoder.kind != "t2v" || !sound) {
      fail(
          "`time` '{}' makes no sense; use auto, plain, none, raw, log, week, calendar, t2v or t2v:k with a "
          "k from "
          "1 to "
          "{}, "
          "such as t2v:64",
          shown(config.time), data::human_count(kMostTerms));
    }
  }
  encoder.activation = nn::activation_from(config.activation);
  encoder.start = nn::omega_start_from(config.omega_init);
  encoder.linear = !config.no_linear;
  encoder.frozen = config.freeze;
  encoder.l1 = config.l1;
  return encoder;
}

std::vector<TimeInput> usual_inputs(const TrainConfig& config, Task task, data::ValueTarget values) {
  if (task == Task::kForecast) return {TimeInput::kStart, TimeInput::kQuery};
  if (config.query_time) return {TimeInput::kQuery, TimeInput::kUntil, TimeInput::kGap};
  if (values == data::ValueTarget::kOfEvent) return {TimeInput::kStart};
  return {TimeInput::kStart, TimeInput::kGap};
}

/// Whether sequences start at different times, as a model sees them.
bool starts_differ(const data::Events& events) {
  if (events.view.origin == data::OriginKind::kSequence) return false;
  for (int64_t s = 1; s < events.sequences(); ++s) {
    if (events.tick(events.begin(s)) != events.tick(events.begin(0))) return true;
  }
  return false;
}

std::vector<TimeInput> inputs_of(const TrainConfig& config, Task task, data::ValueTarget values,
                                 const data::Events& events) {
  if (config.time_input == "auto") {
    std::vector<TimeInput> inputs = usual_inputs(config, task, values);
    // Without gaps within sequences it is only where they are; and a duration has no date.
    if (events.grid == 0 || config.time == "calendar" || config.time == "week") inputs.resize(1);
    return inputs;
  }
  std::vector<TimeInput> inputs;
  for (const std::string& name : parts_of(config.time_input)) {
    const TimeInput input = nn::time_input_from(name);
    if (std::ranges::find(inputs, input) != inputs.end()) fail("the time input '{}' is named twice", name);
    const bool known = config.query_time || task == Task::kForecast;
    if (!known && (input == TimeInput::kQuery || input == TimeInput::kUntil)) {
      fail("the time input '{}' is the time of what is to be predicted; say `query_time` if it is known",
           name);
    }
    inputs.push_back(input);
  }
  if (config.query_time && std::ranges::find(inputs, TimeInput::kQuery) == inputs.end() &&
      std::ranges::find(inputs, TimeInput::kUntil) == inputs.end()) {
    fail("`query_time` does nothing with `time_input` {}; add query or until to it",
         shown(config.time_input));
  }
  return inputs;
}

bool is_date(const nn::TimeEncoderConfig& encoder) {
  return encoder.kind == "calendar" || encoder.kind == "week";
}

void use_calendar(nn::TimeEncoderConfig& encoder, data::Events& events) {
  if (!events.scale.instants) fail("`time` {} needs dates, but the times are plain numbers", encoder.kind);
  data::set_origin(events, data::OriginKind::kInstant, 0);
  encoder.unit = events.view.ticks_per_unit / kTicksPerSecond;
  encoder.origin = 0;
}

double seconds_of(const data::Events& events) {
  int64_t first = INT64_MAX;
  int64_t last = INT64_MIN;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    first = std::min(first, events.tick(events.begin(s)));
    last = std::max(last, events.tick(events.end(s) - 1));
  }
  return (static_cast<double>(last) - static_cast<double>(first)) / kTicksPerSecond;
}

/// Several views of each time, for events whose times differ.
class Views {
 public:
  /// `plain`: without Time2Vec. `few`: with fewer terms of it, for models that say when.
  Views(nn::TimeEncoderConfig encoder, const data::Events& events, bool plain, bool few)
      : base_(std::move(encoder)),
        plain_(plain),
        few_(few),
        dates_(events.scale.instants && events.view.origin != data::OriginKind::kSequence),
        years_(dates_ && seconds_of(events) >= nn::kSeenCycles * kYear) {
    if (few) base_.k = kTermsOfWhen;
    if (!events.scale.instants) return;
    base_.unit = events.view.ticks_per_unit / kTicksPerSecond;
    if (dates_) base_.origin = static_cast<double>(events.view.origin_tick) / kTicksPerSecond;
  }

  std::vector<nn::TimeEncoderConfig> all(bool gaps, bool query) {
    if (gaps) {
      if (dates_) add("log", TimeInput::kSince);
      add_gap(TimeInput::kGap);
      if (query) add_gap(TimeInput::kUntil);
    }
    add_place(query ? TimeInput::kQuery : TimeInput::kStart);
    return taken();
  }
  /// Of the next event.
  std::vector<nn::TimeEncoderConfig> next() {
    add_gap(TimeInput::kUntil);
    add_place(TimeInput::kQuery);
    return taken();
  }

 private:
  std::vector<nn::TimeEncoderConfig> taken() {
    if (plain_) std::erase_if(views_, [](const nn::TimeEncoderConfig& view) { return view.kind == "t2v"; });
    return std::move(views_);
  }
  nn::TimeEncoderConfig& add(const char* kind, TimeInput input) {
    nn::TimeEncoderConfig& view = views_.emplace_back(base_);
    view.kind = kind;
    view.input = input;
    if (view.kind != "t2v") view.l1 = 0;
    return view;
  }
  void add_gap(TimeInput input) {
    add("log", input);
    if (!few_) add("t2v", input).k = kTermsOfGaps;
  }
  /// Dates are cycles: what is learned of a trend of all sequences is of no use later.
  void add_place(TimeInput input) {
    if (dates_) {
      add(years_ ? "calendar" : "week", input);
      add("t2v", input).linear = false;
    } else {
      add("log", input);
      add("t2v", input);
    }
  }

  nn::TimeEncoderConfig base_;
  bool plain_;
  bool few_;
  bool dates_;
  bool years_;  // whether enough of them are there to tell one from another
  std::vector<nn::TimeEncoderConfig> views_;
};

/// "gap as log and t2v:16, query as calendar and t2v:32".
std::string text_of(const std::vector<nn::TimeEncoderConfig>& views) {
  std::string text;
  for (std::size_t i = 0; i < views.size(); ++i) {
    const nn::TimeEncoderConfig& view = views[i];
    const bool same = i > 0 && views[i - 1].input == view.input;
    const std::string kind = view.kind == "t2v" ? fmt::format("t2v:{}", view.k) : view.kind;
    text +=
        same ? " and " + kind : fmt::format("{}{} as {}", i > 0 ? ", " : "", nn::name_of(view.input), kind);
  }
  return text;
}

std::string of_units(const data::Events& events) {
  return fmt::format("in {} from {}", events.view.unit == "1" ? "the unit of the data" : events.view.unit,
                     events.view.origin == data::OriginKind::kSequence ? "the first event of each sequence"
                                                                       : "a fixed origin");
}

/// Takes a straight line out of values over their times.
void detrend(std::vector<double>& values, const std::vector<double>& tau) {
  const auto n = static_cast<double>(values.size());
  double mean_t = 0;
  double mean_v = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    mean_t += tau[i] / n;
    mean_v += values[i] / n;
  }
  double products = 0;
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    products += (tau[i] - mean_t) * (values[i] - mean_v);
    squares += (tau[i] - mean_t) * (tau[i] - mean_t);
  }
  const double slope = squares > 0 ? products / squares : 0;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] -= mean_v + slope * (tau[i] - mean_t);
}

/// Classes of which the periods are looked for.
constexpr int64_t kMostColumns = 32;

TargetsOverTime targets_over_time(const nn::HeadConfig& head, const SequenceBatch& batch, TimeInput input) {
  TargetsOverTime result;
  const std::span<const double> tau = batch.times[static_cast<std::size_t>(input)];
  const bool classes = head.kind == "softmax";
  const auto add = [&](std::size_t event, double value) {
    result.tau.push_back(tau[event]);
    if (!classes) {
      result.values.push_back(value);
      return;
    }
    for (int64_t c = 0; c < result.columns; ++c) {
      result.values.push_back(static_cast<double>(c) == value ? 1 : 0);
    }
  };
  if (classes) result.columns = std::min(head.classes, kMostColumns);
  const auto sequences = static_cast<std::size_t>(batch.sequences());
  for (std::size_t b = 0; b < sequences && !head.each_step; ++b) {
    const auto last = static_cast<std::size_t>(batch.offsets[b + 1] - 1);
    const double value = classes ? batch.labels[b] : static_cast<double>(batch.values[b]);
    if (std::isfinite(value)) add(last, value);
  }
  for (std::size_t e = 0; e < tau.size() && head.each_step; ++e) {
    const double value = classes ? batch.next_events[e] : static_cast<double>(batch.values[e]);
    if (std::isfinite(value) && !(classes && value < 0)) add(e, value);
  }
  if (!classes) detrend(result.values, result.tau);
  return result;
}

/// In seconds: day, week, parts of them, month, year and half of it.
constexpr double kCalendarCycles[] = {kDay,       7 * kDay,       kDay / 2, kDay / 3,
                                      3.5 * kDay, 30.4368 * kDay, kYear,    kYear / 2};

/// Peaks of what is to be predicted that chance does not make, strongest first; none where looking would take
/// long.
std::vector<Period> sure_peaks(const TargetsOverTime& targets, const nn::TimeScale& scale) {
  constexpr double kMostWork = 2e8;
  constexpr double kChance = 0.01;
  constexpr std::size_t kMostPeaks = 4;
  const FrequencyRange range = scale.cycles();
  const auto times = static_cast<double>(std::min(std::ssize(targets.tau), kMostTimes));
  const double points = 2 * scale.span * range.high;  // of the periodogram, some ten to each natural width
  if (times <= 2 || points > kMostFrequencies) return {};
  if (points * times * static_cast<double>(targets.columns) > kMostWork) return {};
  std::vector<Period> peaks = strongest_periods(targets.tau, targets.values, targets.columns, range);
  const double by_chance = 2 * std::log(points / kChance) / times;
  std::erase_if(peaks, [&](const Period& peak) { return peak.power < by_chance; });
  if (peaks.size() > kMostPeaks) peaks.resize(kMostPeaks);
  return peaks;
}

bool has_several_views(const ModelConfig& model) {
  const nn::TimeEncoderConfig& first = model.times.front();
  return std::ranges::any_of(model.times, [&](const nn::TimeEncoderConfig& time) {
    return time.kind != first.kind ||
           (time.kind == "t2v" && (time.k != first.k || time.linear != first.linear));
  });
}

}  // namespace

std::vector<Period> start_cycles(const TargetsOverTime& targets, const ModelTimes& times,
                                 const nn::TimeEncoderConfig& encoder, const nn::TimeScale& scale) {
  using std::numbers::pi;
  const FrequencyRange range = scale.cycles();
  std::vector<Period> cycles = sure_peaks(targets, scale);
  for (const double seconds : kCalendarCycles) {
    if (!times.scale.instants) break;
    const double omega = 2 * pi * times.view.ticks_per_unit / kTicksPerSecond / seconds;
    const bool fine = times.grid == 0 || omega <= pi / times.grid;
    if (fine && omega >= range.low)
      cycles.push_back({omega, std::remainder(-omega * encoder.centre, 2 * pi), 0});
  }
  std::vector<Period> both;
  for (const Period& cycle : cycles) {
    if (static_cast<int64_t>(both.size()) + 2 > encoder.k / 2) break;
    both.push_back(cycle);
    both.push_back({cycle.omega, cycle.phi + pi / 2, cycle.power});
  }
  return both;
}

std::vector<nn::TimeEncoderConfig> time_layout(const TrainConfig& config, Task task, data::ValueTarget values,
                                               data::Events& events, std::vector<std::string>& choices) {
  const bool over_time = values == data::ValueTarget::kOfNextEvent || values == data::ValueTarget::kOfEvent;
  if (config.time == "none") {
    if (config.query_time) fail("`query_time` is a time, which `time` none takes away; use one of them");
    return {};
  }
  const bool plain = config.time == "plain";
  const bool several = (config.time == "auto" || plain) && config.time_input == "auto" && !over_time;
  if (plain && !several) {
    fail("`time` plain is several views of time, {}",
         over_time ? "which values over time do not have" : "so it goes without `time_input`");
  }
  TrainConfig named = config;
  if (config.time == "auto" || plain) named.time = "t2v";
  nn::TimeEncoderConfig encoder = encoder_from(named);
  if (is_date(encoder)) use_calendar(encoder, events);
  if (events.grid == 0 && !starts_differ(events) && config.time_input == "auto" && encoder.kind == "t2v") {
    choices.emplace_back("time: none, since the times within each sequence never differ");
    return {};
  }
  if (several) {
    std::vector<nn::TimeEncoderConfig> views =
        Views(encoder, events, plain, config.when).all(events.grid > 0, config.query_time);
    choices.push_back(fmt::format("time: {}, {}", text_of(views), of_units(events)));
    return views;
  }
  std::vector<nn::TimeEncoderConfig> encoders;
  std::string names;
  for (const TimeInput input : inputs_of(config, task, values, events)) {
    encoder.input = input;
    encoders.push_back(encoder);
    names += (names.empty() ? "" : ", ") + std::string(nn::name_of(input));
  }
  choices.push_back(fmt::format("time: {} of {}, {}", encoder.kind, names, of_units(events)));
  return encoders;
}

std::vector<nn::TimeEncoderConfig> next_time_layout(const TrainConfig& config, const data::Events& events) {
  if (config.time == "none") return {};
  TrainConfig named = config;
  const bool plain = config.time == "plain";
  const bool several = plain || config.time == "auto";
  if (several) named.time = "t2v";
  nn::TimeEncoderConfig encoder = encoder_from(named);
  if (several) return Views(encoder, events, plain, true).next();
  std::vector<nn::TimeEncoderConfig> encoders;
  for (const TimeInput input : {TimeInput::kQuery, TimeInput::kUntil}) {
    if (input == TimeInput::kUntil && is_date(encoder)) continue;  // a duration has no date
    if (is_date(encoder)) encoder.unit = events.view.ticks_per_unit / kTicksPerSecond;
    encoder.input = input;
    encoders.push_back(encoder);
  }
  return encoders;
}

void measure_times(ModelConfig& model, const SequenceBatch& batch) {
  for (auto* times : {&model.times, &model.next_times}) {
    for (nn::TimeEncoderConfig& encoder : *times) nn::measure(encoder, batch);
  }
  if (model.cell != "phased") return;
  const double gap = nn::time_scale(batch, TimeInput::kStart).median_gap;
  if (gap > 0) model.clock_scale = gap;
}

std::string time_option(const ModelConfig& model) {
  if (model.times.empty()) return "none";
  if (has_several_views(model)) {
    const bool plain = std::ranges::none_of(model.times, [](const auto& time) { return time.kind == "t2v"; });
    return plain ? "plain" : "auto";
  }
  const nn::TimeEncoderConfig& time = model.times[0];
  return time.kind == "t2v" ? fmt::format("{}:{}", time.kind, time.k) : time.kind;
}

std::string time_input_option(const ModelConfig& model) {
  if (model.times.empty() || has_several_views(model)) return "auto";
  std::string names;
  for (const nn::TimeEncoderConfig& time : model.times) {
    names += (names.empty() ? "" : ",") + std::string(nn::name_of(time.input));
  }
  return names;
}

std::vector<nn::TimeScale> time_scales(const ModelConfig& model, const ModelTimes& times,
                                       const SequenceBatch& batch) {
  std::vector<nn::TimeScale> scales;
  std::vector<nn::TimeEncoderConfig> encoders = model.times;
  encoders.insert(encoders.end(), model.next_times.begin(), model.next_times.end());
  for (const nn::TimeEncoderConfig& encoder : encoders) {
    nn::TimeScale scale = nn::time_scale(batch, encoder.input);
    scale.grid = times.grid;
    const bool periods = encoder.start == nn::OmegaStart::kPeriodogram;
    const bool wanted = encoder.kind == "t2v" && (periods || encoder.start == nn::OmegaStart::kCycles);
    if (wanted && scale.span > 0 && scale.median_gap > 0) {
      const TargetsOverTime targets = targets_over_time(model.heads[0], batch, encoder.input);
      if (!periods) {
        scale.periods = start_cycles(targets, times, encoder, scale);
      } else if (targets.tau.size() > 2) {
        scale.periods = strongest_periods(targets.tau, targets.values, targets.columns, scale.range());
      }
    }
    scales.push_back(std::move(scale));
  }
  return scales;
}

}  // namespace t2v
