#include "export/scan_formulas.h"

#include "export/operators.h"

namespace t2v::onnx {
namespace {

using Tensors = std::vector<Tensor>;

CellState tlstm1(const Tensors& a, const Tensors& p, const CellState& before, Squash inner) {
  const Tensor time = sigmoid(a[0] + inner(a[5]));
  const Tensor i = sigmoid(a[1] + before.c * p[0]);
  const Tensor f = sigmoid(a[2] + before.c * p[1]);
  const Tensor c = f * before.c + i * time * tanh(a[3]);
  return {c, sigmoid(a[4] + c * p[2]) * tanh(c)};
}

CellState tlstm2(const Tensors& a, const Tensors& p, const CellState& before, Squash inner) {
  const Tensor time1 = sigmoid(a[0] + inner(a[6]));
  const Tensor time2 = sigmoid(a[1] + inner(a[7]));
  const Tensor i = sigmoid(a[2] + before.c * p[0]);
  const Tensor f = sigmoid(a[3] + before.c * p[1]);
  const Tensor g = tanh(a[4]);
  const Tensor emitted = f * before.c + i * time1 * g;
  return {f * before.c + i * time2 * g, sigmoid(a[5] + emitted * p[2]) * tanh(emitted)};
}

CellState tlstm3(const Tensors& a, const Tensors& p, const CellState& before, Squash inner) {
  const Tensor time1 = sigmoid(a[0] + inner(a[5]));
  const Tensor time2 = sigmoid(a[1] + inner(a[6]));
  const Tensor i = sigmoid(a[2] + before.c * p[0]);
  const Tensor g = tanh(a[3]);
  const Tensor emitted = before.c + i * time1 * (g - before.c);
  return {(1 - i) * before.c + i * time2 * g, sigmoid(a[4] + emitted * p[1]) * tanh(emitted)};
}

CellState phased(const Tensors& a, const Tensors& p, const CellState& before, Squash /*inner*/) {
  const Tensor i = sigmoid(a[0] + before.c * p[0]);
  const Tensor f = sigmoid(a[1] + before.c * p[1]);
  const Tensor proposed = f * before.c + i * tanh(a[2]);
  const Tensor o = sigmoid(a[3] + proposed * p[2]);
  const Tensor& open = a[4];
  return {before.c + open * (proposed - before.c), before.h + open * (o * tanh(proposed) - before.h)};
}

constexpr ScanFormula kFormulas[] = {
    {"tlstm1", tlstm1}, {"tlstm2", tlstm2}, {"tlstm3", tlstm3}, {"phased", phased}};

}  // namespace

std::span<const ScanFormula> scan_formulas() { return kFormulas; }

}  // namespace t2v::onnx
