#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/baselines.h"

namespace t2v {

/// What a model remembers of the types of a sequence for its rules: how often each was there. Of more than
/// kMostPastTypes the one not seen for longest is forgotten, so that no sequence needs more than 8 bytes for
/// each of so many types.
class RecentTypes {
 public:
  static constexpr int64_t kMostPastTypes = 1024;

  void clear();
  void swap(RecentTypes& other) noexcept {
    types_.swap(other.types_);
    counts_.swap(other.counts_);
  }
  void add(int32_t type);
  /// The type seen last; -1 for none.
  int32_t last() const { return types_.empty() ? -1 : types_.back(); }
  /// Those seen last at the end.
  std::span<const int32_t> types() const { return types_; }
  std::span<const int32_t> counts() const { return counts_; }
  /// Throws t2v::Error for what add() cannot lead to with so many types.
  void restore(std::span<const int32_t> types, std::span<const int32_t> counts, int64_t event_types);

 private:
  std::vector<int32_t> types_;
  std::vector<int32_t> counts_;
};

/// What a rule adds to the logit of a type, times the weight of the rule.
struct RuleTerm {
  int32_t type;
  int32_t weight;  // Rules::Weight
  float value;
};

/// How often each type of event follows each other in a sequence that is learned from, and so is among the
/// counts of the chain: the chain must not know the event that it is to predict.
class OwnTransitions {
 public:
  struct Entry {
    int32_t from;
    int32_t to;
    int32_t count;
  };

  /// next_events: as in SequenceBatch; both of the events of one sequence.
  OwnTransitions(std::span<const int32_t> events, std::span<const int32_t> next_events);

  /// Those from a type, by the type that follows.
  std::span<const Entry> from(int32_t type) const;
  /// This one is past, and may be known.
  void pass(int32_t from, int32_t to);

 private:
  std::vector<Entry> entries_;  // by from, then to
};

/// What of a sequence that is learned from the chain is not to know: nothing, for sequences that it was not
/// counted from; what comes later, where sequences are predicted whose past was counted; all of it, where
/// they are new.
enum class LeftOut : uint8_t { kNothing, kLater, kSequence };

/// Rules that need no network, as terms of the logits of event types. With p the popularity, c the counts of
/// the sequence so far, m those of what followed its last type u, and w the weights:
///   logit[v] += w_0 log p(v) + w_1 log(1 + c(v) / (a p(v))) + w_2 log(1 + m(u, v) / (b p(v))) + w_3 [v = u].
/// So w = (1, 1, 0, 0) is the rule of own frequencies, and (1, 0, 1, 0) the smoothed Markov chain, as the
/// baselines have them. All but the first term is sparse.
class Rules {
 public:
  static constexpr int64_t kWeights = 4;
  enum Weight { kPopularity, kOwn, kMarkov, kRepeat };

  /// `unknown`: the type that stands for all unknown ones, which is nothing to predict; -1 for none.
  Rules(const Baselines& baselines, int32_t unknown, LeftOut left_out = LeftOut::kNothing);

  int64_t types() const { return static_cast<int64_t>(log_popularity_.size()); }
  LeftOut left_out() const { return left_out_; }
  std::span<const float> log_popularity() const { return log_popularity_; }  // [V]
  /// Appends the terms of the place after `past`. `own`: what the chain is not to know; null for nothing.
  void append_terms(std::vector<RuleTerm>& terms, const RecentTypes& past, const OwnTransitions* own) const;

  float own_term(int32_t type, int64_t count) const;
  float markov_term(int32_t type, double count) const;
  /// What followed a type: of Baselines.
  TypeCounts row_of(int32_t type) const;
  int32_t unknown() const { return unknown_; }

 private:
  int32_t unknown_;
  LeftOut left_out_;
  std::vector<float> log_popularity_;
  std::vector<double> popularity_;
  std::vector<int64_t> offsets_;  // [V + 1]
  std::vector<int32_t> types_;
  std::vector<double> counts_;
  std::vector<float> terms_;  // of each count
};

/// The rules of a shard at work.
struct RuleState {
  std::vector<RecentTypes> past;    // [rows]
  std::vector<OwnTransitions> own;  // [rows], or none
  std::vector<RuleTerm> terms;      // of the rows of a block, one after another
  std::vector<int64_t> ends;        // [rows of the block + 1] where each row's terms begin and end

  std::span<const RuleTerm> terms_of(int64_t row) const {
    const auto at = static_cast<std::size_t>(row);
    return {terms.data() + ends[at], static_cast<std::size_t>(ends[at + 1] - ends[at])};
  }
};

/// Adds the sparse terms of one place to its logits.
template <class T>
void add_terms(T* logits, std::span<const RuleTerm> terms, const T* weights) {
  for (const RuleTerm& term : terms) logits[term.type] += weights[term.weight] * T(term.value);
}
/// Adds the gradients of the weights, from that of the logits.
template <class T>
void add_term_gradients(T* dweights, std::span<const RuleTerm> terms, const T* dlogits) {
  for (const RuleTerm& term : terms) dweights[term.weight] += dlogits[term.type] * T(term.value);
}

}  // namespace t2v
