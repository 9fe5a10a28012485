#include "export/rules.h"

#include "base/fail.h"
#include "export/operators.h"

namespace t2v::onnx {
namespace {

/// How often each type was there up to each place.
Tensor counts_of(const Places& places, const EventTensors& events, int64_t types) {
  Graph& graph = *events.sizes.graph;
  const Tensor each = one_hot(events.event, types);
  if (!events.single_step) {
    const Tensor so_far = graph.node("CumSum", {each, graph.scalar(Type::kInt64, 0)});
    const Places last(events, false);
    last.output(last.of(so_far), "past", types,
                "how often each type was there, for a graph of a single step");
    return places.of(so_far);
  }
  const Tensor past = graph.input("past", Type::kFloat, {"batch", types},
                                  "how often each type was there before; zeros for a new sequence");
  const Tensor counts = past + squeeze(each, 0);
  const Tensor next = places.good() ? where(unsqueeze(places.good(), -1), counts, past) : counts;
  graph.output(next, "next_past", {"batch", types}, "the same after the event");
  return counts;
}

/// 1 / (a p(v)), and 0 for what is nothing to predict.
std::vector<float> inverse_priors(const Baselines& baselines, int32_t unknown) {
  std::vector<float> inverse;
  for (const double p : baselines.popularity) inverse.push_back(static_cast<float>(1 / (kUserPrior * p)));
  if (unknown >= 0) inverse[static_cast<std::size_t>(unknown)] = 0;
  return inverse;
}

/// What the chain and repeats add after each type, [V, V].
std::vector<float> rows_after(const Rules& rules, const float* weights) {
  const int64_t types = rules.types();
  std::vector<float> rows(static_cast<std::size_t>(types * types));
  for (int32_t type = 0; type < types; ++type) {
    float* row = rows.data() + type * types;
    const TypeCounts after = rules.row_of(type);
    for (std::size_t i = 0; i < after.types.size(); ++i) {
      row[after.types[i]] += weights[Rules::kMarkov] * rules.markov_term(after.types[i], after.counts[i]);
    }
    if (type != rules.unknown()) row[type] += weights[Rules::kRepeat];
  }
  return rows;
}

}  // namespace

void check_rules(const Model& model) {
  if (model.rules() == nullptr || model.rules()->types() <= RecentTypes::kMostPastTypes) return;
  fail("the model has rules for {} event types; ONNX takes at most {}; train with `no_rules`",
       model.rules()->types(), RecentTypes::kMostPastTypes);
}

Tensor rules_of(const Places& places, const EventTensors& events, std::size_t head,
                const TrainedModel& trained, const Model& model) {
  Graph& graph = *events.sizes.graph;
  const Rules& rules = *model.rules();
  const int64_t types = rules.types();
  const float* weights = trained.parameters.data(model.layout()[model.head_place(head).rules]);
  const std::vector<float> inverse = inverse_priors(trained.baselines, rules.unknown());
  const std::vector<float> after = rows_after(rules, weights);
  const Tensor priors = graph.constant("rules.inverse_priors", std::span<const float>(inverse), {types});
  const Tensor table = graph.constant("rules.after", std::span<const float>(after), {types, types});
  const Tensor own =
      log(counts_of(places, events, types) * priors + 1) * static_cast<double>(weights[Rules::kOwn]);
  return own + gather(table, places.of(events.event));
}

}  // namespace t2v::onnx
