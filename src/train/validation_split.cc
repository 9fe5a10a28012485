#include "train/validation_split.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>

#include "base/fail.h"
#include "base/random.h"
#include "data/doctor_text.h"
#include "data/splits.h"

namespace t2v {
namespace {

using data::Piece;

constexpr uint64_t kValidationStream = 11;
constexpr int64_t kMostTicks = 1 << 20;
constexpr double kLongShare = 0.25;        // of the span of all data
constexpr double kFrequentLabel = 0.05;    // of all sequences
constexpr std::size_t kFewSequences = 10;  // of which a tenth is less than one
constexpr int64_t kFewestEvents = 100;     // for a part of them to tell anything

/// The instant after which about a share of the events lies.
int64_t late_tick(const std::vector<Piece>& pieces, const data::Events& events, double share) {
  int64_t count = 0;
  for (const Piece& piece : pieces) count += piece.end - piece.begin;
  const int64_t every = std::max<int64_t>(1, count / kMostTicks);
  std::vector<int64_t> ticks;
  int64_t at = 0;
  for (const Piece& piece : pieces) {
    events.check(piece.begin, piece.end);
    for (int64_t e = piece.begin; e < piece.end; ++e) {
      if (at++ % every == 0) ticks.push_back(events.tick(e));
    }
  }
  std::ranges::sort(ticks);
  const auto all = static_cast<int64_t>(ticks.size());
  const int64_t late = std::clamp<int64_t>(std::llround(share * static_cast<double>(all)), 1, all);
  return ticks[static_cast<std::size_t>(all - late)];
}

void split_off_late(data::Split& split, const data::Events& events, double share) {
  const int64_t from = late_tick(split.train, events, share);
  std::vector<Piece> train;
  for (const Piece& piece : split.train) {
    const auto ticks = events.ticks.subspan(static_cast<std::size_t>(piece.begin),
                                            static_cast<std::size_t>(piece.end - piece.begin));
    const int64_t cut = piece.begin + (std::ranges::lower_bound(ticks, from) - ticks.begin());
    if (cut > piece.begin) train.push_back({piece.sequence, piece.begin, cut, piece.first_target});
    if (cut < piece.end) {
      split.valid.push_back({piece.sequence, piece.begin, piece.end, std::max(cut, piece.first_target)});
    }
  }
  if (train.empty()) {
    split.valid.clear();  // all in one instant
    return;
  }
  split.train = std::move(train);
}

/// Their numbers, each once, ascending.
std::vector<int64_t> sequences_of(const std::vector<Piece>& pieces) {
  std::vector<int64_t> sequences;
  for (const Piece& piece : pieces) sequences.push_back(piece.sequence);
  std::ranges::sort(sequences);
  sequences.erase(std::unique(sequences.begin(), sequences.end()), sequences.end());
  return sequences;
}

int64_t start_of(const data::Events& events, int64_t sequence) {
  const int64_t first = events.begin(sequence);
  events.check(first, first + 1);
  return events.tick(first);
}

/// The latest first.
void sort_by_start(std::vector<int64_t>& sequences, const data::Events& events) {
  std::ranges::stable_sort(sequences, std::ranges::greater(),
                           [&](int64_t sequence) { return start_of(events, sequence); });
}

void split_off_sequences(data::Split& split, const data::Events& events, double share, HeldOut how,
                         uint64_t seed) {
  std::vector<int64_t> sequences = sequences_of(split.train);
  const auto all = static_cast<int64_t>(sequences.size());
  if (all < 2) return;
  const int64_t taken = std::clamp<int64_t>(std::llround(share * static_cast<double>(all)), 1, all - 1);
  if (how == HeldOut::kLatestSequences) {
    sort_by_start(sequences, events);
  } else {
    Random(seed, kValidationStream).shuffle(sequences);
  }
  sequences.resize(static_cast<std::size_t>(taken));
  std::ranges::sort(sequences);
  const auto is_taken = [&](const Piece& piece) {
    return std::ranges::binary_search(sequences, piece.sequence);
  };
  std::ranges::copy_if(split.train, std::back_inserter(split.valid), is_taken);
  std::erase_if(split.train, is_taken);
}

/// Whether half of the sequences last for more than a share of the span of all.
bool are_long(const std::vector<int64_t>& sequences, const data::Events& events) {
  std::vector<double> spans;
  double first = std::numeric_limits<double>::infinity();
  double last = -first;
  for (const int64_t sequence : sequences) {
    const int64_t end = events.end(sequence);
    events.check(end - 1, end);
    const auto from = static_cast<double>(start_of(events, sequence));
    const auto to = static_cast<double>(events.tick(end - 1));
    spans.push_back(to - from);
    first = std::min(first, from);
    last = std::max(last, to);
  }
  const auto middle = spans.begin() + static_cast<int64_t>(spans.size() / 2);
  std::ranges::nth_element(spans, middle);
  return *middle > kLongShare * (last - first);
}

/// Whether the latest sequences have all labels that are frequent.
bool latest_have_all_labels(std::vector<int64_t> sequences, const data::Events& events) {
  const auto label_of = [&](int64_t sequence) {
    return events.label->codes[static_cast<std::size_t>(sequence)];
  };
  sort_by_start(sequences, events);
  std::map<int32_t, int64_t> counts;
  for (const int64_t sequence : sequences) ++counts[label_of(sequence)];
  sequences.resize((sequences.size() + 9) / 10);
  std::set<int32_t> latest;
  for (const int64_t sequence : sequences) latest.insert(label_of(sequence));
  const auto all = static_cast<double>(events.sequences());
  return std::ranges::all_of(counts, [&](const auto& entry) {
    return static_cast<double>(entry.second) < kFrequentLabel * all || latest.contains(entry.first);
  });
}

}  // namespace

data::Split first_split(const data::EventStore& store) {
  if (store.split) return *store.split;
  data::SplitConfig config;
  config.kind = store.events.part.empty() ? "none" : "given";
  config.test = 0;
  data::SplitCounts counts;
  return data::make_split(store.events, config, counts);
}

bool goes_on(Task task, data::ValueTarget values) {
  return values == data::ValueTarget::kOfNextEvent || values == data::ValueTarget::kOfEvent ||
         task == Task::kRecommend;
}

HeldOut held_out(const std::vector<Piece>& train, const data::Events& events, Task task,
                 data::ValueTarget values) {
  if (goes_on(task, values)) return HeldOut::kLatestPart;
  const std::vector<int64_t> sequences = sequences_of(train);
  int64_t size = 0;
  for (const Piece& piece : train) size += piece.end - piece.begin;
  const bool few = sequences.size() < kFewSequences;
  if (task == Task::kNext && few && size >= kFewestEvents) return HeldOut::kLatestPart;
  if (!events.scale.instants) return HeldOut::kRandomSequences;
  if (task == Task::kNext && !few && are_long(sequences, events)) return HeldOut::kLatestPart;
  const bool sorted = task == Task::kClassify && events.label && !latest_have_all_labels(sequences, events);
  return sorted ? HeldOut::kRandomSequences : HeldOut::kLatestSequences;
}

void split_off_validation(data::Split& split, const data::Events& events, double share, HeldOut how,
                          uint64_t seed) {
  if (!(share > 0 && share < 1)) fail("the share for validation is in (0, 1); it is {}", share);
  if (how == HeldOut::kLatestPart) {
    split_off_late(split, events, share);
  } else {
    split_off_sequences(split, events, share, how, seed);
  }
}

std::string describe_split(const data::Split& split, HeldOut how) {
  constexpr std::array<std::string_view, 4> kHow = {", as given", ", at random", ", the latest to start",
                                                    ", their last part in time"};
  const std::string train = data::counted(static_cast<int64_t>(split.train.size()), "sequence");
  if (split.valid.empty()) {
    return fmt::format("learned from: {}; none for validation, so it does not stop by itself", train);
  }
  return fmt::format("learned from: {}; validation: {}{}", train, split.valid.size(),
                     kHow[static_cast<std::size_t>(how)]);
}

}  // namespace t2v
