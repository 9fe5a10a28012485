#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/packed_batch.h"
#include "base/thread_pool.h"
#include "model/config.h"
#include "model/rules.h"
#include "model/targets.h"
#include "nn/gradient_sum.h"
#include "nn/head.h"
#include "nn/hidden_layer.h"
#include "nn/input.h"
#include "nn/pool.h"
#include "nn/recurrent.h"
#include "nn/time_inputs.h"

namespace t2v {

/// The state of a model at work in numbers T: everything that changes while it computes. One per caller;
/// reused from batch to batch, so that it stops allocating after the largest one.
template <class T>
struct Workspace {
  struct OfLayer {
    nn::Input::State<T> input;
    nn::Recurrent::State<T> recurrent;
    Buffer<T> output;   // [E, H] what the layer above sees, where it is not h itself (dropout)
    Buffer<T> doutput;  // [E, H]
  };
  struct OfThread {
    nn::TimeInputs::State<T> times;
    std::vector<OfLayer> layers;
    Buffer<T> sums;   // [E, outputs of all heads] from inputs that go straight to the heads
    Buffer<T> dsums;  // their gradient
    Buffer<T> seen;   // [E, H] what heads at each event see, where it is not h itself (dropout)
    nn::TimeInputs::State<T> next_times;
    std::vector<nn::HiddenLayer::State<T>> hidden;  // of heads, by their number
    Buffer<T> picked;                               // [rows of a block, units] of those that end
    Buffer<T> open;                                 // a row of what a head says before it sees the time
    nn::PoolState<T> pool;
    Buffer<T> last;    // [rows that end, what heads see of them]
    Buffer<T> dlast;   // the same
    Buffer<T> logits;  // [rows of a block, outputs of a head]
    Buffer<T> dlogits;
    std::vector<int64_t> ending;  // rows of the chunk that end in it
    RuleState rules;
  };
  struct OfLayerShared {
    nn::Input::Prepared<T> input;
    nn::Recurrent::Prepared<T> recurrent;
  };
  /// Timed heads give, in place of their outputs, what they know before the time of the next event: their
  /// outputs without the hidden layer, then the sums of its units (TimedHead). The batch needs no such times.
  bool open = false;
  Share share;  // the shards to be worked on; the rest of a batch is not looked at
  std::vector<Shard> shards;
  std::vector<OfThread> states;  // one a thread: it serves shard after shard and stays in its cache
  std::vector<nn::ShardGradient<T>> gradients;
  std::vector<OfLayerShared> prepared;
  Buffer<T> head_base;                  // [outputs of all heads] their biases
  std::vector<int64_t> target_counts;   // of all heads, in the share (Targets::count)
  std::vector<double> head_scales;      // weight of each head / sum of the weights of its targets
  nn::Parameters<T> gradient;           // of the last batch
  std::vector<int32_t> touched_rows;    // the rows of its table that are not zero
  std::optional<uint64_t> dropout_key;  // while training: names the draw of the dropout
};

/// Time encoders, layers of a recurrent cell or none, and heads, as a function of parameters that are kept
/// outside. It is const while at work: any number of threads may share it, each with a workspace of its own.
class Model {
 public:
  /// Throws t2v::Error for a configuration that makes no sense.
  explicit Model(const ModelConfig& config);

  /// What a head with rules computes by; needed before anything is computed. Throws t2v::Error if they are of
  /// other types.
  void set_rules(std::shared_ptr<const Rules> rules);
  /// Null for none.
  const Rules* rules() const { return rules_.get(); }

  const ModelConfig& config() const { return config_; }
  const nn::Layout& layout() const { return layout_; }
  const nn::TimeInputs& times() const { return times_; }
  /// Those of the next event, which timed heads see.
  const nn::TimeInputs& next_times() const { return next_times_; }
  /// All of both.
  std::vector<const nn::TimeEncoder*> encoders() const;
  int64_t outputs(std::size_t head) const { return heads_[head].outputs; }
  /// The tensor of a head's biases.
  int head_bias(std::size_t head) const { return heads_[head].bias; }
  /// The weights that leave the time vectors, of all layers: [width, columns] for each encoder.
  struct TimeWeight {
    std::size_t encoder;
    int tensor;
  };
  const std::vector<TimeWeight>& time_weights() const { return time_weights_; }
  /// The number of inputs of a tensor's product, as initialisers count it.
  int64_t fan_in(const nn::Tensor& tensor) const;
  const std::vector<nn::Recurrent>& layers() const { return recurrents_; }
  /// What feeds each layer; then, if straight() is not negative, as its number, what goes straight to the
  /// heads.
  const std::vector<nn::Input>& inputs() const { return inputs_; }
  int straight() const { return straight_; }
  /// A head's tensors, weights [inputs, outputs] (-1 without a cell) and bias [outputs], and where its
  /// outputs start among those of all heads.
  struct HeadPlace {
    int weights;
    int bias;
    int64_t first_output;
    int rules;                      // weights of rules [1, Rules::kWeights], -1 for none
    const nn::HiddenLayer* hidden;  // null for none
    int hidden_weights;             // [units, outputs], -1 for none
  };
  HeadPlace head_place(std::size_t head) const {
    const Head& of = heads_[head];
    return {of.weights,       of.bias, of.first_output, of.rules, of.hidden ? &*of.hidden : nullptr,
            of.hidden_weights};
  }
  /// What the outputs of all heads start from: their biases, and the popularity of rules.
  template <class T>
  void head_base(T* base, const nn::Parameters<T>& parameters) const;
  /// The name that starts the tensors of a layer: cell, cell1, cell2, ...
  static std::string layer_prefix(std::size_t layer);
  /// Whether some head sees all states of a sequence.
  bool pools() const { return pools_; }
  /// How many numbers a head sees of the cell: H or, of a whole sequence, kPoolParts H.
  int64_t head_inputs(std::size_t head) const {
    return config_.hidden * (config_.heads[head].pool == "all" ? nn::kPoolParts : 1);
  }
  /// The columns of a layer's time weights that its constraint is about.
  nn::Columns constrained_columns(std::size_t layer) const;

  /// The mean loss of a batch, over all that is to be predicted, and the penalties.
  template <class T>
  Wide<T> loss(const nn::Parameters<T>& parameters, const SequenceBatch& batch, Workspace<T>& work,
               ThreadPool& pool) const;

  /// The same, and its gradient, in work.gradient. Equal bits for any number of threads.
  template <class T>
  Wide<T> gradient(const nn::Parameters<T>& parameters, const SequenceBatch& batch, Workspace<T>& work,
                   ThreadPool& pool) const;

  /// The gradient in parts, for several who share a batch: each has a share of its own in its workspace, and
  /// need not have the rest of the batch in memory. First each counts its targets: work.target_counts are
  /// then to be summed over all.
  template <class T>
  void start_gradient(const nn::Parameters<T>& parameters, const SequenceBatch& batch, Workspace<T>& work,
                      ThreadPool& pool) const;
  /// Then each works on its shards: work.gradients are then to be summed over all, as nn::sum_gradients does,
  /// into work.gradient and work.touched_rows.
  template <class T>
  void shard_gradients(const nn::Parameters<T>& parameters, const SequenceBatch& batch, Workspace<T>& work,
                       ThreadPool& pool) const;
  /// Completes the sum; `loss`: that of the shards. Returns the loss with the penalties.
  template <class T>
  Wide<T> finish_gradient(const nn::Parameters<T>& parameters, Wide<T> loss, Workspace<T>& work) const;
  /// Columns of the table of event types; 0 without one.
  int64_t table_columns() const;

  /// The outputs of a head: [B, outputs], or [N, outputs] for one at each event.
  template <class T>
  void outputs_of(std::span<T> outputs, std::size_t head, const nn::Parameters<T>& parameters,
                  const SequenceBatch& batch, Workspace<T>& work, ThreadPool& pool) const;

  /// Takes the outputs of one prediction; `place` is its sequence or its event in the batch.
  template <class T>
  using Consumer = std::function<void(std::size_t head, int64_t place, const T* outputs)>;
  /// Gives all outputs of all heads to the consumer, each place once, from several threads at once and in no
  /// order: for outputs that are too many to keep. Targets need not be in the batch.
  template <class T>
  void visit_outputs(const Consumer<T>& consumer, const nn::Parameters<T>& parameters,
                     const SequenceBatch& batch, Workspace<T>& work, ThreadPool& pool) const;

  /// Takes the hidden state [H] of a sequence of the batch.
  template <class T>
  using StateConsumer = std::function<void(int64_t sequence, const T* h)>;
  /// Gives the state of the uppermost layer after the last event of each sequence to the consumer, each once,
  /// from several threads at once and in no order. Throws t2v::Error for a model without a cell.
  template <class T>
  void visit_states(const StateConsumer<T>& consumer, const nn::Parameters<T>& parameters,
                    const SequenceBatch& batch, Workspace<T>& work, ThreadPool& pool) const;

  /// The probabilities of the classes, in the same shape, of a softmax or logistic head.
  void predict(std::span<float> probabilities, std::size_t head, const nn::Parameters<float>& parameters,
               const SequenceBatch& batch, Workspace<float>& work, ThreadPool& pool) const;

  /// Puts constrained parameters back within their bounds, after an update.
  template <class T>
  void project(nn::Parameters<T>& parameters) const;

 private:
  struct Head {
    nn::HeadConfig config;
    const nn::Head* kind;
    Targets targets;
    int64_t outputs;
    int64_t first_output;  // among those of all heads
    int64_t inputs;        // H, or of a whole sequence kPoolParts H
    int weights = -1;      // [inputs, outputs]
    int bias;              // [outputs]
    int rules = -1;        // [1, Rules::kWeights]
    std::optional<nn::HiddenLayer> hidden = {};
    int hidden_weights = -1;  // [its units, outputs]
  };
  /// A shard in the hands of one of the threads, whose state it uses.
  struct ShardTask {
    std::size_t shard;
    std::size_t worker;
    ThreadPool& pool;

    /// To be called between pieces of work that take less than a second.
    void check_stop() const { pool.check_stop(static_cast<int>(worker)); }
  };

  /// The rows of a head over a chunk: its events, or the sequences that end in it.
  template <class T>
  struct HeadRows {
    const Chunk& chunk;
    const Shard& shard;
    const std::vector<int64_t>& ending;
    bool each;
    const T* h = nullptr;  // [rows, stride]; null for a model without a cell
    T* dh = nullptr;
    int64_t stride = 0;
    bool writes = false;  // dh is written, not added to

    int64_t count() const { return each ? chunk.events() : static_cast<int64_t>(ending.size()); }
    int64_t row_of(int64_t r) const { return ending[static_cast<std::size_t>(r)]; }
    int64_t event_of(int64_t r) const { return each ? r : chunk.last[static_cast<std::size_t>(row_of(r))]; }
    int64_t place_of(int64_t r) const {
      return each ? chunk.source[static_cast<std::size_t>(r)]
                  : shard.sequence[static_cast<std::size_t>(row_of(r))];
    }
  };

  nn::InputShape shape_of(std::size_t layer, const nn::Recurrent& recurrent) const;
  nn::InputShape straight_shape() const;
  void check(const SequenceBatch& batch, bool open = false) const;
  void check_next_times() const;
  void find_penalised();
  void add_hidden_layer(Head& head, const std::string& name);

  template <class T>
  void count_targets(Workspace<T>& work, const SequenceBatch& batch) const;
  /// How much each head's every target counts, from all that the batch has.
  template <class T>
  void set_scales(Workspace<T>& work) const;
  /// The shards of the share, chunk by chunk, forward and, with a gradient, backward; or with the outputs to
  /// the consumer.
  template <class T>
  void run(Workspace<T>& work, const nn::Parameters<T>& parameters, const SequenceBatch& batch,
           bool with_gradient, const Consumer<T>* consumer, ThreadPool& pool) const;
  template <class T>
  void start(Workspace<T>& work, const nn::Parameters<T>& parameters, const SequenceBatch& batch,
             const ThreadPool& pool) const;
  template <class T>
  void start_shard(Workspace<T>& work, ShardTask task, bool with_gradient) const;
  template <class T>
  void forward_chunk(Workspace<T>& work, ShardTask task, const Chunk& chunk,
                     const nn::Parameters<T>& parameters, const SequenceBatch& batch) const;
  template <class T>
  void backward_chunk(Workspace<T>& work, ShardTask task, const Chunk& chunk,
                      const nn::Parameters<T>& parameters) const;
  template <class T>
  void carry_chunk(Workspace<T>& work, ShardTask task, const Chunk& chunk) const;
  /// The uppermost recurrent layer.
  template <class State>
  auto& top_layer(State& state) const {
    return state.layers[recurrents_.size() - 1];
  }
  /// What is above a layer sees.
  template <class T>
  const T* output_of(const typename Workspace<T>::OfThread& state, std::size_t layer) const {
    const auto& of_layer = state.layers[layer];
    return of_layer.output.size() > 0 ? of_layer.output.data() : of_layer.recurrent.h.data();
  }
  /// The share of a layer's output that is dropped while training.
  double dropout_after(std::size_t layer) const;

  /// All heads over a chunk: losses, and with a gradient also theirs; or the outputs to the consumer.
  template <class T>
  void run_heads(Workspace<T>& work, ShardTask task, const Chunk& chunk, const nn::Parameters<T>& parameters,
                 const SequenceBatch& batch, bool with_gradient, const Consumer<T>* consumer) const;
  /// Before the first chunk of a shard: no row has a past.
  template <class T>
  void start_rules(Workspace<T>& work, ShardTask task, const SequenceBatch& batch) const;
  /// What the rules say of rows [begin, begin + count) of a head, to be taken in order.
  template <class T>
  void rule_terms(RuleState& state, const HeadRows<T>& rows, int64_t begin, int64_t count,
                  const SequenceBatch& batch) const;
  /// Of the weight of the popularity, which all places share.
  template <class T>
  void finish_rules(nn::Parameters<T>& gradient) const;
  template <class T>
  void head_logits(typename Workspace<T>::OfThread& state, const Workspace<T>& work, std::size_t index,
                   const HeadRows<T>& rows, int64_t begin, int64_t count,
                   const nn::Parameters<T>& parameters) const;
  template <class T>
  Wide<T> head_losses(typename Workspace<T>::OfThread& state, const Head& head, const HeadRows<T>& rows,
                      int64_t begin, int64_t count, const SequenceBatch& batch, double scale,
                      bool with_gradient) const;
  template <class T>
  void head_backward(nn::ShardGradient<T>& out, typename Workspace<T>::OfThread& state, std::size_t index,
                     const HeadRows<T>& rows, int64_t begin, int64_t count,
                     const nn::Parameters<T>& parameters) const;
  /// Of each event of a chunk what heads see [E, H]; null without a cell.
  template <class T>
  const T* seen_of(const Workspace<T>& work, ShardTask task) const {
    if (recurrents_.empty()) return nullptr;
    return output_of<T>(work.states[task.worker], recurrents_.size() - 1);
  }
  /// The hidden layers of all heads over a chunk.
  template <class T>
  void forward_hidden(Workspace<T>& work, ShardTask task, const Chunk& chunk,
                      const nn::Parameters<T>& parameters, const SequenceBatch& batch) const;
  template <class T>
  void backward_hidden(Workspace<T>& work, ShardTask task, std::size_t index,
                       const nn::Parameters<T>& parameters) const;
  /// The units of rows [begin, begin + count) of a head.
  template <class T>
  const T* units_of(typename Workspace<T>::OfThread& state, std::size_t index, const HeadRows<T>& rows,
                    int64_t begin, int64_t count) const;
  template <class T>
  const T* open_row(typename Workspace<T>::OfThread& state, std::size_t index, const HeadRows<T>& rows,
                    int64_t r, const T* outputs) const;
  /// What heads see of the sequences that end in a chunk.
  template <class T>
  void gather_last(Workspace<T>& work, ShardTask task, const Chunk& chunk) const;
  /// From its gradient to that of the states.
  template <class T>
  void scatter_last(Workspace<T>& work, ShardTask task, const Chunk& chunk) const;
  template <class T>
  void drop_last(Buffer<T>& last, const Workspace<T>& work, ShardTask task) const;
  /// Numbers of a row of what heads see of a sequence.
  int64_t last_width() const { return config_.hidden * (pools_ ? nn::kPoolParts : 1); }
  template <class T>
  void run_head(Workspace<T>& work, ShardTask task, std::size_t index, const Chunk& chunk,
                const nn::Parameters<T>& parameters, const SequenceBatch& batch, bool with_gradient,
                const Consumer<T>* consumer) const;
  template <class T>
  Wide<T> penalty(nn::Parameters<T>* gradient, const nn::Parameters<T>& parameters) const;

  ModelConfig config_;
  nn::Layout layout_;
  nn::TimeInputs times_;
  nn::TimeInputs next_times_;
  std::vector<nn::Recurrent> recurrents_;  // one a layer
  std::vector<nn::Input> inputs_;          // one a layer; then the one of the heads, if they have one
  int straight_ = -1;                      // its number: the last, or -1
  std::vector<Head> heads_;
  bool pools_ = false;
  int64_t all_outputs_ = 0;
  std::vector<TimeWeight> time_weights_;
  std::vector<TimeWeight>
      penalised_;  // these, then those of hidden layers; encoders are numbered as in encoders()
  std::shared_ptr<const Rules> rules_;
};

/// The hidden size whose model comes closest to a number of parameters (the smaller of two equally close).
int64_t match_hidden(ModelConfig config, int64_t parameter_count);

}  // namespace t2v
