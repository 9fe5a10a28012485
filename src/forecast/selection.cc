#include "forecast/selection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "forecast/candidates.h"
#include "forecast/rolling.h"

namespace t2v::forecast {
namespace {

/// Origins of the correction's rows: few to compare shapes, more for what is used.
constexpr int64_t kFewOrigins = 600;
constexpr int64_t kOrigins = 3000;
/// Candidates that are fitted by absolute errors.
constexpr std::size_t kFinalists = 4;
constexpr int64_t kMostSeries = 200;
constexpr int64_t kMostErrors = 20'000;
// The validation data: so many horizons, or this share of the span; at least a horizon, if the rest is
// enough.
constexpr double kValidHorizons = 40;
constexpr double kShare = 0.2;
constexpr double kMostShare = 0.35;
constexpr int64_t kMostFolds = 3;
constexpr double kLeastHistory = 0.3;

/// A mixture has to be so much better than its parts: little is chance.
constexpr double kLeastGain = 0.98;

/// Data to learn from, up to `from`, and to be judged by, up to `to`.
struct Fold {
  double from;
  double to;
  double horizon;
  Panel before;
};

std::vector<Fold> folds_of(const Panel& panel, double horizon) {
  const Span span = span_of(panel);
  const double length = span.length();
  double valid = std::min(kValidHorizons * horizon, kShare * length);
  if (valid < 3 * horizon) valid = std::min(horizon, kMostShare * length);
  std::vector<Fold> folds;
  if (!(valid > 0)) return folds;
  const double ahead = std::min(horizon, valid);
  const int64_t most = valid >= 3 * horizon ? 1 : kMostFolds;
  for (int64_t k = 0; k < most; ++k) {
    const double to = span.last - static_cast<double>(k) * valid;
    const double from = to - valid;
    if (k > 0 && from - span.first < std::max(ahead, kLeastHistory * length)) break;
    Panel before = until(panel, from);
    if (before.series.empty()) break;
    folds.push_back({from, to, ahead, std::move(before)});
  }
  return folds;
}

Rolling rolling_in(const Fold& fold) { return {fold.from, fold.to, fold.horizon, kMostSeries, kMostErrors}; }

/// How many forecasts are judged.
double forecasts_in(const std::vector<Fold>& folds) {
  double all = 0;
  for (const Fold& fold : folds) all += std::max(1.0, std::round((fold.to - fold.from) / fold.horizon));
  return all;
}

std::vector<Level> levels_of(const Panel& panel) {
  std::vector<Level> levels;
  for (const Series& series : panel.series) levels.push_back(level_of(series.values));
  return levels;
}

/// A forecaster of the same settings that knows the series of a panel and their levels.
Forecaster blank(const Forecaster& settings, const Panel& panel) {
  Forecaster blank;
  blank.day = settings.day;
  blank.step = settings.step;
  blank.horizon = settings.horizon;
  blank.pattern.span = span_of(panel);
  blank.levels = levels_of(panel);
  for (const Series& series : panel.series) blank.ids.push_back(series.id);
  return blank;
}

std::vector<Residuals> residuals_of(const Forecaster& forecaster, const Panel& panel) {
  std::vector<Residuals> all;
  for (std::size_t s = 0; s < panel.series.size(); ++s) {
    const Series& series = panel.series[s];
    Residuals residuals;
    for (std::size_t i = 0; i < series.times.size(); ++i) {
      const double expected = forecaster.pattern.at(series.times[i], static_cast<int64_t>(s));
      residuals.add(series.times[i], forecaster.levels[s].standardise(series.values[i]) - expected,
                    forecaster.step);
    }
    all.push_back(std::move(residuals));
  }
  return all;
}

Forecaster fitted(const Panel& panel, const Forecaster& settings, const Shape& shape, Loss loss) {
  Forecaster forecaster = blank(settings, panel);
  forecaster.pattern = fit_pattern(panel, forecaster.levels, shape, loss);
  forecaster.correction.step = settings.step;
  forecaster.correction.horizon = settings.horizon;
  forecaster.correction.seasons = settings.correction.seasons;
  const bool final = loss == Loss::kAbsolute;
  fit_correction(forecaster.correction, residuals_of(forecaster, panel), final ? kOrigins : kFewOrigins,
                 final);
  return forecaster;
}

/// What is tried: a shape with or without correction, a rule, or a mixture of both.
struct Candidate {
  Shape shape = {};
  bool corrected = true;
  std::optional<Rule> rule = {};
  double rule_share = 0;
};

Forecaster made(const Panel& panel, const Forecaster& settings, const Candidate& candidate, Loss loss) {
  if (candidate.rule_share == 1) return fit_rule_alone(panel, settings, *candidate.rule);
  Forecaster forecaster = fitted(panel, settings, candidate.shape, loss);
  if (!candidate.corrected) forecaster.correction.weights.clear();
  if (!candidate.rule) return forecaster;
  forecaster.rule = fit_rule(*candidate.rule, panel, forecaster.levels, settings.step);
  forecaster.rule_share = candidate.rule_share;
  return forecaster;
}

/// The same fit, used in other ways: without the correction, and with a trend that fades.
std::vector<Candidate> variants_of(const Shape& shape) {
  std::vector<Candidate> variants = {{shape, true}, {shape, false}};
  if (shape.trend != Trend::kLinear) return variants;
  Shape damped = shape;
  damped.trend = Trend::kDamped;
  variants.push_back({damped, true});
  variants.push_back({damped, false});
  return variants;
}

void use_as(Forecaster& forecaster, const Candidate& variant, const std::vector<double>& weights) {
  forecaster.pattern.shape = variant.shape;
  forecaster.correction.weights = variant.corrected ? weights : std::vector<double>{};
}

/// A candidate and its errors on the folds.
struct Tried {
  Candidate candidate;
  std::vector<std::vector<ForecastError>> folds = {};

  /// The mean absolute error. Folds count the same.
  double error() const {
    double sum = 0;
    double counted = 0;
    for (const std::vector<ForecastError>& fold : folds) {
      if (fold.empty()) continue;
      double of_fold = 0;
      for (const ForecastError& one : fold) of_fold += std::abs(one.error);
      sum += of_fold / static_cast<double>(fold.size());
      ++counted;
    }
    return counted > 0 ? sum / counted : std::numeric_limits<double>::infinity();
  }
  std::vector<ForecastError> errors() const {
    std::vector<ForecastError> all;
    for (const std::vector<ForecastError>& fold : folds) all.insert(all.end(), fold.begin(), fold.end());
    return all;
  }
};

/// A pattern of which a share is a rule: errors of sums are sums of errors.
Tried mixed(const Tried& pattern, const Tried& rule, double share) {
  Tried mixture = pattern;
  mixture.candidate.rule = rule.candidate.rule;
  mixture.candidate.rule_share = share;
  for (std::size_t f = 0; f < mixture.folds.size(); ++f) {
    for (std::size_t i = 0; i < mixture.folds[f].size(); ++i) {
      double& error = mixture.folds[f][i].error;
      error += share * (rule.folds[f][i].error - error);
    }
  }
  return mixture;
}

/// Each shape, in all ways to use it, on all folds. One fit for all ways.
std::vector<Tried> try_shape(const Panel& panel, const Forecaster& settings, const std::vector<Fold>& folds,
                             const Shape& shape, Loss loss) {
  std::vector<Tried> tried;
  for (const Candidate& variant : variants_of(shape)) tried.push_back({variant});
  for (const Fold& fold : folds) {
    Forecaster forecaster = fitted(fold.before, settings, shape, loss);
    const std::vector<double> weights = forecaster.correction.weights;
    for (Tried& one : tried) {
      use_as(forecaster, one.candidate, weights);
      one.folds.push_back(rolling_errors(forecaster, panel, rolling_in(fold)));
    }
  }
  return tried;
}

Tried try_rule(const Panel& panel, const Forecaster& settings, const std::vector<Fold>& folds,
               const Rule& rule) {
  Tried tried{{.rule = rule, .rule_share = 1}};
  for (const Fold& fold : folds) {
    const Forecaster forecaster = fit_rule_alone(fold.before, settings, rule);
    tried.folds.push_back(rolling_errors(forecaster, panel, rolling_in(fold)));
  }
  return tried;
}

void sort_by_error(std::vector<Tried>& tried) {
  std::ranges::stable_sort(tried, {}, [](const Tried& one) { return one.error(); });
}

/// All ways to use the shapes, best first.
std::vector<Tried> try_shapes(const Panel& panel, const Forecaster& settings, const std::vector<Fold>& folds,
                              const std::vector<Shape>& shapes, Loss loss, ThreadPool& pool) {
  std::vector<std::vector<Tried>> each(shapes.size());
  pool.run(static_cast<int64_t>(shapes.size()), [&](int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    each[at] = try_shape(panel, settings, folds, shapes[at], loss);
  });
  std::vector<Tried> all;
  for (const std::vector<Tried>& of_shape : each) all.insert(all.end(), of_shape.begin(), of_shape.end());
  sort_by_error(all);
  return all;
}

/// The shapes of the first of these, each once.
std::vector<Shape> finalists(const std::vector<Tried>& tried) {
  std::vector<Shape> shapes;
  for (const Tried& one : tried) {
    Shape shape = one.candidate.shape;
    if (shape.trend == Trend::kDamped) shape.trend = Trend::kLinear;
    if (std::ranges::find(shapes, shape) == shapes.end()) shapes.push_back(shape);
    if (shapes.size() == kFinalists) break;
  }
  return shapes;
}

/// Each series as it is alone, where it deviates from the others.
std::vector<Shape> with_own(std::vector<Shape> shapes) {
  const std::size_t common = shapes.size();
  for (std::size_t i = 0; i < common; ++i) {
    Shape own = shapes[i];
    own.own = true;
    shapes.push_back(own);
  }
  return shapes;
}

std::string name_of(const Candidate& candidate, double day) {
  Forecaster named;
  named.day = day;
  named.pattern.shape = candidate.shape;
  named.correction.weights.resize(candidate.corrected ? 1 : 0);
  if (candidate.rule) named.rule = FittedRule{.rule = *candidate.rule};
  named.rule_share = candidate.rule_share;
  return named.description();
}

/// What is used where there are too few values to choose by.
Candidate without_choice(const Panel& panel) {
  const bool one_time = !(span_of(panel).length() > 0);
  return {.rule = Rule{one_time ? RuleKind::kMean : RuleKind::kLast}, .rule_share = 1};
}

/// The best mixture of a pattern and a rule, if that is better than both.
std::optional<Tried> best_mixture(const Tried& pattern, const std::vector<Tried>& rules) {
  std::optional<Tried> best;
  double least = pattern.error();
  for (const Tried& rule : rules) least = std::min(least, rule.error());
  least *= kLeastGain;
  for (const Tried& rule : rules) {
    for (const double share : {0.25, 0.5, 0.75}) {
      Tried mixture = mixed(pattern, rule, share);
      if (!(mixture.error() < least)) continue;
      least = mixture.error();
      best = std::move(mixture);
    }
  }
  return best;
}

/// The best pattern, all rules, and the best mixture of both; best first.
std::vector<Tried> try_all(const Panel& panel, const Forecaster& settings, const std::vector<Fold>& folds,
                           std::vector<Shape> shapes, ThreadPool& pool) {
  if (panel.series.size() > 1) shapes = with_own(std::move(shapes));
  const std::vector<Tried> screened = try_shapes(panel, settings, folds, shapes, Loss::kSquared, pool);
  std::vector<Tried> all = try_shapes(panel, settings, folds, finalists(screened), Loss::kAbsolute, pool);
  all.resize(1);
  std::vector<Tried> rules;
  for (const Rule& rule : candidate_rules(settings.correction.seasons)) {
    rules.push_back(try_rule(panel, settings, folds, rule));
  }
  if (std::optional<Tried> mixture = best_mixture(all.front(), rules)) all.push_back(std::move(*mixture));
  all.insert(all.end(), rules.begin(), rules.end());
  sort_by_error(all);
  return all;
}

}  // namespace

Forecaster fit_rule_alone(const Panel& panel, const Forecaster& settings, const Rule& rule) {
  Forecaster forecaster = blank(settings, panel);
  forecaster.rule = fit_rule(rule, panel, forecaster.levels, settings.step);
  forecaster.rule_share = 1;
  return forecaster;
}

Forecaster select(const Panel& panel, const Forecaster& given, ThreadPool& pool) {
  Forecaster settings = given;
  const std::vector<double> found = found_periods(panel, settings.step);
  settings.correction.seasons = seasons_of(panel, settings.step, found);
  const std::vector<Fold> folds = folds_of(panel, settings.horizon);
  std::vector<Tried> all;
  if (!folds.empty())
    all = try_all(panel, settings, folds, candidate_shapes(panel, settings.step, found), pool);
  const bool chosen = !all.empty() && std::isfinite(all.front().error());
  const Candidate best = chosen ? all.front().candidate : without_choice(panel);
  Forecaster forecaster;
  pool.run(1, [&](int64_t) { forecaster = made(panel, settings, best, Loss::kAbsolute); });
  if (chosen) forecaster.bands = fit_bands(all.front().errors(), forecasts_in(folds));
  for (const Tried& one : all) {
    forecaster.scores.push_back({name_of(one.candidate, panel.day), one.error()});
  }
  return forecaster;
}

}  // namespace t2v::forecast
