#include "forecast/correction.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "forecast/regression.h"

namespace t2v::forecast {
namespace {

constexpr int64_t kMostKnots = 6;
constexpr int64_t kSeasonsBack = 4;
constexpr int64_t kHorizons = 24;
constexpr std::array<double, Residuals::kMeans> kMeanSteps = {2, 8, 32, 128};
/// The share of a series that only gives its running means a start.
constexpr double kWarmUp = 0.1;
constexpr double kGolden = 0.6180339887498949;

/// Two neighbouring knots and how much the second counts.
struct Place {
  int64_t knot;
  double share;
};

Place place_of(const Correction& correction, double ahead) {
  const int64_t knots = correction.knots();
  if (knots == 1) return {0, 0};
  const double whole = std::log(correction.horizon / correction.step);
  const double at = std::log(std::max(ahead, correction.step) / correction.step) / whole;
  const double scaled = std::clamp(at, 0.0, 1.0) * static_cast<double>(knots - 1);
  const auto knot = std::min<int64_t>(static_cast<int64_t>(scaled), knots - 2);
  return {knot, scaled - static_cast<double>(knot)};
}

/// Residuals one season ago, and their mean over the last seasons; 0 where there are none.
void fill_season(float* out, const Correction& correction, const Residuals& residuals, int64_t origin,
                 double time, double season) {
  const double ahead = time - residuals.times[static_cast<std::size_t>(origin)];
  const double back = std::max(1.0, std::ceil(ahead / season - 1e-9));
  double sum = 0;
  int64_t found = 0;
  for (int64_t k = 0; k < kSeasonsBack; ++k) {
    const double then = time - (back + static_cast<double>(k)) * season;
    const int64_t i = nearest(residuals.times, origin + 1, then, correction.step);
    if (i < 0) continue;
    const double left = double{residuals.left[static_cast<std::size_t>(i)]};
    if (k == 0) out[0] = static_cast<float>(left);
    sum += left;
    ++found;
  }
  out[1] = found > 0 ? static_cast<float>(sum / static_cast<double>(found)) : 0;
}

/// The terms g_j.
void fill_terms(float* out, const Correction& correction, const Residuals& residuals, int64_t origin,
                double time) {
  const auto at = static_cast<std::size_t>(origin);
  *out++ = residuals.left[at];
  for (std::size_t k = 0; k < Residuals::kMeans; ++k) *out++ = residuals.means[at * Residuals::kMeans + k];
  for (const double season : correction.seasons) {
    out[0] = out[1] = 0;
    fill_season(out, correction, residuals, origin, time, season);
    out += 2;
  }
}

/// How far ahead the k-th time after an origin is: half of them evenly, half by their logarithm.
double horizon_of(const Correction& correction, int64_t k, double draw) {
  const double u = std::fmod((static_cast<double>(k / 2) + draw) * 2 / kHorizons, 1.0);
  if (k % 2 == 0) return correction.horizon * u;
  return correction.step * std::pow(correction.horizon / correction.step, u);
}

/// The value at or next after a time that is still within the horizon; -1 for none.
int64_t target_near(const Residuals& residuals, int64_t origin, double time, double latest) {
  const auto from = residuals.times.begin() + origin + 1;
  auto found = std::lower_bound(from, residuals.times.end(), time);
  if (found != from && (found == residuals.times.end() || *found - time > time - *(found - 1))) --found;
  if (found == residuals.times.end() || *found > latest) return -1;
  return found - residuals.times.begin();
}

void add_rows(Rows& rows, const Correction& correction, const Residuals& residuals, int64_t origin,
              double draw) {
  const double now = residuals.times[static_cast<std::size_t>(origin)];
  const double latest = now + correction.horizon * (1 + 1e-9);
  for (int64_t k = 0; k < kHorizons; ++k) {
    const int64_t target = target_near(residuals, origin, now + horizon_of(correction, k, draw), latest);
    if (target < 0) continue;
    const auto at = static_cast<std::size_t>(target);
    correction.fill(rows.add(double{residuals.left[at]}), residuals, origin, residuals.times[at]);
  }
}

}  // namespace

void Residuals::add(double time, double residual, double step) {
  const double gap = times.empty() ? step : time - times.back();
  for (std::size_t k = 0; k < kMeans; ++k) {
    const double before = times.empty() ? 0 : double{means[means.size() - kMeans]};
    const double taken = -std::expm1(-std::max(gap, 0.0) / (kMeanSteps[k] * step));
    means.push_back(static_cast<float>(before + taken * (residual - before)));
  }
  times.push_back(time);
  left.push_back(static_cast<float>(residual));
}

int64_t Correction::knots() const {
  const double steps = horizon / step;
  return std::clamp<int64_t>(steps < 1.5 ? 1 : static_cast<int64_t>(steps), 1, kMostKnots);
}

int64_t nearest(std::span<const double> times, int64_t count, double time, double step) {
  const auto end = times.begin() + count;
  auto found = std::lower_bound(times.begin(), end, time);
  if (found != times.begin() && (found == end || *found - time > time - *(found - 1))) --found;
  if (found == end || std::abs(*found - time) > step * (1 + 1e-9)) return -1;
  return found - times.begin();
}

void Correction::fill(float* out, const Residuals& residuals, int64_t origin, double time) const {
  constexpr std::size_t kMostTerms = 16;
  std::array<float, kMostTerms> g;
  fill_terms(g.data(), *this, residuals, origin, time);
  const Place place = place_of(*this, time - residuals.times[static_cast<std::size_t>(origin)]);
  const int64_t all = knots();
  for (int64_t j = 0; j < terms(); ++j) {
    const double value = double{g[static_cast<std::size_t>(j)]};
    out[j * all + place.knot] = static_cast<float>((1 - place.share) * value);
    if (all > 1) out[j * all + place.knot + 1] = static_cast<float>(place.share * value);
  }
}

double Correction::at(const Residuals& residuals, int64_t origin, double time) const {
  if (weights.empty() || origin < 0) return 0;
  std::vector<float> features(weights.size(), 0.0F);
  fill(features.data(), residuals, origin, time);
  return dot(features.data(), weights);
}

void fit_correction(Correction& correction, std::span<const Residuals> series, int64_t origins,
                    bool absolute) {
  int64_t all = 0;
  for (const Residuals& residuals : series) all += residuals.size();
  const double every = std::max(1.0, static_cast<double>(all) / static_cast<double>(origins));
  Rows rows(correction.terms() * correction.knots());
  double draw = 0.5;
  for (const Residuals& residuals : series) {
    const auto n = static_cast<double>(residuals.size());
    for (double at = kWarmUp * n; at < n - 1; at += every) {
      draw = std::fmod(draw + kGolden, 1.0);
      add_rows(rows, correction, residuals, static_cast<int64_t>(at), draw);
    }
  }
  const Ridge ridge{.relative = true};
  correction.weights = absolute ? least_absolute(rows, ridge) : least_squares(rows, ridge);
}

}  // namespace t2v::forecast
