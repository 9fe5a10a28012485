#include "inspect_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "data/decimal.h"
#include "data/doctor_text.h"
#include "data/human_time.h"
#include "data/iso_time.h"
#include "data_options.h"
#include "model/learned_time.h"
#include "model/task.h"
#include "summary.h"

namespace t2v::cli {
namespace {

using data::counted;
using data::human_count;
using Json = nlohmann::json;

std::string line(const std::string& name, const std::string& what) {
  return fmt::format("{:<10} {}\n", name, what);
}

// --- the configuration in words ---

std::string task_text(const TrainedModel& model) {
  const bool when = find_head(model.config, "when") >= 0;
  switch (model.task) {
    case Task::kClassify:
      return "classify: the class of a sequence";
    case Task::kNext:
      return fmt::format("next: the type of the next event{}", when ? " and when it comes" : "");
    case Task::kRecommend:
      return fmt::format("recommend: items that may come next{}", when ? " and when" : "");
    case Task::kRegress:
      return model.values == data::ValueTarget::kOfSequence ? "regress: a number of the sequence"
                                                            : "regress: a number of each event";
    case Task::kForecast:
      return "forecast: the value of the next event";
  }
  return "";
}

std::string origin_text(const ModelTimes& times) {
  if (times.view.origin == data::OriginKind::kSequence) return "the first event of each sequence";
  return times.scale.instants ? data::format_iso(times.view.origin_tick)
                              : data::to_text({times.view.origin_tick, times.scale.decimals});
}

std::string times_text(const TrainedModel& model, const LearnedTime& learned) {
  const ModelTimes& times = model.times;
  std::string text = times.scale.instants ? fmt::format("dates, in {}", times.view.unit) : "plain numbers";
  text += ", counted from " + origin_text(times);
  if (times.grid > 0) text += fmt::format(", on a grid of {}", period_text(times.grid, learned));
  return text;
}

std::string encoder_text(const nn::TimeEncoderConfig& time) {
  std::string text = fmt::format("{} by {}", nn::name_of(time.input), time.kind);
  if (time.kind != "t2v") return text;
  text += fmt::format(", {} terms {}", time.k, nn::name_of(time.activation));
  if (time.linear) text += " and a linear one";
  text += fmt::format(", frequencies from {}", nn::name_of(time.start));
  if (time.frozen) text += ", frozen";
  return time.l1 > 0 ? text + fmt::format(", l1 {:g}", time.l1) : text;
}

std::string cell_text(const ModelConfig& config) {
  if (config.cell == "none") return "none: inputs go straight to the heads";
  std::string text = fmt::format("{}, {} in {}", config.cell, counted(config.hidden, "unit"),
                                 counted(config.layers, "layer"));
  if (config.cell.starts_with("tlstm")) {
    text += fmt::format(", inner {}, T1 constraint {}", config.inner, config.t1_constraint);
    if (config.t1_constraint == "floor") text += fmt::format(" {:g}", config.t1_floor);
  }
  if (config.dropout > 0) text += fmt::format(", dropout {:g}", config.dropout);
  if (config.skip) text += ", times and features also straight to the heads";
  return config.chunk > 0 ? text + fmt::format(", chunks of {} steps", config.chunk) : text;
}

std::string head_text(const nn::HeadConfig& head) {
  std::string text = head.kind;
  if (head.kind == "softmax") text += fmt::format(" of {} classes", human_count(head.classes));
  if (head.kind == "when") text += fmt::format(" of {}", counted(head.components, "component"));
  if (head.kind == "huber") text += fmt::format(", delta {:g}", head.delta);
  if (!head.class_weights.empty()) text += ", by class weights";
  if (head.weight != 1) text += fmt::format(", weight {:g}", head.weight);
  return text + (head.each_step ? ", at each event" : ", at the last event");
}

std::string config_text(const TrainedModel& model, const LearnedTime& learned) {
  const ModelConfig& config = model.config;
  std::string text = line("task", task_text(model)) + line("times", times_text(model, learned));
  std::string inputs;
  if (config.event_types > 0) inputs += human_count(config.event_types) + " event types";
  if (config.features > 0) inputs += (inputs.empty() ? "" : ", ") + counted(config.features, "feature");
  if (!inputs.empty()) text += line("inputs", inputs);
  for (const auto& time : config.times) text += line("time input", encoder_text(time));
  for (const auto& time : config.next_times) text += line("next time", encoder_text(time));
  text += line("cell", cell_text(config));
  for (const auto& head : config.heads) text += line("head", head_text(head));
  return text;
}

// --- sizes ---

/// Tensors whose names start alike: "cell", "time0", "head".
struct Group {
  std::string name;
  int64_t parameters = 0;
  std::vector<nn::Tensor> tensors;
};

std::vector<Group> groups_of(const nn::Layout& layout) {
  std::vector<Group> groups;
  for (const nn::Tensor& tensor : layout.tensors()) {
    const std::string name = tensor.name.substr(0, tensor.name.find('.'));
    auto at = groups.begin();
    while (at != groups.end() && at->name != name) ++at;
    if (at == groups.end()) at = groups.insert(at, {name, 0, {}});
    at->parameters += tensor.size();
    at->tensors.push_back(tensor);
  }
  return groups;
}

std::string sizes_text(const nn::Layout& layout) {
  std::string text;
  for (const Group& group : groups_of(layout)) {
    text += fmt::format("  {:<8} {:>12} ", group.name, human_count(group.parameters));
    for (const nn::Tensor& tensor : group.tensors) {
      text += fmt::format(" {} {} x {}{}", tensor.name.substr(group.name.size() + 1), tensor.rows,
                          tensor.cols, &tensor == &group.tensors.back() ? "\n" : ",");
    }
  }
  return text;
}

// --- records ---

/// A list in one line: whole if it is short, else its ends.
std::string list_text(const Json& list) {
  constexpr std::size_t kWhole = 8;
  if (list.size() <= kWhole) return printable(list, -1);
  return fmt::format("[{}, ..., {}] ({} entries)", printable(list.front(), -1), printable(list.back(), -1),
                     list.size());
}

/// A line for each entry, those within others as "outer.inner".
std::string record_text(const Json& record, const std::string& prefix = "") {
  std::string text;
  for (const auto& [key, value] : record.items()) {
    if (value.is_object()) {
      text += record_text(value, prefix + key + ".");
      continue;
    }
    const std::string shown = value.is_array()    ? list_text(value)
                              : value.is_string() ? value.get<std::string>()
                                                  : printable(value, -1);
    text += fmt::format("  {:<20} {}\n", prefix + key, shown);
  }
  return text;
}

/// ", loss 3.0000 to 1.5000" from one epoch to another; empty if they do not have it.
std::string change_text(const Json& first, const Json& last, const char* key, const char* name) {
  const double none = std::nan("");
  const auto number = [&](const Json& epoch) {
    const auto found = epoch.find(key);
    return found != epoch.end() && found->is_number() ? found->get<double>() : none;
  };
  if (!first.is_object() || !last.is_object()) return "";
  if (std::isnan(number(first)) || std::isnan(number(last))) return "";
  return fmt::format(", {} {:.4f} to {:.4f}", name, number(first), number(last));
}

/// The epochs of a training record in a line, up to the best; empty if there is none.
std::string history_text(const Json& training) {
  const auto epochs = training.find("epochs");
  if (epochs == training.end() || !epochs->is_array()) return "";
  if (epochs->empty()) return line("training", "none: the weights are as they start");
  const auto number = [](const Json& json, const char* key) -> int64_t {
    const bool there = json.is_object() && json.contains(key) && json[key].is_number_integer();
    return there ? json[key].get<int64_t>() : -1;
  };
  const int64_t best = number(training, "best_epoch");
  const auto kept =
      std::ranges::find_if(*epochs, [&](const Json& one) { return number(one, "epoch") == best; });
  const Json& last = kept == epochs->end() ? epochs->back() : *kept;
  std::string text = counted(std::max<int64_t>(number(epochs->back(), "epoch"), 1), "epoch");
  if (best >= 0) text += fmt::format(", best {}", best);
  return line("training", text + change_text(epochs->front(), last, "loss", "loss") +
                              change_text(epochs->front(), last, "valid_loss", "validation loss"));
}

/// The record but its epochs, which have a line of their own.
Json rest_of(Json training) {
  const auto epochs = training.find("epochs");
  if (epochs != training.end() && epochs->is_array()) training.erase(epochs);
  return training;
}

/// A title above indented lines; nothing without lines.
std::string section(const std::string& title, const std::string& lines) {
  return lines.empty() ? "" : title + "\n" + lines;
}

const std::string kForAll = "(--all: encoding, sizes, training record and options)\n";

std::string rest_text(const TrainedModel& trained, const Model& model) {
  return section("encoding", indented(data::describe(trained.encoding))) +
         section("sizes", sizes_text(model.layout())) +
         section("training record", record_text(rest_of(*trained.training))) +
         section("options", record_text(*trained.options));
}

/// A model that forecasts in closed form.
std::string forecast_text(const TrainedModel& trained, const LearnedTime& learned, int64_t top, bool all) {
  const forecast::Forecaster& forecaster = *trained.forecaster;
  std::string scores;
  for (const forecast::Score& score : forecaster.scores) {
    scores += fmt::format("  {:.4f}  {}\n", score.error, score.name);
  }
  return line("task",
              fmt::format("forecast: values up to {} ahead, usually {} apart",
                          period_text(forecaster.horizon, learned), period_text(forecaster.step, learned))) +
         line("times", times_text(trained, learned)) +
         line("series", human_count(static_cast<int64_t>(forecaster.ids.size()))) +
         line("predicts", "by " + forecaster.description()) +
         section("learned periods", indented(describe(learned, top, all))) +
         section("mean absolute error on the last part of the data, in the mean deviation of each series",
                 scores) +
         (all ? section("training record", record_text(rest_of(*trained.training))) : kForAll);
}

}  // namespace

std::string model_text(const TrainedModel& trained, int64_t top, bool all) {
  const LearnedTime learned = learned_time(trained);
  if (trained.forecaster) return forecast_text(trained, learned, top, all);
  const Model model(trained.config);
  return config_text(trained, learned) + line("parameters", human_count(model.layout().parameter_count())) +
         (trained.threshold ? line("threshold", fmt::format("{:.4g}", *trained.threshold)) : "") +
         history_text(*trained.training) +
         section(learned.trained ? "learned periods" : "starting periods",
                 indented(describe(learned, top, all))) +
         (all ? rest_text(trained, model) : kForAll);
}

nlohmann::json model_json(const TrainedModel& trained) {
  const Model model(trained.config);
  Json groups = Json::object();
  for (const Group& group : groups_of(model.layout())) groups[group.name] = group.parameters;
  return {{"task", name_of(trained.task)},
          {"parameters", model.layout().parameter_count()},
          {"groups", std::move(groups)},
          {"learned_time", to_json(learned_time(trained))}};
}

}  // namespace t2v::cli
