#include "model/config_json.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "base/fail.h"
#include "base/text_check.h"

namespace t2v {
namespace {

using Json = nlohmann::json;

constexpr int64_t kLargestSize = int64_t{1} << 24;  // hidden units, sines, features, components
constexpr int64_t kMostTypes = int64_t{1} << 31;    // event types, classes
constexpr std::size_t kMostEncoders = 64;           // and heads
constexpr int64_t kMostLayers = 256;

// Every field of a configuration under its name, for both directions.

template <class Config, class Function>
void for_each_field_of_time(Config& time, Function function) {
  function("kind", time.kind);
  function("input", time.input);
  function("k", time.k);
  function("activation", time.activation);
  function("linear", time.linear);
  function("frozen", time.frozen);
  function("start", time.start);
  function("l1", time.l1);
  function("scale", time.scale);
  function("centre", time.centre);
  function("spread", time.spread);
  function("unit", time.unit);
  function("origin", time.origin);
}

template <class Config, class Function>
void for_each_field_of_head(Config& head, Function function) {
  function("kind", head.kind);
  function("each_step", head.each_step);
  function("pool", head.pool);
  function("classes", head.classes);
  function("class_weights", head.class_weights);
  function("components", head.components);
  function("delta", head.delta);
  function("weight", head.weight);
  function("rules", head.rules);
  function("centre", head.centre);
  function("spread", head.spread);
  function("floor", head.floor);
  function("atom", head.atom);
  function("units", head.units);
  function("timed", head.timed);
}

template <class Config, class Function>
void for_each_field(Config& config, Function function) {
  function("event_types", config.event_types);
  function("event_rows", config.event_rows);
  function("features", config.features);
  function("times", config.times);
  function("next_times", config.next_times);
  function("cell", config.cell);
  function("hidden", config.hidden);
  function("layers", config.layers);
  function("dropout", config.dropout);
  function("head_dropout", config.head_dropout);
  function("biases", config.biases);
  function("skip", config.skip);
  function("inner", config.inner);
  function("t1_constraint", config.t1_constraint);
  function("t1_floor", config.t1_floor);
  function("clock_scale", config.clock_scale);
  function("chunk", config.chunk);
  function("heads", config.heads);
}

template <class T>
Json json_of(const T& value) {
  return value;
}
Json json_of(nn::Activation value) { return nn::name_of(value); }
Json json_of(nn::OmegaStart value) { return nn::name_of(value); }
Json json_of(TimeInput value) { return nn::name_of(value); }
/// Format 1 did not have these; where they say what it did, they are left out, so that models which it can
/// express look the same (a snapshot of a stream knows its model by that).
void leave_out_old(Json& json) {
  static const Json of_format1 = Json::parse(R"({"scale": 1, "centre": 0, "spread": 1, "clock_scale": 1,
    "event_rows": 0, "head_dropout": 0, "pool": "last", "rules": false, "floor": 0, "atom": false, "units": 0,
    "timed": false, "next_times": []})");
  for (const auto& item : of_format1.items()) {
    const auto found = json.find(item.key());
    if (found != json.end() && *found == item.value()) json.erase(found);
  }
}
Json json_of(const std::vector<nn::TimeEncoderConfig>& times) {
  Json list = Json::array();
  for (const auto& time : times) {
    Json& entry = list.emplace_back(Json::object());
    for_each_field_of_time(time, [&](const char* name, const auto& value) { entry[name] = json_of(value); });
    leave_out_old(entry);
  }
  return list;
}
Json json_of(const std::vector<nn::HeadConfig>& heads) {
  Json list = Json::array();
  for (const auto& head : heads) {
    Json& entry = list.emplace_back(Json::object());
    for_each_field_of_head(head, [&](const char* name, const auto& value) { entry[name] = json_of(value); });
    leave_out_old(entry);
  }
  return list;
}

/// Reads the fields of an object, and knows which ones it has.
class Fields {
 public:
  explicit Fields(const Json& json) : json_(json) {
    if (!json.is_object())
      fail("the configuration of a model is to be an object, not {}", shown(json.dump()));
  }

  template <class T>
  void operator()(const char* name, T& value) {
    known_.insert(name);
    const auto found = json_.find(name);
    if (found == json_.end()) return;
    try {
      read(*found, value);
    } catch (const Json::exception&) {
      fail("the field '{}' of the model's configuration is {}, which is of another type", name,
           shown(found->dump()));
    }
  }

  void check_all_known() const {
    for (const auto& item : json_.items()) {
      if (known_.contains(item.key())) continue;
      fail("the model's configuration has the field '{}', which this version does not know",
           shown(item.key()));
    }
  }

 private:
  template <class T>
  static void read(const Json& json, T& value) {
    json.get_to(value);
  }
  static void read(const Json& json, nn::Activation& value) { value = nn::activation_from(text(json)); }
  static void read(const Json& json, nn::OmegaStart& value) { value = nn::omega_start_from(text(json)); }
  static void read(const Json& json, TimeInput& value) { value = nn::time_input_from(text(json)); }
  static void read(const Json& json, bool& value) { value = json.get_ref<const Json::boolean_t&>(); }
  static void read(const Json& json, int64_t& value) { value = integer(json); }
  static void read(const Json& json, int& value) {
    const int64_t number = integer(json);
    if (number < -kLargestSize || number > kLargestSize) fail("{} makes no sense in a configuration", number);
    value = static_cast<int>(number);
  }
  static void read(const Json& json, double& value) {
    if (!json.is_number()) fail("{} in the model's configuration is not a number", shown(json.dump()));
    value = json.get<double>();
  }
  static void read(const Json& json, std::vector<nn::TimeEncoderConfig>& times) {
    times.clear();
    for (const Json& entry : list(json)) {
      Fields fields(entry);
      for_each_field_of_time(times.emplace_back(), std::ref(fields));
      fields.check_all_known();
    }
  }
  static void read(const Json& json, std::vector<nn::HeadConfig>& heads) {
    heads.clear();
    for (const Json& entry : list(json)) {
      Fields fields(entry);
      for_each_field_of_head(heads.emplace_back(), std::ref(fields));
      fields.check_all_known();
    }
  }
  static const std::string& text(const Json& json) { return json.get_ref<const std::string&>(); }
  static int64_t integer(const Json& json) {
    if (!json.is_number_integer()) fail("{} in the model's configuration is no integer", shown(json.dump()));
    return json.get<int64_t>();
  }
  static const Json::array_t& list(const Json& json) {
    const auto& entries = json.get_ref<const Json::array_t&>();
    if (entries.size() > kMostEncoders) {
      fail("the model's configuration has a list of {} parts, of at most {}", entries.size(), kMostEncoders);
    }
    return entries;
  }

  const Json& json_;
  std::set<std::string> known_;
};

void check_range(const char* name, int64_t value, int64_t low, int64_t high) {
  if (value >= low && value <= high) return;
  fail("the field '{}' of the model's configuration is {}, not {} to {}", name, value, low, high);
}

void check_ranges(const ModelConfig& config) {
  check_range("event_types", config.event_types, 0, kMostTypes);
  check_range("event_rows", config.event_rows, 0, kMostTypes);
  check_range("features", config.features, 0, kLargestSize);
  check_range("hidden", config.hidden, 1, kLargestSize);
  check_range("layers", config.layers, 1, kMostLayers);
  check_range("biases", config.biases, 1, 2);
  check_range("chunk", config.chunk, 0, kMostTypes);
  for (const auto* times : {&config.times, &config.next_times}) {
    for (const auto& time : *times) check_range("k", time.k, 0, kLargestSize);
  }
  for (const auto& head : config.heads) {
    check_range("classes", head.classes, 1, kMostTypes);
    check_range("components", head.components, 1, kLargestSize);
    check_range("units", head.units, 0, kLargestSize);
  }
}

}  // namespace

nlohmann::json to_json(const ModelConfig& config) {
  Json json;
  for_each_field(config, [&](const char* name, const auto& value) { json[name] = json_of(value); });
  leave_out_old(json);
  return json;
}

ModelConfig model_config_from_json(const nlohmann::json& json) {
  ModelConfig config;
  Fields fields(json);
  for_each_field(config, std::ref(fields));
  fields.check_all_known();
  check_ranges(config);
  return config;
}

}  // namespace t2v
