#pragma once

#include <vector>

#include "export/graph.h"

// The operators of ONNX that models are made of, as functions of tensors, which broadcast as NumPy's do. The
// node is added to the graph of the first tensor. Numbers beside tensors are of their type.
namespace t2v::onnx {

Tensor operator+(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& a, const Tensor& b);
Tensor operator*(const Tensor& a, const Tensor& b);
Tensor operator+(const Tensor& a, double b);
Tensor operator-(const Tensor& a, double b);
Tensor operator-(double a, const Tensor& b);
Tensor operator*(const Tensor& a, double b);
Tensor operator/(const Tensor& a, double b);

Tensor operator<(const Tensor& a, const Tensor& b);
Tensor operator<=(const Tensor& a, double b);
Tensor operator>=(const Tensor& a, double b);
Tensor operator<(const Tensor& a, double b);
Tensor equal(const Tensor& a, double b);
Tensor equal(const Tensor& a, const Tensor& b);
Tensor both(const Tensor& a, const Tensor& b);
Tensor either(const Tensor& a, const Tensor& b);
Tensor opposite(const Tensor& a);

Tensor abs(const Tensor& x);
Tensor floor(const Tensor& x);
/// To the nearest integer, of two to the even one.
Tensor round(const Tensor& x);
Tensor exp(const Tensor& x);
Tensor log(const Tensor& x);
Tensor sin(const Tensor& x);
Tensor cos(const Tensor& x);
Tensor sigmoid(const Tensor& x);
Tensor tanh(const Tensor& x);
Tensor is_nan(const Tensor& x);

Tensor where(const Tensor& condition, const Tensor& yes, const Tensor& no);
Tensor where(const Tensor& condition, const Tensor& yes, double no);
Tensor cast(const Tensor& x, Type type);
Tensor matmul(const Tensor& a, const Tensor& b);
/// Along the last dimension.
Tensor softmax(const Tensor& x);
Tensor sum_last(const Tensor& x);

Tensor shape_of(const Tensor& x);
Tensor unsqueeze(const Tensor& x, int64_t axis);
Tensor squeeze(const Tensor& x, int64_t axis);
/// The first two dimensions in exchange, of `rank`.
Tensor exchange_first(const Tensor& x, int rank);
Tensor expand(const Tensor& x, const Tensor& shape);
Tensor concat(const std::vector<Tensor>& parts, int64_t axis);
/// Parts of these sizes along the last dimension.
std::vector<Tensor> split_last(const Tensor& x, const std::vector<int64_t>& sizes);
/// Rows of a table [rows, ...] by their numbers.
Tensor gather(const Tensor& table, const Tensor& numbers);
/// Rows of zeros and a one, [..., count], for numbers below `count`.
Tensor one_hot(const Tensor& numbers, int64_t count);
/// Element i of a list of integers, as a scalar.
Tensor element(const Tensor& list, int64_t i);
/// 0, 1, ..., count - 1 for a scalar of type int64.
Tensor range(const Tensor& count);

}  // namespace t2v::onnx
