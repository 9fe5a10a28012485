#include <algorithm>
#include <numbers>

#include "base/fail.h"
#include "paper/experiment.h"
#include "paper/figures.h"
#include "paper/mnist_models.h"

// Fig. 5b: learned frequencies against fixed ones, k = 16; Fig. 5c: which ones are learned, k = 64.
namespace t2v::paper {
namespace {

constexpr double kPixels = 784;
constexpr double kBin = 0.1;  // of the paper's histogram

std::vector<Run> runs(const Plan& plan) {
  return mnist_runs(
      {{.model = "lstm-t2v-16", .time = "t2v:16"},
       {.model = "lstm-t2v-16-equal", .time = "t2v:16", .omega_init = "equal", .freeze = true},
       {.model = "lstm-t2v-16-positional", .time = "t2v:16", .omega_init = "positional", .freeze = true},
       {.model = "lstm-t2v-64", .time = "t2v:64"}},
      plan);
}

/// Of all runs, in radians a pixel.
std::vector<double> learned_frequencies(const ModelRuns& runs) {
  std::vector<double> all;
  for (const auto& record : runs.records) {
    const double unit = record.at("config").at("data").value("unit_length", 1.0);
    for (const auto& omega : record.value("frequencies", nlohmann::json::array())) {
      all.push_back(omega.get<double>() / unit);
    }
  }
  std::ranges::sort(all);
  return all;
}

double periods_within(double omega) { return omega * kPixels / (2 * std::numbers::pi); }

/// How many of the sorted frequencies finish a full period within an image.
int64_t periodic_ones(const std::vector<double>& frequencies) {
  return std::ranges::count_if(frequencies, [](double omega) { return periods_within(omega) >= 1; });
}

void add_histogram(Findings& found, const ModelRuns& runs) {
  const std::vector<double> frequencies = learned_frequencies(runs);
  const Claim claim{"the periodicity of the sines is used, not only a rising part of them",
                    "Section 5.5, Fig. 5c",
                    "smallest frequency 0.029, 3.6 full periods in 784 steps; peaks at 0.35 and 0.85"};
  if (frequencies.empty()) {
    found.verdicts.push_back(undecided(claim, "not run"));
    return;
  }
  found.figures.push_back(histogram_figure("frequencies-histogram",
                                           "Learned frequencies on Event-MNIST, k = 64",
                                           "frequency, radians a pixel", "learned", frequencies, kBin));
  const auto all = static_cast<int64_t>(frequencies.size());
  const int64_t periodic = periodic_ones(frequencies);
  const int64_t below_one = std::ranges::count_if(frequencies, [](double omega) { return omega < 1; });
  found.verdicts.push_back(judge_most(
      claim, periodic, all,
      fmt::format(
          "{} of {} learned frequencies finish a full period within an image; the smallest is {:.3f}, {:.1f} "
          "periods; {} are below 1",
          periodic, all, frequencies.front(), periods_within(frequencies.front()), below_one)));
}

Findings findings(const Plan&, const FinishedRuns& runs) {
  const ModelRuns& learned = runs.of("lstm-t2v-16");
  const ModelRuns& equal = runs.of("lstm-t2v-16-equal");
  const ModelRuns& positional = runs.of("lstm-t2v-16-positional");
  const PublishedCurve& paper = published_curve("5b", "learned");
  const std::vector<Line> lines = {{"learned", &learned, &paper},
                                   {"equally spaced", &equal, &published_curve("5b", "equal")},
                                   {"positional", &positional, &published_curve("5b", "positional")}};
  Findings found;
  found.figures = {curves_figure("frequencies-accuracy",
                                 "Test accuracy on Event-MNIST, k = 16, by frequencies", "accuracy",
                                 "test accuracy", lines)};
  found.tables = {
      models_table("frequencies-models", "Learned and fixed frequencies, k = 16", lines, {"accuracy"})};
  const auto compare = [&](const std::string& name, const ModelRuns& fixed, const std::string& figure_name) {
    const Pairs pairs = pairs_of(learned, fixed, "accuracy");
    found.verdicts.push_back(
        judge_above({"learned frequencies are better than " + name, "Q5, Section 5.4, Fig. 5b",
                     against(paper, published_curve("5b", figure_name))},
                    pairs.a, pairs.b, "accuracy", against(learned, fixed, "accuracy")));
  };
  compare("equally spaced ones", equal, "equal");
  compare("those of the positional encoding", positional, "positional");
  add_histogram(found, runs.of("lstm-t2v-64"));
  found.notes = {
      "The paper's formula of equally spaced frequencies lacks the time: here it is sin(2πnτ/16).",
      "The linear term is learned beside fixed frequencies, too.",
      "On whole pixels a frequency is known only up to sign and multiples of 2π: it is folded into 0 to π."};
  return found;
}

}  // namespace

Experiment frequencies() {
  return {
      "frequencies", "Learned and fixed frequencies", "Fig. 5b, Fig. 5c", {"mnist"}, {Protocol::kPaper}, runs,
      findings};
}

}  // namespace t2v::paper
