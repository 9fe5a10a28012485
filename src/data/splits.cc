#include "data/splits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <string_view>

#include "base/fail.h"
#include "base/named.h"
#include "base/random.h"
#include "base/text_check.h"
#include "data/doctor_text.h"
#include "data/human_time.h"

namespace t2v::data {
namespace {

/// Keeps the draws apart from those of batches, whose streams are the epochs.
constexpr uint64_t kSplitStream = uint64_t{1} << 40;

Piece whole(const Events& events, int64_t sequence) {
  const int64_t begin = events.begin(sequence);
  return {.sequence = sequence, .begin = begin, .end = events.end(sequence), .first_target = begin};
}

std::vector<int64_t> all_sequences(const Events& events) {
  std::vector<int64_t> sequences(static_cast<std::size_t>(events.sequences()));
  std::iota(sequences.begin(), sequences.end(), 0);
  return sequences;
}

/// A share of a count, rounded, but at least one if anything was asked for.
int64_t share_of(double share, int64_t count) {
  const auto rounded = static_cast<int64_t>(std::llround(share * static_cast<double>(count)));
  return share > 0 ? std::max<int64_t>(1, rounded) : 0;
}

void take(std::vector<Piece>& pieces, const Events& events, std::span<const int64_t> sequences) {
  for (const int64_t s : sequences) pieces.push_back(whole(events, s));
}

/// Moves `count` pieces, drawn by the seed, from one part to another.
void draw(std::vector<Piece>& from, std::vector<Piece>& to, int64_t count, uint64_t seed, uint64_t stream) {
  std::vector<int64_t> order(from.size());
  std::iota(order.begin(), order.end(), 0);
  Random(seed, stream).shuffle(order);
  std::vector<bool> drawn(from.size());
  for (int64_t i = 0; i < std::min(count, static_cast<int64_t>(order.size())); ++i) {
    drawn[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] = true;
  }
  std::vector<Piece> rest;
  for (std::size_t i = 0; i < from.size(); ++i) (drawn[i] ? to : rest).push_back(from[i]);
  from = std::move(rest);
}

Split split_given(const Events& events, const SplitConfig& config, SplitCounts&) {
  if (events.part.empty()) {
    fail(
        "the data do not say which sequences are for training and which for testing; choose another split, "
        "such as random");
  }
  Split split;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    switch (events.part[static_cast<std::size_t>(s)]) {
      case Part::kTrain:
        split.train.push_back(whole(events, s));
        break;
      case Part::kValid:
        split.valid.push_back(whole(events, s));
        break;
      case Part::kTest:
        split.test.push_back(whole(events, s));
        break;
    }
  }
  if (split.valid.empty() && config.valid > 0) {
    const int64_t count = share_of(config.valid, static_cast<int64_t>(split.train.size()));
    draw(split.train, split.valid, count, config.seed, kSplitStream);
  }
  return split;
}

Split split_random(const Events& events, const SplitConfig& config, SplitCounts&) {
  Split split;
  take(split.train, events, all_sequences(events));
  draw(split.train, split.test, share_of(config.test, events.sequences()), config.seed, kSplitStream);
  draw(split.train, split.valid, share_of(config.valid, events.sequences()), config.seed, kSplitStream + 1);
  return split;
}

/// The tick from which on, as nearly as ties allow, a share of all events lies.
int64_t tick_of_share(const Events& events, double share) {
  std::vector<int64_t> ticks(events.ticks.begin(), events.ticks.end());
  const int64_t count = std::min(share_of(share, events.size()), events.size());
  if (count == 0) return INT64_MAX;
  const auto at = ticks.end() - count;
  std::nth_element(ticks.begin(), at, ticks.end());
  return *at;
}

/// The first event of a sequence at a tick or later.
int64_t first_from(const Events& events, int64_t sequence, int64_t tick) {
  const auto begin = events.ticks.begin() + events.begin(sequence);
  const auto end = events.ticks.begin() + events.end(sequence);
  return std::lower_bound(begin, end, tick) - events.ticks.begin();
}

void take_between(std::vector<Piece>& pieces, const Piece& sequence, int64_t first_target, int64_t end) {
  if (first_target >= end) return;
  pieces.push_back({sequence.sequence, sequence.begin, end, first_target});
}

Split split_time(const Events& events, const SplitConfig& config, SplitCounts&) {
  const bool test = config.test > 0 || config.test_from;
  const bool valid = config.valid > 0 || config.valid_from;
  const int64_t test_from =
      config.test_from ? *config.test_from : tick_of_share(events, test ? config.test : 0);
  const double later = (test ? config.test : 0) + config.valid;
  const int64_t valid_from = config.valid_from ? *config.valid_from : tick_of_share(events, later);
  if (valid && valid_from > test_from) {
    fail("the validation would start at tick {}, after the test's start at tick {}; set it earlier",
         valid_from, test_from);
  }
  Split split;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    const Piece all = whole(events, s);
    const int64_t first_test = test ? first_from(events, s, test_from) : all.end;
    const int64_t first_valid = valid ? first_from(events, s, valid_from) : first_test;
    take_between(split.train, all, all.begin, first_valid);
    take_between(split.valid, all, first_valid, first_test);
    take_between(split.test, all, first_test, all.end);
  }
  return split;
}

Split split_last(const Events& events, const SplitConfig& config, SplitCounts& counts) {
  const bool test = config.test > 0;
  const bool valid = config.valid > 0;
  Split split;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    const Piece all = whole(events, s);
    const int64_t parts = 1 + (test ? 1 : 0) + (valid ? 1 : 0);
    const int64_t length = all.end - all.begin;
    if (length < parts) ++counts.too_short;
    // Too short for all: the test goes before the validation.
    const int64_t test_from = test && length > 1 ? all.end - 1 : all.end;
    const int64_t valid_from = valid && length >= parts && length > 1 ? test_from - 1 : test_from;
    take_between(split.train, all, all.begin, valid_from);
    take_between(split.valid, all, valid_from, test_from);
    take_between(split.test, all, test_from, all.end);
  }
  return split;
}

Split split_head_tail(const Events& events, const SplitConfig& config, SplitCounts& counts) {
  std::vector<int64_t> order = all_sequences(events);
  std::ranges::stable_sort(order, std::ranges::less(), [&](int64_t s) { return events.length(s); });
  const int64_t n = events.sequences();
  const int64_t test = config.test_count > 0 ? config.test_count : share_of(config.test, n);
  const int64_t valid = share_of(config.valid, n);
  const int64_t train = config.train_count > 0 ? config.train_count : n - test - valid;
  if (train < 1 || train + valid + test > n) {
    fail("{} sequences cannot give {} for training, {} for validation and {} for the test; ask for fewer", n,
         std::max<int64_t>(train, 1), valid, test);
  }
  const std::span<const int64_t> sorted = order;
  const auto at = [](int64_t count) { return static_cast<std::size_t>(count); };
  Split split;
  take(split.train, events, sorted.first(at(train)));
  take(split.valid, events, sorted.subspan(at(train), at(valid)));
  take(split.test, events, sorted.last(at(test)));
  counts.left_out = n - train - valid - test;
  return split;
}

Split split_none(const Events& events, const SplitConfig&, SplitCounts&) {
  Split split;
  take(split.train, events, all_sequences(events));
  return split;
}

struct Kind {
  std::string_view name;
  Split (*make)(const Events&, const SplitConfig&, SplitCounts&);
};
constexpr std::array<Kind, 6> kKinds = {{{"given", split_given},
                                         {"random", split_random},
                                         {"time", split_time},
                                         {"last", split_last},
                                         {"head-tail", split_head_tail},
                                         {"none", split_none}}};

void check_shares(const SplitConfig& config) {
  const auto check = [](double share, const char* what) {
    if (!(share >= 0 && share < 1))
      fail("the {} share is {}; it must be at least 0 and below 1", what, share);
  };
  check(config.test, "test");
  check(config.valid, "validation");
  if (config.test + config.valid >= 1) {
    fail("the test share {} and the validation share {} leave nothing to train on", config.test,
         config.valid);
  }
}

void check_parts(const Split& split, const SplitConfig& config) {
  if (split.train.empty()) {
    fail("the split '{}' leaves nothing to train on; make the test smaller or choose another split",
         config.kind);
  }
  if (config.kind == "none") return;
  if (split.test.empty() && (config.test > 0 || config.test_from || config.test_count > 0)) {
    fail("the split '{}' leaves nothing to test on; choose another split, or ask for no test (share 0)",
         config.kind);
  }
  if (split.valid.empty() && (config.valid > 0 || config.valid_from)) {
    fail(
        "the split '{}' leaves nothing to validate on; choose another split, or ask for no validation "
        "(share 0)",
        config.kind);
  }
}

void cut_windows(std::vector<Piece>& windows, const Piece& piece, int64_t max) {
  for (int64_t begin = piece.begin;; begin += max - 1) {
    const int64_t end = std::min(begin + max, piece.end);
    const int64_t own = begin == piece.begin ? begin : begin + 1;  // the first event was in the last window
    const int64_t first_target = std::max(piece.first_target, own);
    if (first_target < end) windows.push_back({piece.sequence, begin, end, first_target});
    if (end == piece.end) return;
  }
}

std::string sequences_are(int64_t count) {
  return counted(count, "sequence") + (count == 1 ? " is" : " are");
}

std::string line_of(const char* what, const std::vector<Piece>& pieces) {
  if (pieces.empty()) return fmt::format("{}: none\n", what);
  int64_t events = 0;
  int64_t context = 0;
  std::vector<int64_t> sequences;
  for (const Piece& piece : pieces) {
    events += piece.end - piece.begin;
    context += piece.first_target - piece.begin;
    sequences.push_back(piece.sequence);
  }
  std::ranges::sort(sequences);
  const auto count = std::unique(sequences.begin(), sequences.end()) - sequences.begin();
  const auto all = static_cast<int64_t>(pieces.size());
  return fmt::format("{}: {}{}, {}{}\n", what, all > count ? counted(all, "piece") + " of " : "",
                     counted(count, "sequence"), counted(events, "event"),
                     context > 0 ? fmt::format(", {} of them context", human_count(context)) : "");
}

}  // namespace

Split make_split(const Events& events, const SplitConfig& config, SplitCounts& counts) {
  const Kind& kind = find_named(kKinds, config.kind, "split");
  check_shares(config);
  counts = {};
  Split split = kind.make(events, config, counts);
  check_parts(split, config);
  return split;
}

void limit_length(std::vector<Piece>& pieces, int64_t max, const std::string& mode) {
  if (mode != "first" && mode != "last" && mode != "windows") {
    fail("unknown way '{}' to limit lengths; use first, last or windows", shown(mode));
  }
  const int64_t least = mode == "windows" ? 2 : 1;
  if (max < least) fail("sequences cannot be limited to {} events; use at least {}", max, least);
  std::vector<Piece> limited;
  for (Piece piece : pieces) {
    if (mode == "windows") {
      cut_windows(limited, piece, max);
      continue;
    }
    if (mode == "first") piece.end = std::min(piece.end, piece.begin + max);
    if (mode == "last") piece.begin = std::max(piece.begin, piece.end - max);
    piece.first_target = std::max(piece.first_target, piece.begin);
    if (piece.first_target < piece.end) limited.push_back(piece);
  }
  pieces = std::move(limited);
}

std::vector<Piece> whole_sequences(const Events& events) {
  std::vector<Piece> pieces;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    pieces.push_back({s, events.begin(s), events.end(s), events.begin(s)});
  }
  return pieces;
}

std::vector<Piece> pieces_of(const EventStore& store, Part part) {
  if (store.split) {
    const Split& split = *store.split;
    return part == Part::kTrain ? split.train : part == Part::kValid ? split.valid : split.test;
  }
  if (store.events.part.empty()) return {};
  std::vector<Piece> pieces = whole_sequences(store.events);
  std::erase_if(pieces, [&](const Piece& piece) {
    return store.events.part[static_cast<std::size_t>(piece.sequence)] != part;
  });
  return pieces;
}

void only_last_target(std::vector<Piece>& pieces) {
  for (Piece& piece : pieces) piece.first_target = piece.end - 1;
}

std::string describe(const Split& split, const SplitCounts& counts) {
  std::string text =
      line_of("train", split.train) + line_of("validation", split.valid) + line_of("test", split.test);
  if (counts.too_short > 0) {
    text += fmt::format("{} too short for all parts\n", sequences_are(counts.too_short));
  }
  if (counts.left_out > 0) text += fmt::format("{} in no part\n", sequences_are(counts.left_out));
  return text;
}

}  // namespace t2v::data
