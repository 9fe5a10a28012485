#include "model/trained_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/container.h"
#include "base/container_writer.h"
#include "base/fail.h"
#include "base/json_text.h"
#include "base/text_check.h"
#include "forecast/forecaster_file.h"
#include "model/config_json.h"
#include "model/parameters_file.h"

namespace t2v {
namespace {

using data::Encoding;
using data::Vocabulary;
using Json = nlohmann::json;

constexpr std::string_view kKind = "model";
constexpr std::array<std::string_view, 3> kOrigins = {"sequence", "dataset", "instant"};
constexpr std::array<std::string_view, 4> kValueTargets = {"none", "event", "next", "sequence"};
/// A description is small: names are in tensors. So reading one cannot take much memory.
constexpr std::size_t kLongestDescription = std::size_t{1} << 20;
constexpr std::ptrdiff_t kMostEntries = 50'000;

// --- vocabularies: in tensors, not in the description ---

/// The vocabularies of an encoding, in a fixed order.
template <class AnyEncoding>
auto vocabularies_of(AnyEncoding& encoding) {
  std::vector<decltype(&*encoding.event)> all;
  if (encoding.event) all.push_back(&*encoding.event);
  if (encoding.label) all.push_back(&*encoding.label);
  for (auto& feature : encoding.categories) all.push_back(&feature.vocabulary);
  for (auto& feature : encoding.sequence_categories) all.push_back(&feature.vocabulary);
  return all;
}

/// Names one after another.
struct NameBytes {
  std::string bytes;
  std::vector<int64_t> offsets = {0};
};

NameBytes bytes_of(const Vocabulary& vocabulary) {
  NameBytes names;
  for (const std::string& name : vocabulary.names) {
    names.bytes += name;
    names.offsets.push_back(static_cast<int64_t>(names.bytes.size()));
  }
  return names;
}

std::string vocabulary_name(std::size_t i, std::string_view part) {
  return fmt::format("vocabulary.{}.{}", i, part);
}

void read_names(Vocabulary& vocabulary, const Container& file, std::size_t i) {
  const auto bytes = file.tensor<char>(vocabulary_name(i, "bytes"));
  const auto offsets = file.tensor<int64_t>(vocabulary_name(i, "offsets"));
  const auto size = static_cast<int64_t>(bytes.size());
  const bool sound =
      !offsets.empty() && offsets.front() == 0 && offsets.back() == size && std::ranges::is_sorted(offsets);
  if (!sound) fail("{}: the offsets of vocabulary {} do not fit its bytes{}", file.path(), i, kDamaged);
  std::vector<std::string_view> views;
  for (std::size_t n = 0; n + 1 < offsets.size(); ++n) {
    views.emplace_back(bytes.data() + offsets[n], static_cast<std::size_t>(offsets[n + 1] - offsets[n]));
  }
  vocabulary.names.assign(views.begin(), views.end());
  std::ranges::sort(views);
  const auto twice = std::ranges::adjacent_find(views);
  if (twice != views.end())
    fail("{}: '{}' is twice in vocabulary {}{}", file.path(), shown(*twice), i, kDamaged);
}

// --- the description ---

Json json_of(const ModelTimes& times) {
  return {{"instants", times.scale.instants},
          {"seconds", times.scale.seconds},
          {"decimals", times.scale.decimals},
          {"unit", times.view.unit},
          {"ticks_per_unit", times.view.ticks_per_unit},
          {"origin", kOrigins[static_cast<std::size_t>(times.view.origin)]},
          {"origin_tick", times.view.origin_tick},
          {"grid", times.grid},
          {"least_gap", times.least_gap}};
}

template <class Names>
std::size_t index_of(const Names& names, const std::string& name, std::string_view what) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) fail("unknown {} '{}'", what, shown(name));
  return static_cast<std::size_t>(found - names.begin());
}

ModelTimes times_from(const Json& json) {
  ModelTimes times;
  times.scale = {json.at("instants").get<bool>(), json.at("decimals").get<int>(),
                 json.at("seconds").get<bool>()};
  times.view.unit = json.at("unit").get<std::string>();
  times.view.ticks_per_unit = json.at("ticks_per_unit").get<double>();
  times.view.origin = static_cast<data::OriginKind>(index_of(kOrigins, json.at("origin"), "origin"));
  times.view.origin_tick = json.at("origin_tick").get<int64_t>();
  times.grid = json.at("grid").get<double>();
  times.least_gap = json.at("least_gap").get<double>();
  const bool sound = times.scale.decimals >= 0 && times.scale.decimals <= 18 &&
                     times.view.ticks_per_unit > 0 && std::isfinite(times.view.ticks_per_unit) &&
                     times.grid >= 0 && std::isfinite(times.grid) && times.least_gap >= 0 &&
                     std::isfinite(times.least_gap);
  if (!sound) fail("the times of the model make no sense");
  return times;
}

std::string text_of(const Json& json) {
  std::string text;
  try {
    text = json.dump();
  } catch (const Json::exception&) {
    fail("a name in the model is not UTF-8, which is needed to write it; convert the data to UTF-8");
  }
  if (text.size() > kLongestDescription || std::ranges::count(text, ',') > kMostEntries) {
    fail("the description of the model has {} bytes, more than fit into a file; use fewer features",
         text.size());
  }
  return text;
}

Json parsed(const Container& file, const char* key) {
  const std::string& text = file.get(key);
  if (text.size() > kLongestDescription || std::ranges::count(text, ',') > kMostEntries) {
    fail("{}: '{}' is longer than any that is written{}", file.path(), key, kDamaged);
  }
  Json json = parse_json_text(text, 2 * kMostEntries);
  if (json.is_discarded()) fail("{}: '{}' is not JSON{}", file.path(), key, kDamaged);
  return json;
}

void check_tensor_count(const Container& file, const nn::Layout& layout) {
  const std::vector<std::string> names = file.names();
  const auto others = std::ranges::count_if(names, [](const std::string& name) {
    return name.starts_with("vocabulary.") || name.starts_with("baseline.") || name.starts_with("forecast.");
  });
  const std::size_t parameters = names.size() - static_cast<std::size_t>(others);
  if (parameters == layout.tensors().size()) return;
  fail("{}: has {} tensors of parameters, but by its configuration {}{}", file.path(), parameters,
       layout.tensors().size(), kDamaged);
}

/// What the configuration says about the data must be what the encoding says.
void check_agreement(const TrainedModel& model) {
  const auto check = [](const char* what, int64_t config, int64_t encoding) {
    if (config == encoding) return;
    fail("the configuration has {} {}, but the encoding {}", config, what, encoding);
  };
  const bool next = model.task == Task::kNext || model.task == Task::kRecommend;
  check("event types", model.config.event_types, model.encoding.event_types());
  check("rows of event weights", model.config.event_rows, model.encoding.event_rows());
  check("features", model.config.features, model.encoding.features());
  const int head = find_head(model.config, "softmax");
  if (next || model.task == Task::kClassify) {
    if (head < 0) fail("the task {} needs a head 'softmax'", name_of(model.task));
    check("classes", model.config.heads[static_cast<std::size_t>(head)].classes,
          next ? model.encoding.event_types() : model.encoding.classes());
  } else {
    const bool of_sequence = model.values == data::ValueTarget::kOfSequence;
    const auto& scale = of_sequence ? model.encoding.target_scale : model.encoding.value_scale;
    if (!scale || model.values == data::ValueTarget::kNone) fail("it is not said which number is predicted");
  }
}

std::optional<double> threshold_from(const Json& json, const TrainedModel& model) {
  const auto found = json.find("threshold");
  if (found == json.end()) return std::nullopt;
  const double threshold = found->get<double>();
  if (model.task != Task::kClassify || model.config.heads[0].classes != 2 ||
      !(threshold >= 0 && threshold <= 1)) {
    fail("the threshold {} makes no sense for this model", threshold);
  }
  return threshold;
}

TrainedModel read_description(const Container& file) {
  TrainedModel model;
  const Json json = parsed(file, "model");
  model.task = task_from(json.at("task").get<std::string>());
  model.values = static_cast<data::ValueTarget>(index_of(kValueTargets, json.at("values"), "target"));
  model.config = model_config_from_json(json.at("config"));
  model.encoding = data::encoding_from_json(json.at("encoding"));
  model.times = times_from(json.at("times"));
  model.threshold = threshold_from(json, model);
  model.options = parsed(file, "options");
  model.training = parsed(file, "training");
  const auto vocabularies = vocabularies_of(model.encoding);
  for (std::size_t i = 0; i < vocabularies.size(); ++i) read_names(*vocabularies[i], file, i);
  check_agreement(model);
  return model;
}

/// A tick of one number of decimals in another.
int64_t rescaled_tick(int64_t tick, int from, int to) {
  for (; from < to; ++from) {
    if (__builtin_mul_overflow(tick, int64_t{10}, &tick)) {
      fail("the origin of the model's times is too far from those of the data, which have {} decimals", to);
    }
  }
  for (; from > to; --from) {
    if (tick % 10 != 0) {
      fail("the origin of the model's times is finer than those of the data, which have {} decimals", to);
    }
    tick /= 10;
  }
  return tick;
}

}  // namespace

Model network_of(const TrainedModel& model, const ModelConfig& config) {
  Model network(config);
  if (std::ranges::none_of(config.heads, &nn::HeadConfig::rules)) return network;
  const int32_t unknown = model.encoding.event ? model.encoding.event->unknown_code() : -1;
  network.set_rules(std::make_shared<const Rules>(model.baselines, unknown));
  return network;
}

Model network_of(const TrainedModel& model) { return network_of(model, model.config); }

void fit_to_model(data::Events& events, const TrainedModel& model) {
  if (events.scale.instants != model.times.scale.instants) {
    constexpr std::string_view kDates = "dates";
    constexpr std::string_view kNumbers = "plain numbers";
    fail("the times of the data are {}, but the model was trained on {}; see `time_unit`",
         events.scale.instants ? kDates : kNumbers, model.times.scale.instants ? kDates : kNumbers);
  }
  if (events.scale.has_unit() && model.times.scale.has_unit()) {
    data::set_unit(events, model.times.view.unit);
  } else {
    const int decimals = events.scale.decimals - model.times.scale.decimals;
    events.view.unit = model.times.view.unit;
    events.view.ticks_per_unit = model.times.view.ticks_per_unit * std::pow(10.0, decimals);
  }
  events.view.origin = model.times.view.origin;
  events.view.origin_tick =
      model.times.view.origin == data::OriginKind::kSequence
          ? 0
          : rescaled_tick(model.times.view.origin_tick, model.times.scale.decimals, events.scale.decimals);
}

void write_model(FileSystem& files, const std::string& path, const TrainedModel& model) {
  ContainerWriter writer{std::string(kKind)};
  Encoding encoding = model.encoding;
  const auto vocabularies = vocabularies_of(model.encoding);
  std::vector<NameBytes> names;
  for (const Vocabulary* vocabulary : vocabularies) names.push_back(bytes_of(*vocabulary));
  for (Vocabulary* vocabulary : vocabularies_of(encoding)) vocabulary->names.clear();
  for (std::size_t i = 0; i < names.size(); ++i) {
    writer.add(vocabulary_name(i, "bytes"), std::span<const char>(names[i].bytes));
    writer.add(vocabulary_name(i, "offsets"), std::span<const int64_t>(names[i].offsets));
  }
  Json description = {{"task", name_of(model.task)},
                      {"values", kValueTargets[static_cast<std::size_t>(model.values)]},
                      {"config", to_json(model.config)},
                      {"encoding", data::to_json(encoding)},
                      {"times", json_of(model.times)}};
  if (model.threshold) description["threshold"] = *model.threshold;
  writer.set("model", text_of(description));
  writer.set("options", text_of(*model.options));
  writer.set("training", text_of(*model.training));
  const Model laid_out(model.config);
  add_parameters(writer, "", laid_out.layout(), model.parameters);
  model.baselines.add_to(writer);
  const forecast::StoredIds ids =
      model.forecaster ? forecast::stored_ids(*model.forecaster) : forecast::StoredIds{};
  if (model.forecaster) forecast::add_to(writer, *model.forecaster, ids);
  writer.write(files, path);
}

TrainedModel read_model(const std::string& path, FileSystem& files) {
  const Container file = Container::open(path, kKind, files);
  file.verify();
  try {
    TrainedModel model = read_description(file);
    const Model laid_out(model.config);
    check_tensor_count(file, laid_out.layout());
    model.parameters = read_parameters(file, "", laid_out.layout());
    model.baselines = Baselines::read_from(file, model.encoding);
    model.forecaster = forecast::read_forecaster(file);
    network_of(model);  // throws where its rules are of nothing
    file.check_intact();
    return model;
  } catch (const Json::exception&) {
    fail("{}: its description lacks a field or has one of another type{}", path, kDamaged);
  } catch (const Error& error) {
    if (std::string_view(error.what()).starts_with(path)) throw;
    fail("{}: {}{}", path, error.what(), kDamaged);
  }
}

}  // namespace t2v
