#include "paper/comparison.h"

#include <algorithm>

#include "base/fail.h"
#include "train/paired_test.h"

namespace t2v::paper {
namespace {

std::string diverged_text(const ModelRuns& runs) {
  const std::size_t count = runs.diverged.size();
  if (count == 0) return "";
  return fmt::format("; {} of {} seeds of {} diverged", count, count + runs.records.size(), runs.model);
}

/// Of the seeds that both have.
std::string values_text(const ModelRuns& a, const ModelRuns& b, const std::string& measure) {
  const SharedSeeds shared = shared_seeds(a, b);
  const std::string diverged = diverged_text(a) + diverged_text(b);
  if (shared.a.empty()) return "not run" + diverged;
  return fmt::format("{:.3f} against {:.3f} after {} epochs{}", shared.a.mean_last(measure),
                     shared.b.mean_last(measure), std::min(a.epochs, b.epochs), diverged);
}

/// The share of the epochs after which the mean of a is above that of b.
std::optional<double> share_ahead(const ModelRuns& a, const ModelRuns& b, const std::string& measure) {
  const int64_t epochs = std::min(a.epochs, b.epochs);
  int64_t ahead = 0;
  for (int64_t epoch = 1; epoch <= epochs; ++epoch) {
    const Estimate of_a = estimate(a.at(measure, epoch));
    const Estimate of_b = estimate(b.at(measure, epoch));
    if (of_a.count == 0 || of_b.count == 0) return std::nullopt;
    ahead += of_a.mean > of_b.mean ? 1 : 0;
  }
  if (epochs == 0) return std::nullopt;
  return static_cast<double>(ahead) / static_cast<double>(epochs);
}

/// By the values after the last epoch; and after how many of the last ones it would be the same. What
/// diverged speaks for nobody.
template <class Judge>
Verdict judged(const ModelRuns& a, const ModelRuns& b, const std::string& measure, std::size_t diverged,
               Judge judge) {
  Verdict verdict = doubted(judge(pairs_of(a, b, measure)), diverged);
  if (!verdict.effect || verdict.effect->n < 2) return verdict;
  const int64_t runs = verdict.effect->n;
  add_steadiness(verdict, std::min(a.epochs, b.epochs), [&](int64_t epoch) -> std::optional<Outcome> {
    const Pairs pairs = pairs_at(a, b, measure, epoch);
    if (static_cast<int64_t>(pairs.a.size()) != runs) return std::nullopt;  // not measured then
    return doubted(judge(pairs), diverged).outcome;
  });
  return verdict;
}

}  // namespace

Verdict better(const Claim& claim, const ModelRuns& a, const ModelRuns& b, const std::string& measure,
               double worth) {
  const std::string values = values_text(a, b, measure);
  Verdict verdict = judged(a, b, measure, a.diverged.size(), [&](const Pairs& pairs) {
    return judge_above(claim, pairs.a, pairs.b, measure, values, worth);
  });
  const SharedSeeds shared = shared_seeds(a, b);
  if (claim.tally == Tally::kTime) verdict.ahead = share_ahead(shared.a, shared.b, measure);
  return verdict;
}

Verdict better_or_on_par(const Claim& claim, const ModelRuns& a, const ModelRuns& b,
                         const std::string& measure, double margin) {
  const std::string values = values_text(a, b, measure);
  return judged(a, b, measure, a.diverged.size(), [&](const Pairs& pairs) {
    return judge_not_below(claim, pairs.a, pairs.b, measure, values, margin);
  });
}

Verdict same(const Claim& claim, const ModelRuns& a, const ModelRuns& b, const std::string& measure,
             double margin) {
  const std::string values = values_text(a, b, measure);
  return judged(a, b, measure, a.diverged.size() + b.diverged.size(), [&](const Pairs& pairs) {
    return judge_same(claim, pairs.a, pairs.b, measure, values, margin);
  });
}

Verdict less_spread(const Claim& claim, const ModelRuns& a, const ModelRuns& b, const std::string& measure) {
  const Pairs pairs = pairs_of(a, b, measure);
  const std::string ours =
      pairs.a.size() < 2
          ? "not enough runs"
          : fmt::format("standard deviations {:.4f} against {:.4f} over {} seeds",
                        estimate(pairs.a).deviation, estimate(pairs.b).deviation, pairs.a.size());
  return doubted(judge_less_spread(claim, pairs.a, pairs.b, ours + diverged_text(a) + diverged_text(b)),
                 a.diverged.size());
}

}  // namespace t2v::paper
