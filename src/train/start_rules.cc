#include "train/start_rules.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace t2v {
namespace {

constexpr int64_t kMostPlaces = 5'000;
constexpr std::size_t kMostValues = 1'000'000;  // bounds memory and work, of all places
constexpr int kIterations = 12;
constexpr double kRidge = 1;  // pulls towards the best rule like so many events
constexpr std::size_t kSize = Rules::kWeights;

/// What a type has of each rule.
using RuleValues = std::array<double, kSize>;

/// One place: its types that have sparse terms, ascending, with the values of all rules.
struct PlaceRules {
  std::vector<int32_t> types;
  std::vector<RuleValues> values;
  RuleValues target;
};

PlaceRules place_of(const Rules& rules, std::vector<RuleTerm>& terms, int32_t target) {
  std::ranges::stable_sort(terms, {}, &RuleTerm::type);
  PlaceRules place;
  place.target = {static_cast<double>(rules.log_popularity()[static_cast<std::size_t>(target)])};
  for (const RuleTerm& term : terms) {
    if (place.types.empty() || place.types.back() != term.type) {
      place.types.push_back(term.type);
      place.values.push_back(
          {static_cast<double>(rules.log_popularity()[static_cast<std::size_t>(term.type)])});
    }
    place.values.back()[static_cast<std::size_t>(term.weight)] = static_cast<double>(term.value);
    if (term.type == target) place.target = place.values.back();
  }
  return place;
}

/// The places of a batch, some of many.
std::vector<PlaceRules> places_of(const Rules& rules, const SequenceBatch& batch) {
  const int64_t every = std::max<int64_t>(1, batch.event_count() / kMostPlaces);
  std::vector<PlaceRules> places;
  std::vector<RuleTerm> terms;
  int64_t seen = 0;
  std::size_t values = 0;
  for (std::size_t b = 0; b + 1 < batch.offsets.size(); ++b) {
    const auto begin = static_cast<std::size_t>(batch.offsets[b]);
    const auto count = static_cast<std::size_t>(batch.offsets[b + 1]) - begin;
    const auto events = batch.events.subspan(begin, count);
    const auto next = batch.next_events.subspan(begin, count);
    OwnTransitions own(events, next);
    RecentTypes past;
    for (std::size_t e = 0; e < count; ++e) {
      past.add(events[e]);
      if (next[e] >= 0 && seen++ % every == 0 && values < kMostValues) {
        terms.clear();
        rules.append_terms(terms, past, rules.left_out() == LeftOut::kNothing ? nullptr : &own);
        places.push_back(place_of(rules, terms, next[e]));
        values += places.back().types.size();
      }
      if (rules.left_out() == LeftOut::kLater) own.pass(events[e], next[e]);
    }
  }
  return places;
}

double dot(const RuleValues& a, const RuleWeights& b) {
  double sum = 0;
  for (std::size_t i = 0; i < kSize; ++i) sum += a[i] * b[i];
  return sum;
}

/// Sums over types: of exp(logit), and of that times the values of rules and their products.
struct Moments {
  double sum = 0;
  RuleValues first = {};
  std::array<RuleValues, kSize> second = {};

  void add(double share, const RuleValues& values) {
    sum += share;
    for (std::size_t i = 0; i < kSize; ++i) {
      first[i] += share * values[i];
      for (std::size_t j = 0; j <= i; ++j) second[i][j] += share * values[i] * values[j];
    }
  }
};

/// The mean loss of all places with its derivatives (the lower triangle of the second ones).
struct Loss {
  double value = 0;
  RuleValues slope = {};
  std::array<RuleValues, kSize> curve = {};
};

Loss loss_at(const RuleWeights& weights, const std::vector<PlaceRules>& places, const Rules& rules) {
  const std::span<const float> popularity = rules.log_popularity();
  Moments all;  // as if no type had sparse terms
  for (const float p : popularity)
    all.add(std::exp(weights[0] * static_cast<double>(p)), {static_cast<double>(p)});
  Loss loss;
  const auto share = 1 / static_cast<double>(places.size());
  for (const PlaceRules& place : places) {
    Moments m = all;
    for (const RuleValues& values : place.values) {
      m.add(-std::exp(weights[0] * values[0]), {values[0]});
      m.add(std::exp(dot(values, weights)), values);
    }
    loss.value += share * (std::log(m.sum) - dot(place.target, weights));
    for (std::size_t i = 0; i < kSize; ++i) {
      loss.slope[i] += share * (m.first[i] / m.sum - place.target[i]);
      for (std::size_t j = 0; j <= i; ++j) {
        loss.curve[i][j] += share * (m.second[i][j] / m.sum - m.first[i] * m.first[j] / (m.sum * m.sum));
      }
    }
  }
  return loss;
}

/// Adds the pull towards a rule.
void add_ridge(Loss& loss, const RuleWeights& weights, const RuleWeights& rule, double strength) {
  for (std::size_t i = 0; i < kSize; ++i) {
    const double d = weights[i] - rule[i];
    loss.value += 0.5 * strength * d * d;
    loss.slope[i] += strength * d;
    loss.curve[i][i] += strength;
  }
}

/// Solves curve x = slope by Cholesky's method; the ridge makes it positive definite.
RuleValues newton_step(const Loss& loss) {
  std::array<RuleValues, kSize> l = loss.curve;
  RuleValues x = loss.slope;
  for (std::size_t i = 0; i < kSize; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      for (std::size_t k = 0; k < j; ++k) l[i][j] -= l[i][k] * l[j][k];
      l[i][j] = i == j ? std::sqrt(std::max(l[i][i], 1e-12)) : l[i][j] / l[j][j];
    }
    for (std::size_t k = 0; k < i; ++k) x[i] -= l[i][k] * x[k];
    x[i] /= l[i][i];
  }
  for (std::size_t i = kSize; i-- > 0;) {
    for (std::size_t k = i + 1; k < kSize; ++k) x[i] -= l[k][i] * x[k];
    x[i] /= l[i][i];
  }
  return x;
}

/// Sets the columns of a head in a tensor that feeds all heads to zero.
template <class T>
void clear_columns(nn::Parameters<T>& parameters, const nn::Tensor& tensor, int64_t first, int64_t count) {
  for (int64_t row = 0; row < tensor.rows; ++row) {
    std::fill_n(parameters.data(tensor) + row * tensor.cols + first, count, T(0));
  }
}

/// Sets all that leads to the outputs of a head to zero.
template <class T>
void clear_head(nn::Parameters<T>& parameters, const Model& model, std::size_t head) {
  const Model::HeadPlace place = model.head_place(head);
  const nn::Layout& layout = model.layout();
  const int64_t outputs = model.outputs(head);
  clear_columns(parameters, layout[place.bias], 0, outputs);
  for (const int id : {place.weights, place.hidden_weights}) {
    if (id >= 0) clear_columns(parameters, layout[id], 0, outputs);
  }
  if (model.straight() < 0) return;
  const nn::Input& straight = model.inputs()[static_cast<std::size_t>(model.straight())];
  std::vector<int> tensors = straight.time_weights();
  const std::string prefix = model.layers().empty() ? "head" : "skip";
  tensors.push_back(layout.find(prefix + ".features"));
  tensors.push_back(straight.event_table());
  for (const int id : tensors) {
    if (id >= 0) clear_columns(parameters, layout[id], place.first_output, outputs);
  }
}

}  // namespace

RuleWeights fit_rules(const Rules& rules, const SequenceBatch& batch) {
  const std::vector<PlaceRules> places = places_of(rules, batch);
  if (places.empty()) return kNamedRules[0].weights;
  const auto loss_of = [&](const NamedRule& rule) { return loss_at(rule.weights, places, rules).value; };
  const RuleWeights best = std::ranges::min_element(kNamedRules, {}, loss_of)->weights;
  const double ridge = kRidge / static_cast<double>(places.size());
  const auto at = [&](const RuleWeights& weights) {
    Loss loss = loss_at(weights, places, rules);
    add_ridge(loss, weights, best, ridge);
    return loss;
  };
  RuleWeights weights = best;
  Loss loss = at(weights);
  for (int i = 0; i < kIterations; ++i) {
    const RuleValues step = newton_step(loss);
    RuleWeights moved = weights;
    Loss there = loss;
    for (double length = 1; length > 1e-3; length /= 2) {
      for (std::size_t k = 0; k < kSize; ++k) moved[k] = weights[k] - length * step[k];
      there = at(moved);
      if (there.value < loss.value) break;
    }
    if (!(there.value < loss.value)) break;
    weights = moved;
    const bool done = loss.value - there.value < 1e-7;
    loss = there;
    if (done) break;
  }
  return weights;
}

template <class T>
void set_rules_alone(nn::Parameters<T>& parameters, const Model& model, std::size_t head,
                     const RuleWeights& weights) {
  clear_head(parameters, model, head);
  T* to = parameters.data(model.layout()[model.head_place(head).rules]);
  for (std::size_t i = 0; i < kSize; ++i) to[i] = static_cast<T>(weights[i]);
}

template <class T>
void set_gaps_alone(nn::Parameters<T>& parameters, const Model& model, std::size_t head,
                    const Baselines& baselines) {
  clear_head(parameters, model, head);
  const nn::HeadConfig& config = model.config().heads[head];
  T* bias = parameters.data(model.layout()[model.head_bias(head)]);
  const std::vector<double>& of = baselines.gap;
  for (int64_t k = 0; k < config.components; ++k) {
    bias[config.components + k] = static_cast<T>((of[0] - config.centre) / config.spread);
    bias[2 * config.components + k] = static_cast<T>(std::log(of[1] / config.spread));
  }
  if (config.atom) bias[3 * config.components] = static_cast<T>(std::log(of[2] / (1 - of[2])));
}

template void set_rules_alone<float>(nn::Parameters<float>&, const Model&, std::size_t, const RuleWeights&);
template void set_rules_alone<double>(nn::Parameters<double>&, const Model&, std::size_t, const RuleWeights&);
template void set_gaps_alone<float>(nn::Parameters<float>&, const Model&, std::size_t, const Baselines&);
template void set_gaps_alone<double>(nn::Parameters<double>&, const Model&, std::size_t, const Baselines&);

}  // namespace t2v
