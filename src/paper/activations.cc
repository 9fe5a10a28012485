#include "base/fail.h"
#include "paper/comparison.h"
#include "paper/experiment.h"
#include "paper/figures.h"
#include "paper/mnist_models.h"

// Fig. 5a: other functions in place of the sine, on Event-MNIST with k = 64.
namespace t2v::paper {
namespace {

constexpr const char* kPeriodic[] = {"triangle", "mod"};
constexpr const char* kOthers[] = {"sigmoid", "tanh", "relu"};

std::string model_of(const std::string& activation) {
  return activation == "sin" ? "lstm-t2v-64" : "lstm-t2v-64-" + activation;
}

std::vector<Run> runs(const Plan& plan) {
  std::vector<MnistModel> models;
  for (const char* activation : {"sin", "triangle", "mod", "sigmoid", "tanh", "relu", "cos"}) {
    models.push_back({.model = model_of(activation), .time = "t2v:64", .activation = activation});
  }
  return mnist_runs(models, plan);
}

Findings findings(const Plan&, const FinishedRuns& runs) {
  const auto of = [&](const std::string& activation) -> const ModelRuns& {
    return runs.of(model_of(activation));
  };
  const auto published = [](const std::string& activation) { return &published_curve("5a", activation); };
  std::vector<Line> lines;
  for (const char* activation : {"sin", "triangle", "mod", "sigmoid", "tanh", "relu"}) {
    lines.push_back({activation, &of(activation), published(activation)});
  }
  Findings found;
  found.figures = {
      bars_figure("activations-accuracy", "Test accuracy by function", "accuracy", "test accuracy", lines)};
  lines.push_back({"cos", &of("cos")});
  found.figures.push_back(curves_figure("activations-curves", "Test accuracy on Event-MNIST by function",
                                        "accuracy", "test accuracy", lines));
  found.tables = {models_table("activations-models", "Functions of Time2Vec, k = 64", lines, {"accuracy"})};
  const auto compare = [&](const std::string& a, const std::string& b, const std::string& where) {
    found.verdicts.push_back(better({fmt::format("{} is better than {}", a, b), where,
                                     against(*published(a), *published(b), of(a).epochs)},
                                    of(a), of(b), "accuracy"));
  };
  for (const char* periodic : {"sin", "triangle", "mod"}) {
    for (const char* other : kOthers) compare(periodic, other, "Q4, Section 5.3, Fig. 5a");
  }
  for (const char* periodic : kPeriodic) compare("sin", periodic, "Section 5.3, Fig. 5a");
  compare("triangle", "mod", "Fig. 5a");
  compare("sigmoid", "relu", "Fig. 5a");
  compare("tanh", "relu", "Fig. 5a");
  found.verdicts.push_back(same({"sigmoid and tanh almost overlap", "Fig. 5a", "almost overlap"},
                                of("sigmoid"), of("tanh"), "accuracy"));
  found.verdicts.push_back(
      same({"sine and cosine are interchangeable", "Section 4, a footnote", "equivalent"}, of("cos"),
           of("sin"), "accuracy"));
  found.notes = {
      "The paper defines neither triangle nor mod: here they have the period 2π and run from -1 to 1.",
      "All models have as many parameters; the paper's figure is likely of an unreduced hidden size."};
  return found;
}

}  // namespace

Experiment activations() {
  return {"activations", "Other functions in place of the sine", "Fig. 5a",
          {"mnist"},     {Protocol::kPaper, Protocol::kBest},    runs,
          findings};
}

}  // namespace t2v::paper
