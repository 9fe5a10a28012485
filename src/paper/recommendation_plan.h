#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paper/recommendation_config.h"

namespace t2v::paper {

/// How much of the experiments is run.
struct RecommendationPlan {
  std::string protocol = "paper";
  std::map<std::string, std::string> settings = {};  // what differs from the protocol, by name
  int64_t epochs = 50;                               // a fifth of them before dynamic updating
  int64_t seeds = 3;                                 // 1, 2, ...
  std::vector<int64_t> sines = {16, 32, 64};  // each of these; what the paper found best comes in any case
  bool sweep =
      true;  // also other starts of the linear term's frequency and another unit of time, on the LSTM
};

/// One model on one data set with one seed.
struct PlannedRecommendation {
  std::string data;   // lastfm, citeulike (or what stands in for them)
  std::string model;  // such as tlstm3-t2v-16, the same for all seeds and experiments
  std::string label;  // for figures, such as 'TLSTM3+T2V, k = 16'
  RecommendationConfig config;
  bool own_split = false;  // who is for test was chosen, not left to the data set
  bool swept = false;      // not of the figure: shows what the start of the linear term or the unit does
};

/// lastfm (Fig. 1d), citeulike (Fig. 1e), timelstm (Fig. 2), linear-tlstm3 (Fig. 5d).
std::span<const std::string_view> recommendation_experiments();

/// The runs of one of them, all models for one seed after another. Experiments may share runs. Throws
/// t2v::Error for another name.
std::vector<PlannedRecommendation> planned_recommendations(std::string_view experiment,
                                                           const RecommendationPlan& plan);

/// The number of sines that the paper found best for a cell (its Appendix B).
int64_t best_sines(std::string_view cell);

}  // namespace t2v::paper
