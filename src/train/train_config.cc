#include "train/train_config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <type_traits>

#include "base/fail.h"
#include "base/nearest_name.h"
#include "base/text_check.h"
#include "data/human_time.h"
#include "train/training.h"

namespace t2v {
namespace {

using Json = nlohmann::json;

template <class T>
bool is_of_type(const Json& json) {
  if constexpr (std::is_same_v<T, bool>) return json.is_boolean();
  if constexpr (std::is_same_v<T, std::string>) return json.is_string();
  if constexpr (std::is_same_v<T, double>) return json.is_number();
  if constexpr (std::is_same_v<T, uint64_t>) return json.is_number_unsigned();
  if (json.is_number_unsigned()) return json.get<uint64_t>() <= uint64_t{INT64_MAX};
  return json.is_number_integer();
}

/// What a count may be.
struct Range {
  std::string_view name;
  int64_t least;
  int64_t most;
};

constexpr int64_t kMostCount = 1'000'000'000;
/// Those of another range than 0 to kMostCount.
constexpr std::array<Range, 6> kRanges = {{{"hidden", 0, 65'536},
                                           {"layers", 1, 64},
                                           {"components", 1, 1'000},
                                           {"epochs", 1, 1'000'000},
                                           {"batch", 1, kMostCount},
                                           {"rate-cuts", 0, 1'000}}};

Range range_of(std::string_view name) {
  const auto* found = std::ranges::find(kRanges, name, &Range::name);
  return found == kRanges.end() ? Range{name, 0, kMostCount} : *found;
}

}  // namespace

void check_counts(const TrainConfig& config) {
  for_each_option(config, [](const char* name, const auto& value) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, int64_t>) {
      const Range range = range_of(name);
      if (value >= range.least && value <= range.most) return;
      fail("--{} {} makes no sense; use a number from {} to {}", name, value, range.least,
           data::human_count(range.most));
    }
  });
}

int64_t auto_hidden(int64_t events) {
  const double wanted = std::sqrt(static_cast<double>(events)) / 2;
  int64_t hidden = 16;
  while (hidden < 128 && static_cast<double>(2 * hidden) <= wanted) hidden *= 2;
  return hidden;
}

double auto_penalty(int64_t predictions) {
  return std::min(0.003, 3 / static_cast<double>(std::max<int64_t>(predictions, 1)));
}

nlohmann::json to_json(const TrainConfig& config) {
  Json json;
  for_each_option(config, [&](const char* name, const auto& value) { json[name] = value; });
  return json;
}

void read_json(TrainConfig& config, const nlohmann::json& json) {
  if (!json.is_object()) fail("options are to be a JSON object of names and values");
  std::set<std::string> known;
  for_each_option(config, [&](const char* name, auto& value) {
    known.insert(name);
    const auto found = json.find(name);
    if (found == json.end()) return;
    using T = std::remove_reference_t<decltype(value)>;
    if (!is_of_type<T>(*found))
      fail("option '{}' is {}, which is of another type", name, shown(found->dump()));
    value = found->template get<T>();
  });
  for (const auto& item : json.items()) {
    if (known.contains(item.key())) continue;
    const std::string nearest = nearest_name(item.key(), known);
    fail("there is no option '{}'{}", shown(item.key()),
         nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest));
  }
}

}  // namespace t2v
