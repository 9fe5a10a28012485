#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "model/config.h"
#include "model/initialise.h"
#include "train/optimizer.h"

namespace t2v::paper {

/// Every choice of the paper's experiments on Last.FM and CiteULike (Figs. 1d, 1e, 2, 5d): recommend the next
/// item of a user. They ran on the released code of Time-LSTM, which does not do all that the two papers
/// write. The defaults are those of the protocol `paper`.
struct RecommendationConfig {
  std::string protocol = "paper";  // the named set that this started from

  // The model.
  std::string cell = "lstm";                  // lstm, tlstm1, tlstm2, tlstm3
  bool time2vec = true;                       // else the interval itself ("+T")
  int64_t k = 64;                             // sines
  bool linear = true;                         // the linear term of Time2Vec
  int64_t hidden = 128;                       // 128 on Last.FM, 256 on CiteULike
  bool peephole = true;                       // of an lstm; cells with time gates always have them
  std::string inner = "sigmoid";              // within the time gates: sigmoid (as written), tanh (as coded)
  std::string t1_constraint = "nonpositive";  // nonpositive (as written), floor (as coded), none
  std::string omega_init = "u11";             // how frequencies start: u01, u11, n1, n01, geometric, span
  double omega_scale = 1;                     // times the start of the sines' frequencies
  double linear_scale = 1;                    // times the start of the linear term's frequency

  // The data.
  int64_t vocabulary = 5000;      // most frequent items, the only ones kept
  int64_t max_len = 200;          // first events of a user, the only ones kept
  std::string split = "longest";  // who is for test: longest histories, or random
  double train_share = 0.8;       // of the users
  int64_t train_users = 0;        // with test_users: numbers of users instead of the share
  int64_t test_users = 0;
  uint64_t split_seed = 1;          // of `random`
  std::string delta = "backward";   // the interval of an event: since the one before (backward), until the
                                    // next (forward), or what the released code makes of it (as_coded)
  bool carry_across_users = false;  // as_coded: what is left over of a user goes to the next one
  std::string time_unit = "s";      // s, min, h, d; log: ln(1 + seconds)

  // Training.
  int64_t batch = 5;
  std::string order = "file";  // of the users: file (by length of history), shuffle
  int64_t epochs = 50;
  int64_t first_stage = 10;      // epochs until dynamic updating starts
  bool dynamic_updating = true;  // growing prefixes of the test users are learned from, too
  std::string tail = "clean";    // of a prefix longer than its user: cut (clean), or filled with item 0
                                 // (as_coded)
  double learning_rate = 0.01;
  double time_factor = 1;  // times the learning rate, for frequencies and phases
  uint64_t seed = 1;

  // Evaluation.
  int64_t negatives = 100;  // items that the target is ranked against
  int64_t draws = 20;       // of them for each user, for the sampled measures
};

/// One of `paper`: as the papers write, and as the released code does where they say nothing. `as-coded`: as
/// the released code does. Throws t2v::Error that lists the names.
RecommendationConfig recommendation_protocol(std::string_view name);

/// Throws t2v::Error for a value that makes no sense, naming it and those that do.
void check(const RecommendationConfig& config);

/// What the engine makes of it, for so many items.
ModelConfig model_config(const RecommendationConfig& config, int64_t items);
OptimizerConfig optimizer_config(const RecommendationConfig& config);

/// A time value of the model, from seconds.
double in_unit(double seconds, std::string_view unit);

nlohmann::json to_json(const RecommendationConfig& config);
/// Unknown fields are an error, missing ones keep their defaults. Throws t2v::Error.
RecommendationConfig recommendation_config_from(const nlohmann::json& json);

}  // namespace t2v::paper
