#include "train/rank_gradient.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <limits>
#include <span>

#include "comm/message.h"
#include "nn/gradient_sum.h"

namespace t2v {
namespace {

std::size_t at_of(int64_t i) { return static_cast<std::size_t>(i); }

template <class T>
std::span<const T> part_of(const Buffer<T>& numbers, int64_t begin, int64_t count) {
  return {numbers.data() + begin, at_of(count)};
}

template <class T>
std::span<const T> one(const T& number) {
  return {&number, 1};
}

}  // namespace

template <class T>
RankGradient<T>::RankGradient(const Model& model, comm::Communicator& ranks)
    : model_(model), ranks_(ranks), sent_(at_of(ranks.size())), received_(at_of(ranks.size())) {}

template <class T>
std::vector<IndexRange> RankGradient<T>::subtrees_of(int rank, int64_t shards) const {
  return nn::subtrees_of(Share{rank, ranks_.size()}.of(shards), shards);
}

template <class T>
Wide<T> RankGradient<T>::gradient(const nn::Parameters<T>& parameters, const SequenceBatch& batch,
                                  Workspace<T>& work, ThreadPool& pool) {
  work.share = share();
  model_.start_gradient(parameters, batch, work, pool);
  comm::sum(ranks_, work.target_counts);
  model_.shard_gradients(parameters, batch, work, pool);
  const Wide<T> loss = sum(work, pool);
  return model_.finish_gradient(parameters, loss, work);
}

template <class T>
Wide<T> RankGradient<T>::sum(Workspace<T>& work, ThreadPool& pool) {
  work.gradient.dense.reserve(model_.layout().dense_size());
  work.gradient.wide.reserve(model_.layout().wide_size());
  for (const IndexRange subtree : subtrees_of(ranks_.rank(), static_cast<int64_t>(work.shards.size()))) {
    nn::sum_subtree(
        std::span(work.gradients).subspan(at_of(subtree.begin), at_of(subtree.end - subtree.begin)),
        model_.table_columns(), pool);
  }
  scatter(work);
  const Wide<T> loss = sum_slice(work, pool);
  collect(work);
  return loss;
}

// A message from one rank to another has, for each subtree of the first, its loss and the slice of the
// second: wide numbers, dense numbers, how many rows, which rows, their values. Rows are dealt out by number.
template <class T>
void RankGradient<T>::write_slices(comm::Bytes& message, const Workspace<T>& work, int rank) const {
  const Slice wide = slice_of(rank, model_.layout().wide_size());
  const Slice dense = slice_of(rank, model_.layout().dense_size());
  const int64_t columns = model_.table_columns();
  comm::MessageWriter writer;
  std::deque<std::vector<int32_t>> rows;  // of each subtree
  std::deque<int64_t> counts;
  for (const IndexRange subtree : subtrees_of(ranks_.rank(), static_cast<int64_t>(work.shards.size()))) {
    const nn::ShardGradient<T>& gradient = work.gradients[at_of(subtree.begin)];
    std::vector<int32_t>& mine = rows.emplace_back();
    std::vector<std::span<const T>> values;
    for (std::size_t i = 0; i < gradient.rows.rows.size(); ++i) {
      if (gradient.rows.rows[i] % ranks_.size() != rank) continue;
      mine.push_back(gradient.rows.rows[i]);
      values.push_back({gradient.rows.values.data() + static_cast<int64_t>(i) * columns, at_of(columns)});
    }
    counts.push_back(static_cast<int64_t>(mine.size()));
    writer.put(one(gradient.loss));
    writer.put(part_of(gradient.dense.wide, wide.begin, wide.size()));
    writer.put(part_of(gradient.dense.dense, dense.begin, dense.size()));
    writer.put(one(counts.back()));
    writer.put(std::span<const int32_t>(mine));
    for (const std::span<const T> row : values) writer.put_part(row);
    writer.pad();
  }
  writer.finish(message);
}

template <class T>
void RankGradient<T>::scatter(const Workspace<T>& work) {
  std::vector<comm::Outgoing> out;
  std::vector<comm::Incoming> in;
  for (int rank = 0; rank < ranks_.size(); ++rank) {
    const bool own = rank == ranks_.rank();
    write_slices(own ? received_[at_of(rank)] : sent_[at_of(rank)], work, rank);
    if (own) continue;
    out.push_back({rank, &sent_[at_of(rank)]});
    in.push_back({rank, &received_[at_of(rank)]});
  }
  ranks_.exchange(out, in);
}

template <class T>
Wide<T> RankGradient<T>::sum_slice(Workspace<T>& work, ThreadPool& pool) {
  const Slice wide = slice_of(ranks_.rank(), model_.layout().wide_size());
  const Slice dense = slice_of(ranks_.rank(), model_.layout().dense_size());
  const int64_t columns = model_.table_columns();
  const auto shards = static_cast<int64_t>(work.shards.size());
  std::vector<nn::PlacedNumbers<Wide<T>>> losses;
  std::vector<nn::PlacedNumbers<Wide<T>>> wides;
  std::vector<nn::PlacedNumbers<T>> denses;
  std::vector<nn::PlacedRows<T>> rows;
  for (int rank = 0; rank < ranks_.size(); ++rank) {
    comm::MessageReader reader(received_[at_of(rank)]);
    for (const IndexRange subtree : subtrees_of(rank, shards)) {
      const std::size_t place = at_of(subtree.begin);
      losses.push_back({place, reader.take<Wide<T>>(1).data()});
      wides.push_back({place, reader.take<Wide<T>>(at_of(wide.size())).data()});
      denses.push_back({place, reader.take<T>(at_of(dense.size())).data()});
      const std::size_t count = at_of(reader.take<int64_t>(1)[0]);
      const std::span<int32_t> numbers = reader.take<int32_t>(count);
      rows.push_back({place, numbers, reader.take<T>(count * at_of(columns)).data()});
    }
  }
  nn::sum_numbers<Wide<T>>(losses, shards, 1, pool);
  nn::sum_numbers<Wide<T>>(wides, shards, wide.size(), pool);
  nn::sum_numbers<T>(denses, shards, dense.size(), pool);
  nn::sum_rows<T>(rows_, rows, shards, columns, pool);
  std::copy_n(wides[0].values, wide.size(), work.gradient.wide.data() + wide.begin);
  std::copy_n(denses[0].values, dense.size(), work.gradient.dense.data() + dense.begin);
  return *losses[0].values;
}

template <class T>
void RankGradient<T>::collect(Workspace<T>& work) {
  const Slice wide = slice_of(ranks_.rank(), model_.layout().wide_size());
  const Slice dense = slice_of(ranks_.rank(), model_.layout().dense_size());
  const auto count = static_cast<int64_t>(rows_.rows.size());
  comm::MessageWriter writer;
  writer.put(part_of(work.gradient.wide, wide.begin, wide.size()));
  writer.put(part_of(work.gradient.dense, dense.begin, dense.size()));
  writer.put(one(count));
  writer.put(std::span<const int32_t>(rows_.rows));
  writer.put(std::span<const T>(rows_.values));
  comm::Bytes& mine = received_[at_of(ranks_.rank())];
  writer.finish(mine);
  std::vector<comm::Outgoing> out;
  std::vector<comm::Incoming> in;
  for (int rank = 0; rank < ranks_.size(); ++rank) {
    if (rank == ranks_.rank()) continue;
    out.push_back({rank, &mine});
    in.push_back({rank, &received_[at_of(rank)]});
  }
  ranks_.exchange(out, in);
  const int64_t columns = model_.table_columns();
  T* table = work.gradient.table.data();
  for (const int32_t row : work.touched_rows) std::fill_n(table + row * columns, columns, T(0));
  work.touched_rows.clear();
  for (int rank = 0; rank < ranks_.size(); ++rank) take_slice(work, rank);
  std::ranges::sort(work.touched_rows);
}

template <class T>
void RankGradient<T>::take_slice(Workspace<T>& work, int rank) {
  const Slice wide = slice_of(rank, model_.layout().wide_size());
  const Slice dense = slice_of(rank, model_.layout().dense_size());
  const int64_t columns = model_.table_columns();
  comm::MessageReader reader(received_[at_of(rank)]);
  std::ranges::copy(reader.take<Wide<T>>(at_of(wide.size())), work.gradient.wide.data() + wide.begin);
  std::ranges::copy(reader.take<T>(at_of(dense.size())), work.gradient.dense.data() + dense.begin);
  const std::size_t count = at_of(reader.take<int64_t>(1)[0]);
  const std::span<const int32_t> rows = reader.take<int32_t>(count);
  const std::span<const T> values = reader.take<T>(count * at_of(columns));
  for (std::size_t i = 0; i < count; ++i) {
    std::copy_n(values.data() + static_cast<int64_t>(i) * columns, columns,
                work.gradient.table.data() + rows[i] * columns);
  }
  work.touched_rows.insert(work.touched_rows.end(), rows.begin(), rows.end());
}

template <class T>
ExchangePrice RankGradient<T>::price(Workspace<T>& work, ThreadPool& pool) {
  constexpr int kTimes = 20;
  constexpr double kSeconds = 2;  // for all of them
  ExchangePrice price;
  price.seconds = std::numeric_limits<double>::infinity();
  double all = 0;
  for (int i = 0; comm::agreed(ranks_, i < kTimes && all < kSeconds); ++i) {
    const auto start = std::chrono::steady_clock::now();
    sum(work, pool);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    price.seconds = std::min(price.seconds, taken.count());
    all += taken.count();
  }
  std::vector<int64_t> bytes(at_of(ranks_.size()));
  int64_t& mine = bytes[at_of(ranks_.rank())];
  for (int rank = 0; rank < ranks_.size(); ++rank) {
    if (rank == ranks_.rank()) continue;
    mine += sent_[at_of(rank)].size() + received_[at_of(ranks_.rank())].size();
  }
  comm::sum(ranks_, bytes);
  price.bytes = *std::ranges::max_element(bytes);
  const nn::Layout& layout = model_.layout();
  const auto rows = static_cast<int64_t>(work.touched_rows.size());
  const int64_t numbers = layout.dense_size() + 2 * layout.wide_size() + rows * model_.table_columns();
  price.library_seconds = ranks_.library_sum_seconds(numbers, price.seconds);
  return price;
}

template class RankGradient<float>;
template class RankGradient<double>;

}  // namespace t2v
