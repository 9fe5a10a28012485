#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/timed_head.h"
#include "model/trained_model.h"

namespace t2v {

/// A class, or a type that the next event may have.
struct Choice {
  int32_t code;
  float probability;

  bool operator==(const Choice&) const = default;
};

/// What a model says in one place: after an event, or of a sequence. Only what its heads predict is there.
struct Prediction {
  /// The time until the next event, in units of the model. The mean may be infinite.
  struct When {
    double p10;
    double median;
    double p90;
    double mean;

    bool operator==(const When&) const = default;
  };
  /// The value that is not exceeded with the probability `share`.
  struct Quantile {
    double share;
    double value;

    bool operator==(const Quantile&) const = default;
  };
  /// How far the probabilities of `top` may be off where they are means over when the event comes.
  std::optional<double> error;
  std::vector<Choice> top;      // most probable first; of two classes with a threshold the one it says
  std::optional<double> value;  // in the unit of the data
  std::vector<Quantile> quantiles = {};  // of a forecast
  std::optional<When> when;
  std::optional<int64_t> after = {};  // the tick of the event that `when` counts from

  bool operator==(const Prediction&) const = default;
};

/// Fills `out` from the outputs of all heads in one place; outputs[h] are head h's. At most `top` choices;
/// of equally probable ones the smaller code is first. Probabilities are of the known types: '(other)' is
/// never an answer. Reuses the memory of `out`: only a head `when`
/// allocates once it is there. Throws t2v::Error if the outputs are not finite.
void interpret(Prediction& out, const TrainedModel& model, std::span<const float* const> outputs,
               int64_t top);

/// Adds what one head says to `out`; the rest of it stays.
void interpret_head(Prediction& out, const TrainedModel& model, std::size_t head, const float* outputs,
                    int64_t top);

/// The same of a timed head, which says `open` with Workspace::open, beside the head 'when', which says
/// `when`.
struct TimedOutputs {
  const float* open;
  const float* when;
  double start;                    // the time of the last event since the origin, in units of the model
  std::optional<double> gap = {};  // when the next one comes, after it; none: whenever it may
};
void interpret_timed(Prediction& out, const TrainedModel& model, const TimedHead& head,
                     const TimedOutputs& outputs, int64_t top);

/// How many of a class head's outputs, the first ones, can be an answer: nothing is learned of the place for
/// unknown types, which is the last.
int64_t answers_of(const TrainedModel& model, const nn::HeadConfig& head);

/// Mean and spread of the number that the model predicts, which its outputs are in standard units of.
data::NumberFeature value_scale(const TrainedModel& model);

/// The name of a class or an event type of the model; '(other)' for what it does not know apart.
std::string_view name_of_choice(const TrainedModel& model, int32_t code);

/// So long after the event that it counts from as a tick, no finer than times are; none where that is too
/// far, or times are no dates.
std::optional<int64_t> tick_after(const Prediction& prediction, const TrainedModel& model, double gap);
/// The same as a date; empty where there is none.
std::string date_after(const Prediction& prediction, const TrainedModel& model, double gap);

/// "p10" for 0.1, "p2.5" for 0.025.
std::string quantile_name(double share);

/// {"next": [{"event": "a", "p": 0.5}, ...]} or {"class": [{"label": "a", "p": 0.5}, ...]}, {"value": 1.5},
/// {"when": {"p10", "median", "p90", "mean", "unit"}}, and quantiles of a value beside it as {"p10": 1.2}.
/// Probabilities and times have 6 digits; an infinite mean is null. Where times are dates, "when" has "dates"
/// with the same four. "error" is how far probabilities may be off.
nlohmann::json to_json(const Prediction& prediction, const TrainedModel& model);

}  // namespace t2v
