#pragma once

#include <cstdint>
#include <string>

#include "base/buffer.h"
#include "base/packed_batch.h"
#include "nn/cell.h"
#include "nn/input.h"
#include "nn/parameters.h"

namespace t2v::nn {

/// The driver: runs any cell over a packed shard, forward and back through all time steps. It owns the
/// products; there is no padding anywhere, a finished sequence costs nothing.
/// Letters: E events of the shard, H hidden units, G = blocks * H sums of the cell.
class Recurrent {
 public:
  /// Adds "cell.hidden", "cell.bias", with biases = 2 also "cell.bias_hidden" (PyTorch has both; they add up,
  /// but under Adam two move twice as fast as one), and the cell's "cell.vectors".
  Recurrent(Layout& layout, const Cell& cell, int64_t hidden, int biases);

  const Cell& cell() const { return *cell_; }
  int64_t hidden() const { return hidden_; }
  int64_t columns() const { return cell_->blocks * hidden_; }
  /// Which columns a source feeds.
  Columns columns_of(Blocks blocks) const { return {blocks.begin * hidden_, blocks.end * hidden_}; }

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
    Buffer<T> gates;   // [E, G] the sums; then what the cell made of them; then their gradient
    Buffer<T> c;       // [E, H]
    Buffer<T> h;       // [E, H]
    Buffer<T> h_prev;  // [E, H] h of the step before, in the place of the event it acts on
    Buffer<T> zeros;   // [rows, H] the state before the first event
    Buffer<T> dh;      // [rows, H]
    Buffer<T> dc;      // [rows, H]
    Buffer<T> dbias;   // [G]
  };
  /// Makes room for the shard; then the caller fills state.gates with the input's sums (base included).
  template <class T>
  void reserve(State<T>& state, const Shard& shard) const;

  template <class T>
  void forward(State<T>& state, const Shard& shard, const Layout& layout,
               const Parameters<T>& parameters) const;

  /// From dlast [rows, H], the gradient of each row's last h; leaves in state.gates the gradient of the sums
  /// and adds to the gradients of the driver's own tensors.
  template <class T>
  void backward(Parameters<T>& gradient, State<T>& state, const Shard& shard, const T* dlast,
                const Prepared<T>& prepared, const Layout& layout, const Parameters<T>& parameters) const;

 private:
  const Cell* cell_;
  int64_t hidden_;
  int hidden_weights_;
  int bias_;
  int bias_hidden_ = -1;
  int vectors_ = -1;
};

}  // namespace t2v::nn
