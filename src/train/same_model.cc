#include "train/same_model.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "base/text_check.h"
#include "model/config_json.h"
#include "train/time_layout.h"

namespace t2v {
namespace {

/// What a model of this configuration computes, without how it is trained.
nlohmann::json computed_by(ModelConfig config) {
  config.dropout = 0;
  config.head_dropout = 0;
  config.chunk = 0;
  for (auto& time : config.times) {
    time.frozen = false;
    time.start = {};
    time.l1 = 0;
    if (time.kind == "t2v") time.scale = 1, time.centre = 0;
  }
  config.clock_scale = 1;
  for (auto& head : config.heads) {
    head.class_weights.clear();
    head.weight = 1;
  }
  return to_json(config);
}

std::string yes_or_no(bool flag) { return flag ? "yes" : "no"; }

using Options = std::vector<std::pair<std::string, std::string>>;

/// The options by which a model of this configuration is asked for, those first that others depend on.
Options options_of(const ModelConfig& config) {
  Options options = {{"`cell`", config.cell},
                     {"`layers`", std::to_string(config.layers)},
                     {"`hidden`", std::to_string(config.hidden)},
                     {"`no_skip`", yes_or_no(!config.skip)},
                     {"`no_rules`", yes_or_no(!config.heads[0].rules)},
                     {"`start`", config.biases == 2 ? "pytorch" : "data"},
                     {"`inner`", config.inner},
                     {"`t1_constraint`", config.t1_constraint},
                     {"`time`", time_option(config)},
                     {"`query_time`", yes_or_no(knows_query_time(config))},
                     {"`time_input`", time_input_option(config)}};
  const bool learned = !config.times.empty() && config.times[0].kind == "t2v";
  options.emplace_back("`activation`", learned ? nn::name_of(config.times[0].activation) : "");
  options.emplace_back("`no_linear`", yes_or_no(learned && !config.times[0].linear));
  const int when = find_head(config, "when");
  options.emplace_back("`head_pool`", config.heads.empty() ? "last" : config.heads[0].pool);
  options.emplace_back("`when`", yes_or_no(when >= 0));
  options.emplace_back(
      "`components`",
      when >= 0 ? std::to_string(config.heads[static_cast<std::size_t>(when)].components) : "");
  return options;
}

/// The first few of `count` names.
template <class NameOf>
std::string some_of(int64_t count, NameOf name_of) {
  constexpr int64_t kSome = 3;
  std::string names;
  for (int64_t i = 0; i < std::min(kSome, count); ++i) {
    names += fmt::format("{}'{}'", i > 0 ? ", " : "", shown(name_of(i)));
  }
  return names + (count > kSome ? ", ..." : "");
}

}  // namespace

void fail_contradiction(std::string_view option, std::string_view asked, std::string_view of_model) {
  fail(
      "{} {} contradicts the model that `init` names ({}); leave it out to go on from that model, or train "
      "anew without `init`",
      option, asked, of_model);
}

void check_types_known(const data::Events& events, const data::Encoding& encoding) {
  if (!events.event || !encoding.event) return;
  const data::Strings& names = events.event->names;
  const std::vector<std::string>& known = encoding.event->names;
  for (int32_t i = 0; i < names.size(); ++i) {
    if (std::ranges::find(known, names[i]) != known.end()) return;
  }
  fail(
      "the model that `init` names knows none of the event types of these data, {}; its own are {}; train "
      "anew without `init`",
      some_of(names.size(), [&](int64_t i) { return names[static_cast<int32_t>(i)]; }),
      some_of(static_cast<int64_t>(known.size()),
              [&](int64_t i) { return std::string_view(known[static_cast<std::size_t>(i)]); }));
}

void take_measures(ModelConfig& asked, const ModelConfig& init) {
  for (std::size_t i = 0; i < std::min(asked.times.size(), init.times.size()); ++i) {
    nn::TimeEncoderConfig& time = asked.times[i];
    if (time.kind != init.times[i].kind || time.kind == "t2v") continue;
    time.scale = init.times[i].scale;
    time.centre = init.times[i].centre;
    time.spread = init.times[i].spread;
  }
}

void check_same_model(const TrainedModel& asked, const TrainConfig& config, const TrainedModel& init) {
  if (init.values != asked.values) {
    fail("the model to go on from predicts another number than these data have; see `target` and `value`");
  }
  const Options mine = options_of(asked.config);
  const Options theirs = options_of(init.config);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const auto& [option, value] = mine[i];
    if (value == theirs[i].second) continue;
    const bool matched = option == "`hidden`" && config.match_params > 0;
    fail_contradiction(matched ? "`match_params`, which is `hidden`" : option, value, theirs[i].second);
  }
  const nlohmann::json computed = computed_by(asked.config);
  const nlohmann::json taken = computed_by(init.config);
  for (const auto& item : computed.items()) {
    if (taken[item.key()] == item.value()) continue;
    fail("the model to go on from has {} {}, but these options ask for {}", item.key(),
         taken[item.key()].dump(), item.value().dump());
  }
}

}  // namespace t2v
