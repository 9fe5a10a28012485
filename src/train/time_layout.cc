#include "train/time_layout.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/human_time.h"

namespace t2v {
namespace {

constexpr int64_t kDefaultTerms = 32;
constexpr int64_t kMostTerms = 100'000;

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
          "`time` '{}' makes no sense; use none, raw, log, calendar, t2v or t2v:k with a k from 1 to {}, "
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
    if (events.grid == 0 || config.time == "calendar") inputs.resize(1);
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

void use_calendar(nn::TimeEncoderConfig& encoder, data::Events& events) {
  if (!events.scale.instants) fail("`time` calendar needs dates, but the times are plain numbers");
  data::set_origin(events, data::OriginKind::kInstant, 0);
  constexpr double kTicksPerSecond = 1e9;
  encoder.unit = events.view.ticks_per_unit / kTicksPerSecond;
  encoder.origin = 0;
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

/// What is to be predicted over the times of one input: [places, columns].
struct TargetsOverTime {
  std::vector<double> tau;
  std::vector<double> values;
  int64_t columns = 1;
};

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

}  // namespace

std::vector<nn::TimeEncoderConfig> time_layout(const TrainConfig& config, Task task, data::ValueTarget values,
                                               data::Events& events, std::vector<std::string>& choices) {
  if (config.time == "none") {
    if (config.query_time) fail("`query_time` is a time, which `time` none takes away; use one of them");
    return {};
  }
  nn::TimeEncoderConfig encoder = encoder_from(config);
  if (encoder.kind == "calendar") use_calendar(encoder, events);
  if (events.grid == 0 && !starts_differ(events) && config.time_input == "auto" && encoder.kind == "t2v") {
    choices.emplace_back("time: none, since the times within each sequence never differ");
    return {};
  }
  std::vector<nn::TimeEncoderConfig> encoders;
  std::string names;
  for (const TimeInput input : inputs_of(config, task, values, events)) {
    encoder.input = input;
    encoders.push_back(encoder);
    names += (names.empty() ? "" : ", ") + std::string(nn::name_of(input));
  }
  choices.push_back(fmt::format("time: {} of {}, in {} from {}", encoder.kind, names,
                                events.view.unit == "1" ? "the unit of the data" : events.view.unit,
                                events.view.origin == data::OriginKind::kSequence
                                    ? "the first event of each sequence"
                                    : "a fixed origin"));
  return encoders;
}

void measure_times(ModelConfig& model, const SequenceBatch& batch) {
  for (nn::TimeEncoderConfig& encoder : model.times) nn::measure(encoder, batch);
  if (model.cell != "phased") return;
  const double gap = nn::time_scale(batch, TimeInput::kStart).median_gap;
  if (gap > 0) model.clock_scale = gap;
}

std::string time_option(const ModelConfig& model) {
  if (model.times.empty()) return "none";
  const nn::TimeEncoderConfig& time = model.times[0];
  return time.kind == "t2v" ? fmt::format("{}:{}", time.kind, time.k) : time.kind;
}

std::string time_input_option(const ModelConfig& model) {
  if (model.times.empty()) return "auto";
  std::string names;
  for (const nn::TimeEncoderConfig& time : model.times) {
    names += (names.empty() ? "" : ",") + std::string(nn::name_of(time.input));
  }
  return names;
}

std::vector<nn::TimeScale> time_scales(const ModelConfig& model, const SequenceBatch& batch) {
  std::vector<nn::TimeScale> scales;
  for (const nn::TimeEncoderConfig& encoder : model.times) {
    nn::TimeScale scale = nn::time_scale(batch, encoder.input);
    const bool wanted = encoder.kind == "t2v" && encoder.start == nn::OmegaStart::kPeriodogram;
    if (wanted && scale.span > 0 && scale.median_gap > 0) {
      const TargetsOverTime targets = targets_over_time(model.heads[0], batch, encoder.input);
      if (targets.tau.size() > 2) {
        scale.periods = strongest_periods(targets.tau, targets.values, targets.columns, scale.range());
      }
    }
    scales.push_back(std::move(scale));
  }
  return scales;
}

}  // namespace t2v
