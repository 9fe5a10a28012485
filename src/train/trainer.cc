#include "train/trainer.h"

#include <cmath>
#include <utility>

#include "base/fail.h"
#include "base/random.h"
#include "kernels/rows.h"
#include "train/diverged.h"

namespace t2v {
namespace {

constexpr int64_t kMostSkippedInARow = 3;

}  // namespace

template <class T>
Trainer<T>::Trainer(const Model& model, nn::Parameters<T> parameters, const OptimizerConfig& optimizer,
                    ThreadPool& pool, uint64_t seed, comm::Communicator& ranks)
    : model_(model),
      parameters_(std::move(parameters)),
      optimizer_(model.layout(), optimizer, step_scales(model)),
      pool_(pool),
      seed_(seed),
      ranked_(model, ranks) {}

template <class T>
double Trainer<T>::gradient(const SequenceBatch& batch, const std::function<bool()>& stop) {
  work_.dropout_key = Random(seed_, static_cast<uint64_t>(steps_ + 1)).next64();
  if (!share().all()) return ranked_.gradient(parameters_, batch, work_, pool_);
  const StopScope scope(pool_, stop);
  return model_.gradient(parameters_, batch, work_, pool_);
}

template <class T>
double Trainer<T>::step(const SequenceBatch& batch, const std::function<bool()>& stop) {
  const double loss = gradient(batch, stop);
  ++steps_;
  const std::string bad = not_finite(loss);
  if (bad.empty()) {
    skipped_in_a_row_ = 0;
    optimizer_.step(parameters_, work_.gradient, work_.touched_rows, pool_);
    model_.project(parameters_);
    return loss;
  }
  ++skipped_;
  if (++skipped_in_a_row_ >= kMostSkippedInARow) {
    throw Diverged(
        fmt::format("step {}: {} is not finite, for the third step in a row; use a smaller learning rate "
                    "(`rate`), or scale the "
                    "values and features of the data",
                    steps_, bad));
  }
  return loss;
}

template <class T>
bool Trainer<T>::touched_rows_are_finite() const {
  for (const nn::Tensor& tensor : model_.layout().tensors()) {
    if (tensor.role != nn::Role::kTable) continue;
    const T* table = work_.gradient.data(tensor);
    for (const int32_t row : work_.touched_rows) {
      if (!kernels::all_finite(table + row * tensor.cols, tensor.cols)) return false;
    }
  }
  return true;
}

template <class T>
std::string Trainer<T>::not_finite(double loss) const {
  const nn::Parameters<T>& g = work_.gradient;
  const bool finite = kernels::all_finite(g.dense.data(), g.dense.size()) && touched_rows_are_finite() &&
                      kernels::all_finite(g.wide.data(), g.wide.size());
  if (finite) return std::isfinite(loss) ? "" : "the loss";
  for (const nn::Tensor& tensor : model_.layout().tensors()) {
    const bool fine = tensor.wide() ? kernels::all_finite(g.wide_data(tensor), tensor.size())
                                    : kernels::all_finite(g.data(tensor), tensor.size());
    if (!fine) return fmt::format("the gradient of '{}'", tensor.name);
  }
  return "the gradient";
}

template class Trainer<float>;
template class Trainer<double>;

}  // namespace t2v
