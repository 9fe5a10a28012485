#include "train/trainer.h"

#include <cmath>
#include <utility>

#include "base/fail.h"
#include "kernels/rows.h"

namespace t2v {
namespace {

constexpr int64_t kMostSkippedInARow = 3;

}  // namespace

template <class T>
Trainer<T>::Trainer(const Model& model, nn::Parameters<T> parameters, const AdamConfig& optimizer,
                    ThreadPool& pool)
    : model_(model), parameters_(std::move(parameters)), optimizer_(model.layout(), optimizer), pool_(pool) {}

template <class T>
double Trainer<T>::step(const SequenceBatch& batch) {
  ++steps_;
  const double loss = model_.gradient(parameters_, batch, work_, pool_);
  const std::string bad = not_finite(loss);
  if (bad.empty()) {
    skipped_in_a_row_ = 0;
    optimizer_.step(parameters_, work_.gradient, pool_);
    return loss;
  }
  ++skipped_;
  if (++skipped_in_a_row_ >= kMostSkippedInARow) {
    fail(
        "step {}: {} is not finite, for the {}rd step in a row; lower the learning rate, or scale the times "
        "and "
        "features",
        steps_, bad, kMostSkippedInARow);
  }
  return loss;
}

template <class T>
std::string Trainer<T>::not_finite(double loss) const {
  const nn::Parameters<T>& g = work_.gradient;
  const bool finite = kernels::all_finite(g.dense.data(), g.dense.size()) &&
                      kernels::all_finite(g.table.data(), g.table.size()) &&
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
