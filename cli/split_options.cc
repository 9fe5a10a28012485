#include "split_options.h"

#include <fmt/format.h>

#include "base/fail.h"
#include "data_options.h"

namespace t2v::cli {
namespace {

/// The split that is meant by `auto`.
std::string kind_of(const data::EventStore& store, const SplitOptions& options) {
  if (options.split.kind != "auto") return options.split.kind;
  if (!store.events.part.empty()) return "given";
  return options.by_default ? "random" : "none";
}

}  // namespace

void add_split_options(CLI::App& command, SplitOptions& options, bool by_default) {
  options.by_default = by_default;
  options.split.kind = "auto";
  const auto add = [&](const char* name, auto& value, const std::string& text) {
    return command.add_option(name, value, wrapped(text))->group("Split");
  };
  add("--split", options.split.kind,
      "random (sequences, by the seed), time (early events to learn from, late ones to measure), last (the "
      "last event of each), head-tail (short sequences to learn from, long ones to measure), given (by the "
      "files), none. auto: given if the files say it, else " +
          std::string(by_default ? "random" : "none"))
      ->check(CLI::IsMember({"auto", "random", "time", "last", "head-tail", "given", "none"}));
  add("--test-share", options.split.test, "share to measure on");
  add("--valid-share", options.split.valid, "share to choose by");
  add("--split-seed", options.split.seed, "seed of the random split");
  add("--test-from", options.test_from, "with --split time: where the test starts, a date or number")
      ->default_str("");
  add("--vocab", options.encoding.vocabulary, "keep so many of the most frequent event types, 0: all")
      ->check(CLI::NonNegativeNumber);
  command
      .add_flag("--vocab-from-all", options.encoding.vocabulary_from_all,
                "count types over all sequences, not the training ones alone")
      ->group("Split");
  add("--max-len", options.max_len, "cut sequences to so many events, 0: never")
      ->check(CLI::NonNegativeNumber);
  add("--cut", options.cut, "which events stay: first, last, or windows (all, in pieces of that length)")
      ->check(CLI::IsMember({"first", "last", "windows"}));
}

void prepare_store(data::EventStore& store, const SplitOptions& options, const std::string& timezone) {
  const data::Events& events = store.events;
  events.check(0, events.size());
  data::SplitConfig config = options.split;
  config.kind = kind_of(store, options);
  if (!options.test_from.empty()) {
    if (config.kind != "time") fail("--test-from is for --split time; give that too");
    config.test_from = tick_of(events, options.test_from, timezone, "--test-from");
  }
  data::SplitCounts counts;
  store.split = data::make_split(events, config, counts);
  if (options.max_len > 0) {
    for (auto* pieces : {&store.split->train, &store.split->valid, &store.split->test}) {
      data::limit_length(*pieces, options.max_len, options.cut);
    }
  }
  store.encoding = data::learn_encoding(events, store.split->train, options.encoding);
  if (config.kind != "none") fmt::print(stderr, "{}", data::describe(*store.split, counts));
  fmt::print(stderr, "{}", data::describe(*store.encoding));
}

}  // namespace t2v::cli
