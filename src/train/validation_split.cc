#include "train/validation_split.h"

#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "base/random.h"
#include "data/doctor_text.h"
#include "data/splits.h"

namespace t2v {
namespace {

using data::Piece;

constexpr uint64_t kValidationStream = 11;
constexpr int64_t kMostTicks = 1 << 20;

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

void split_off_sequences(data::Split& split, double share, uint64_t seed) {
  std::vector<int64_t> sequences;
  for (const Piece& piece : split.train) sequences.push_back(piece.sequence);
  std::ranges::sort(sequences);
  sequences.erase(std::unique(sequences.begin(), sequences.end()), sequences.end());
  const auto all = static_cast<int64_t>(sequences.size());
  if (all < 2) return;
  const int64_t taken = std::clamp<int64_t>(std::llround(share * static_cast<double>(all)), 1, all - 1);
  Random(seed, kValidationStream).shuffle(sequences);
  sequences.resize(static_cast<std::size_t>(taken));
  std::ranges::sort(sequences);
  const auto is_taken = [&](const Piece& piece) {
    return std::ranges::binary_search(sequences, piece.sequence);
  };
  std::ranges::copy_if(split.train, std::back_inserter(split.valid), is_taken);
  std::erase_if(split.train, is_taken);
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

void split_off_validation(data::Split& split, const data::Events& events, double share, bool late,
                          uint64_t seed) {
  if (!(share > 0 && share < 1)) fail("the share for validation is in (0, 1); it is {}", share);
  if (late) {
    split_off_late(split, events, share);
  } else {
    split_off_sequences(split, share, seed);
  }
}

std::string describe_split(const data::Split& split, bool late) {
  const std::string train = data::counted(static_cast<int64_t>(split.train.size()), "sequence");
  if (split.valid.empty()) {
    return fmt::format("learned from: {}; none for validation, so it does not stop by itself", train);
  }
  return fmt::format("learned from: {}; validation: {}{}", train, split.valid.size(),
                     late ? ", their last part in time" : "");
}

}  // namespace t2v
