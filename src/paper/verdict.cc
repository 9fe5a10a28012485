#include "paper/verdict.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "train/paired_test.h"

namespace t2v::paper {
namespace {

constexpr double kTail = 0.025;  // of a 95 % interval, on either side

/// Where an increasing function of [low, high] is `wanted`.
template <class Function>
double solve(Function function, double low, double high, double wanted) {
  constexpr int kHalvings = 200;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = low + (high - low) / 2;
    (function(middle) < wanted ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

double beta_quantile(double p, double a, double b) {
  return solve([&](double x) { return incomplete_beta(a, b, x); }, 0, 1, p);
}

double variance(std::span<const double> values) {
  const double deviation = estimate(values).deviation;
  return deviation * deviation;
}

Effect paired_effect(std::span<const double> a, std::span<const double> b, const std::string& unit) {
  const Estimate difference = paired_test(a, b).difference;
  return {difference.mean, difference.low(), difference.high(), difference.count, unit};
}

/// Whether runs say anything of their spread: one alone does not, nor do runs that differ by nothing at all.
bool has_interval(const Effect& effect) {
  return std::isfinite(effect.low) && std::isfinite(effect.high) && effect.high > effect.low;
}

/// Where the interval of an effect lies: above one bound, or below the other, or neither; undecided where
/// there is none.
Outcome beside(const Effect& effect, double above, double below) {
  if (!has_interval(effect)) return Outcome::kUndecided;
  if (effect.low > above) return Outcome::kReproduces;
  return effect.high < below ? Outcome::kDoesNot : Outcome::kUndecided;
}

constexpr std::string_view kPaired =
    "paired over seeds, the 95 % t interval of the mean difference counts: it ";

std::string_view name_of(Tally tally) {
  return tally == Tally::kTime ? "time" : tally == Tally::kTimeGates ? "time gates" : "sines";
}

nlohmann::json number(double value) { return std::isfinite(value) ? nlohmann::json(value) : nullptr; }

}  // namespace

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kReproduces:
      return "reproduces";
    case Outcome::kDoesNot:
      return "does not";
    case Outcome::kUndecided:
      return "undecided";
  }
  return "";
}

Outcome outcome_above(const Effect& difference, double worth) { return beside(difference, 0, worth); }

std::string rule_above(double worth) {
  return fmt::format("reproduces if it lies above 0; else does not if below {}, too little to count", worth);
}

Outcome outcome_not_below(const Effect& difference, double margin) {
  return beside(difference, -margin, -margin);
}

std::string rule_not_below(double margin) {
  return fmt::format("reproduces if it lies above -{0}, does not if below -{0}", margin);
}

Verdict judge_above(const Claim& claim, std::span<const double> a, std::span<const double> b,
                    const std::string& unit, const std::string& ours, double worth) {
  Verdict verdict{claim, ours, std::nullopt, Outcome::kUndecided, ""};
  verdict.rule = fmt::format("{}{}", kPaired, rule_above(worth));
  verdict.worth = worth;
  if (a.empty()) return verdict;
  verdict.effect = paired_effect(a, b, unit);
  verdict.outcome = outcome_above(*verdict.effect, worth);
  return verdict;
}

Verdict judge_not_below(const Claim& claim, std::span<const double> a, std::span<const double> b,
                        const std::string& unit, const std::string& ours, double margin) {
  Verdict verdict{claim, ours, std::nullopt, Outcome::kUndecided, ""};
  verdict.rule = fmt::format("{}{}", kPaired, rule_not_below(margin));
  if (a.empty()) return verdict;
  verdict.effect = paired_effect(a, b, unit);
  verdict.outcome = outcome_not_below(*verdict.effect, margin);
  return verdict;
}

Verdict judge_same(const Claim& claim, std::span<const double> a, std::span<const double> b,
                   const std::string& unit, const std::string& ours, double margin) {
  Verdict verdict{claim, ours, std::nullopt, Outcome::kUndecided, ""};
  verdict.rule =
      fmt::format("{}reproduces if it lies within ±{}, does not if outside of that", kPaired, margin);
  if (a.empty()) return verdict;
  verdict.effect = paired_effect(a, b, unit);
  const Effect& effect = *verdict.effect;
  if (!has_interval(effect)) return verdict;
  if (effect.low > -margin && effect.high < margin) verdict.outcome = Outcome::kReproduces;
  if (effect.low > margin || effect.high < -margin) verdict.outcome = Outcome::kDoesNot;
  return verdict;
}

double f_quantile(double p, double freedom1, double freedom2) {
  // F = (d2/d1) x / (1 - x) for x of a beta distribution.
  const double x = beta_quantile(p, freedom1 / 2, freedom2 / 2);
  return freedom2 * x / (freedom1 * (1 - x));
}

Verdict judge_less_spread(const Claim& claim, std::span<const double> a, std::span<const double> b,
                          const std::string& ours) {
  Verdict verdict{claim, ours, std::nullopt, Outcome::kUndecided, ""};
  verdict.rule =
      "the ratio of the variances over seeds: reproduces if the 95 % interval of an F-test lies below 1, "
      "does not if above";
  if (a.size() < 2 || b.size() < 2) return verdict;
  const double of_b = variance(b);
  if (!(of_b > 0)) return verdict;
  const double ratio = variance(a) / of_b;
  const auto freedom_a = static_cast<double>(a.size() - 1);
  const auto freedom_b = static_cast<double>(b.size() - 1);
  verdict.effect = Effect{ratio, ratio / f_quantile(1 - kTail, freedom_a, freedom_b),
                          ratio / f_quantile(kTail, freedom_a, freedom_b),
                          static_cast<int64_t>(std::min(a.size(), b.size())), "ratio of variances"};
  if (verdict.effect->high < 1) verdict.outcome = Outcome::kReproduces;
  if (verdict.effect->low > 1) verdict.outcome = Outcome::kDoesNot;
  return verdict;
}

Effect share_interval(int64_t agreeing, int64_t runs) {
  const auto k = static_cast<double>(agreeing);
  const auto n = static_cast<double>(runs);
  Effect effect{k / n, 0, 1, runs, "share of runs"};
  if (agreeing > 0) effect.low = beta_quantile(kTail, k, n - k + 1);
  if (agreeing < runs) effect.high = beta_quantile(1 - kTail, k + 1, n - k);
  return effect;
}

namespace {

Verdict share_of_runs(const Claim& claim, int64_t agreeing, int64_t runs, const std::string& ours) {
  Verdict verdict{claim, ours, std::nullopt, Outcome::kUndecided, ""};
  if (runs > 0) verdict.effect = share_interval(agreeing, runs);
  return verdict;
}

struct Share {
  const char* name;
  const char* bound_in_words;
  double bound;
};

Verdict judge_share(const Claim& claim, int64_t agreeing, int64_t runs, const std::string& ours,
                    const Share& share) {
  Verdict verdict = share_of_runs(claim, agreeing, runs, ours);
  verdict.rule = fmt::format(
      "{} runs: reproduces if the 95 % interval of their share (Clopper and Pearson) lies above {}, does not "
      "if below",
      share.name, share.bound_in_words);
  if (verdict.effect) verdict.outcome = beside(*verdict.effect, share.bound, share.bound);
  return verdict;
}

}  // namespace

Verdict judge_most(const Claim& claim, int64_t agreeing, int64_t runs, const std::string& ours) {
  return judge_share(claim, agreeing, runs, ours, {"most", "a half", 0.5});
}

Verdict judge_many(const Claim& claim, int64_t agreeing, int64_t runs, const std::string& ours) {
  return judge_share(claim, agreeing, runs, ours, {"many", "a quarter", 0.25});
}

Verdict judge_always(const Claim& claim, int64_t agreeing, int64_t runs, const std::string& ours) {
  Verdict verdict = share_of_runs(claim, agreeing, runs, ours);
  verdict.rule =
      "always: reproduces if it is so in all of at least two runs, does not if it is not so in one";
  if (agreeing < runs) verdict.outcome = Outcome::kDoesNot;
  if (runs > 1 && agreeing == runs) verdict.outcome = Outcome::kReproduces;
  return verdict;
}

Verdict judge_once(const Claim& claim, int64_t agreeing, int64_t runs, const std::string& ours) {
  Verdict verdict = share_of_runs(claim, agreeing, runs, ours);
  verdict.rule = "a run that is shown: reproduces if it is so in one, does not if in none of at least two";
  if (runs > 1 && agreeing == 0) verdict.outcome = Outcome::kDoesNot;
  if (agreeing > 0) verdict.outcome = Outcome::kReproduces;
  return verdict;
}

Verdict judge_every(const Claim& claim, int64_t agreeing, int64_t runs, const std::string& ours) {
  Verdict verdict = share_of_runs(claim, agreeing, runs, ours);
  verdict.rule =
      "it is so: reproduces if in all of at least two runs, does not if in none of at least two, undecided "
      "if in some";
  if (runs < 2) return verdict;
  if (agreeing == runs) verdict.outcome = Outcome::kReproduces;
  if (agreeing == 0) verdict.outcome = Outcome::kDoesNot;
  return verdict;
}

Verdict judge_bound(const Claim& claim, std::span<const double> values, double bound, const std::string& unit,
                    const std::string& ours) {
  Verdict verdict{claim, ours, std::nullopt, Outcome::kUndecided, ""};
  verdict.rule =
      fmt::format("nothing is left to chance: the largest of all runs is below {:g}, or not", bound);
  if (values.empty()) return verdict;
  const double most = *std::ranges::max_element(values);
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  verdict.effect = Effect{most, kNone, kNone, static_cast<int64_t>(values.size()), unit};
  verdict.outcome = most < bound ? Outcome::kReproduces : Outcome::kDoesNot;
  return verdict;
}

Verdict doubted(Verdict verdict, std::size_t diverged) {
  if (diverged > 0 && verdict.outcome == Outcome::kReproduces) verdict.outcome = Outcome::kUndecided;
  return verdict;
}

void add_steadiness(Verdict& verdict, int64_t epochs,
                    const std::function<std::optional<Outcome>(int64_t epoch)>& after) {
  Steadiness steady;
  for (int64_t epoch = epochs - last_epochs(epochs) + 1; epoch <= epochs; ++epoch) {
    const std::optional<Outcome> outcome = after(epoch);
    if (!outcome) continue;
    ++steady.of;
    steady.same += *outcome == verdict.outcome ? 1 : 0;
  }
  if (steady.of < 2) return;
  verdict.steady = steady;
  verdict.rule +=
      "; undecided if it would not be so after at least half of the last ten epochs, or "
      "of the second half of fewer than twenty";
  if (verdict.outcome != Outcome::kUndecided && 2 * steady.same < steady.of) {
    verdict.ours += fmt::format("; {} by the last epoch, but only after {} of the last {}",
                                name_of(verdict.outcome), steady.same, steady.of);
    verdict.outcome = Outcome::kUndecided;
    return;
  }
  verdict.ours += fmt::format("; the same verdict after {} of the last {} epochs", steady.same, steady.of);
}

Verdict undecided(const Claim& claim, const std::string& why) {
  return {claim, why, std::nullopt, Outcome::kUndecided, "no run was made that could tell"};
}

nlohmann::json to_json(const Verdict& verdict) {
  nlohmann::json json = {{"claim", verdict.claim.claim},
                         {"where", verdict.claim.where},
                         {"published", verdict.claim.published},
                         {"ours", verdict.ours},
                         {"verdict", name_of(verdict.outcome)},
                         {"rule", verdict.rule},
                         {"effect", nullptr}};
  if (verdict.claim.tally != Tally::kNone) json["tally"] = name_of(verdict.claim.tally);
  if (verdict.ahead) json["ahead"] = *verdict.ahead;
  if (verdict.worth) json["worth"] = *verdict.worth;
  if (verdict.steady) json["steady"] = {{"same", verdict.steady->same}, {"of", verdict.steady->of}};
  if (verdict.effect) {
    json["effect"] = {{"mean", number(verdict.effect->mean)},
                      {"low", number(verdict.effect->low)},
                      {"high", number(verdict.effect->high)},
                      {"n", verdict.effect->n},
                      {"unit", verdict.effect->unit}};
  }
  return json;
}

}  // namespace t2v::paper
