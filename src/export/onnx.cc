#include "export/onnx.h"

#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "export/cells.h"
#include "export/heads.h"
#include "export/notes.h"
#include "export/operators.h"
#include "export/pool.h"
#include "export/rules.h"
#include "export/times.h"
#include "model/targets.h"

namespace t2v {
namespace {

using onnx::CellState;
using onnx::EventTensors;
using onnx::Graph;
using onnx::LayerTensors;
using onnx::Tensor;

void check_places(const TrainedModel& model, const OnnxConfig& config) {
  if (model.forecaster) {
    fail(
        "a forecast in closed form is no graph of a network; use `predict`, or train a network by naming a "
        "`cell`");
  }
  if (config.single_step && config.every_event) {
    fail("a single step has one event, after which it predicts; leave `every_event` out");
  }
  if (!config.every_event) return;
  for (const nn::HeadConfig& head : model.config.heads) {
    if (Targets(head).at_each_event()) continue;
    fail("the model predicts once a sequence, so not at every event; leave `every_event` out");
  }
}

/// A model that would find its own training data out of range is of no use.
void check_phases(const TrainedModel& trained, const Model& model) {
  const auto span = trained.training->find("span");
  if (span == trained.training->end() || !span->is_number()) return;
  for (const nn::TimeEncoder* encoder : model.encoders()) {
    if (!encoder->learned()) continue;
    const double omega = onnx::largest_omega(*encoder, model.layout(), trained.parameters);
    if (omega * span->get<double>() <= kMaxOnnxPhase) continue;
    fail(
        "a frequency of {:g} over the {:g} units of time of the training data is {:g} rad; ONNX has exact "
        "phases "
        "up to {:g}. Train with slower frequencies (`omega_init` span), or use t2v itself, which goes to "
        "1e12",
        omega, span->get<double>(), omega * span->get<double>(), kMaxOnnxPhase);
  }
}

void check_events(const TrainedModel& model) {
  if (model.config.event_rows == 0) return;
  fail(
      "the model takes events of one time together, or scales values by type, which ONNX graphs do not; use "
      "t2v itself, or train with `together` no and `typed_values` no");
}

void check_size(const Model& model) {
  constexpr int64_t kMost = (int64_t{1} << 31) / static_cast<int64_t>(sizeof(float));
  if (model.layout().parameter_count() <= kMost) return;
  fail("the model has {} parameters; the format of ONNX allows at most 2 GiB, {} of them",
       model.layout().parameter_count(), kMost);
}

/// Puts the graph of a model together.
class ModelGraph {
 public:
  ModelGraph(const TrainedModel& trained, const Model& model, const OnnxConfig& config)
      : trained_(trained),
        model_(model),
        config_(config),
        every_event_(config.every_event ||
                     (trained.values == data::ValueTarget::kOfEvent && !config.single_step)) {}

  const Graph& make() {
    EventTensors events = onnx::add_events(graph_, trained_, model_, config_.single_step);
    const std::vector<CellState> before = states_before();
    std::vector<LayerTensors> layers;
    for (std::size_t i = 0; i < model_.layers().size(); ++i) {
      const Tensor below = i == 0 ? Tensor{} : layers.back().all;
      layers.push_back(onnx::add_layer(events, below, before[i], i, model_, trained_.parameters));
    }
    const onnx::Places places(events, every_event_);
    onnx::PoolTensors pool;
    if (model_.pools()) pool = onnx::add_pool(events, layers.back(), pool_before_);
    onnx::add_heads(places, events, seen(layers, pool), trained_, model_);
    if (!layers.empty()) add_state(events, places, layers, pool);
    return graph_;
  }

 private:
  int64_t state_size() const {
    const int64_t hidden = model_.config().hidden;
    return static_cast<int64_t>(model_.layers().size()) * 2 * hidden + (model_.pools() ? 2 * hidden + 1 : 0);
  }

  /// What heads see of the uppermost layer.
  Tensor seen(const std::vector<LayerTensors>& layers, const onnx::PoolTensors& pool) const {
    if (layers.empty()) return {};
    if (pool.sum) return onnx::seen_by_heads(layers.back(), pool);
    return every_event_ ? layers.back().all : layers.back().after.h;
  }

  /// For a single step: c and h of each layer, as they come in.
  std::vector<CellState> states_before() {
    std::vector<CellState> states(model_.layers().size());
    if (!config_.single_step || states.empty()) return states;
    state_ = graph_.input("state", onnx::Type::kFloat, {"batch", state_size()},
                          "what came out before; zeros for a new sequence");
    std::vector<int64_t> sizes(2 * states.size() + (model_.pools() ? 2 : 0), model_.config().hidden);
    if (model_.pools()) sizes.push_back(1);
    const std::vector<Tensor> parts = split_last(state_, sizes);
    const std::size_t pool = 2 * states.size();
    if (model_.pools()) pool_before_ = {parts[pool], parts[pool + 1], parts[pool + 2]};
    for (std::size_t i = 0; i < states.size(); ++i) states[i] = {parts[2 * i], parts[2 * i + 1]};
    return states;
  }

  /// The state after the last event. An event out of range leaves that of a single step as it was.
  void add_state(const EventTensors& events, const onnx::Places& places,
                 const std::vector<LayerTensors>& layers, const onnx::PoolTensors& pool) {
    std::vector<Tensor> parts;
    for (const LayerTensors& layer : layers) {
      parts.push_back(layer.after.c);
      parts.push_back(layer.after.h);
    }
    if (pool.sum) parts.insert(parts.end(), {pool.sum, pool.max, pool.count});
    Tensor state = onnx::concat(parts, -1);
    const onnx::Shape shape = {"batch", state_size()};
    if (config_.single_step) {
      if (places.good()) state = onnx::where(onnx::unsqueeze(places.good(), -1), state, state_);
      graph_.output(state, "next_state", shape, "the state after the event");
      return;
    }
    const onnx::Places last(events, false);
    last.output(state, "state", state_size(), "the state after the last event, for a graph of a single step");
  }

  const TrainedModel& trained_;
  const Model& model_;
  const OnnxConfig& config_;
  bool every_event_;
  Graph graph_{""};
  Tensor state_;
  onnx::PoolTensors pool_before_;
};

}  // namespace

OnnxFile to_onnx(const TrainedModel& trained, const OnnxConfig& config) {
  check_places(trained, config);
  check_events(trained);
  const Model model = network_of(trained);
  check_size(model);
  onnx::check_rules(model);
  check_phases(trained, model);
  ModelGraph made(trained, model, config);
  const Graph& graph = made.make();
  return {onnx::file_of(graph, onnx::about(trained, config), onnx::notes_of(trained, config)), graph.inputs(),
          graph.outputs()};
}

OnnxFile export_onnx(FileSystem& files, const std::string& path, const TrainedModel& trained,
                     const OnnxConfig& config) {
  OnnxFile file = to_onnx(trained, config);
  write_file_atomically(files, path, file.bytes);
  return file;
}

}  // namespace t2v
