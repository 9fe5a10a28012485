#include "data/split_options.h"

#include <algorithm>
#include <array>

#include "base/fail.h"
#include "data/doctor_text.h"
#include "data/time_reader.h"

namespace t2v::data {
namespace {

constexpr std::string_view kGroup = "Split";

/// The split that is meant by `auto`.
std::string kind_of(const EventStore& store, const SplitOptions& options) {
  if (options.split.kind != "auto") return options.split.kind;
  return store.events.part.empty() ? "none" : "given";
}

/// Throws t2v::Error for an option that has no effect with this kind of split.
void refuse_unused(const SplitOptions& options, const std::string& kind) {
  const auto refuse = [&](const char* name) {
    if (!options.given.contains(name)) return;
    if (kind == "none")
      fail("`{}` has no effect without a split; choose one with `split`, or leave it out", name);
    fail("`{}` has no effect with `split` {}; leave it out", name, kind);
  };
  if (kind == "none") {
    refuse("test_share");
    refuse("valid_share");
  }
  const bool draws = kind == "random" || (kind == "given" && options.split.valid > 0);
  if (!draws) refuse("split_seed");
}

/// The same where it depends on the data.
void refuse_unused(const SplitOptions& options, const std::string& kind, const Events& events) {
  refuse_unused(options, kind);
  if (!events.event) {
    for (const char* name : {"vocab", "vocab_from_all"}) {
      if (options.given.contains(name))
        fail("`{}` is for event types, and the data have none; leave it out", name);
    }
  }
  const bool has_valid = std::ranges::count(events.part, Part::kValid) > 0;
  if (kind == "given" && has_valid && options.given.contains("valid_share")) {
    fail("`valid_share` has no effect, since the data say what validation is; leave it out");
  }
}

struct LimitedPart {
  const char* name;
  std::vector<Piece>* pieces;
};

/// Limits the lengths; notes what is lost by that.
void limit(Split& split, const SplitOptions& options, std::vector<std::string>& notes) {
  for (const auto& part : {LimitedPart{"training", &split.train}, LimitedPart{"validation", &split.valid},
                           LimitedPart{"test", &split.test}}) {
    const auto before = static_cast<int64_t>(part.pieces->size());
    limit_length(*part.pieces, options.max_len, options.cut);
    const int64_t lost = before - static_cast<int64_t>(part.pieces->size());
    if (lost <= 0) continue;
    if (lost == before) {
      fail(
          "`max_len` {} `cut` {} leaves nothing of the {} part: what counts comes later in all of its "
          "sequences; use `cut` last",
          options.max_len, options.cut, part.name);
    }
    notes.push_back(fmt::format(
        "{} left out of the {} part: what counts comes after {} first {} events; `cut` last keeps it",
        counted(lost, "sequence") + (lost == 1 ? " is" : " are"), part.name, lost == 1 ? "its" : "their",
        options.max_len));
  }
}

/// The lines of a text, a note each.
void add_lines(std::vector<std::string>& notes, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    notes.push_back(text.substr(at, end - at));
    at = end + 1;
  }
}

Option share(std::string_view name, std::string help) {
  return {.name = name, .group = kGroup, .help = std::move(help), .least = 0, .most = 1, .below_most = true};
}

void add_parts(OptionTable& table, SplitOptions& options) {
  table.add(
      {.name = "split",
       .group = kGroup,
       .help =
           "which data are learned from, and which measured on. random: whole sequences, drawn by the seed. "
           "time: early events are learned from, later ones predicted. last: the last event of each "
           "sequence is predicted. head-tail: short sequences are learned from, long ones predicted. given: "
           "as the files say. none: all is learned from. auto: given if the files say it, else none",
       .choices = {"auto", "random", "time", "last", "head-tail", "given", "none"}},
      &options.split.kind);
  table.add(
      share("test_share",
            "share of the sequences to measure on (time: of the events; given and last: only 0, for none, "
            "matters)"),
      &options.split.test);
  table.add(share("valid_share", "share of the sequences to choose the best model by"), &options.split.valid);
  table.add({.name = "split_seed", .group = kGroup, .help = "seed of what is drawn at random"},
            &options.split.seed);
  table.add({.name = "test_from",
             .group = kGroup,
             .help = "with `split` time: when the test starts, a date or number",
             .takes = "WHEN"},
            &options.test_from);
}

void add_names(OptionTable& table, SplitOptions& options) {
  table.add(
      {.name = "vocab",
       .group = kGroup,
       .help = "how many event types to tell apart, the most frequent ones; all others count as one; 0: all. "
               "Unless given, 5,000 where the data have more than 1,000",
       .least = 0,
       .most = 2147483648.0},
      &options.encoding.vocabulary);
  table.add({.name = "vocab_from_all",
             .group = kGroup,
             .help = "count types in all sequences, not only in those to learn from"},
            &options.encoding.vocabulary_from_all);
  table.add(
      {.name = "unknown",
       .group = kGroup,
       .help = "a place in the model for types and categories that it has not met. if-needed: where the data "
               "have such beside those to learn from; always; never: they are an error",
       .choices = {"if-needed", "always", "never"}},
      &options.encoding.unknown);
}

void add_lengths(OptionTable& table, SplitOptions& options) {
  table.add({.name = "max_len",
             .group = kGroup,
             .help = "most events of a sequence; 0: no limit",
             .least = 0,
             .most = 1e9},
            &options.max_len);
  table.add(
      {.name = "cut",
       .group = kGroup,
       .help = "what stays of sequences longer than `max_len`: their first events, their last, or all, in "
               "windows of that length",
       .choices = {"first", "last", "windows"}},
      &options.cut);
}

}  // namespace

OptionTable options_of(SplitOptions& options) {
  OptionTable table(&options.given);
  add_parts(table, options);
  add_names(table, options);
  add_lengths(table, options);
  return table;
}

void check(const SplitOptions& options) {
  const SplitConfig& split = options.split;
  if (split.kind != "auto") refuse_unused(options, split.kind);
  if (split.test + split.valid >= 1) {
    fail("`test_share` {} and `valid_share` {} leave nothing to train on", split.test, split.valid);
  }
  if (!options.test_from.empty()) {
    if (split.kind != "time") fail("`test_from` is for `split` time; give that too");
    check_date_or_number(options.test_from, "`test_from`");
  }
  if (options.max_len == 0 && options.given.contains("cut")) {
    fail("`cut` has no effect without `max_len`; give that too, or leave it out");
  }
  if (options.max_len == 1 && options.cut == "windows") fail("`cut` windows needs a `max_len` of at least 2");
}

std::vector<std::string> split_store(EventStore& store, const SplitOptions& options,
                                     const std::string& timezone) {
  check(options);
  const Events& events = store.events;
  events.check(0, events.size());
  SplitConfig config = options.split;
  config.kind = kind_of(store, options);
  refuse_unused(options, config.kind, events);
  if (!options.test_from.empty()) {
    const TimeReader reader(events.scale, std::nullopt, TimeZone::find(timezone));
    config.test_from = reader.tick_of(options.test_from, "`test_from`");
  }
  std::vector<std::string> notes;
  SplitCounts counts;
  store.split = make_split(events, config, counts);
  if (options.max_len > 0) limit(*store.split, options, notes);
  EncodingConfig encoding = options.encoding;
  if (!options.given.contains("vocab")) encoding.vocabulary = default_vocabulary(events);
  store.encoding = learn_encoding(events, store.split->train, encoding);
  if (config.kind != "none" || options.max_len > 0) add_lines(notes, describe(*store.split, counts));
  add_lines(notes, describe(*store.encoding));
  return notes;
}

}  // namespace t2v::data
