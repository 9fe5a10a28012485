#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>

#include "base/fail.h"
#include "paper/comparison.h"
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

/// Of a run, in radians a pixel, in ascending order.
std::vector<double> frequencies_of(const nlohmann::json& record) {
  const double unit = record.at("config").at("data").value("unit_length", 1.0);
  std::vector<double> all;
  for (const auto& omega : record.value("frequencies", nlohmann::json::array())) {
    all.push_back(omega.get<double>() / unit);
  }
  std::ranges::sort(all);
  return all;
}

double periods_within(double omega) { return omega * kPixels / (2 * std::numbers::pi); }

bool all_finish_a_period(const std::vector<double>& sorted) { return periods_within(sorted.front()) >= 1; }
bool all_are_below_one(const std::vector<double>& sorted) { return sorted.back() < 1; }
/// In bins of the paper's histogram, those about 0.35 and 0.85 hold more than their neighbours.
bool has_both_peaks(const std::vector<double>& sorted) {
  const auto in_bin = [&](int bin) {
    return std::ranges::count_if(sorted, [&](double omega) { return std::floor(omega / kBin) == bin; });
  };
  return std::ranges::all_of(std::array{3, 8}, [&](int bin) {
    return in_bin(bin) > in_bin(bin - 1) && in_bin(bin) > in_bin(bin + 1);
  });
}

/// What is said of the frequencies that a run has learned, and whether it is so.
struct FrequencyClaim {
  Claim claim;
  bool (*borne_out)(const std::vector<double>& sorted);
};

void add_histogram(Findings& found, const ModelRuns& runs) {
  const std::string where = "Section 5.5, Fig. 5c";
  const std::vector<FrequencyClaim> claims = {
      {{"every sine finishes a full period within an image", where, "smallest frequency 0.029, 3.6 periods"},
       all_finish_a_period},
      {{"all learned frequencies are below 1", where, "between 0 and 1"}, all_are_below_one},
      {{"the learned frequencies have peaks at 0.35 and 0.85", where, "two peaks"}, has_both_peaks}};
  std::vector<std::vector<double>> learned;
  std::vector<double> all;
  std::set<int64_t> epochs;
  for (const auto& record : runs.records) {
    std::vector<double> sorted = frequencies_of(record);
    if (sorted.empty()) continue;
    all.insert(all.end(), sorted.begin(), sorted.end());
    learned.push_back(std::move(sorted));
    epochs.insert(record.value("epochs", int64_t{0}));
  }
  for (const auto& [claim, borne_out] : claims) {
    if (learned.empty()) {
      found.verdicts.push_back(undecided(claim, "not run"));
      continue;
    }
    const int64_t agreeing = std::ranges::count_if(learned, borne_out);
    const auto [least, most] = std::ranges::minmax(all);
    found.verdicts.push_back(
        doubted(judge_every(claim, agreeing, static_cast<int64_t>(learned.size()),
                            fmt::format("in {} of {} runs; from {:.3f}, {:.1f} periods, to {:.3f}", agreeing,
                                        learned.size(), least, periods_within(least), most)),
                runs.diverged.size()));
  }
  if (learned.empty()) return;
  if (*epochs.rbegin() != runs.epochs) {
    found.notes.push_back(
        fmt::format("Frequencies with k = 64 are those after {} epochs, where their runs end; the accuracies "
                    "are those after {}. `epochs` {} makes such runs.",
                    fmt::join(epochs, " or "), runs.epochs, *epochs.rbegin()));
  }
  found.figures.push_back(histogram_figure(
      "frequencies-histogram",
      fmt::format("Learned frequencies on Event-MNIST, k = 64, after {} epochs", fmt::join(epochs, " or ")),
      "frequency, radians a pixel", "learned", all, kBin));
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
    found.verdicts.push_back(
        better({"learned frequencies are better than " + name, "Q5, Section 5.4, Fig. 5b",
                against(paper, published_curve("5b", figure_name), learned.epochs)},
               learned, fixed, "accuracy"));
  };
  compare("equally spaced ones", equal, "equal");
  compare("those of the positional encoding", positional, "positional");
  add_histogram(found, runs.of("lstm-t2v-64"));
  const std::vector<std::string> notes = {
      "The paper's formula of equally spaced frequencies lacks the time: here it is sin(2πnτ/16).",
      "The linear term is learned beside fixed frequencies, too.",
      "The frequencies start uniform in (-1, 1), where all are below 1 and nearly all finish a full period "
      "within an image: these two claims of Section 5.5 can only fail if training takes that away.",
      "On whole pixels a frequency is known only up to sign and multiples of 2π: it is folded into 0 to π."};
  found.notes.insert(found.notes.begin(), notes.begin(), notes.end());
  return found;
}

}  // namespace

Experiment frequencies() {
  return {
      "frequencies", "Learned and fixed frequencies", "Fig. 5b, Fig. 5c", {"mnist"}, {Protocol::kPaper}, runs,
      findings};
}

}  // namespace t2v::paper
