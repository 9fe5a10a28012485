#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace t2v::paper {

// What the runs say of a claim of the paper, by a rule that is stated beside it. Nothing here knows what the
// paper got.

/// A number with its 95 % interval.
struct Effect {
  double mean = 0;
  double low = 0;
  double high = 0;
  int64_t n = 0;  // runs, or pairs of them
  std::string unit;
};

enum class Outcome : uint8_t { kReproduces, kDoesNot, kUndecided };
std::string_view name_of(Outcome outcome);

/// What is said, and where.
struct Claim {
  std::string claim;
  std::string where;
  std::string published;
  bool compares = false;  // Time2Vec with time itself, by the measure of the paper's figure
};

struct Verdict {
  Claim claim;
  std::string ours;  // for people
  std::optional<Effect> effect;
  Outcome outcome = Outcome::kUndecided;
  std::string rule;
};

/// How far measures that lie from 0 to 1 may be apart for 'on par', unless something else is said.
inline constexpr double kOnPar = 0.01;

/// 'a is above b', from runs that share their seeds: the mean difference a - b and its t interval. Reproduces
/// if the interval is above `margin`, does not if below, undecided otherwise, for fewer than two pairs, and
/// for pairs that all differ by the same: those say nothing of their spread.
Verdict judge_above(const Claim& claim, std::span<const double> a, std::span<const double> b,
                    const std::string& unit, const std::string& ours, double margin = 0);

/// 'a and b are the same within a margin': reproduces if the interval of the paired difference lies within
/// ±margin, does not if it lies outside of that on one side, undecided otherwise.
Verdict judge_same(const Claim& claim, std::span<const double> a, std::span<const double> b,
                   const std::string& unit, const std::string& ours, double margin);

/// 'a varies less from run to run than b': the ratio of the variances, with the interval of an F-test.
/// Reproduces if it is below 1, does not if above.
Verdict judge_less_spread(const Claim& claim, std::span<const double> a, std::span<const double> b,
                          const std::string& ours);

/// 'most runs do so': the share of the runs that do, with its interval by Clopper and Pearson. Reproduces if
/// it is above a half, does not if below.
Verdict judge_most(const Claim& claim, int64_t agreeing, int64_t runs, const std::string& ours);

/// 'it is so', of what a few runs show plainly: reproduces if it is so in all of at least two runs, does not
/// if in none of them.
Verdict judge_every(const Claim& claim, int64_t agreeing, int64_t runs, const std::string& ours);

/// 'x is below a bound', of something that leaves nothing to chance: the largest of the runs counts, and one
/// is enough.
Verdict judge_bound(const Claim& claim, std::span<const double> values, double bound, const std::string& unit,
                    const std::string& ours);

/// A claim that none of the runs there are says anything about.
Verdict undecided(const Claim& claim, const std::string& why);

nlohmann::json to_json(const Verdict& verdict);

/// What the paper says of all its comparisons of Time2Vec with time itself (Sections 5.1 and 6): that most
/// improve, and none deteriorates. From the differences that were measured; nothing of none.
std::vector<Verdict> judge_all_comparisons(std::span<const Effect> differences);

/// The quantile of the F distribution, and the interval of a share by Clopper and Pearson; for tests.
double f_quantile(double p, double freedom1, double freedom2);
Effect share_interval(int64_t agreeing, int64_t runs);

}  // namespace t2v::paper
