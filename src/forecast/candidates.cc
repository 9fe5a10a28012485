#include "forecast/candidates.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/periodogram.h"

namespace t2v::forecast {
namespace {

constexpr double kLeastPower = 0.08;
constexpr std::size_t kMostFound = 2;
/// A year is a cycle of data that have most of one.
constexpr double kLeastYears = 0.7;
/// With less than this a trend and a year cannot be told apart.
constexpr double kYearsForTrend = 2;

double years_of(const Panel& panel) {
  return panel.day > 0 ? span_of(panel).length() / (kYear * panel.day) : 0;
}

/// Whether one period is a whole number of the other, nearly.
bool related(double a, double b) {
  const double ratio = std::max(a, b) / std::min(a, b);
  return std::abs(ratio - std::round(ratio)) < 0.02 * ratio && ratio < 60;
}

bool known_to_calendar(double period, double day) {
  if (day <= 0) return false;
  return related(period, day) || related(period, 7 * day) || period > 60 * day;
}

/// The values less their linear trend.
std::vector<double> detrended(const Series& series) {
  const auto n = static_cast<double>(series.size());
  double t = 0;
  double y = 0;
  for (std::size_t i = 0; i < series.times.size(); ++i) {
    t += series.times[i] / n;
    y += series.values[i] / n;
  }
  double ty = 0;
  double tt = 0;
  for (std::size_t i = 0; i < series.times.size(); ++i) {
    ty += (series.times[i] - t) * (series.values[i] - y);
    tt += (series.times[i] - t) * (series.times[i] - t);
  }
  std::vector<double> left;
  for (std::size_t i = 0; i < series.times.size(); ++i) {
    left.push_back(series.values[i] - y - (tt > 0 ? ty / tt * (series.times[i] - t) : 0));
  }
  return left;
}

/// A cycle with as many harmonics as the step can tell apart; none if that is none, or the data are too
/// short.
void add_cycle(Shape& shape, double period, int64_t harmonics, double span, double step) {
  const auto most = static_cast<int64_t>(std::floor((period / step - 1e-6) / 2));
  if (most < 1 || span < kLeastYears * period) return;
  if (period < 60 * step && span < 1.5 * period) return;
  shape.cycles.push_back({period, std::min(harmonics, most)});
}

struct Harmonics {
  double period;
  int64_t count;
};

/// Cycles of the calendar within a year, in days; the data may be too short or too coarse for some.
std::vector<std::vector<Harmonics>> within_year() {
  constexpr double kHour = 1.0 / 24;
  return {
      {}, {{1, 6}}, {{1, 6}, {7, 3}}, {{1, 16}, {7, 3}}, {{7, 21}}, {{7, 49}}, {{kHour, 4}, {1, 6}, {7, 3}}};
}

void add_unique(std::vector<Shape>& shapes, Shape shape) {
  if (std::ranges::find(shapes, shape) == shapes.end()) shapes.push_back(std::move(shape));
}

std::vector<Shape> calendar_shapes(const Panel& panel, double step) {
  const double span = span_of(panel).length();
  std::vector<Shape> shapes;
  for (const auto& cycles : within_year()) {
    Shape shape;
    for (const Harmonics& cycle : cycles) {
      add_cycle(shape, cycle.period * panel.day, cycle.count, span / 2 + cycle.period * panel.day / 4, step);
    }
    add_unique(shapes, std::move(shape));
  }
  return shapes;
}

std::vector<Shape> numeric_shapes(const std::vector<double>& periods, double span, double step) {
  std::vector<Shape> shapes = {Shape{}};
  for (const double period : periods) {
    for (const double multiple : {1.0, 2.0, 3.0}) {
      for (const int64_t harmonics : {1, 3, 6, 12}) {
        Shape shape;
        add_cycle(shape, multiple * period, harmonics, span, step);
        add_unique(shapes, std::move(shape));
      }
    }
  }
  if (periods.size() < 2) return shapes;
  for (const int64_t harmonics : {1, 3, 6}) {
    Shape shape;
    for (const double period : periods) add_cycle(shape, period, harmonics, span, step);
    add_unique(shapes, std::move(shape));
  }
  return shapes;
}

/// Each shape also with a year, where the data span one.
void add_years(std::vector<Shape>& shapes, double years, double day, double span, double step) {
  if (years < kLeastYears) return;
  const std::vector<Shape> without = shapes;
  const std::vector<int64_t> harmonics =
      years < kYearsForTrend ? std::vector<int64_t>{1} : std::vector<int64_t>{2, 5};
  for (const int64_t count : harmonics) {
    for (Shape shape : without) {
      add_cycle(shape, kYear * day, count, span, step);
      add_unique(shapes, std::move(shape));
    }
  }
}

bool has_year(const Shape& shape, double day) {
  return std::ranges::any_of(shape.cycles, [&](const Cycle& c) { return c.period > 300 * day; });
}

}  // namespace

std::vector<double> found_periods(const Panel& panel, double step) {
  const auto longest = std::ranges::max_element(panel.series, {}, &Series::size);
  if (longest == panel.series.end() || longest->size() < 12) return {};
  const double span = longest->times.back() - longest->times.front();
  const FrequencyRange range{2 * std::numbers::pi * 3 / span, std::numbers::pi / step};
  if (!(span > 0) || range.low >= range.high) return {};
  std::vector<double> found;
  for (const Period& peak : strongest_periods(longest->times, detrended(*longest), 1, range)) {
    const double period = 2 * std::numbers::pi / peak.omega;
    if (peak.power < kLeastPower || found.size() == kMostFound) break;
    const bool seen = std::ranges::any_of(found, [&](double other) { return related(period, other); });
    if (!seen && !known_to_calendar(period, panel.day)) found.push_back(period);
  }
  return found;
}

std::vector<double> seasons_of(const Panel& panel, double step, const std::vector<double>& found) {
  const double span = span_of(panel).length();
  std::vector<double> seasons;
  if (panel.day > 0) {
    for (const double days : {1.0, 7.0, kYear}) seasons.push_back(days * panel.day);
  }
  seasons.insert(seasons.end(), found.begin(), found.end());
  std::erase_if(seasons, [&](double season) { return season < 1.9 * step || span < 2 * season; });
  if (seasons.size() > kMostSeasons) seasons.resize(kMostSeasons);
  return seasons;
}

std::vector<Shape> candidate_shapes(const Panel& panel, double step, const std::vector<double>& found) {
  const double span = span_of(panel).length();
  const double years = years_of(panel);
  std::vector<Shape> shapes =
      panel.day > 0 ? calendar_shapes(panel, step) : numeric_shapes(found, span, step);
  if (panel.day > 0 && !found.empty()) {
    for (Shape shape : std::vector<Shape>(shapes)) {
      for (const double period : found) add_cycle(shape, period, 3, span, step);
      add_unique(shapes, std::move(shape));
    }
  }
  add_years(shapes, years, panel.day, span, step);
  for (Shape shape : std::vector<Shape>(shapes)) {
    if (panel.day > 0 && has_year(shape, panel.day) && years < kYearsForTrend) continue;
    shape.trend = Trend::kLinear;
    add_unique(shapes, std::move(shape));
  }
  return shapes;
}

std::vector<Rule> candidate_rules(const std::vector<double>& seasons) {
  std::vector<Rule> rules = {{RuleKind::kMean}, {RuleKind::kLast}, {RuleKind::kDrift}};
  for (const double season : seasons) {
    rules.push_back({RuleKind::kSeasonalNaive, season});
    rules.push_back({RuleKind::kPhaseMean, season});
  }
  return rules;
}

}  // namespace t2v::forecast
