#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "model/model.h"
#include "paper/recommendation.h"
#include "train/trainer.h"

namespace t2v::paper {

/// A run of run_recommendation(), epoch by epoch.
class RecommendationRun {
 public:
  /// The pool must outlive it; the data are copied.
  RecommendationRun(const RecommendationConfig& config, const RecommendationData& data, ThreadPool& pool);
  RecommendationRun(const RecommendationRun&) = delete;
  RecommendationRun& operator=(const RecommendationRun&) = delete;

  bool done() const { return !result_.stopped.empty() || epochs_done() == result_.config.epochs; }
  /// Learns from all users once and evaluates. False if it was stopped before the end of the epoch: then the
  /// run is of no more use.
  bool run_epoch(const std::function<bool()>& stop);
  const RecommendationResult& result() const { return result_; }
  const nn::Parameters<float>& parameters() const { return trainer_.parameters(); }
  const Model& model() const { return model_; }

  /// At the end of an epoch. Atomically.
  void save(FileSystem& files, const std::string& path) const;
  /// Throws t2v::Error if the file is damaged or is of another configuration or other data.
  void restore(FileSystem& files, const std::string& path);

 private:
  int64_t epochs_done() const { return static_cast<int64_t>(result_.curve.size()); }
  nn::Parameters<float> starting_parameters() const;
  std::vector<int64_t> order_of(int64_t epoch) const;
  /// The mean loss. Nothing if it was stopped.
  std::optional<double> learn(int64_t epoch, const std::function<bool()>& stop);
  void evaluate(RecommendationEpoch& epoch);
  /// From the next epoch on, prefixes of this length are learned from, too; 0: as before.
  void set_prefixes(int64_t length);
  void keep_frequencies();
  std::string digest() const;

  ThreadPool& pool_;
  std::vector<Lesson> lessons_;  // of the training users, then of prefixes
  std::size_t train_lessons_;
  std::vector<Question> questions_;  // of the tested users
  int64_t longest_ = 0;              // question of a tested user
  Model model_;
  Recommender test_;
  Trainer<float> trainer_;
  Workspace<float> work_;  // for evaluation
  RecommendationResult result_;
};

}  // namespace t2v::paper
