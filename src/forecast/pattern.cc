#include "forecast/pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "forecast/regression.h"

namespace t2v::forecast {
namespace {

/// Rows to learn a pattern from; of more values each n-th is taken.
constexpr int64_t kMostRows = 60'000;
/// Penalty on what a series has of its own.
constexpr double kOwnRidge = 0.05;
/// After how much of the data's span a damped trend has faded to 1 / e.
constexpr double kDamping = 0.1;

/// [first value, n-th value after it, ...] of each series.
int64_t stride_of(const Panel& panel) {
  int64_t all = 0;
  for (const Series& series : panel.series) all += series.size();
  return std::max<int64_t>(1, (all + kMostRows - 1) / kMostRows);
}

void add_rows(Rows& rows, const Pattern& pattern, const Series& series, const Level& level, int64_t stride) {
  for (int64_t i = 0; i < series.size(); i += stride) {
    const auto at = static_cast<std::size_t>(i);
    pattern.fill(rows.add(level.standardise(series.values[at])), series.times[at]);
  }
}

std::vector<double> fitted(const Rows& rows, const Ridge& ridge, Loss loss) {
  return loss == Loss::kSquared ? least_squares(rows, ridge) : least_absolute(rows, ridge);
}

/// What a series deviates by from what all have in common.
std::vector<double> own_weights(const Pattern& pattern, const Series& series, const Level& level,
                                int64_t stride) {
  Rows rows(pattern.shape.terms());
  add_rows(rows, pattern, series, level, stride);
  for (int64_t i = 0; i < rows.size(); ++i) {
    const double common = dot(rows.x.data() + i * rows.features, pattern.weights);
    rows.y[static_cast<std::size_t>(i)] -= static_cast<float>(common);
  }
  return least_squares(rows, {kOwnRidge, 0});
}

std::string period_text(double period, double day) {
  if (day <= 0) return fmt::format("{:.6g}", period);
  const double days = period / day;
  if (days == 1) return "day";
  if (days == 7) return "week";
  if (days > 365 && days < 366) return "year";
  if (days < 1.0 / 24) return fmt::format("{:.4g} min", days * 1440);
  return days < 1 ? fmt::format("{:.4g} h", days * 24) : fmt::format("{:.4g} d", days);
}

}  // namespace

int64_t Shape::terms() const {
  int64_t terms = trend == Trend::kNone ? 1 : 2;
  for (const Cycle& cycle : cycles) terms += 2 * cycle.harmonics;
  return terms;
}

std::string describe(const Shape& shape, double day) {
  std::string text;
  for (const Cycle& cycle : shape.cycles) {
    text += fmt::format("{}{} ({} {})", text.empty() ? "" : " + ", period_text(cycle.period, day),
                        cycle.harmonics, cycle.harmonics == 1 ? "harmonic" : "harmonics");
  }
  if (text.empty()) text = "no cycle";
  if (shape.trend == Trend::kLinear) text += ", linear trend";
  if (shape.trend == Trend::kDamped) text += ", damped trend";
  if (shape.own) text += ", own deviations of each series";
  return text;
}

void Pattern::fill(float* out, double time) const {
  *out++ = 1;
  if (shape.trend != Trend::kNone) {
    double seen = time;
    const double fades = kDamping * std::max(span.length(), 1e-300);
    if (shape.trend == Trend::kDamped && time > span.last) {
      seen = span.last + fades * -std::expm1((span.last - time) / fades);
    }
    const double half = span.length() > 0 ? span.length() / 2 : 1;
    *out++ = static_cast<float>((seen - (span.first + span.last) / 2) / half);
  }
  for (const Cycle& cycle : shape.cycles) {
    const double turns = time / cycle.period;
    const double angle = 2 * std::numbers::pi * (turns - std::floor(turns));
    const double sine = std::sin(angle);
    const double cosine = std::cos(angle);
    double s = sine;
    double c = cosine;
    for (int64_t k = 0; k < cycle.harmonics; ++k) {
      *out++ = static_cast<float>(s);
      *out++ = static_cast<float>(c);
      const double next = s * cosine + c * sine;
      c = c * cosine - s * sine;
      s = next;
    }
  }
}

double Pattern::at(double time, int64_t series) const {
  std::vector<float> features(weights.size());
  fill(features.data(), time);
  double value = dot(features.data(), weights);
  if (series >= 0 && !own.empty()) {
    const auto first = own.begin() + series * static_cast<std::ptrdiff_t>(weights.size());
    value += dot(features.data(), std::span(&*first, weights.size()));
  }
  return value;
}

Pattern fit_pattern(const Panel& panel, std::span<const Level> levels, const Shape& shape, Loss loss) {
  Pattern pattern{.shape = shape, .span = span_of(panel)};
  const int64_t stride = stride_of(panel);
  Rows rows(shape.terms());
  for (std::size_t s = 0; s < panel.series.size(); ++s) {
    add_rows(rows, pattern, panel.series[s], levels[s], stride);
  }
  pattern.weights = fitted(rows, {1e-3, 1}, loss);
  if (!shape.own) return pattern;
  for (std::size_t s = 0; s < panel.series.size(); ++s) {
    const std::vector<double> own = own_weights(pattern, panel.series[s], levels[s], stride);
    pattern.own.insert(pattern.own.end(), own.begin(), own.end());
  }
  return pattern;
}

}  // namespace t2v::forecast
