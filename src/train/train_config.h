#pragma once

#include <cstdint>
#include <string>

namespace t2v {

/// What to train and how: the single source of the options' names (with - for _) and defaults.
struct TrainConfig {
  // What is predicted.
  std::string task = "auto";  // classify, next, recommend, regress, forecast; auto: by the columns
  bool query_time = false;    // next, recommend: the time of the event to be predicted is known
  bool when = false;          // next, recommend: predict also when it comes

  // Times.
  std::string time = "t2v";         // none, raw, log, calendar, or t2v:k with k periodic terms (32)
  std::string time_input = "auto";  // some of start, gap, query, until, with commas
  std::string activation = "sin";
  std::string omega_init =
      "auto";              // a start of the frequencies; auto: span, for values over time periodogram
  bool no_linear = false;  // Time2Vec without its linear term
  bool freeze = false;     // frequencies and phases stay as they start
  double l1 = -1;          // penalty on what leaves the periodic terms; -1: by the data (auto_penalty)

  // The model.
  std::string cell = "auto";  // auto: lstm, for values over time none, which carries trends and cycles on
  int64_t hidden = 0;         // 0: by the data (auto_hidden)
  int64_t layers = 1;
  double dropout = 0;
  bool no_skip = false;  // times and features go through the cell alone
  /// data: random weights, heads that start from the shares of the classes. pytorch: as PyTorch starts an
  /// LSTM and a linear layer, with two bias vectors a cell.
  std::string start = "data";
  std::string inner = "sigmoid";
  std::string t1_constraint = "nonpositive";
  int64_t match_params = 0;            // choose the hidden size for about so many parameters
  std::string class_weights = "none";  // or balanced: rare classes count as much as frequent ones
  int64_t components = 3;              // of the mixture that says when
  int64_t chunk = 0;                   // cut back-propagation after so many events

  // The fit.
  std::string optimizer = "adam";
  double rate = 3e-3;
  double time_rate = 1;  // times the rate for frequencies and phases
  double weight_decay = 0;
  double clip = 5;
  std::string schedule = "constant";
  int64_t warmup = 0;
  int64_t epochs = 300;
  int64_t epoch_steps = 0;  // an epoch passes over the data again until it has so many; 0: 10, over time 100
  int64_t batch = 32;
  int64_t patience = 3;          // epochs, and at least
  int64_t patience_steps = 200;  // steps
  int64_t cuts = 2;
  double cut = 0.3;
  double average = 0.99;
  double max_time = 0;  // seconds
  double valid_share = 0.1;
  uint64_t seed = 1;
};

/// Throws t2v::Error for a count that is out of its range, and names it. Within the ranges no size of a model
/// or of a training overflows. The file of a model takes all of them (model/config_json.cc).
void check_counts(const TrainConfig& config);

/// The hidden size for so many training events: a power of two near half their root, from 16 to 128.
int64_t auto_hidden(int64_t events);

/// The penalty for so many predictions to learn from: a prior that counts like 3 of them, at most 0.003.
double auto_penalty(int64_t predictions);

/// Every option under its name, for both directions and for the command line.
template <class Config, class Function>
void for_each_option(Config& config, Function function) {
  function("task", config.task);
  function("query-time", config.query_time);
  function("when", config.when);
  function("time", config.time);
  function("time-input", config.time_input);
  function("activation", config.activation);
  function("omega-init", config.omega_init);
  function("no-linear", config.no_linear);
  function("freeze", config.freeze);
  function("l1", config.l1);
  function("cell", config.cell);
  function("hidden", config.hidden);
  function("layers", config.layers);
  function("dropout", config.dropout);
  function("no-skip", config.no_skip);
  function("start", config.start);
  function("inner", config.inner);
  function("t1-constraint", config.t1_constraint);
  function("match-params", config.match_params);
  function("class-weights", config.class_weights);
  function("components", config.components);
  function("chunk", config.chunk);
  function("optimizer", config.optimizer);
  function("rate", config.rate);
  function("time-rate", config.time_rate);
  function("weight-decay", config.weight_decay);
  function("clip", config.clip);
  function("schedule", config.schedule);
  function("warmup", config.warmup);
  function("epochs", config.epochs);
  function("epoch-steps", config.epoch_steps);
  function("batch", config.batch);
  function("patience", config.patience);
  function("patience-steps", config.patience_steps);
  function("rate-cuts", config.cuts);
  function("rate-cut", config.cut);
  function("average", config.average);
  function("max-time", config.max_time);
  function("valid-share", config.valid_share);
  function("seed", config.seed);
}

}  // namespace t2v
