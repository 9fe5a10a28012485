#include "export/pool.h"

#include <limits>

#include "export/operators.h"

namespace t2v::onnx {
namespace {

PoolTensors after_step(const Tensor& h, const PoolTensors& before) {
  const Tensor larger = h.graph->node("Max", {before.max, h});
  return {before.sum + h, where(equal(before.count, 0), h, larger), before.count + 1};
}

}  // namespace

PoolTensors add_pool(const EventTensors& events, const LayerTensors& top, const PoolTensors& before) {
  if (events.single_step) return after_step(top.after.h, before);
  Graph& graph = *events.sizes.graph;
  const Tensor there = unsqueeze(events.there, -1);
  const Tensor lowest = where(there, top.all, static_cast<double>(std::numeric_limits<float>::lowest()));
  return {
      graph.node("ReduceSum", {where(there, top.all, 0), graph.integers({0})}, {{"keepdims", int64_t{0}}}),
      graph.node("ReduceMax", {lowest}, {{"axes", std::vector<int64_t>{0}}, {"keepdims", int64_t{0}}}),
      unsqueeze(cast(events.lengths, Type::kFloat), 1)};
}

Tensor seen_by_heads(const LayerTensors& top, const PoolTensors& pool) {
  const Tensor mean = pool.sum.graph->node("Div", {pool.sum, pool.count});
  return concat({top.after.h, mean, pool.max}, -1);
}

}  // namespace t2v::onnx
