#pragma once

#include <array>
#include <string_view>

#include "model/model.h"
#include "model/rules.h"

namespace t2v {

using RuleWeights = std::array<double, Rules::kWeights>;

/// A rule alone, by its weights.
struct NamedRule {
  std::string_view name;
  RuleWeights weights;
};
inline constexpr std::array<NamedRule, 3> kNamedRules = {
    {{"popularity", {1, 0, 0, 0}}, {"own frequencies", {1, 1, 0, 0}}, {"Markov chain", {1, 0, 1, 0}}}};

/// The weights under which what followed in these sequences, which the rules were counted from, is most
/// likely, each event by what may be known of it (LeftOut): by Newton's method from the best rule alone.
/// Bounded in work: of many events some are looked at.
RuleWeights fit_rules(const Rules& rules, const SequenceBatch& batch);

/// Lets the types be predicted by these rules alone: the head, and what goes straight to it, is zero.
template <class T>
void set_rules_alone(nn::Parameters<T>& parameters, const Model& model, std::size_t head,
                     const RuleWeights& weights);

/// Lets the head 'when' say one log-normal distribution for all gaps, that of the baselines.
template <class T>
void set_gaps_alone(nn::Parameters<T>& parameters, const Model& model, std::size_t head,
                    const Baselines& baselines);

}  // namespace t2v
