#include "data/typed_values.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/fail.h"
#include "base/text_check.h"

namespace t2v::data {
namespace {

constexpr int64_t kKnots = 9;
/// Of a type: so many are enough for its quantiles.
constexpr std::size_t kMostValues = 200'000;
constexpr std::size_t kMostKnots = 64;

/// The quantile of the standard normal distribution, to 1e-9 (Newton's steps from a logistic start).
double normal_score(double p) {
  double z = std::log(p / (1 - p)) / 1.702;
  for (int i = 0; i < 8; ++i) {
    const double density = std::exp(-z * z / 2) * 0.3989422804014327;
    z -= (std::erfc(-z * M_SQRT1_2) / 2 - p) / density;
  }
  return z;
}

/// The share of sorted values that are below x, equal ones counted half.
double middle_share(const std::vector<double>& sorted, double x) {
  const auto [low, high] = std::ranges::equal_range(sorted, x);
  const auto below = static_cast<double>(low - sorted.begin());
  const auto equal = static_cast<double>(high - low);
  return (below + equal / 2) / static_cast<double>(sorted.size());
}

ValueScale scale_of(std::vector<double> values) {
  std::ranges::sort(values);
  ValueScale scale;
  for (int64_t k = 0; k < kKnots && !values.empty(); ++k) {
    const double share = (static_cast<double>(k) + 0.5) / static_cast<double>(kKnots);
    const double knot = values[static_cast<std::size_t>(share * static_cast<double>(values.size()))];
    if (!scale.knots.empty() && knot <= scale.knots.back()) continue;
    scale.knots.push_back(knot);
    scale.scores.push_back(normal_score(middle_share(values, knot)));
  }
  return scale;
}

void check(const ValueScale& scale) {
  const auto finite = [](double x) { return std::isfinite(x); };
  const auto not_above = [](double a, double b) { return a >= b; };
  const bool sound = scale.knots.size() == scale.scores.size() && scale.knots.size() <= kMostKnots &&
                     std::ranges::all_of(scale.knots, finite) && std::ranges::all_of(scale.scores, finite) &&
                     std::ranges::adjacent_find(scale.knots, not_above) == scale.knots.end();
  if (!sound) fail("the scale of the values of a type makes no sense; the file is damaged");
}

}  // namespace

TypedValues::TypedValues(std::string name, std::vector<ValueScale> scales)
    : name_(std::move(name)), scales_(std::move(scales)) {
  rows_ = 2 * static_cast<int64_t>(scales_.size());
  for (const ValueScale& scale : scales_) {
    check(scale);
    first_knot_.push_back(rows_);
    rows_ += static_cast<int64_t>(scale.knots.size());
  }
}

void TypedValues::add(std::vector<EventPart>& parts, int32_t type, double value) const {
  parts.push_back({type, 1});
  const auto at = static_cast<std::size_t>(type);
  const ValueScale& scale = scales_[at];
  if (std::isnan(value) || scale.knots.empty()) return;
  const auto above = std::ranges::upper_bound(scale.knots, value);
  const auto next = static_cast<std::size_t>(above - scale.knots.begin());
  const std::size_t low = next == 0 ? 0 : next - 1;
  const std::size_t high = std::min(next, scale.knots.size() - 1);
  double share = 0;  // of the upper knot
  if (high > low) share = (value - scale.knots[low]) / (scale.knots[high] - scale.knots[low]);
  const double score = scale.scores[low] + share * (scale.scores[high] - scale.scores[low]);
  parts.push_back({static_cast<int32_t>(scales_.size()) + type, static_cast<float>(score)});
  const auto knot = static_cast<int32_t>(first_knot_[at]);
  parts.push_back({knot + static_cast<int32_t>(low), static_cast<float>(kKnotWeight * (1 - share))});
  if (share > 0)
    parts.push_back({knot + static_cast<int32_t>(high), static_cast<float>(kKnotWeight * share)});
}

TypedValues learn_typed_values(const Events& events, std::span<const Piece> train,
                               std::span<const int32_t> codes, int64_t types) {
  std::vector<std::vector<double>> values(static_cast<std::size_t>(types));
  for (const Piece& piece : train) {
    events.check(piece.begin, piece.end);
    for (int64_t e = piece.begin; e < piece.end; ++e) {
      const auto at = static_cast<std::size_t>(e);
      const int32_t code = codes[static_cast<std::size_t>(events.event->codes[at])];
      const double value = events.value->values[at];
      if (code < 0 || !std::isfinite(value)) continue;
      std::vector<double>& of_type = values[static_cast<std::size_t>(code)];
      if (of_type.size() < kMostValues) of_type.push_back(value);
    }
  }
  std::vector<ValueScale> scales;
  for (std::vector<double>& of_type : values) scales.push_back(scale_of(std::move(of_type)));
  return {events.value->name, std::move(scales)};
}

nlohmann::json to_json(const TypedValues& values) {
  nlohmann::json scales = nlohmann::json::array();
  for (const ValueScale& scale : values.scales()) {
    scales.push_back({{"knots", scale.knots}, {"scores", scale.scores}});
  }
  return {{"name", values.name()}, {"scales", std::move(scales)}};
}

TypedValues typed_values_from_json(const nlohmann::json& json) {
  std::vector<ValueScale> scales;
  for (const auto& scale : json.at("scales").get_ref<const nlohmann::json::array_t&>()) {
    scales.push_back(
        {scale.at("knots").get<std::vector<double>>(), scale.at("scores").get<std::vector<double>>()});
  }
  return {json.at("name").get<std::string>(), std::move(scales)};
}

}  // namespace t2v::data
