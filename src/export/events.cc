#include "export/events.h"

#include <limits>
#include <set>

#include "base/fail.h"
#include "base/text_check.h"
#include "export/operators.h"
#include "export/times.h"

namespace t2v::onnx {
namespace {

constexpr std::array<const char*, kTimeInputs> kAboutTimes = {
    "time of the event since the origin, in the model's unit",
    "time since the event before, 0 for the first of a sequence",
    "time of the event to be predicted since the origin",
    "time from the event to the one to be predicted",
    "time since the first event of the sequence",
};

/// Adds inputs one after another.
class EventReader {
 public:
  EventReader(Graph& graph, const TrainedModel& trained, const Model& model, bool single_step)
      : graph_(graph), trained_(trained), model_(model) {
    events_.single_step = single_step;
  }

  EventTensors read() {
    if (!events_.single_step) {
      given_lengths_ = graph_.input("length", Type::kInt64, {"batch"}, "events of each sequence, 1 or more");
    }
    data::BatchConfig wanted = trained_.batches(false);
    if (!model_.next_times().encoders().empty()) choose_times(wanted);
    if (wanted.events) {
      const Tensor codes = column("event", Type::kInt64, "type, by its place in the note t2v.events");
      events_.event = known_codes(codes, *trained_.encoding.event);
    }
    for (std::size_t i = 0; i < kTimeInputs; ++i) {
      const auto input = static_cast<TimeInput>(i);
      if (wanted.times[i])
        events_.taus[i] = column(std::string(nn::name_of(input)), Type::kDouble, kAboutTimes[i]);
    }
    if (wanted.features) read_features();
    add_times();
    if (!events_.single_step) check_lengths();
    return std::move(events_);
  }

 private:
  /// A graph is told when the next event is, and so need not know when this one was.
  void choose_times(data::BatchConfig& wanted) const {
    wanted.times = {};
    for (const nn::TimeEncoder* encoder : model_.encoders()) {
      wanted.times[static_cast<std::size_t>(encoder->config().input)] = true;
    }
    if (model_.config().cell == "phased") wanted.times[static_cast<std::size_t>(TimeInput::kStart)] = true;
  }

  /// T and B, and which places have an event, from any tensor [T, B].
  void set_sizes(const Tensor& like) {
    events_.sizes = shape_of(like);
    if (events_.single_step) return;
    const Tensor steps = element(events_.sizes, 0);
    const Tensor at_least_one = graph_.node("Max", {given_lengths_, graph_.scalar(Type::kInt64, 1)});
    events_.lengths = graph_.node("Min", {at_least_one, steps});
    events_.there = unsqueeze(range(steps), 1) < unsqueeze(events_.lengths, 0);
  }

  /// An input with a number for each event: [B, T], or [B] for a single step, as [T, B].
  Tensor column(const std::string& name, Type type, std::string_view about) {
    const Shape shape = events_.single_step ? Shape{"batch"} : Shape{"batch", "events"};
    const Tensor given = graph_.input(name, type, shape, about);
    const Tensor steps = events_.single_step ? unsqueeze(given, 0) : exchange_first(given, 2);
    if (!events_.sizes) set_sizes(steps);
    return events_.single_step ? steps : where(events_.there, steps, 0);
  }

  /// An input with a number for each sequence, [B], as [T, B].
  Tensor sequence_column(const std::string& name, Type type, std::string_view about) {
    const Tensor given = graph_.input(name, type, {"batch"}, about);
    if (!events_.sizes) set_sizes(events_.single_step ? unsqueeze(given, 0) : steps_of_longest(given));
    return expand(given, events_.sizes);
  }

  /// For a model that sees nothing of the events themselves: [T, B] of what it sees of sequences.
  Tensor steps_of_longest(const Tensor& given) {
    const Tensor longest = graph_.node("ReduceMax", {given_lengths_}, {{"keepdims", int64_t{1}}});
    return expand(unsqueeze(given, 0), concat({longest, shape_of(given)}, 0));
  }

  /// Codes in range: others are the unknown one, if there is such, else not good.
  Tensor known_codes(const Tensor& codes, const data::Vocabulary& vocabulary) {
    const Tensor known = both(codes >= 0, codes < static_cast<double>(vocabulary.size()));
    if (!vocabulary.unknown) events_.require(known);
    return where(known, codes, vocabulary.unknown ? static_cast<double>(vocabulary.unknown_code()) : 0);
  }

  void read_features() {
    const data::Encoding& encoding = trained_.encoding;
    if (encoding.value) add_number(*encoding.value, false);
    for (const auto& feature : encoding.numbers) add_number(feature, false);
    for (const auto& feature : encoding.categories) add_category(feature, false);
    for (const auto& feature : encoding.sequence_numbers) add_number(feature, true);
    for (const auto& feature : encoding.sequence_categories) add_category(feature, true);
    events_.features = concat(features_, -1);
  }

  Tensor feature_column(const std::string& name, bool of_sequence, Type type, std::string_view about) {
    if (!names_.insert(name).second) fail("two features are named '{}'; rename one", shown(name));
    return of_sequence ? sequence_column(feature_input(name), type, about)
                       : column(feature_input(name), type, about);
  }

  void add_number(const data::NumberFeature& feature, bool of_sequence) {
    const Tensor x =
        feature_column(feature.name, of_sequence, Type::kDouble, "a number in its own unit, NaN for none");
    const Tensor empty = is_nan(x);
    const Tensor standard = (where(opposite(empty), x, feature.mean) - feature.mean) / feature.std;
    events_.require(abs(standard) <= static_cast<double>(std::numeric_limits<float>::max()));
    features_.push_back(unsqueeze(cast(standard, Type::kFloat), -1));
    if (feature.flag) features_.push_back(unsqueeze(cast(empty, Type::kFloat), -1));
  }

  void add_category(const data::CategoryFeature& feature, bool of_sequence) {
    const Tensor codes = feature_column(feature.name, of_sequence, Type::kInt64,
                                        "a category, by its place in the note t2v.features");
    features_.push_back(one_hot(known_codes(codes, feature.vocabulary), feature.vocabulary.size()));
  }

  void add_times() {
    const auto add = [&](const nn::TimeInputs& inputs, std::vector<Tensor>& vectors) {
      for (const nn::TimeEncoder& encoder : inputs.encoders()) {
        const Tensor& tau = events_.taus[static_cast<std::size_t>(encoder.config().input)];
        vectors.push_back(add_time_vector(events_, tau, encoder, model_.layout(), trained_.parameters));
      }
    };
    add(model_.times(), events_.times);
    add(model_.next_times(), events_.next_times);
  }

  void check_lengths() {
    events_.require(unsqueeze(equal(events_.lengths, given_lengths_), 0));
    events_.good = expand(events_.good, events_.sizes);  // where nothing else was required it is [1, B]
  }

  Graph& graph_;
  const TrainedModel& trained_;
  const Model& model_;
  EventTensors events_;
  Tensor given_lengths_;
  std::vector<Tensor> features_;
  std::set<std::string> names_;
};

}  // namespace

void EventTensors::require(const Tensor& condition) { good = good ? both(good, condition) : condition; }

std::string feature_input(const std::string& column) { return "feature." + column; }

EventTensors add_events(Graph& graph, const TrainedModel& trained, const Model& model, bool single_step) {
  return EventReader(graph, trained, model, single_step).read();
}

}  // namespace t2v::onnx
