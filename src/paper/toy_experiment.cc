#include <chrono>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

#include "base/fail.h"
#include "paper/comparison.h"
#include "paper/experiment.h"
#include "paper/toy.h"
#include "train/paired_test.h"

// Fig. 3 and Fig. 4, and what the paper says of its synthesised data.
namespace t2v::paper {
namespace {

using Json = nlohmann::json;
using std::numbers::pi;

/// Multiply-adds of one day through the model and back, in time that a core spends on them.
constexpr double kWorkOfADay = 12000;

std::string slug(const std::string& name) {
  std::string text;
  for (const char c : name) {
    if (c == ' ' || c == '%') {
      if (!text.empty() && text.back() != '-') text += '-';
    } else {
      text += c;
    }
  }
  return text;
}

std::string model_name(const ToyRecipe& recipe, const ToyVariant& variant) {
  return slug(recipe.name) + "-" + slug(variant.name);
}

/// The paper does not say how large its batches were nor how long it trained: three readings of it, and ours.
std::vector<ToyRecipe> recipes_of(const Plan& plan) {
  std::vector<ToyRecipe> recipes;
  for (ToyRecipe recipe : toy_recipes()) {
    if ((recipe.name == "ours") != (plan.protocol == Protocol::kBest)) continue;
    if (plan.scale == Scale::kSmoke) recipe.epochs /= 40;
    if (plan.epochs > 0) recipe.epochs = plan.epochs;
    recipes.push_back(recipe);
  }
  return recipes;
}

Json json_of(const std::vector<ToyTerm>& terms) {
  Json list = Json::array();
  for (const ToyTerm& term : terms) {
    list.push_back(
        {{"omega", term.omega}, {"phi", term.phi}, {"weight", term.weight}, {"harmonic", term.harmonic}});
  }
  return list;
}

Json record_of(const ToyRun& run, double seconds) {
  return {
      {"curve", {{"accuracy", {run.test_accuracy}}, {"train_accuracy", {run.train_accuracy}}}},
      {"parameters", 3 * run.learned.size() + 4},
      {"seconds", seconds},
      {"threads", 1},
      {"omega", run.main.omega},
      {"phi", run.main.phi},
      {"period", 2 * pi / run.main.omega},
      {"harmonic", run.main.harmonic},
      {"active_terms", run.active},
      {"start", json_of(run.start)},
      {"learned", json_of(run.learned)},
      {"test_times", run.test_times},
      {"test_sums", run.test_sums},
      {"data",
       {{"name", "days of a year"},
        {"kind", "made"},
        {"note", "days 1 to 365, class 1 every seventh; learned from days 1 to 273, tested on the others"}}}};
}

Run run_of(const ToyRecipe& recipe, const ToyVariant& variant, const Plan& plan, uint64_t seed) {
  Run run;
  run.home = "toy";
  run.model = model_name(recipe, variant);
  run.seed = seed;
  run.scale = plan.scale;
  run.protocol = plan.protocol;
  run.epochs = recipe.epochs;
  run.longer_serves = false;  // it has no curve
  run.one_core = true;
  run.work = kWorkOfADay * 273 * static_cast<double>(recipe.epochs) * (recipe.keep_best ? 2.0 : 1.0) *
             static_cast<double>(variant.sines + 8) / 39;
  run.config = {{"recipe",
                 {{"name", recipe.name},
                  {"start", nn::name_of(recipe.start)},
                  {"learning_rate", recipe.learning_rate},
                  {"time_factor", recipe.time_factor},
                  {"l1", recipe.l1},
                  {"batch", recipe.batch},
                  {"epochs", recipe.epochs},
                  {"keep_best", recipe.keep_best}}},
                {"variant",
                 {{"name", variant.name},
                  {"scale", variant.scale},
                  {"noise", variant.noise},
                  {"activation", nn::name_of(variant.activation)},
                  {"sines", variant.sines}}}};
  run.go = [recipe, variant, seed](RunContext&) -> std::optional<Json> {
    const auto start = std::chrono::steady_clock::now();
    const ToyRun result = run_toy(variant, recipe, seed);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    return record_of(result, took.count());
  };
  return run;
}

std::vector<Run> runs(const Plan& plan) {
  if (!plan.settings.empty())
    fail("toy has no settings, so '{}' cannot be set", plan.settings.begin()->first);
  const int64_t seeds = plan.of({0, 0, 0, 1}, {0, 0, 0, 6}, {0, 0, 0, 16}).seeds;
  std::vector<Run> all;
  for (int64_t seed = 1; seed <= seeds; ++seed) {
    for (const ToyRecipe& recipe : recipes_of(plan)) {
      for (const ToyVariant& variant : toy_variants()) {
        all.push_back(run_of(recipe, variant, plan, static_cast<uint64_t>(seed)));
      }
    }
  }
  return all;
}

double accuracy_of(const Json& record) { return record.at("curve").at("accuracy").at(0).get<double>(); }
bool perfect(const Json& record) { return accuracy_of(record) >= 1; }
bool has_period(const Json& record) { return record.at("harmonic").get<int>() > 0; }

/// The sines that matter most: those with at least half of the largest weight.
std::vector<Json> main_sines(const Json& record) {
  constexpr double kMain = 0.5;
  const auto weight = [](const Json& term) { return term.at("weight").get<double>(); };
  double most = 0;
  for (const Json& term : record.at("learned")) most = std::max(most, weight(term));
  std::vector<Json> mains;
  for (const Json& term : record.at("learned")) {
    if (weight(term) >= kMain * most) mains.push_back(term);
  }
  return mains;
}

/// Of the whole period, not of an overtone.
bool is_fundamental(const Json& sine) { return sine.at("harmonic").get<int>() == 1; }
bool is_at_its_peak(const Json& sine) {
  constexpr double kNear = 0.3;  // rad
  return std::abs(sine.at("phi").get<double>() - pi / 2) < kNear;
}
bool has_fundamental(const Json& record) { return std::ranges::any_of(main_sines(record), is_fundamental); }
bool has_fundamental_at_its_peak(const Json& record) {
  return std::ranges::any_of(main_sines(record),
                             [](const Json& sine) { return is_fundamental(sine) && is_at_its_peak(sine); });
}
/// A frequency of 0 is a part of the bias.
bool has_fundamental_alone(const Json& record) {
  constexpr double kConstant = 0.02;  // rad a day
  return has_fundamental(record) && std::ranges::all_of(main_sines(record), [](const Json& sine) {
           return is_fundamental(sine) || sine.at("omega").get<double>() < kConstant;
         });
}
/// On all test days, whatever the accuracy is.
bool at_majority(const Json& record) {
  return std::ranges::all_of(record.at("test_sums"), [](const Json& sum) { return sum.get<double>() < 0; });
}

using Judge = Verdict (*)(const Claim& claim, int64_t agreeing, int64_t runs, const std::string& ours);

/// A claim of the paper, the variant that tests it, which of its runs bear it out, and how many are to.
struct ToyClaim {
  const char* claim;
  const char* where;
  const char* published;
  const char* variant;
  bool (*borne_out)(const Json& record);
  Judge judge;
};

constexpr ToyClaim kClaims[] = {
    {"the largest sine has the period of 7 days or an overtone of it", "Q3, Section 5.2",
     "the correct period is learned", "period 7", has_period, judge_most},
    {"a main sine has the frequency 2π/7", "Q3, Section 5.2", "in many runs, ω 0.898", "period 7",
     has_fundamental, judge_many},
    {"a main sine has that frequency and multiples of 7 at its peaks", "Q3, Section 5.2",
     "in many runs, φ 1.56", "period 7", has_fundamental_at_its_peak, judge_many},
    {"only the frequency 2π/7 keeps a high weight", "Q3, Section 5.2, Fig. 4", "in the run that is shown",
     "period 7", has_fundamental_alone, judge_once},
    {"the test days are classified perfectly", "Q3, Section 5.2", "100 %", "period 7", perfect, judge_most},
    {"with times x 2 the largest sine has the period of 14 or an overtone of it", "Q3, Section 5.2, Fig. 3b",
     "oscillates every 14 days", "days x 2", has_period, judge_most},
    {"with times x 2 a main sine has the frequency 2π/14", "Q3, Section 5.2", "in many runs, ω 0.448",
     "days x 2", has_fundamental, judge_many},
    {"with a sigmoid for the sine the majority class is predicted", "Section 5.2, a footnote", "always",
     "sigmoid", at_majority, judge_always},
    {"with tanh for the sine the majority class is predicted", "Section 5.2, a footnote", "always", "tanh",
     at_majority, judge_always},
    {"with relu for the sine the majority class is predicted", "Section 5.2, a footnote", "always", "relu",
     at_majority, judge_always},
};

int64_t count(const ModelRuns& runs, bool (*borne_out)(const Json&)) {
  return std::ranges::count_if(runs.records, borne_out);
}

std::string reading_of(const ToyRecipe& recipe) {
  return recipe.batch == 1 ? "one day a step" : fmt::format("batches of {}", recipe.batch);
}

/// The dominant periods of the runs with the mean phase of each: '7.00 d, phase +1.57 (12x)'.
std::string dominant_periods(const ModelRuns& runs) {
  struct Group {
    int count = 0;
    double period = 0;
    double sine = 0;
    double cosine = 0;
  };
  std::map<int, Group> groups;
  for (const Json& record : runs.records) {
    Group& group = groups[record.at("harmonic").get<int>()];
    ++group.count;
    group.period += record.at("period").get<double>();
    group.sine += std::sin(record.at("phi").get<double>());
    group.cosine += std::cos(record.at("phi").get<double>());
  }
  std::string text;
  for (const auto& [harmonic, group] : groups) {
    if (harmonic == 0) continue;
    text += fmt::format("{}{:.2f} d, phase {:+.2f} ({}x)", text.empty() ? "" : "; ",
                        group.period / group.count, std::atan2(group.sine, group.cosine), group.count);
  }
  if (groups.contains(0)) {
    text += fmt::format("{}other ({}x)", text.empty() ? "" : "; ", groups[0].count);
  }
  return text;
}

/// What the period of the largest sine is in the runs, where that is the claim.
std::string found_instead(const ToyClaim& claim, const ModelRuns& runs) {
  return claim.borne_out == has_period && !runs.empty() ? ": " + dominant_periods(runs) : "";
}

Json shares_table(const ToyRecipe& recipe, const FinishedRuns& runs) {
  Json rows = Json::array();
  for (const ToyVariant& variant : toy_variants()) {
    const ModelRuns& of = runs.of(model_name(recipe, variant));
    if (of.empty()) continue;
    const auto n = of.records.size();
    const bool periodic = variant.activation == nn::Activation::kSin;
    rows.push_back({variant.name, n, fmt::format("{} of {}", count(of, perfect), n),
                    fmt::format("{:.4f}", of.mean_last("accuracy")),
                    periodic ? fmt::format("{} of {}", count(of, has_period), n) : "-",
                    periodic ? dominant_periods(of) : "-"});
  }
  return {{"id", "toy-" + slug(recipe.name)},
          {"title", fmt::format("{}: {}", recipe.name, recipe.describes)},
          {"columns", {"variant", "seeds", "perfect", "mean test accuracy", "period found", "dominant sine"}},
          {"rows", rows}};
}

/// The first run with a perfect test, as the paper shows one, else the first.
const Json* shown(const ModelRuns& runs) {
  if (runs.empty()) return nullptr;
  const auto found = std::ranges::find_if(runs.records, perfect);
  return found == runs.records.end() ? runs.records.data() : &*found;
}

Json points(const std::string& name, const std::vector<double>& x, const std::vector<double>& y) {
  return {{"name", name}, {"x", x}, {"y", y}};
}

/// Fig. 3: the learned function on the test days.
Json function_figure(const std::string& id, const std::string& title, const Json& record, double scale) {
  std::vector<double> x[2];
  std::vector<double> y[2];
  const auto times = record.at("test_times").get<std::vector<double>>();
  const Json& sums = record.at("test_sums");
  for (std::size_t i = 0; i < times.size(); ++i) {
    const int one = std::llround(times[i] / scale) % 7 == 0 ? 1 : 0;
    x[one].push_back(times[i]);
    y[one].push_back(sums.at(i).get<double>());
  }
  if (y[0].empty() || y[1].empty()) fail("a run of '{}' has no test days of both kinds", title);
  return {
      {"id", id},
      {"title", title},
      {"alt", fmt::format("{}: multiples of 7 lie from {:.1f} to {:.1f}, other days from {:.1f} to {:.1f}.",
                          title, *std::ranges::min_element(y[1]), *std::ranges::max_element(y[1]),
                          *std::ranges::min_element(y[0]), *std::ranges::max_element(y[0]))},
      {"kind", "points"},
      {"x", {{"label", scale == 1 ? "day" : fmt::format("day x {:g}", scale)}, {"scale", "linear"}}},
      {"y", {{"label", "before the final activation"}, {"format", ".1f"}}},
      {"series", {points("other days", x[0], y[0]), points("multiples of 7", x[1], y[1])}},
      {"published", Json::array()}};
}

/// Fig. 4: weights over frequencies, before and after.
Json weights_figure(const std::string& id, const std::string& recipe, const Json& record) {
  Json series = Json::array();
  for (const char* when : {"start", "learned"}) {
    std::vector<double> omegas;
    std::vector<double> weights;
    for (const Json& term : record.at(when)) {
      omegas.push_back(term.at("omega").get<double>());
      weights.push_back(term.at("weight").get<double>());
    }
    series.push_back(points(std::string_view(when) == "start" ? "initial" : "learned", omegas, weights));
  }
  return {
      {"id", id},
      {"title", "Initial and learned weights of the sines over their frequencies, " + recipe},
      {"alt", fmt::format("Initial and learned weights over frequencies, {}: the largest learned weight is "
                          "at {:.3f} radians a day, a period of {:.2f} days.",
                          recipe, record.at("omega").get<double>(), record.at("period").get<double>())},
      {"kind", "points"},
      {"x", {{"label", "frequency, radians a day"}, {"scale", "linear"}}},
      {"y", {{"label", "size of the weight"}, {"format", ".2f"}}},
      {"series", series},
      {"published", Json::array()}};
}

void add_figures(Findings& found, const ToyRecipe& recipe, const FinishedRuns& runs) {
  const std::string id = "toy-" + slug(recipe.name);
  if (const Json* record = shown(runs.of(model_name(recipe, {.name = "period 7"})))) {
    found.figures.push_back(function_figure(
        id + "-days", "Learned function on the test days, " + reading_of(recipe), *record, 1));
    found.figures.push_back(weights_figure(id + "-weights", reading_of(recipe), *record));
  }
  if (const Json* record = shown(runs.of(model_name(recipe, {.name = "days x 2"})))) {
    found.figures.push_back(function_figure(
        id + "-days-2", "Learned function with times x 2, " + reading_of(recipe), *record, 2));
  }
}

/// In how many seeds flipped labels cost at most one test day.
Verdict judge_noise(const ToyRecipe& recipe, const FinishedRuns& runs) {
  const Pairs pairs = pairs_of(runs.of(model_name(recipe, {.name = "5 % noise"})),
                               runs.of(model_name(recipe, {.name = "period 7"})), "accuracy");
  const double day = 1.0 / static_cast<double>(toy_test_days());
  const auto n = static_cast<int64_t>(pairs.a.size());
  int64_t similar = 0;
  for (std::size_t i = 0; i < pairs.a.size(); ++i) similar += pairs.a[i] > pairs.b[i] - 1.5 * day ? 1 : 0;
  const std::string means = n == 0 ? ""
                                   : fmt::format("; {:.3f} of the days right, without noise {:.3f}",
                                                 estimate(pairs.a).mean, estimate(pairs.b).mean);
  return judge_most({fmt::format("5 % of flipped labels cost at most one test day ({})", reading_of(recipe)),
                     "Q3, Section 5.2", "similar performance in most runs"},
                    similar, n, fmt::format("in {} of {} runs{}", similar, n, means));
}

/// Few sines against many, by the share of the test days that are right.
Verdict judge_sines(const ToyRecipe& recipe, const FinishedRuns& runs, const char* many,
                    const char* variant) {
  return better({fmt::format("{} sines are trained better than 4 ({})", many, reading_of(recipe)),
                 "Section 6", "trouble only with a few sines"},
                runs.of(model_name(recipe, {.name = variant})),
                runs.of(model_name(recipe, {.name = "4 sines"})), "accuracy");
}

Findings findings(const Plan& plan, const FinishedRuns& runs) {
  Findings found;
  for (const ToyRecipe& recipe : recipes_of(plan)) {
    add_figures(found, recipe, runs);
    found.tables.push_back(shares_table(recipe, runs));
    found.notes.push_back(fmt::format("{}: {}.", recipe.name, recipe.describes));
  }
  for (const ToyClaim& claim : kClaims) {
    for (const ToyRecipe& recipe : recipes_of(plan)) {
      const ModelRuns& of = runs.of(model_name(recipe, {.name = claim.variant}));
      const auto n = static_cast<int64_t>(of.records.size());
      const int64_t agreeing = count(of, claim.borne_out);
      found.verdicts.push_back(
          claim.judge({fmt::format("{} ({})", claim.claim, reading_of(recipe)), claim.where, claim.published},
                      agreeing, n, fmt::format("in {} of {} runs{}", agreeing, n, found_instead(claim, of))));
    }
  }
  for (const ToyRecipe& recipe : recipes_of(plan)) {
    found.verdicts.push_back(judge_noise(recipe, runs));
    found.verdicts.push_back(judge_sines(recipe, runs, "31", "period 7"));
    found.verdicts.push_back(judge_sines(recipe, runs, "64", "64 sines"));
  }
  found.notes.emplace_back(
      "The main sines of a run are those with at least half of its largest weight. The pictures are of the "
      "first run that is perfect on the test days, if one is.");
  found.notes.push_back(fmt::format("The majority class is {:.4f} of the test days.", toy_majority()));
  return found;
}

}  // namespace

Experiment toy() {
  return {"toy",
          "Synthesised data: every seventh day of a year",
          "Fig. 3, Fig. 4",
          {},
          {Protocol::kPaper, Protocol::kBest},
          runs,
          findings};
}

}  // namespace t2v::paper
