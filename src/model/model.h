#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/packed_batch.h"
#include "base/thread_pool.h"
#include "model/config.h"
#include "nn/gradient_sum.h"
#include "nn/head.h"
#include "nn/input.h"
#include "nn/recurrent.h"

namespace t2v {

/// The state of a model at work in numbers T: everything that changes while it computes. One per caller;
/// reused from batch to batch, so that it stops allocating after the largest one.
template <class T>
struct Workspace {
  struct OfShard {
    nn::Input::State<T> input;
    nn::Recurrent::State<T> recurrent;
    Buffer<T> last;     // [rows, H]
    Buffer<T> dlast;    // [rows, H]
    Buffer<T> logits;   // [rows, outputs]
    Buffer<T> dlogits;  // [rows, outputs]
    std::vector<int32_t> last_source;
  };
  std::vector<Shard> shards;
  std::vector<OfShard> states;
  std::vector<nn::ShardGradient<T>> gradients;
  nn::Recurrent::Prepared<T> prepared;
  nn::Parameters<T> gradient;         // of the last batch
  std::vector<int32_t> touched_rows;  // the rows of its table that are not zero
};

/// Time encoders, a recurrent cell or none, and a head, as a function of parameters that are kept outside.
/// It is const while at work: any number of threads may share it, each with a workspace of its own.
class Model {
 public:
  /// Throws t2v::Error for a configuration that makes no sense.
  explicit Model(const ModelConfig& config);

  const ModelConfig& config() const { return config_; }
  const nn::Layout& layout() const { return layout_; }
  const nn::Input& input() const { return *input_; }
  const nn::Head& head() const { return *head_; }
  int64_t outputs() const { return outputs_; }
  /// The number of inputs of a tensor's product, as initialisers count it.
  int64_t fan_in(const nn::Tensor& tensor) const;

  /// The mean loss of a batch of labelled sequences, and the penalties.
  template <class T>
  Wide<T> loss(const nn::Parameters<T>& parameters, const SequenceBatch& batch, Workspace<T>& work,
               ThreadPool& pool) const;

  /// The same, and its gradient, in work.gradient. Equal bits for any number of threads.
  template <class T>
  Wide<T> gradient(const nn::Parameters<T>& parameters, const SequenceBatch& batch, Workspace<T>& work,
                   ThreadPool& pool) const;

  /// The probabilities [B, classes] of each sequence's class.
  void predict(std::span<float> probabilities, const nn::Parameters<float>& parameters,
               const SequenceBatch& batch, Workspace<float>& work, ThreadPool& pool) const;

 private:
  void check_labels(const SequenceBatch& batch) const;
  template <class T>
  void start(Workspace<T>& work, const nn::Parameters<T>& parameters, const SequenceBatch& batch) const;
  template <class T>
  void forward_shard(Workspace<T>& work, std::size_t i, const nn::Parameters<T>& parameters,
                     const SequenceBatch& batch) const;
  template <class T>
  void losses_of_shard(Workspace<T>& work, std::size_t i, const SequenceBatch& batch,
                       bool with_gradient) const;
  template <class T>
  void backward_shard(Workspace<T>& work, std::size_t i, const nn::Parameters<T>& parameters) const;
  template <class T>
  Wide<T> penalty(nn::Parameters<T>* gradient, const nn::Parameters<T>& parameters) const;

  ModelConfig config_;
  nn::Layout layout_;
  const nn::Head* head_;
  int64_t outputs_;
  std::optional<nn::Recurrent> recurrent_;
  std::optional<nn::Input> input_;
  int head_weights_ = -1;
  int head_bias_ = -1;
};

/// The hidden size whose model comes closest to a number of parameters (the smaller of two equally close).
int64_t match_hidden(ModelConfig config, int64_t parameter_count);

}  // namespace t2v
