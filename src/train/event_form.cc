#include "train/event_form.h"

#include <string_view>

#include "base/fail.h"
#include "data/doctor_text.h"
#include "train/same_model.h"

namespace t2v {
namespace {

using data::Piece;

/// With fewer events that share their time, the order of the others matters more.
constexpr double kSharedTimes = 0.01;

/// The share of events that have the time of the one before in their sequence.
double shared_times(const data::Events& events, std::span<const Piece> pieces) {
  int64_t shared = 0;
  int64_t all = 0;
  for (const Piece& piece : pieces) {
    events.check(piece.begin, piece.end);
    all += piece.end - piece.begin;
    for (int64_t e = piece.begin + 1; e < piece.end; ++e)
      shared += events.tick(e) == events.tick(e - 1) ? 1 : 0;
  }
  return static_cast<double>(shared) / static_cast<double>(all);
}

/// Why events of one time cannot be one step; empty if they can.
std::string_view why_not_together(const data::Encoding& encoding, const TrainConfig& config,
                                  const data::Events& events, bool whole) {
  if (!whole) return "each event is predicted";
  if (!encoding.event) return "the events have no types";
  if (!encoding.numbers.empty() || !encoding.categories.empty()) return "the events have further columns";
  if (encoding.value && config.typed_values != "yes") return "the values are not scaled by type";
  if (events.interval) return "the data have a column of intervals";
  const bool asks = config.time_input.find("query") != std::string::npos ||
                    config.time_input.find("until") != std::string::npos;
  if (asks) return "the model looks at the time of the next event";
  return {};
}

std::string_view why_not_typed(const data::Encoding& encoding, bool whole) {
  if (!whole) return "each event is predicted";
  if (!encoding.event || !encoding.value) return "the events do not have both types and values";
  if (encoding.event_types() < 2 || encoding.event_types() > data::kMostTypedValues) {
    return "there are not 2 to 1,000 types";
  }
  return {};
}

/// What auto becomes.
void settle(std::string& option, std::string_view name, std::string_view why_not, bool wanted) {
  if (option == "yes" && !why_not.empty()) fail("`{}` yes cannot be: {}; leave it out", name, why_not);
  if (option == "auto") option = why_not.empty() && wanted ? "yes" : "no";
}

void check_kept(std::string& option, std::string_view name, bool has) {
  const std::string of_model = has ? "yes" : "no";
  if (option == "auto") option = of_model;
  if (option != of_model) fail_contradiction(fmt::format("`{}`", name), option, of_model);
}

}  // namespace

void choose_event_form(data::Encoding& encoding, TrainConfig& config, const TrainedModel& model,
                       const data::Events& events, std::span<const Piece> train,
                       std::vector<std::string>& choices) {
  const bool whole = model.task == Task::kClassify || model.values == data::ValueTarget::kOfSequence;
  settle(config.typed_values, "typed_values", why_not_typed(encoding, whole), true);
  const auto why_not = why_not_together(encoding, config, events, whole);
  const bool wanted =
      why_not.empty() && config.together == "auto" && shared_times(events, train) > kSharedTimes;
  settle(config.together, "together", why_not, wanted);
  encoding.together = config.together == "yes";
  if (config.typed_values == "yes") {
    const std::vector<int32_t> codes = data::codes_of(*encoding.event, events.event->names);
    encoding.typed_values = data::learn_typed_values(events, train, codes, encoding.event_types());
    encoding.value.reset();
    choices.emplace_back("values: each event type has a scale and weights of its own (`typed_values`)");
  }
  if (encoding.together) choices.emplace_back("events of one time are one step (`together`)");
}

void keep_event_form(TrainConfig& config, const data::Encoding& encoding) {
  check_kept(config.typed_values, "typed_values", encoding.typed_values.has_value());
  check_kept(config.together, "together", encoding.together);
}

}  // namespace t2v
