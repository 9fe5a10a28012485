#include "base/fail.h"
#include "paper/comparison.h"
#include "paper/experiment.h"
#include "paper/figures.h"
#include "paper/mnist_models.h"

// Section 5.6: Time2Vec with and without its linear term.
namespace t2v::paper {
namespace {

std::vector<Run> runs(const Plan& plan) {
  return mnist_runs({{.model = "lstm-t2v-64", .time = "t2v:64"},
                     {.model = "lstm-t2v-64-no-linear", .time = "t2v:64", .no_linear = true}},
                    plan);
}

Findings findings(const Plan&, const FinishedRuns& runs) {
  const ModelRuns& with = runs.of("lstm-t2v-64");
  const ModelRuns& without = runs.of("lstm-t2v-64-no-linear");
  const std::vector<Line> lines = {{"with linear term", &with}, {"without linear term", &without}};
  Findings found;
  found.figures = {curves_figure("linear-term-event-mnist", "Test accuracy on Event-MNIST, k = 64",
                                 "accuracy", "test accuracy", lines)};
  found.tables = {
      models_table("linear-term-models", "With and without the linear term", lines, {"accuracy"})};
  found.verdicts = {same({"without the linear term Event-MNIST is not affected substantially", "Section 5.6",
                          "no substantial change"},
                         without, with, "accuracy")};
  return found;
}

}  // namespace

Experiment linear_term() {
  return {"linear-term", "With and without the linear term",  "Section 5.6",
          {"mnist"},     {Protocol::kPaper, Protocol::kBest}, runs,
          findings};
}

}  // namespace t2v::paper
