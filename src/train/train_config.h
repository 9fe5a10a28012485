#pragma once

#include <cstdint>
#include <string>

#include "base/json_value.h"
#include "base/options.h"

namespace t2v {

/// What to train and how. Defaults are here; names, ranges and words in options_of.
struct TrainConfig {
  // What is predicted.
  std::string task = "auto";     // classify, next, recommend, regress, forecast; auto: by the columns
  bool query_time = false;       // next, recommend: the time of the event to be predicted is known
  bool when = false;             // next, recommend: predict also when it comes
  std::string horizon = "auto";  // forecast: how far ahead will be asked

  std::string together = "auto";      // events of one time are one step; auto: choose_event_form
  std::string typed_values = "auto";  // values are scaled and weighted by type

  // Times.
  /// none, raw, log, calendar, t2v:k with k periodic terms (32); auto: several views; plain: those without
  /// Time2Vec.
  std::string time = "auto";
  std::string time_input = "auto";  // some of start, gap, query, until, since, with commas
  std::string activation = "sin";
  std::string omega_init =
      "auto";  // a start of the frequencies; auto: cycles, for values over time periodogram
  std::string time_scale =
      "data";              // or unit: frequencies take steps in radians per unit of time, as in the paper
  bool no_linear = false;  // Time2Vec without its linear term
  bool freeze = false;     // frequencies and phases stay as they start
  double l1 = -1;          // penalty on what leaves the periodic terms; -1: by the data (auto_penalty)

  // The model.
  std::string cell = "auto";  // auto: lstm, for values over time none, which carries trends and cycles on
  int64_t hidden = 0;         // 0: by the data (auto_hidden)
  int64_t layers = 1;
  double dropout = 0;
  std::string head_pool = "auto";  // auto: all for classify and a number of the sequence, else last
  double head_dropout = -1;        // -1: .3 for all, else 0
  bool no_rules = false;           // next, recommend: without simple rules in the logits
  bool no_skip = false;            // times and features go through the cell alone
  /// data: random weights, heads that start from the shares of the classes. pytorch: as PyTorch starts an
  /// LSTM and a linear layer, with two bias vectors a cell.
  std::string start = "data";
  std::string inner = "sigmoid";
  std::string t1_constraint = "nonpositive";
  int64_t match_params = 0;            // choose the hidden size for about so many parameters
  std::string class_weights = "none";  // or balanced: rare classes count as much as frequent ones
  bool no_calibrate = false;           // classify: as the fit left it
  int64_t components = 16;             // of the mixture that says when
  int64_t head_units = 64;             // with `when`: of a hidden layer of each head
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
  int64_t rate_cuts = 2;
  double rate_cut = 0.3;
  double average = 0.99;
  int64_t average_after = 200;
  double max_time = 0;  // seconds
  double valid_share = 0.1;
  std::string valid_by = "auto";  // auto: as the model will be used; random: sequences drawn by the seed
  uint64_t seed = 1;
  int64_t draw = 0;  // another draw of weights, order and dropout, with the same validation data

  // The race (train/race.h).
  bool always_race = false;
  bool no_auto = false;
  JsonValue race = {};  // its trials, for the record; no option

  GivenOptions given = {};  // which of them were set by name
};

/// The hidden size for so many training events: a power of two near half their root, from 16 to 128.
int64_t auto_hidden(int64_t events);

/// The penalty for so many predictions to learn from: a prior that counts like 3 of them, at most 0.003.
double auto_penalty(int64_t predictions);

/// Its options, with all that the command line, JSON and the documentation say of them.
OptionTable options_of(TrainConfig& config);

}  // namespace t2v
