#include "split_options.h"
#include "say.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/decimal.h"
#include "data/doctor_text.h"
#include "data_options.h"
#include "summary.h"

namespace t2v::cli {
namespace {

/// The split that is meant by `auto`.
std::string kind_of(const data::EventStore& store, const SplitOptions& options) {
  if (options.split.kind != "auto") return options.split.kind;
  if (!store.events.part.empty()) return "given";
  return options.by_default ? "random" : "none";
}

/// Says so if an option was given that nothing would come of with this kind of split.
void refuse_unused(const SplitOptions& options, const std::string& kind) {
  const auto refuse = [&](const char* name) {
    if (!is_given(options.all, name)) return;
    if (kind == "none")
      fail("{} does nothing without a split; choose one with --split, or leave it out", name);
    fail("{} does nothing with --split {}; leave it out", name, kind);
  };
  if (kind == "none") {
    refuse("--test-share");
    refuse("--valid-share");
  }
  const bool draws = kind == "random" || (kind == "given" && options.split.valid > 0);
  if (!draws) refuse("--split-seed");
}

/// The same where it depends on the data.
void refuse_unused(const SplitOptions& options, const std::string& kind, const data::Events& events) {
  refuse_unused(options, kind);
  if (!events.event) {
    for (const char* name : {"--vocab", "--vocab-from-all"}) {
      if (is_given(options.all, name))
        fail("{} is for event types, and the data have none; leave it out", name);
    }
  }
  const bool has_valid = std::ranges::count(events.part, data::Part::kValid) > 0;
  if (kind == "given" && has_valid && is_given(options.all, "--valid-share")) {
    fail("--valid-share does nothing, since the data say what validation is; leave it out");
  }
}

std::string check_share(const std::string& text) {
  double share = 0;
  const bool good = data::parse_double(text, share) == data::NumberFault::kNone && share >= 0 && share < 1;
  return good ? "" : fmt::format("'{}' is no share; it must be at least 0 and below 1", shown(text));
}

struct LimitedPart {
  const char* name;
  std::vector<data::Piece>* pieces;
};

/// Limits the lengths; says on standard error what is lost by that.
void limit(data::Split& split, const SplitOptions& options) {
  for (const auto& part : {LimitedPart{"training", &split.train}, LimitedPart{"validation", &split.valid},
                           LimitedPart{"test", &split.test}}) {
    const auto before = static_cast<int64_t>(part.pieces->size());
    data::limit_length(*part.pieces, options.max_len, options.cut);
    const int64_t lost = before - static_cast<int64_t>(part.pieces->size());
    if (lost <= 0) continue;
    if (lost == before) {
      fail(
          "--max-len {} --cut {} leaves nothing of the {} part: what counts comes later in all of its "
          "sequences; use --cut last",
          options.max_len, options.cut, part.name);
    }
    say("{} left out of the {} part: what counts comes after {} first {} events; --cut last keeps it\n",
        data::counted(lost, "sequence") + (lost == 1 ? " is" : " are"), part.name,
        lost == 1 ? "its" : "their", options.max_len);
  }
}

}  // namespace

void add_split_options(CLI::App& command, SplitOptions& options, bool by_default) {
  options.by_default = by_default;
  options.split.kind = "auto";
  const auto add = [&](const char* name, auto& value, const std::string& text) {
    CLI::Option* option = command.add_option(name, value, wrapped(text))->group("Split");
    options.all.push_back(option);
    return option;
  };
  add("--split", options.split.kind,
      "which data are learned from, and which measured on. random: whole sequences, drawn by the seed. time: "
      "early "
      "events are learned from, later ones predicted. last: the last event of each sequence is predicted. "
      "head-tail: short sequences are learned from, long ones predicted. given: as the files say. none: all "
      "is learned from. auto: given if the files say it, else " +
          std::string(by_default ? "random" : "none"))
      ->check(CLI::IsMember({"auto", "random", "time", "last", "head-tail", "given", "none"}));
  add("--test-share", options.split.test,
      "share of the sequences to measure on (time: of the events; given and last: only 0, for none, matters)")
      ->check(check_share, "", "");
  add("--valid-share", options.split.valid, "share of the sequences to choose the best model by")
      ->check(check_share, "", "");
  add("--split-seed", options.split.seed, "seed of what is drawn at random");
  add("--test-from", options.test_from, "with --split time: when the test starts, a date or number")
      ->type_name("WHEN")
      ->default_str("");
  add("--vocab", options.encoding.vocabulary,
      "how many event types to tell apart, the most frequent ones; all others count as one; 0: all")
      ->check(CLI::Range(int64_t{0}, int64_t{1} << 31));
  options.all.push_back(command
                            .add_flag("--vocab-from-all", options.encoding.vocabulary_from_all,
                                      "count types in all sequences, not only in those to learn from")
                            ->group("Split"));
  add("--unknown", options.encoding.unknown,
      "a place in the model for types and categories that it has not met. if-needed: where the data have "
      "such "
      "beside those to learn from; always; never: they are an error")
      ->check(CLI::IsMember({"if-needed", "always", "never"}));
  add("--max-len", options.max_len, "most events of a sequence; 0: no limit")
      ->check(CLI::Range(int64_t{0}, int64_t{1'000'000'000}));
  add("--cut", options.cut,
      "what stays of sequences longer than --max-len: their first events, their last, or all, in windows of "
      "that length")
      ->check(CLI::IsMember({"first", "last", "windows"}));
}

void check_split_options(const SplitOptions& options) {
  const data::SplitConfig& split = options.split;
  if (split.kind != "auto") refuse_unused(options, split.kind);
  if (split.test + split.valid >= 1) {
    fail("--test-share {} and --valid-share {} leave nothing to train on", split.test, split.valid);
  }
  if (!options.test_from.empty()) {
    if (split.kind != "time") fail("--test-from is for --split time; give that too");
    check_date_or_number(options.test_from, "--test-from");
  }
  if (options.max_len == 0 && is_given(options.all, "--cut")) {
    fail("--cut does nothing without --max-len; give that too, or leave it out");
  }
  if (options.max_len == 1 && options.cut == "windows") fail("--cut windows needs a --max-len of at least 2");
}

void prepare_store(data::EventStore& store, const SplitOptions& options, const std::string& timezone) {
  check_split_options(options);
  const data::Events& events = store.events;
  events.check(0, events.size());
  data::SplitConfig config = options.split;
  config.kind = kind_of(store, options);
  refuse_unused(options, config.kind, events);
  if (!options.test_from.empty()) {
    config.test_from = tick_of(events, options.test_from, timezone, "--test-from");
  }
  data::SplitCounts counts;
  store.split = data::make_split(events, config, counts);
  if (options.max_len > 0) limit(*store.split, options);
  store.encoding = data::learn_encoding(events, store.split->train, options.encoding);
  if (config.kind != "none" || options.max_len > 0) say("{}", parts_of(*store.split, counts));
  say("{}", data::describe(*store.encoding));
}

}  // namespace t2v::cli
