#include "export/heads.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "export/operators.h"
#include "export/rules.h"
#include "export/sources.h"
#include "model/prediction.h"

namespace t2v::onnx {
namespace {

/// The heads of a model, each with its outputs.
class Heads {
 public:
  Heads(const Places& places, const TrainedModel& trained) : places_(places), trained_(trained) {}

  void add(const nn::HeadConfig& head, const Tensor& z) {
    switch (nn::head_from(head).target) {
      case nn::TargetKind::kClass:
        return add_classes(head, z);
      case nn::TargetKind::kValue:
        return add_value(z);
      case nn::TargetKind::kGap:
        return add_when(head, z);
    }
  }

 private:
  void add_classes(const nn::HeadConfig& head, const Tensor& z) {
    const std::string about = trained_.task == Task::kClassify
                                  ? "probability of each class of the note t2v.classes"
                                  : "probability that the next event is of each type of the note t2v.events";
    if (head.kind == "logistic") {
      output(concat({sigmoid(z * -1), sigmoid(z)}, -1), "probability", 2, about);
      return;
    }
    const int64_t answers = answers_of(trained_, head);
    const Tensor known = answers == head.classes ? z : split_last(z, {answers, head.classes - answers})[0];
    output(softmax(known), "probability", answers, about);
  }

  void add_value(const Tensor& z) {
    const data::NumberFeature scale = value_scale(trained_);
    const Tensor value = cast(squeeze(z, -1), Type::kDouble) * scale.std + scale.mean;
    output(value, "value", 0, "the number that is predicted, in the unit of the data");
  }

  void add_when(const nn::HeadConfig& head, const Tensor& z) {
    const int64_t components = head.components;
    std::vector<int64_t> sizes(3, components);
    if (head.atom) sizes.push_back(1);
    const std::vector<Tensor> parts = split_last(z, sizes);
    const Tensor share = softmax(cast(parts[0], Type::kDouble));
    const Tensor mu = cast(parts[1], Type::kDouble) * head.spread + head.centre;
    Tensor sigma = exp(cast(parts[2], Type::kDouble)) * head.spread;
    if (head.floor > 0) {
      const Tensor cell = sigmoid((mu - std::log(head.floor)) * -2) / (2 * std::numbers::pi);
      sigma = exp(log(sigma * sigma + cell) * 0.5);
    }
    Tensor mean = sum_last(share * exp(mu + sigma * sigma * 0.5));
    if (head.atom) {
      const Tensor zero = squeeze(sigmoid(cast(parts[3], Type::kDouble)), -1);
      mean = mean * (1 - zero);
      output(zero, "when_zero", 0, "probability that the next event comes at the same time");
    }
    output(share, "when_share", components,
           "share of each log-normal component of the time to the next event");
    output(mu, "when_mu", components, "mean of the logarithm of each component, in the model's unit");
    output(sigma, "when_sigma", components, "standard deviation of the logarithm of each component");
    output(mean, "when_mean", 0, "expected time to the next event, in the model's unit");
  }

  /// Of several heads of a kind the second is called probability2, and so on.
  void output(const Tensor& x, const std::string& name, int64_t numbers, std::string_view about) {
    const int count = ++counts_[name];
    places_.output(x, count == 1 ? name : name + std::to_string(count), numbers, about);
  }

  const Places& places_;
  const TrainedModel& trained_;
  std::map<std::string, int> counts_;
};

/// The weights and biases of all heads side by side.
struct HeadWeights {
  std::vector<int64_t> outputs;  // of each
  int64_t all = 0;
  int64_t inputs = 0;          // what the head sees that sees most
  std::vector<float> weights;  // [inputs, all]; none without a cell
  std::vector<float> bias;     // [all]
};

HeadWeights weights_of(const Model& model, const nn::Parameters<float>& parameters) {
  HeadWeights heads;
  const nn::Layout& layout = model.layout();
  const std::size_t count = model.config().heads.size();
  for (std::size_t head = 0; head < count; ++head) {
    heads.outputs.push_back(model.outputs(head));
    heads.all += model.outputs(head);
  }
  heads.bias.resize(static_cast<std::size_t>(heads.all));
  model.head_base(heads.bias.data(), parameters);
  heads.inputs = model.config().hidden * (model.pools() ? nn::kPoolParts : 1);
  for (int64_t row = 0; !model.layers().empty() && row < heads.inputs; ++row) {
    for (std::size_t head = 0; head < count; ++head) {
      const auto n = static_cast<std::size_t>(model.outputs(head));
      const bool sees = row < model.head_inputs(head);
      const float* all = parameters.data(layout[model.head_place(head).weights]);
      const float* from = all + (sees ? row : 0) * model.outputs(head);
      heads.weights.insert(heads.weights.end(), from, from + n);
      if (!sees) std::fill(heads.weights.end() - static_cast<std::ptrdiff_t>(n), heads.weights.end(), 0.0F);
    }
  }
  return heads;
}

/// What a head's hidden layer adds to its outputs.
Tensor hidden_of(const Places& places, const EventTensors& events, const Tensor& seen, std::size_t head,
                 const TrainedModel& trained, const Model& model) {
  const Model::HeadPlace place = model.head_place(head);
  const nn::Layout& layout = model.layout();
  const int64_t units = place.hidden->units();
  std::vector<Source> sources;
  const auto add = [&](const Tensor& from, int id) {
    const nn::Tensor& tensor = layout[id];
    const float* weights = trained.parameters.data(tensor);
    sources.push_back({tensor.name, from, {weights, weights + tensor.size()}, tensor.rows, tensor.cols});
  };
  if (place.hidden->below() >= 0) add(seen, place.hidden->below());
  for (std::size_t i = 0; place.hidden->timed() && i < events.next_times.size(); ++i) {
    add(places.of(events.next_times[i]), place.hidden->time_weights()[i]);
  }
  const nn::Tensor& bias = layout[place.hidden->bias()];
  const std::span<const float> biases(trained.parameters.data(bias), static_cast<std::size_t>(units));
  Tensor sums = events.sizes.graph->constant(bias.name, biases, {units});
  if (!sources.empty()) sums = sum_of_products(sources) + sums;
  sources.clear();
  add(tanh(sums), place.hidden_weights);
  return sum_of_products(sources);
}

}  // namespace

Places::Places(const EventTensors& events, bool every_event) : events_(events), every_event_(every_event) {
  Graph& graph = *events.sizes.graph;
  if (!events.single_step && !every_event) {
    const Tensor batch = range(element(events.sizes, 1));
    last_ = concat({unsqueeze(events.lengths - 1, 1), unsqueeze(batch, 1)}, 1);
  }
  if (!events.good) return;
  // A sequence is good until its first event that is not.
  const Tensor bad = cast(opposite(events.good), Type::kInt32);
  const Tensor so_far = graph.node("CumSum", {bad, graph.scalar(Type::kInt64, 0)});
  good_ = of(equal(so_far, 0));
}

Tensor Places::of(const Tensor& x) const {
  if (events_.single_step) return squeeze(x, 0);
  return every_event_ ? x : x.graph->node("GatherND", {x, last_});
}

void Places::output(const Tensor& x, const std::string& name, int64_t numbers, std::string_view about) const {
  Tensor made = x;
  const int rank = (every_event_ ? 2 : 1) + (numbers > 0 ? 1 : 0);
  if (good_) {
    made = where(numbers > 0 ? unsqueeze(good_, -1) : good_, x, std::numeric_limits<double>::quiet_NaN());
  }
  if (every_event_) made = exchange_first(made, rank);
  Shape shape = every_event_ ? Shape{"batch", "events"} : Shape{"batch"};
  if (numbers > 0) shape.emplace_back(numbers);
  x.graph->output(made, name, shape, about);
}

void add_heads(const Places& places, const EventTensors& events, const Tensor& seen,
               const TrainedModel& trained, const Model& model) {
  Graph& graph = *events.sizes.graph;
  const HeadWeights weights = weights_of(model, trained.parameters);
  std::vector<Source> sources;
  if (seen) sources.push_back({"heads.weight", seen, weights.weights, weights.inputs, weights.all});
  if (model.straight() >= 0) {
    EventRows rows;
    const nn::InputShape& shape = model.inputs().back().shape();
    if (shape.event_types > 0) rows.event = places.of(events.event);
    if (shape.features > 0) rows.features = places.of(events.features);
    for (const Tensor& time : events.times) rows.times.push_back(places.of(time));
    const auto input = static_cast<std::size_t>(model.straight());
    const Sources straight = sources_of(rows, {}, input, EventForm::kRow, model, trained.parameters);
    sources.insert(sources.end(), straight.inputs.begin(), straight.inputs.end());
    sources.insert(sources.end(), straight.times.begin(), straight.times.end());
  }
  const Tensor bias = graph.constant("heads.bias", std::span<const float>(weights.bias), {weights.all});
  const std::vector<Tensor> z = split_last(sum_of_products(sources) + bias, weights.outputs);
  Heads heads(places, trained);
  for (std::size_t head = 0; head < z.size(); ++head) {
    const Model::HeadPlace place = model.head_place(head);
    Tensor outputs = z[head];
    if (place.hidden != nullptr) outputs = outputs + hidden_of(places, events, seen, head, trained, model);
    if (place.rules >= 0) outputs = outputs + rules_of(places, events, head, trained, model);
    heads.add(model.config().heads[head], outputs);
  }
}

}  // namespace t2v::onnx
