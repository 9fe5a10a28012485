#include "export/operators.h"

#include <numeric>

namespace t2v::onnx {
namespace {

Tensor number(const Tensor& like, double value) { return like.graph->scalar(like.type, value); }

Tensor unary(const char* op, const Tensor& x) { return x.graph->node(op, {x}); }
Tensor binary(const char* op, const Tensor& a, const Tensor& b) { return a.graph->node(op, {a, b}); }
Tensor comparison(const char* op, const Tensor& a, const Tensor& b) {
  return a.graph->node(Type::kBool, op, {a, b});
}

}  // namespace

Tensor operator+(const Tensor& a, const Tensor& b) { return binary("Add", a, b); }
Tensor operator-(const Tensor& a, const Tensor& b) { return binary("Sub", a, b); }
Tensor operator*(const Tensor& a, const Tensor& b) { return binary("Mul", a, b); }
Tensor operator+(const Tensor& a, double b) { return a + number(a, b); }
Tensor operator-(const Tensor& a, double b) { return a - number(a, b); }
Tensor operator-(double a, const Tensor& b) { return number(b, a) - b; }
Tensor operator*(const Tensor& a, double b) { return a * number(a, b); }
Tensor operator/(const Tensor& a, double b) { return binary("Div", a, number(a, b)); }

Tensor operator<(const Tensor& a, const Tensor& b) { return comparison("Less", a, b); }
Tensor operator<=(const Tensor& a, double b) { return comparison("LessOrEqual", a, number(a, b)); }
Tensor operator>=(const Tensor& a, double b) { return comparison("GreaterOrEqual", a, number(a, b)); }
Tensor operator<(const Tensor& a, double b) { return a < number(a, b); }
Tensor equal(const Tensor& a, double b) { return equal(a, number(a, b)); }
Tensor equal(const Tensor& a, const Tensor& b) { return comparison("Equal", a, b); }
Tensor both(const Tensor& a, const Tensor& b) { return binary("And", a, b); }
Tensor either(const Tensor& a, const Tensor& b) { return binary("Or", a, b); }
Tensor opposite(const Tensor& a) { return unary("Not", a); }

Tensor abs(const Tensor& x) { return unary("Abs", x); }
Tensor floor(const Tensor& x) { return unary("Floor", x); }
Tensor round(const Tensor& x) { return unary("Round", x); }
Tensor exp(const Tensor& x) { return unary("Exp", x); }
Tensor log(const Tensor& x) { return unary("Log", x); }
Tensor sin(const Tensor& x) { return unary("Sin", x); }
Tensor cos(const Tensor& x) { return unary("Cos", x); }
Tensor sigmoid(const Tensor& x) { return unary("Sigmoid", x); }
Tensor tanh(const Tensor& x) { return unary("Tanh", x); }
Tensor is_nan(const Tensor& x) { return x.graph->node(Type::kBool, "IsNaN", {x}); }

Tensor where(const Tensor& condition, const Tensor& yes, const Tensor& no) {
  return condition.graph->node(yes.type, "Where", {condition, yes, no});
}
Tensor where(const Tensor& condition, const Tensor& yes, double no) {
  return where(condition, yes, number(yes, no));
}
Tensor cast(const Tensor& x, Type type) {
  return x.graph->node(type, "Cast", {x}, {{"to", static_cast<int64_t>(type)}});
}
Tensor matmul(const Tensor& a, const Tensor& b) { return binary("MatMul", a, b); }
Tensor softmax(const Tensor& x) { return x.graph->node("Softmax", {x}, {{"axis", int64_t{-1}}}); }
Tensor sum_last(const Tensor& x) {
  return x.graph->node("ReduceSum", {x, x.graph->integers({-1})}, {{"keepdims", int64_t{0}}});
}

Tensor shape_of(const Tensor& x) { return x.graph->node(Type::kInt64, "Shape", {x}); }
Tensor unsqueeze(const Tensor& x, int64_t axis) {
  return x.graph->node("Unsqueeze", {x, x.graph->integers({axis})});
}
Tensor squeeze(const Tensor& x, int64_t axis) {
  return x.graph->node("Squeeze", {x, x.graph->integers({axis})});
}
Tensor exchange_first(const Tensor& x, int rank) {
  std::vector<int64_t> order(static_cast<std::size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[0], order[1]);
  return x.graph->node("Transpose", {x}, {{"perm", order}});
}
Tensor expand(const Tensor& x, const Tensor& shape) { return x.graph->node("Expand", {x, shape}); }
Tensor concat(const std::vector<Tensor>& parts, int64_t axis) {
  if (parts.size() == 1) return parts.front();
  return parts.front().graph->node("Concat", parts, {{"axis", axis}});
}
std::vector<Tensor> split_last(const Tensor& x, const std::vector<int64_t>& sizes) {
  if (sizes.size() == 1) return {x};
  return x.graph->nodes(static_cast<int>(sizes.size()), "Split", {x, x.graph->integers(sizes)},
                        {{"axis", int64_t{-1}}});
}
Tensor gather(const Tensor& table, const Tensor& numbers) {
  return table.graph->node("Gather", {table, numbers}, {{"axis", int64_t{0}}});
}
Tensor one_hot(const Tensor& numbers, int64_t count) {
  std::vector<int64_t> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return cast(equal(unsqueeze(numbers, -1), numbers.graph->integers(all)), Type::kFloat);
}
Tensor element(const Tensor& list, int64_t i) {
  return list.graph->node("Gather", {list, list.graph->scalar(Type::kInt64, static_cast<double>(i))});
}
Tensor range(const Tensor& count) {
  return count.graph->node("Range", {number(count, 0), count, number(count, 1)});
}

}  // namespace t2v::onnx
