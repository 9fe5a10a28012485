#include "paper/setting.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/fail.h"
#include "base/text_check.h"
#include "train/training.h"

namespace t2v::paper {
namespace {

using Json = nlohmann::json;

/// What tells the models of an experiment apart, or a plan says.
constexpr std::array<std::string_view, 15> kDecided = {
    "task", "time",         "activation", "freeze", "no-linear", "query-time", "when",         "cell",
    "seed", "match-params", "hidden",     "epochs", "max-time",  "components", "class-weights"};

}  // namespace

Json value_like(const Json& now, const std::string& name, const std::string& text) {
  Json given = now.is_string() ? Json(text) : Json::parse(text, nullptr, false);
  const bool fits = given.is_string() || (given.is_boolean() && now.is_boolean()) ||
                    (given.is_number() && now.is_number_float()) ||
                    (given.is_number_integer() && now.is_number_integer());
  if (!fits) fail("{} cannot be '{}'; it is {} by default", name, shown(text), now.dump());
  return given;
}

void set(TrainConfig& config, const std::string& name, const std::string& value) {
  if (std::ranges::find(kDecided, name) != kDecided.end()) {
    fail("'{}' is set by the choice of experiment, models, seeds and epochs", name);
  }
  const OptionTable table = options_of(config);
  if (table.find(name) == nullptr) {
    fail("'{}' is no setting of a training run ('t2v train --help' lists them)", shown(name));
  }
  table.set(name, value);
}

}  // namespace t2v::paper
