#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/packed_batch.h"
#include "base/thread_pool.h"
#include "comm/communicator.h"
#include "model/model.h"

namespace t2v {

/// What it takes to sum gradients over the ranks.
struct ExchangePrice {
  double seconds = 0;                     // of one sum, where all ranks are ready for it
  std::optional<double> library_seconds;  // of the library's own sum of as many numbers, in any order
  int64_t bytes = 0;                      // that a rank sends for one, at most
};

/// The gradient of a batch of which each rank has a share, with the bits that one process gets. Each rank
/// sums the subtrees of the fixed tree that are its own. Then each gets all other subtrees' sums of its slice
/// of the numbers (of the table's rows: those that were touched), goes on up the tree with them, and gives
/// the result to all. So every number is sent about twice, whatever the number of ranks, in two rounds; to
/// pass whole gradients from pair to pair would send them once a level of the tree.
template <class T>
class RankGradient {
 public:
  RankGradient(const Model& model, comm::Communicator& ranks);

  Share share() const { return {ranks_.rank(), ranks_.size()}; }

  /// The loss, and the gradient in work.gradient: the same on all ranks. The batch need only have this
  /// rank's share.
  Wide<T> gradient(const nn::Parameters<T>& parameters, const SequenceBatch& batch, Workspace<T>& work,
                   ThreadPool& pool);

  /// Measures it, with what the last gradient left in the workspace. To be called by all ranks; the same on
  /// all of them but for the times.
  ExchangePrice price(Workspace<T>& work, ThreadPool& pool);

 private:
  /// Numbers [begin, end) of an array.
  struct Slice {
    int64_t begin;
    int64_t end;
    int64_t size() const { return end - begin; }
  };
  Slice slice_of(int rank, int64_t size) const {
    return {size * rank / ranks_.size(), size * (rank + 1) / ranks_.size()};
  }
  std::vector<IndexRange> subtrees_of(int rank, int64_t shards) const;

  /// Sums work.gradients over all ranks into work.gradient; returns the loss.
  Wide<T> sum(Workspace<T>& work, ThreadPool& pool);
  /// Gives each rank its slice of this rank's subtrees.
  void scatter(const Workspace<T>& work);
  void write_slices(comm::Bytes& message, const Workspace<T>& work, int rank) const;
  /// Sums the slice of this rank.
  Wide<T> sum_slice(Workspace<T>& work, ThreadPool& pool);
  /// Gives it to all, and takes theirs.
  void collect(Workspace<T>& work);
  /// Takes the rows and numbers that a rank summed.
  void take_slice(Workspace<T>& work, int rank);

  const Model& model_;
  comm::Communicator& ranks_;
  std::vector<comm::Bytes> sent_;      // one a rank
  std::vector<comm::Bytes> received_;  // one a rank
  nn::RowGradient<T> rows_;            // sums of the rows of this rank
};

}  // namespace t2v
