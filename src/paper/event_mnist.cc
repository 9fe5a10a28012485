#include "base/fail.h"
#include "paper/comparison.h"
#include "paper/experiment.h"
#include "paper/figures.h"
#include "paper/mnist_models.h"

// Fig. 1a: the only input are times, the positions of bright pixels.
namespace t2v::paper {
namespace {

constexpr double kInvariance = 1e-4;  // of a probability; float weights and outputs have about 1e-6

std::vector<Run> runs(const Plan& plan) {
  return mnist_runs(
      {{"lstm-t", "raw"}, {"lstm-t2v-64", "t2v:64"}, {"lstm-t2v-32", "t2v:32"}, {"lstm-t2v-16", "t2v:16"}},
      plan);
}

/// Proposition 1, on the models that were trained: each test image keeps its most probable class, and that
/// its probability.
Verdict invariance(const FinishedRuns& runs) {
  std::vector<double> differences;
  int64_t other_classes = 0;
  for (const ModelRuns& model : runs.models()) {
    for (const auto& record : model.records) {
      if (!record.contains("rescaled")) continue;
      differences.push_back(record.at("rescaled").at("largest_difference").get<double>());
      other_classes += record.at("rescaled").at("other_classes").get<int64_t>();
    }
  }
  const Claim claim{"Time2Vec is invariant to time rescaling", "Proposition 1", "proved"};
  if (differences.empty()) return undecided(claim, "not run");
  const double most = *std::ranges::max_element(differences);
  const std::string change =
      other_classes > 0 ? fmt::format("another class is the most probable of {} test images", other_classes)
      : most > 0
          ? fmt::format("the probability of a test image's most probable class changes by at most {:.1e}",
                        most)
          : "the most probable class of each test image is the same, and its probability to the last bit";
  Verdict verdict = judge_bound(claim, differences, kInvariance, "probability",
                                fmt::format("times x {:g} with the frequencies divided by it: {}; {} models",
                                            kRescaleFactor, change, differences.size()));
  verdict.rule += "; and no image is taken for another class";
  if (other_classes > 0) verdict.outcome = Outcome::kDoesNot;
  return verdict;
}

/// What any model is known to get on this set, where ours are to get as far as they can.
std::vector<Rule> reference(const Plan& plan) {
  if (plan.protocol != Protocol::kBest) return {};
  return {{"LeTE (arXiv 2505.00887, Fig. 3)", published_curve("LeTE 3", "LeTE").values.back()}};
}

Findings findings(const Plan& plan, const FinishedRuns& runs) {
  const ModelRuns& raw = runs.of("lstm-t");
  const ModelRuns& k16 = runs.of("lstm-t2v-16");
  const ModelRuns& k32 = runs.of("lstm-t2v-32");
  const ModelRuns& k64 = runs.of("lstm-t2v-64");
  const PublishedCurve& paper_raw = published_curve("1a", "LSTM+T");
  const PublishedCurve& paper_t2v = published_curve("1a", "LSTM+T2V");
  const std::vector<Line> lines = {{"LSTM+T", &raw, &paper_raw},
                                   {"LSTM+T2V, k = 16", &k16},
                                   {"LSTM+T2V, k = 32", &k32},
                                   {"LSTM+T2V, k = 64", &k64, &paper_t2v, kPapersBest}};
  Findings found;
  found.figures = {curves_figure("event-mnist-accuracy", "Test accuracy on Event-MNIST", "accuracy",
                                 "test accuracy", lines, reference(plan))};
  found.tables = {models_table("event-mnist-models", "Event-MNIST", lines, {"accuracy", "log_loss"}),
                  periods_table("event-mnist-periods", "Learned periods on Event-MNIST", "pixels", lines)};
  found.verdicts = {better({"Time2Vec beats raw time on Event-MNIST", "Q1, Section 5.1, Fig. 1a",
                            against(paper_t2v, paper_raw, k64.epochs), Tally::kTime},
                           k64, raw, "accuracy"),
                    better_or_on_par({"64 sines are better than 16 on Event-MNIST, or on par", "Appendix B",
                                      "in most cases", Tally::kSines},
                                     k64, k16, "accuracy"),
                    better_or_on_par({"64 sines are better than 32 on Event-MNIST, or on par", "Appendix B",
                                      "in most cases", Tally::kSines},
                                     k64, k32, "accuracy"),
                    less_spread({"Time2Vec varies less from run to run on Event-MNIST", "Fig. 1a",
                                 "bands of ±0.004 against ±0.01"},
                                k64, raw, "accuracy"),
                    invariance(runs)};
  found.notes = {
      "The paper shows the best k of 16, 32 and 64 by the test curve; here each is shown, and 64 is "
      "compared.",
      "All models have about as many parameters: the hidden size is chosen for that."};
  return found;
}

}  // namespace

Experiment event_mnist() {
  return {"event-mnist",
          "Event-MNIST: digits from the times of events alone",
          "Fig. 1a",
          {"mnist"},
          {Protocol::kPaper, Protocol::kBest},
          runs,
          findings};
}

}  // namespace t2v::paper
