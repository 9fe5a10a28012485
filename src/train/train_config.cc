#include "train/train_config.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "nn/cell.h"

namespace t2v {
namespace {

using enum Audience;
using Words = std::vector<std::string>;

constexpr std::string_view kWhat = "What is predicted";
constexpr std::string_view kTimes = "Times";
constexpr std::string_view kModel = "Model";
constexpr std::string_view kFit = "Fit";
/// Within such ranges no size of a model or of a training overflows; the file of a model takes all of them
/// (model/config_json.cc).
constexpr double kMostCount = 1e9;

/// The cells, each once: some are there for each way to squash times.
Words cell_names() {
  Words names = {"auto"};
  for (const auto& cell : nn::cells()) {
    if (std::ranges::find(names, cell.name) == names.end()) names.emplace_back(cell.name);
  }
  names.emplace_back("none");
  return names;
}

/// A count, which is a whole number.
Option count(std::string_view name, std::string_view group, std::string help, double least = 0,
             double most = kMostCount) {
  return {.name = name, .group = group, .help = std::move(help), .least = least, .most = most};
}

/// A share of something.
Option share(std::string_view name, std::string_view group, std::string help) {
  return {.name = name, .group = group, .help = std::move(help), .least = 0, .most = 1, .below_most = true};
}

/// For everybody.
Option basic(Option option) {
  option.audience = kBasic;
  return option;
}

void add_what(OptionTable& table, TrainConfig& config) {
  table.add(
      {.name = "task",
       .group = kWhat,
       .audience = kBasic,
       .help = "classify (label of a sequence), next (type of the next event), recommend (the same of many "
               "types), regress (a number of a sequence or event), forecast (values to come). auto: by the "
               "columns",
       .choices = {"auto", "classify", "next", "recommend", "regress", "forecast"}},
      &config.task);
  table.add({.name = "query_time",
             .group = kWhat,
             .audience = kBasic,
             .help = "the time of the next event is given when its type is predicted"},
            &config.query_time);
  table.add(
      {.name = "when", .group = kWhat, .audience = kBasic, .help = "also predict when the next event comes"},
      &config.when);
  table.add({.name = "horizon",
             .group = kWhat,
             .audience = kBasic,
             .help = "forecast: how far ahead values will be asked for, such as 7d, 30min or, for plain "
                     "times, 24. auto: "
                     "a day, a week or a year"},
            &config.horizon);
}

void add_event_form(OptionTable& table, TrainConfig& config) {
  table.add({.name = "together",
             .group = kWhat,
             .help = "events of one time of a sequence are one step, whose order means nothing. auto: for "
                     "classify and a number of the sequence, where over 1 % of the events share their time",
             .choices = {"auto", "yes", "no"}},
            &config.together);
  table.add(
      {.name = "typed_values",
       .group = kWhat,
       .help = "the values of each event type have a scale and weights of their own. auto: for classify "
               "and a number of the sequence, with values and 2 to 1,000 types",
       .choices = {"auto", "yes", "no"}},
      &config.typed_values);
}

void add_times(OptionTable& table, TrainConfig& config) {
  table.add({.name = "time",
             .group = kTimes,
             .audience = kBasic,
             .help = "how a model sees time: none, raw, log, week, calendar, t2v, or t2v:k with k periodic "
                     "terms. auto: logarithms of gaps and t2v; of dates also week. plain: without t2v"},
            &config.time);
  table.add(
      {.name = "time_input",
       .group = kTimes,
       .help =
           "which times, with commas: start (since the origin), gap (since the event before), since (the "
           "first "
           "event of the sequence), query and until (of the event to be predicted, since the origin and "
           "since "
           "this event). auto: those that there are; with one kind of `time` start,gap or query,until,gap"},
      &config.time_input);
  table.add({.name = "activation",
             .group = kTimes,
             .help = "of the periodic terms",
             .choices = {"sin", "cos", "triangle", "mod", "sigmoid", "tanh", "relu"}},
            &config.activation);
  table.add({.name = "omega_init",
             .group = kTimes,
             .help = "how frequencies start: span (from the time scale of the data), cycles (of the calendar "
                     "and of what is predicted, where the "
                     "data show them six times), periodogram (the periods of what is predicted), u11 "
                     "and u01 (uniform in (-1, 1) and (0, 1)), n1 and n01 (normal, of deviation 1 and 0.1), "
                     "geometric, equal, positional. auto: cycles, for values over time periodogram",
             .choices = {"auto", "span", "cycles", "periodogram", "u11", "u01", "n1", "n01", "geometric",
                         "equal", "positional"}},
            &config.omega_init);
  table.add(
      {.name = "time_scale",
       .group = kTimes,
       .help = "by what training measures times: data (their spread, so that their unit does not matter) or "
               "unit (as they are, like the paper)",
       .choices = {"data", "unit"}},
      &config.time_scale);
  table.add({.name = "no_linear", .group = kTimes, .help = "Time2Vec without its linear term"},
            &config.no_linear);
  table.add({.name = "freeze", .group = kTimes, .help = "frequencies and phases stay as they start"},
            &config.freeze);
  table.add({.name = "l1",
             .group = kTimes,
             .help = "penalty on what leaves the periodic terms: keeps only periods that matter. -1: 3 / "
                     "predictions to learn from, at most 0.003; for values over time 0.003",
             .least = -1},
            &config.l1);
}

void add_cell(OptionTable& table, TrainConfig& config) {
  table.add(
      {.name = "cell",
       .group = kModel,
       .help = "recurrent cell: lstm, peephole (an LSTM whose gates see the cell state), tlstm1, tlstm2, "
               "tlstm3 (LSTMs with time gates), gru, phased (an LSTM with a clock), none. auto: lstm; for "
               "classes and numbers of long tables gru; for values over time none, which carries trends and "
               "cycles on beyond the data",
       .choices = cell_names()},
      &config.cell);
  table.add(basic(count("hidden", kModel, "hidden units of a layer; 0: 16 to 128, by the size of the data", 0,
                        65'536)),
            &config.hidden);
  table.add(count("layers", kModel, "layers of the cell", 1, 64), &config.layers);
  table.add(share("dropout", kModel, "share of values dropped between layers while training"),
            &config.dropout);
  table.add({.name = "head_pool",
             .group = kModel,
             .help = "what the output of a sequence is made from: its last state, or all (last, mean and "
                     "maximum of the states). auto: all for classify and for a number of the sequence",
             .choices = {"auto", "last", "all"}},
            &config.head_pool);
  table.add(
      {.name = "head_dropout",
       .group = kModel,
       .help = "share of what the outputs are made from that is dropped while training; -1: 0.3 where it "
               "is made from all states, 0.2 with `when`, else 0",
       .least = -1,
       .most = 1,
       .below_most = true},
      &config.head_dropout);
  table.add({.name = "no_rules",
             .group = kModel,
             .help = "next, recommend: without popularity, own frequencies, a Markov chain and repeats as "
                     "terms of the logits, with learned weights"},
            &config.no_rules);
  table.add(
      {.name = "no_skip",
       .group = kModel,
       .help = "times and features go through the cell alone, not also straight to the output (as always "
               "for recommend)"},
      &config.no_skip);
}

void add_model(OptionTable& table, TrainConfig& config) {
  table.add(
      {.name = "start",
       .group = kModel,
       .help = "how weights start: data (random, the output from the shares of the classes) or pytorch (as "
               "PyTorch starts an LSTM and a linear layer, with two bias vectors)",
       .choices = {"data", "pytorch"}},
      &config.start);
  table.add(
      {.name = "inner",
       .group = kModel,
       .help = "what squashes time within the time gates of tlstm1, tlstm2 and tlstm3: sigmoid (the paper) "
               "or tanh (its code)",
       .choices = {"sigmoid", "tanh"}},
      &config.inner);
  table.add({.name = "t1_constraint",
             .group = kModel,
             .help = "what holds for the first time gate's weights of times",
             .choices = {"nonpositive", "floor", "none"}},
            &config.t1_constraint);
  table.add(count("match_params", kModel,
                  "choose the hidden size for about this many parameters; 0: as `hidden` says"),
            &config.match_params);
  table.add({.name = "class_weights",
             .group = kModel,
             .help = "balanced: rare classes count as much as frequent ones",
             .choices = {"none", "balanced"}},
            &config.class_weights);
  table.add(
      {.name = "no_calibrate",
       .group = kModel,
       .help = "classify: leave probabilities as they were learned, and predict the more probable of two "
               "classes, instead of calibrating both by the validation data"},
      &config.no_calibrate);
  table.add(count("components", kModel, "log-normal components of the distribution by which `when` says when",
                  1, 1'000),
            &config.components);
  table.add(
      count("head_units", kModel,
            "with `when`: units of a hidden layer of each of its two heads; through it types depend on the "
            "time of the event. 0: types and times as if they had nothing to do with each other",
            0, 10'000),
      &config.head_units);
  table.add(count("chunk", kModel, "cut back-propagation after this many events, to bound memory; 0: never"),
            &config.chunk);
}

void add_optimizer(OptionTable& table, TrainConfig& config) {
  table.add({.name = "optimizer",
             .group = kFit,
             .help = "how gradients become steps",
             .choices = {"adam", "adagrad", "sgd"}},
            &config.optimizer);
  table.add({.name = "rate", .group = kFit, .audience = kBasic, .help = "learning rate", .least = 0},
            &config.rate);
  table.add({.name = "time_rate",
             .group = kFit,
             .help = "factor of the learning rate for frequencies and phases",
             .least = 0},
            &config.time_rate);
  table.add({.name = "weight_decay",
             .group = kFit,
             .help = "share of each weight taken off per step, times the learning rate, as AdamW does",
             .least = 0},
            &config.weight_decay);
  table.add({.name = "clip",
             .group = kFit,
             .help = "largest norm of a gradient; longer ones are scaled down; 0: no limit",
             .least = 0},
            &config.clip);
  table.add({.name = "schedule",
             .group = kFit,
             .help = "how the learning rate changes over the epochs",
             .choices = {"constant", "cosine"}},
            &config.schedule);
  table.add(count("warmup", kFit, "first steps, over which the learning rate rises from 0"), &config.warmup);
}

void add_fit(OptionTable& table, TrainConfig& config) {
  table.add(basic(count("epochs", kFit, "most passes over the data", 1, 1'000'000)), &config.epochs);
  table.add(
      count("epoch_steps", kFit,
            "an epoch passes over small data again until it has this many steps; 0: 10, for values over "
            "time 100"),
      &config.epoch_steps);
  table.add(count("batch", kFit, "sequences per step", 1), &config.batch);
  table.add(
      count(
          "patience", kFit,
          "after this many epochs without a better validation loss the best weights are taken up again with "
          "a smaller learning rate; 0: all epochs, and the last weights"),
      &config.patience);
  table.add(count("patience_steps", kFit, "but not before this many steps without a better one"),
            &config.patience_steps);
  table.add(
      count("rate_cuts", kFit, "how often the learning rate is made smaller before training stops", 0, 1'000),
      &config.rate_cuts);
  table.add({.name = "rate_cut",
             .group = kFit,
             .help = "factor of the learning rate at each such cut",
             .least = 0,
             .most = 1},
            &config.rate_cut);
  table.add(share("average", kFit,
                  "share of the running average of weights that a step keeps, such as 0.99; 0: none"),
            &config.average);
  table.add(count("average_after", kFit,
                  "first steps, which the average of weights leaves out; then the better of the last weights "
                  "and their average on the validation data counts"),
            &config.average_after);
  table.add({.name = "max_time",
             .group = kFit,
             .audience = kBasic,
             .help = "most seconds to train, with the race; 0: no limit",
             .least = 0},
            &config.max_time);
  table.add(share("valid_share", kFit, "share of the sequences to choose the best model by"),
            &config.valid_share);
  table.add(
      {.name = "valid_by",
       .group = kFit,
       .help = "what is held out for validation: auto (the latest part or sequences where times are dates, "
               "else sequences at random) or random (sequences at random; for values over time and "
               "recommend always the latest part)",
       .choices = {"auto", "random"}},
      &config.valid_by);
  table.add({.name = "seed",
             .group = kFit,
             .audience = kBasic,
             .help = "seed of weights, order, dropout and validation"},
            &config.seed);
  table.add(count("draw", kFit,
                  "another draw of weights, order and dropout by the same seed, with the same "
                  "validation data"),
            &config.draw);
}

void add_race(OptionTable& table, TrainConfig& config) {
  table.add(
      {.name = "auto",
       .group = kFit,
       .help = "a race of short trainings chooses times, rules, cell and sizes that are not given, however "
               "large the data are. By default: where no option of the network is given and the race takes "
               "about a minute at most"},
      &config.always_race);
  table.add({.name = "no_auto", .group = kFit, .audience = kBasic, .help = "no race of short trainings"},
            &config.no_auto);
}

}  // namespace

OptionTable options_of(TrainConfig& config) {
  OptionTable table(&config.given);
  add_what(table, config);
  add_event_form(table, config);
  add_times(table, config);
  add_cell(table, config);
  add_model(table, config);
  add_optimizer(table, config);
  add_fit(table, config);
  add_race(table, config);
  return table;
}

int64_t auto_hidden(int64_t events) {
  const double wanted = std::sqrt(static_cast<double>(events)) / 2;
  int64_t hidden = 16;
  while (hidden < 128 && static_cast<double>(2 * hidden) <= wanted) hidden *= 2;
  return hidden;
}

double auto_penalty(int64_t predictions) {
  return std::min(0.003, 3 / static_cast<double>(std::max<int64_t>(predictions, 1)));
}

}  // namespace t2v
