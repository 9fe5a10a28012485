#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace t2v::paper {

// What the runs say of a claim of the paper, by a rule that is stated beside it. Nothing here knows what the
// paper got.

/// A number with its 95 % interval; without one, `low` and `high` are NaN.
struct Effect {
  double mean = 0;
  double low = 0;
  double high = 0;
  int64_t n = 0;  // runs, or pairs of them
  std::string unit;
};

enum class Outcome : uint8_t { kReproduces, kDoesNot, kUndecided };
std::string_view name_of(Outcome outcome);

/// What a claim is counted among, where the paper speaks of most or many cases.
enum class Tally : uint8_t {
  kNone,
  kTime,       // LSTM with Time2Vec against LSTM with time itself, by the measure of the paper's figure
  kTimeGates,  // the same of a Time-LSTM
  kSines       // the number of sines that the paper found best against another
};

/// What is said, and where.
struct Claim {
  std::string claim;
  std::string where;
  std::string published;
  Tally tally = Tally::kNone;
};

/// How much hangs on the very last epoch: after how many of the last ones the verdict would be the same.
struct Steadiness {
  int64_t same = 0;
  int64_t of = 0;
};
/// How many epochs are looked at for that: ten, but never more than half of all, as models do not differ yet
/// when they have hardly learned.
constexpr int64_t last_epochs(int64_t epochs) { return std::min<int64_t>(10, (epochs + 1) / 2); }

struct Verdict {
  Claim claim;
  std::string ours;  // for people
  std::optional<Effect> effect;
  Outcome outcome = Outcome::kUndecided;
  std::string rule;
  std::optional<double> ahead = std::nullopt;  // share of the epochs after which a is above b
  std::optional<double> worth = std::nullopt;  // the least difference that counts
  std::optional<Steadiness> steady = std::nullopt;
};

/// How far measures that lie from 0 to 1 may be apart for 'on par', unless something else is said; and so
/// what a difference that may be 0 is to reach, or it is too little to count.
inline constexpr double kOnPar = 0.01;

/// 'a is above b' by its interval: reproduces above 0; else does not below `worth`, too little to count.
Outcome outcome_above(const Effect& difference, double worth);
std::string rule_above(double worth);
/// 'a is above b, or on par': reproduces above -margin, does not below.
Outcome outcome_not_below(const Effect& difference, double margin);
std::string rule_not_below(double margin);

/// 'a is above b', from runs that share their seeds: the mean difference a - b and its t interval. Undecided
/// for fewer than two pairs, and for pairs that all differ by the same: those say nothing of their spread.
Verdict judge_above(const Claim& claim, std::span<const double> a, std::span<const double> b,
                    const std::string& unit, const std::string& ours, double worth = kOnPar);
/// 'a is above b, or on par', likewise.
Verdict judge_not_below(const Claim& claim, std::span<const double> a, std::span<const double> b,
                        const std::string& unit, const std::string& ours, double margin = kOnPar);

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
/// 'many runs do so': the same with a quarter.
Verdict judge_many(const Claim& claim, int64_t agreeing, int64_t runs, const std::string& ours);
/// 'all runs do so': one that does not is enough against it; for it there are to be at least two.
Verdict judge_always(const Claim& claim, int64_t agreeing, int64_t runs, const std::string& ours);
/// 'there is a run that does so': none of at least two is what is against it.
Verdict judge_once(const Claim& claim, int64_t agreeing, int64_t runs, const std::string& ours);

/// 'it is so', of what a few runs show plainly: reproduces if it is so in all of at least two runs, does not
/// if in none of them.
Verdict judge_every(const Claim& claim, int64_t agreeing, int64_t runs, const std::string& ours);

/// 'x is below a bound', of something that leaves nothing to chance: the largest of the runs counts, and one
/// is enough.
Verdict judge_bound(const Claim& claim, std::span<const double> values, double bound, const std::string& unit,
                    const std::string& ours);

/// What is left of a model some of whose runs diverged does not speak for it: what reproduces is undecided
/// then.
Verdict doubted(Verdict verdict, std::size_t diverged);

/// Looks at the last of `epochs`: `after(epoch)`, from 1 on, is what the verdict would be by the values after
/// that one, nothing where they were not measured. Puts it beside the verdict, for people too, where there is
/// more than one to look at. A verdict that would be another after most of them hangs on chance: it is
/// undecided then.
void add_steadiness(Verdict& verdict, int64_t epochs,
                    const std::function<std::optional<Outcome>(int64_t epoch)>& after);

/// A claim that none of the runs there are says anything about.
Verdict undecided(const Claim& claim, const std::string& why);

nlohmann::json to_json(const Verdict& verdict);

/// The quantile of the F distribution, and the interval of a share by Clopper and Pearson; for tests.
double f_quantile(double p, double freedom1, double freedom2);
Effect share_interval(int64_t agreeing, int64_t runs);

}  // namespace t2v::paper
