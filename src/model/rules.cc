#include "model/rules.h"

#include <algorithm>
#include <cmath>

#include "base/fail.h"

namespace t2v {
namespace {

std::size_t at_of(int64_t i) { return static_cast<std::size_t>(i); }

bool comes_before(const OwnTransitions::Entry& a, const OwnTransitions::Entry& b) {
  return a.from != b.from ? a.from < b.from : a.to < b.to;
}

}  // namespace

void RecentTypes::clear() {
  types_.clear();
  counts_.clear();
}

void RecentTypes::add(int32_t type) {
  const auto found = std::find(types_.rbegin(), types_.rend(), type);
  const auto at = types_.rend() - found - 1;
  if (found != types_.rend()) {
    std::rotate(types_.begin() + at, types_.begin() + at + 1, types_.end());
    std::rotate(counts_.begin() + at, counts_.begin() + at + 1, counts_.end());
    if (counts_.back() < INT32_MAX) ++counts_.back();
    return;
  }
  if (static_cast<int64_t>(types_.size()) == kMostPastTypes) {
    types_.erase(types_.begin());
    counts_.erase(counts_.begin());
  }
  types_.push_back(type);
  counts_.push_back(1);
}

void RecentTypes::restore(std::span<const int32_t> types, std::span<const int32_t> counts,
                          int64_t event_types) {
  std::vector<int32_t> sorted(types.begin(), types.end());
  std::ranges::sort(sorted);
  const bool sound = types.size() == counts.size() && static_cast<int64_t>(types.size()) <= kMostPastTypes &&
                     std::ranges::adjacent_find(sorted) == sorted.end() &&
                     (sorted.empty() || (sorted.front() >= 0 && sorted.back() < event_types)) &&
                     std::ranges::all_of(counts, [](int32_t count) { return count > 0; });
  if (!sound) fail("the types that a sequence had are impossible");
  types_.assign(types.begin(), types.end());
  counts_.assign(counts.begin(), counts.end());
}

OwnTransitions::OwnTransitions(std::span<const int32_t> events, std::span<const int32_t> next_events) {
  for (std::size_t e = 0; e < events.size(); ++e) {
    if (next_events[e] >= 0) entries_.push_back({events[e], next_events[e], 1});
  }
  std::ranges::sort(entries_, comes_before);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const bool same = kept > 0 && !comes_before(entries_[kept - 1], entries_[i]);
    if (same) {
      ++entries_[kept - 1].count;
    } else {
      entries_[kept++] = entries_[i];
    }
  }
  entries_.resize(kept);
}

std::span<const OwnTransitions::Entry> OwnTransitions::from(int32_t type) const {
  const auto found = std::ranges::equal_range(entries_, type, {}, &Entry::from);
  return {found.begin(), found.end()};
}

void OwnTransitions::pass(int32_t from, int32_t to) {
  const auto found = std::ranges::lower_bound(entries_, Entry{from, to, 0}, comes_before);
  if (found != entries_.end() && found->from == from && found->to == to) --found->count;
}

Rules::Rules(const Baselines& baselines, int32_t unknown, LeftOut left_out)
    : unknown_(unknown),
      left_out_(left_out),
      popularity_(baselines.popularity),
      offsets_(baselines.markov_offsets),
      types_(baselines.markov_types),
      counts_(baselines.markov_counts) {
  if (popularity_.empty()) fail("rules need how often each type of event is; train the model again");
  for (const double p : popularity_) log_popularity_.push_back(static_cast<float>(std::log(p)));
  for (std::size_t i = 0; i < types_.size(); ++i) terms_.push_back(markov_term(types_[i], counts_[i]));
}

float Rules::own_term(int32_t type, int64_t count) const {
  return static_cast<float>(std::log1p(static_cast<double>(count) / (kUserPrior * popularity_[at_of(type)])));
}

float Rules::markov_term(int32_t type, double count) const {
  return static_cast<float>(std::log1p(count / (kMarkovPrior * popularity_[at_of(type)])));
}

TypeCounts Rules::row_of(int32_t type) const {
  const auto begin = at_of(offsets_[at_of(type)]);
  const auto count = at_of(offsets_[at_of(type) + 1]) - begin;
  return {std::span(types_).subspan(begin, count), std::span(counts_).subspan(begin, count)};
}

void Rules::append_terms(std::vector<RuleTerm>& terms, const RecentTypes& past,
                         const OwnTransitions* own) const {
  for (std::size_t i = 0; i < past.types().size(); ++i) {
    const int32_t type = past.types()[i];
    if (type != unknown_) terms.push_back({type, kOwn, own_term(type, past.counts()[i])});
  }
  const int32_t last = past.last();
  if (last < 0) return;
  if (last != unknown_) terms.push_back({last, kRepeat, 1});
  const auto begin = at_of(offsets_[at_of(last)]);
  const auto end = at_of(offsets_[at_of(last) + 1]);
  const auto left_out = own == nullptr ? std::span<const OwnTransitions::Entry>{} : own->from(last);
  auto entry = left_out.begin();
  for (std::size_t i = begin; i < end; ++i) {
    while (entry != left_out.end() && entry->to < types_[i]) ++entry;
    const bool less = entry != left_out.end() && entry->to == types_[i] && entry->count > 0;
    const double left = less ? counts_[i] - entry->count : counts_[i];
    if (left > 0) terms.push_back({types_[i], kMarkov, less ? markov_term(types_[i], left) : terms_[i]});
  }
}

}  // namespace t2v
