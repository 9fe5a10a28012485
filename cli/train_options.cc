#include "train_options.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/fail.h"
#include "base/file_system.h"
#include "base/nearest_name.h"
#include "base/text_check.h"
#include "data_options.h"
#include "nn/cell.h"
#include "train/options_file.h"
#include "usage.h"

namespace t2v::cli {
namespace {

using Words = std::vector<std::string>;

struct Help {
  const char* group;
  const char* text;
  Words choices = {};  // if there is a set of them
};

/// The cells, each once: some are there for each way to squash times.
Words cell_names() {
  Words names = {"auto"};
  for (const auto& cell : nn::cells()) {
    if (std::ranges::find(names, cell.name) == names.end()) names.emplace_back(cell.name);
  }
  names.emplace_back("none");
  return names;
}

constexpr const char* kWhat = "What is predicted";
constexpr const char* kTimes = "Times";
constexpr const char* kModel = "Model";
constexpr const char* kFit = "Fit";

const std::map<std::string_view, Help>& helps() {
  static const std::map<std::string_view, Help> all = {
      {"task",
       {kWhat,
        "classify (the label of a sequence), next (type of the next event), recommend (the same out of "
        "many), "
        "regress (a number of the sequence or of each event), forecast (the next value). auto: by the "
        "columns: label, target, event (recommend for more than 1,000 types), value",
        {"auto", "classify", "next", "recommend", "regress", "forecast"}}},
      {"query-time", {kWhat, "the time of the next event is known when its type is to be predicted"}},
      {"when", {kWhat, "predict also when the next event comes"}},
      {"time",
       {kTimes,
        "how a model sees time: none, raw, log, calendar, t2v, or t2v:k with k periodic terms; anything else "
        "names the column of times"}},
      {"time-input",
       {kTimes,
        "which times, with commas: start (since the origin), gap (since the event before), query and until "
        "(of the event to be predicted, since the origin and since this event). auto: start,gap; with a "
        "known "
        "query time query,until,gap"}},
      {"activation",
       {kTimes, "of the periodic terms", {"sin", "cos", "triangle", "mod", "sigmoid", "tanh", "relu"}}},
      {"omega-init",
       {kTimes,
        "how frequencies start: span (from the time scale of the data), periodogram (the periods of what is "
        "predicted), u11 and u01 (uniform in (-1, 1) and (0, 1)), n1 and n01 (normal, of deviation 1 and "
        "0.1), geometric, equal, positional. auto: span, for values over time periodogram",
        {"auto", "span", "periodogram", "u11", "u01", "n1", "n01", "geometric", "equal", "positional"}}},
      {"no-linear", {kTimes, "Time2Vec without its linear term"}},
      {"freeze", {kTimes, "frequencies and phases stay as they start"}},
      {"l1",
       {kTimes,
        "penalty on what leaves the periodic terms: keeps only periods that matter. -1: 3 / predictions to "
        "learn from, at most 0.003; for values over time 0.003"}},
      {"cell",
       {kModel,
        "recurrent cell: lstm, peephole (an LSTM whose gates see the cell state), tlstm1, tlstm2, tlstm3 "
        "(LSTMs with time gates), gru, phased (an LSTM with a clock), none. auto: lstm; for values over time "
        "none, which carries trends and cycles on beyond the data",
        cell_names()}},
      {"hidden", {kModel, "hidden units of a layer; 0: by the number of events to learn from, 16 to 128"}},
      {"layers", {kModel, "layers of the cell"}},
      {"dropout", {kModel, "share of values dropped between layers while training"}},
      {"no-skip",
       {kModel,
        "times and features go through the cell alone, not also straight to the output (as always for "
        "recommend)"}},
      {"start",
       {kModel,
        "how weights start: data (random, the output from the shares of the classes) or pytorch (as PyTorch "
        "starts an LSTM and a linear layer, with two bias vectors)",
        {"data", "pytorch"}}},
      {"inner",
       {kModel,
        "what squashes time within the time gates of tlstm1, tlstm2 and tlstm3: sigmoid (the paper) or tanh "
        "(its code)",
        {"sigmoid", "tanh"}}},
      {"t1-constraint",
       {kModel, "what holds for the first time gate's weights of times", {"nonpositive", "floor", "none"}}},
      {"match-params", {kModel, "choose the hidden size for about so many parameters; 0: as --hidden says"}},
      {"class-weights",
       {kModel, "balanced: rare classes count as much as frequent ones", {"none", "balanced"}}},
      {"components", {kModel, "log-normal components of the distribution by which --when says when"}},
      {"chunk", {kModel, "cut back-propagation after so many events, to bound memory; 0: never"}},
      {"optimizer", {kFit, "how gradients become steps", {"adam", "adagrad", "sgd"}}},
      {"rate", {kFit, "learning rate: how far a step goes"}},
      {"time-rate", {kFit, "factor of the rate for frequencies and phases"}},
      {"weight-decay", {kFit, "share of each weight taken off per step, times the rate, as AdamW does"}},
      {"clip", {kFit, "largest norm of a gradient; longer ones are scaled down; 0: no limit"}},
      {"schedule", {kFit, "how the rate changes over the epochs", {"constant", "cosine"}}},
      {"warmup", {kFit, "first steps, over which the rate rises from 0"}},
      {"epochs", {kFit, "most passes over the data"}},
      {"epoch-steps",
       {kFit,
        "an epoch passes over small data again until it has so many steps; 0: 10, for values over time 100"}},
      {"batch", {kFit, "sequences per step"}},
      {"patience",
       {kFit,
        "after so many epochs without a better validation loss the best weights are taken up again with a "
        "smaller rate; 0: all epochs, and the last weights"}},
      {"patience-steps", {kFit, "but not before so many steps without a better one"}},
      {"rate-cuts", {kFit, "how often the rate is made smaller before it ends"}},
      {"rate-cut", {kFit, "factor of the rate at each such cut"}},
      {"average", {kFit, "share of the running average of weights that a step keeps, such as 0.99; 0: none"}},
      {"max-time", {kFit, "seconds after which it ends with the best so far; 0: no limit"}},
      {"seed", {kFit, "seed of weights, order, dropout and validation"}},
  };
  return all;
}

/// The value of an option in JSON as texts that the command line takes.
/// Nothing if it is no value of an option.
std::optional<Words> texts_of(const nlohmann::json& value) {
  Words texts;
  bool good = true;
  const auto add = [&](const nlohmann::json& one) {
    good = good && !one.is_structured() && !one.is_null();
    texts.push_back(one.is_string() ? one.get<std::string>() : one.dump());
  };
  if (value.is_array()) {
    for (const auto& one : value) add(one);
  } else {
    add(value);
  }
  return good ? std::optional(texts) : std::nullopt;
}

std::string suggestion(const CLI::App& command, const std::string& name) {
  Words names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& known : option->get_lnames()) names.push_back(known);
  }
  const std::string nearest = nearest_name(name, names);
  return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

}  // namespace

void add_train_options(CLI::App& command, TrainConfig& config) {
  for_each_option(config, [&](const char* name, auto& value) {
    const auto help = helps().find(name);
    if (help == helps().end()) return;  // --valid-share is among the options of the split
    const std::string option = fmt::format("--{}", name);
    const std::string text = wrapped(help->second.text);
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(value)>, bool>) {
      command.add_flag(option, value, text)->group(help->second.group);
    } else {
      CLI::Option* added = command.add_option(option, value, text)->group(help->second.group);
      if constexpr (std::is_same_v<std::remove_reference_t<decltype(value)>, uint64_t>) {
        added->check(CLI::NonNegativeNumber);  // else CLI11 takes -1 for the largest number
      }
      if (!help->second.choices.empty()) added->check(CLI::IsMember(help->second.choices));
    }
  });
}

void read_config_file(CLI::App& command, const std::string& path) {
  const nlohmann::json json = read_options_file(FileSystem::real(), path);
  for (const auto& item : json.items()) {
    if (item.key() == "config")
      fail("{}: a file of options cannot name another one; leave 'config' out", path);
    CLI::Option* option = command.get_option_no_throw("--" + item.key());
    if (option == nullptr) {
      fail("{}: there is no option '{}'{}", path, shown(item.key()), suggestion(command, item.key()));
    }
    if (option->count() > 0) continue;  // the command line comes first
    const bool flag = option->get_expected_max() == 0;
    auto texts = texts_of(item.value());
    const bool one_text = option->get_expected_max() == 1 && option->get_delimiter() == '\0';
    if (texts && one_text && texts->size() > 1) texts = Words{CLI::detail::join(*texts, ",")};
    if (!texts || item.value().is_boolean() != flag) {
      fail("{}: option '{}' cannot be {}", path, item.key(), shown(item.value().dump()));
    }
    try {
      for (const std::string& value : *texts) option->add_result(value);
      if (!texts->empty()) option->run_callback();
    } catch (const CLI::Error& error) {
      fail("{}: option '{}' cannot be {}: {}", path, item.key(), shown(item.value().dump()),
           plain_words(command, error.what()));
    }
  }
}

}  // namespace t2v::cli
