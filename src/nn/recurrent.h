#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/buffer.h"
#include "base/packed_batch.h"
#include "nn/cell.h"
#include "nn/clock.h"
#include "nn/input.h"
#include "nn/parameters.h"

namespace t2v::nn {

/// The driver: runs any cell over packed sequences, chunk by chunk, forward and back through the time steps
/// of a chunk, some steps at a time. It owns the products; there is no padding anywhere, a finished sequence
/// costs nothing. Letters: E events of the chunk, H hidden units, G = blocks * H sums of the cell.
class Recurrent {
 public:
  /// Adds "<prefix>.hidden", "<prefix>.bias", with biases = 2 also "<prefix>.bias_hidden" (PyTorch has both;
  /// they add up, but under Adam two move twice as fast as one), and what the cell needs of
  /// "<prefix>.vectors",
  /// "<prefix>.period" and "<prefix>.shift".
  Recurrent(Layout& layout, const std::string& prefix, const Cell& cell, int64_t hidden, int biases);

  const Cell& cell() const { return *cell_; }
  int64_t hidden() const { return hidden_; }
  int64_t columns() const { return cell_->blocks * hidden_; }
  /// Which columns a source feeds.
  Columns columns_of(Blocks blocks) const { return {blocks.begin * hidden_, blocks.end * hidden_}; }
  int bias() const { return bias_; }
  const std::optional<Clock>& clock() const { return clock_; }

  /// Derived once a batch from the parameters and shared by all shards.
  template <class T>
  struct Prepared {
    Buffer<T> base;               // [G] the sum of the biases
    Buffer<T> hidden_transposed;  // [columns fed by h, H]
  };
  template <class T>
  void prepare(Prepared<T>& prepared, const Layout& layout, const Parameters<T>& parameters) const;

  /// What one shard keeps from forward to backward.
  template <class T>
  struct State {
    Buffer<T> gates;            // [E, G] the sums; then what the cell made of them; then their gradient
    Buffer<T> c;                // [E, H]
    Buffer<T> h;                // [E, H]
    Buffer<T> h_prev;           // [E, H] h of the step before, in the place of the event it acts on
    Buffer<T> c_start;          // [rows, H] the state before the chunk
    Buffer<T> h_start;          // [rows, H]
    bool from_zero = true;      // it is zero
    std::vector<double> clock;  // [E] the times that a clock looks at
    Buffer<T> dh;               // [rows, H]
    Buffer<T> dc;               // [rows, H]
    Buffer<T> dbias;            // [G]

    std::span<const double> clock_of(Events events) const {
      return std::span(clock).subspan(static_cast<std::size_t>(events.begin),
                                      static_cast<std::size_t>(events.count()));
    }
  };
  /// Before the first chunk of a shard.
  template <class T>
  void start(State<T>& state, int64_t rows) const;
  /// Makes room for a chunk.
  template <class T>
  void reserve(State<T>& state, const Chunk& chunk, const SequenceBatch& batch) const;

  /// Some steps, after the steps before them: from the input's sums (base included), which the caller has
  /// put into state.gates for their events.
  template <class T>
  void forward(State<T>& state, const Chunk& chunk, Steps steps, const Layout& layout,
               const Parameters<T>& parameters) const;

  /// Some steps, after the steps that follow them. From dsteps [E, H], the gradient of every h; leaves in
  /// state.gates the gradient of the sums of their events and adds to the gradients of the driver's own
  /// tensors. Nothing flows back beyond the start of the chunk.
  template <class T>
  void backward(Parameters<T>& gradient, State<T>& state, const Chunk& chunk, Steps steps, const T* dsteps,
                const Prepared<T>& prepared, const Layout& layout, const Parameters<T>& parameters) const;

  /// After a chunk: its last states become the start of the next.
  template <class T>
  void carry(State<T>& state, const Chunk& chunk) const;

 private:
  const Cell* cell_;
  int64_t hidden_;
  int hidden_weights_;
  int bias_;
  int bias_hidden_ = -1;
  int vectors_ = -1;
  std::optional<Clock> clock_;
};

}  // namespace t2v::nn
