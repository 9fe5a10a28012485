#include "paper/recommendation_config.h"

#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/text_check.h"

namespace t2v::paper {
namespace {

using Json = nlohmann::json;

void check_one_of(const char* name, const std::string& value,
                  std::initializer_list<std::string_view> allowed) {
  std::string list;
  for (const std::string_view one : allowed) {
    if (value == one) return;
    list += fmt::format("{}{}", list.empty() ? "" : ", ", one);
  }
  fail("{} '{}' is unknown; use one of {}", name, shown(value), list);
}

void check_at_least(const char* name, int64_t value, int64_t least) {
  if (value < least) fail("{} is {}; set it to at least {}", name, value, least);
}

/// Calls visit(name, member) for every field: the one list of their names.
template <class Config, class Visit>
void over_fields(Config& c, const Visit& visit) {
  visit("protocol", c.protocol);
  visit("cell", c.cell);
  visit("time2vec", c.time2vec);
  visit("k", c.k);
  visit("linear", c.linear);
  visit("hidden", c.hidden);
  visit("peephole", c.peephole);
  visit("inner", c.inner);
  visit("t1_constraint", c.t1_constraint);
  visit("omega_init", c.omega_init);
  visit("omega_scale", c.omega_scale);
  visit("linear_scale", c.linear_scale);
  visit("vocabulary", c.vocabulary);
  visit("max_len", c.max_len);
  visit("split", c.split);
  visit("train_share", c.train_share);
  visit("train_users", c.train_users);
  visit("test_users", c.test_users);
  visit("split_seed", c.split_seed);
  visit("delta", c.delta);
  visit("carry_across_users", c.carry_across_users);
  visit("time_unit", c.time_unit);
  visit("batch", c.batch);
  visit("order", c.order);
  visit("epochs", c.epochs);
  visit("first_stage", c.first_stage);
  visit("dynamic_updating", c.dynamic_updating);
  visit("tail", c.tail);
  visit("learning_rate", c.learning_rate);
  visit("time_factor", c.time_factor);
  visit("seed", c.seed);
  visit("negatives", c.negatives);
  visit("draws", c.draws);
}

RecommendationConfig as_coded() {
  RecommendationConfig config;
  config.protocol = "as-coded";
  config.inner = "tanh";
  config.omega_init = "n01";  // as that code starts all weights
  config.t1_constraint = "floor";
  config.delta = "as_coded";
  config.carry_across_users = true;
  config.tail = "as_coded";
  return config;
}

void check_model(const RecommendationConfig& config) {
  check_one_of("cell", config.cell, {"lstm", "tlstm1", "tlstm2", "tlstm3"});
  check_one_of("inner", config.inner, {"sigmoid", "tanh"});
  check_one_of("t1_constraint", config.t1_constraint, {"nonpositive", "floor", "none"});
  check_one_of("omega_init", config.omega_init, {"u01", "u11", "n1", "n01", "geometric", "span"});
  if (!config.peephole && config.cell != "lstm") {
    fail("peephole is off, but {} always has peepholes; set it on, or take an lstm", config.cell);
  }
  check_at_least("k", config.k, 1);
  check_at_least("hidden", config.hidden, 1);
}

void check_training(const RecommendationConfig& config) {
  check_one_of("order", config.order, {"file", "shuffle"});
  check_one_of("tail", config.tail, {"as_coded", "clean"});
  check_at_least("batch", config.batch, 1);
  check_at_least("epochs", config.epochs, 1);
  check_at_least("first_stage", config.first_stage, 0);
  check_at_least("negatives", config.negatives, 1);
  check_at_least("draws", config.draws, 1);
}

void check_data(const RecommendationConfig& config) {
  check_one_of("split", config.split, {"longest", "random"});
  check_one_of("delta", config.delta, {"as_coded", "forward", "backward"});
  check_one_of("time_unit", config.time_unit, {"s", "min", "h", "d", "log"});
  check_at_least("vocabulary", config.vocabulary, 2);
  check_at_least("max_len", config.max_len, 3);
}

}  // namespace

RecommendationConfig recommendation_protocol(std::string_view name) {
  if (name == "paper") return {};
  if (name == "as-coded") return as_coded();
  fail("unknown protocol '{}'; use paper or as-coded", shown(name));
}

void check(const RecommendationConfig& config) {
  check_model(config);
  check_data(config);
  check_training(config);
}

ModelConfig model_config(const RecommendationConfig& config, int64_t items) {
  nn::TimeEncoderConfig time;
  time.kind = config.time2vec ? "t2v" : "raw";
  time.input = TimeInput::kGap;
  time.k = config.k;
  time.linear = config.linear;
  time.start = nn::omega_start_from(config.omega_init);
  nn::HeadConfig head;
  head.each_step = true;
  head.classes = items;
  ModelConfig model;
  model.event_types = items;
  model.times = {time};
  model.cell = config.cell == "lstm" && config.peephole ? "peephole" : config.cell;
  model.hidden = config.hidden;
  model.inner = config.inner;
  model.t1_constraint = config.t1_constraint;
  model.heads = {head};
  return model;
}

OptimizerConfig optimizer_config(const RecommendationConfig& config) {
  OptimizerConfig optimizer;
  optimizer.kind = "adagrad";
  optimizer.learning_rate = config.learning_rate;
  optimizer.time_factor = config.time_factor;
  optimizer.epsilon = 1e-6;
  optimizer.epsilon_inside = true;
  return optimizer;
}

double in_unit(double seconds, std::string_view unit) {
  if (unit == "min") return seconds / 60;
  if (unit == "h") return seconds / 3600;
  if (unit == "d") return seconds / 86400;
  if (unit == "log") return std::log1p(seconds);
  return seconds;
}

Json to_json(const RecommendationConfig& config) {
  Json json = Json::object();
  over_fields(config, [&](const char* name, const auto& member) { json[name] = member; });
  return json;
}

RecommendationConfig recommendation_config_from(const Json& json) {
  RecommendationConfig config;
  Json unknown = json;
  try {
    over_fields(config, [&](const char* name, auto& member) {
      if (json.contains(name)) json.at(name).get_to(member);
      unknown.erase(name);
    });
  } catch (const Json::exception& error) {
    fail("a recommendation run cannot be set by this: {}", error.what());
  }
  if (!unknown.empty()) fail("'{}' is no setting of a recommendation run", shown(unknown.begin().key()));
  check(config);
  return config;
}

}  // namespace t2v::paper
