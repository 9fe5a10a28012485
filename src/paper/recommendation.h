#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "base/thread_pool.h"
#include "paper/recommendation_config.h"
#include "paper/recommendation_data.h"
#include "paper/recommendation_evaluation.h"

namespace t2v::paper {

/// The end of an epoch.
struct RecommendationEpoch {
  int64_t epoch = 0;  // from 1
  double loss = 0;    // mean over all that was learned from, before each step
  RecommendationScore test;
  int64_t learned = 0;  // sequences: those of training users and prefixes
  int64_t prefix = 0;   // length of the prefixes that the next epoch learns from, 0 for none
  double seconds = 0;
};

struct RecommendationResult {
  RecommendationConfig config;
  int64_t train_users = 0;
  int64_t test_users = 0;
  int64_t items = 0;
  int64_t events = 0;
  int64_t parameters = 0;
  int64_t skipped = 0;  // steps that were not finite and not taken
  std::vector<RecommendationEpoch> curve;
  std::vector<double> users;  // of each tested user the sum of its recall over the epochs that count
  std::vector<double> omega;  // frequencies of Time2Vec at the end, radians a unit of time; linear first
  std::vector<double> phi;
  std::string stopped;  // why it did not come to its end, or ""
};

/// What is told while a run goes on, and asked of the caller.
struct RecommendationObserver {
  std::function<void(const RecommendationEpoch&)> epoch = {};  // at the end of each
  std::function<bool()> stop = {};                             // asked before each step; true: end now
  std::string checkpoint = {};     // a file, kept up to date at ends of epochs and gone on from; "" for none
  double checkpoint_seconds = 30;  // at least between two of its versions
  FileSystem& files = FileSystem::real();
};

/// Trains and evaluates one model. A function of configuration and data alone: equal bits for any number of
/// threads, and with or without a stop between (for one instruction set). A run that a stop ended has fewer
/// epochs than the configuration asks for, and its checkpoint is that of the last epoch. One that diverges
/// (three steps in a row are not finite, or a phase leaves the exact range) ends with `stopped` set. Throws
/// t2v::Error for a configuration that makes no sense, or a checkpoint of another run.
RecommendationResult run_recommendation(const RecommendationConfig& config, const RecommendationData& data,
                                        ThreadPool& pool, const RecommendationObserver& observer = {});

nlohmann::json to_json(const RecommendationResult& result);
/// Throws t2v::Error.
RecommendationResult recommendation_result_from(const nlohmann::json& json);

}  // namespace t2v::paper
