#include "paper/answer.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "train/paired_test.h"

namespace t2v::paper {
namespace {

constexpr double kTail = 0.025;     // of a 95 % interval, on either side
constexpr double kOnPar = 0.01;     // of a claim of parity, or where no difference was published
constexpr double kNoEffect = 0.25;  // of the published difference
constexpr int64_t kMostSeeds = 1'000;
constexpr int64_t kMostRuns = 200;

/// How far from 0 'no effect' reaches.
double band_of(const Asked& asked) {
  const bool of_published = asked.kind != Kind::kParity && asked.published;
  return of_published ? kNoEffect * std::abs(*asked.published) : kOnPar;
}

double beta_quantile(double p, double a, double b) {
  constexpr int kHalvings = 200;
  double low = 0;
  double high = 1;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (incomplete_beta(a, b, middle) < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

bool decides(const Asked& asked, const Interval& interval) {
  return answer_of(asked, std::span(&interval, 1)) != Answer::kInconclusive;
}

Interval about(double mean, double deviation, int64_t n) {
  const auto count = static_cast<double>(n);
  const double half = student_quantile(1 - kTail, count - 1) * deviation / std::sqrt(count);
  return {mean - half, mean + half};
}

}  // namespace

std::string_view name_of(Answer answer) {
  constexpr std::array<std::string_view, 8> kNames = {
      "yes",          "smaller",           "larger",     "no effect", "opposite",
      "inconclusive", "not testable here", "not run yet"};
  return kNames[static_cast<std::size_t>(answer)];
}

Answer answer_of(const Asked& asked, std::span<const Interval> intervals) {
  const auto all = [&](const auto& holds) { return std::ranges::all_of(intervals, holds); };
  const auto above = [&](double bound) { return all([&](const Interval& i) { return i.low > bound; }); };
  const auto below = [&](double bound) { return all([&](const Interval& i) { return i.high < bound; }); };
  const double band = band_of(asked);
  if (all([&](const Interval& i) { return i.low >= -band && i.high <= band; })) return Answer::kNoEffect;
  if (asked.kind == Kind::kParity) {
    return above(band) || below(-band) ? Answer::kLarger : Answer::kInconclusive;
  }
  if (below(0)) return Answer::kOpposite;
  if (!above(0)) return Answer::kInconclusive;
  if (!asked.published) return Answer::kYes;
  return below(*asked.published)   ? Answer::kSmaller
         : above(*asked.published) ? Answer::kLarger
                                   : Answer::kYes;
}

Interval t_interval(std::span<const double> differences) {
  const Estimate mean = estimate(differences);
  return {mean.low(), mean.high()};
}

Interval share_interval(int64_t agreeing, int64_t runs) {
  const auto k = static_cast<double>(agreeing);
  const auto n = static_cast<double>(runs);
  return {agreeing > 0 ? beta_quantile(kTail, k, n - k + 1) : 0,
          agreeing < runs ? beta_quantile(1 - kTail, k + 1, n - k) : 1};
}

std::optional<int64_t> deciding_seeds(const Asked& asked, double mean, double deviation) {
  for (int64_t n = 2; n <= kMostSeeds; ++n) {
    if (decides(asked, about(mean, deviation, n))) return n;
  }
  return std::nullopt;
}

std::optional<int64_t> deciding_runs(const Asked& asked, double share) {
  for (int64_t n = 2; n <= kMostRuns; ++n) {
    const Interval interval = share_interval(std::llround(share * static_cast<double>(n)), n);
    if (decides(asked, {interval.low - 0.5, interval.high - 0.5})) return n;
  }
  return std::nullopt;
}

}  // namespace t2v::paper
