#include "export/sources.h"

#include <algorithm>

#include "export/operators.h"

namespace t2v::onnx {
namespace {

std::string prefix_of(std::size_t input, const Model& model) {
  if (input < model.layers().size()) return Model::layer_prefix(input);
  return model.layers().empty() ? "head" : "skip";
}

Source source_of(const Tensor& from, const nn::Tensor& tensor, const nn::Parameters<float>& parameters) {
  const float* weights = parameters.data(tensor);
  return {tensor.name, from, {weights, weights + tensor.size()}, tensor.rows, tensor.cols};
}

Source event_source(const Tensor& event, EventForm form, const nn::Tensor& table,
                    const nn::Parameters<float>& parameters) {
  if (form == EventForm::kNarrower && table.rows <= table.cols) {
    return source_of(one_hot(event, table.rows), table, parameters);
  }
  const std::span<const float> rows(parameters.data(table), static_cast<std::size_t>(table.size()));
  const Tensor constant = event.graph->constant(table.name, rows, {table.rows, table.cols});
  return {table.name, gather(constant, event), {}, table.cols, table.cols};
}

}  // namespace

Sources sources_of(const EventRows& rows, const Tensor& below, std::size_t input, EventForm form,
                   const Model& model, const nn::Parameters<float>& parameters) {
  const nn::Layout& layout = model.layout();
  const nn::Input& of = model.inputs()[input];
  const std::string prefix = prefix_of(input, model);
  Sources sources;
  if (of.event_table() >= 0) {
    sources.inputs.push_back(event_source(rows.event, form, layout[of.event_table()], parameters));
  }
  if (of.shape().features > 0) {
    sources.inputs.push_back(source_of(rows.features, layout[layout.find(prefix + ".features")], parameters));
  }
  if (of.shape().below > 0) {
    sources.inputs.push_back(source_of(below, layout[layout.find(prefix + ".below")], parameters));
  }
  nn::Input::Prepared<float> prepared;
  of.prepare(prepared, layout, parameters);
  for (std::size_t i = 0; i < of.time_weights().size(); ++i) {
    sources.times.push_back(source_of(rows.times[i], layout[of.time_weights()[i]], parameters));
    if (prepared.time_weights.empty()) continue;  // they act as they are
    std::copy_n(prepared.time_weights[i].data(), sources.times[i].weights.size(),
                sources.times[i].weights.begin());
  }
  return sources;
}

Tensor sum_of_products(const std::vector<Source>& sources) {
  Tensor sum;
  for (const Source& source : sources) {
    Tensor product = source.from;
    if (!source.weights.empty()) {
      const std::span<const float> weights(source.weights);
      product =
          matmul(source.from, product.graph->constant(source.name, weights, {source.rows, source.columns}));
    }
    sum = sum ? sum + product : product;
  }
  return sum;
}

}  // namespace t2v::onnx
