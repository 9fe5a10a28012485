#include "export/standard_cell.h"

#include <array>

#include "export/operators.h"
#include "export/sources.h"

namespace t2v::onnx {
namespace {

using Numbers = std::vector<float>;

std::size_t at_of(int64_t i) { return static_cast<std::size_t>(i); }

/// Column blocks of weights [rows, ...], chosen and transposed: [blocks * H, rows].
void append_transposed(Numbers& out, std::span<const float> weights, int64_t rows,
                       const std::vector<int>& blocks, int64_t hidden) {
  const int64_t columns = static_cast<int64_t>(weights.size()) / rows;
  for (const int block : blocks) {
    for (int64_t j = block * hidden; j < (block + 1) * hidden; ++j) {
      for (int64_t row = 0; row < rows; ++row) out.push_back(weights[at_of(row * columns + j)]);
    }
  }
}

Numbers identity(int64_t n) {
  Numbers ones(at_of(n * n), 0);
  for (int64_t i = 0; i < n; ++i) ones[at_of(i * n + i)] = 1;
  return ones;
}

/// All sources side by side, and their weights below each other.
struct Stacked {
  Tensor from;      // [T, B, rows]
  Numbers weights;  // [rows, columns]
  int64_t rows = 0;
};

Stacked stacked(const Sources& sources) {
  Stacked all;
  std::vector<Tensor> parts;
  for (const auto* list : {&sources.inputs, &sources.times}) {
    for (const Source& source : *list) {
      parts.push_back(source.from);
      const Numbers ones = source.weights.empty() ? identity(source.columns) : Numbers{};
      const Numbers& weights = source.weights.empty() ? ones : source.weights;
      all.weights.insert(all.weights.end(), weights.begin(), weights.end());
      all.rows += source.rows;
    }
  }
  all.from = concat(parts, -1);
  return all;
}

/// The constants of an operator, from the tensors of a layer.
class Constants {
 public:
  Constants(Graph& graph, const StandardCell& cell, std::size_t layer, const Model& model,
            const nn::Parameters<float>& parameters)
      : graph_(graph),
        cell_(cell),
        recurrent_(model.layers()[layer]),
        layout_(model.layout()),
        prefix_(Model::layer_prefix(layer)),
        parameters_(parameters) {}

  Tensor input_weights(const Stacked& sources) {
    Numbers numbers;
    append_transposed(numbers, sources.weights, sources.rows, cell_.input, hidden());
    return constant(".W", numbers, {1, gates() * hidden(), sources.rows});
  }

  Tensor hidden_weights() {
    Numbers numbers;
    append_transposed(numbers, values(".hidden"), hidden(), cell_.hidden, hidden());
    return constant(".R", numbers, {1, gates() * hidden(), hidden()});
  }

  /// Ours are added up, but for blocks that the previous state alone feeds.
  Tensor biases() {
    nn::Recurrent::Prepared<float> prepared;
    recurrent_.prepare(prepared, layout_, parameters_);
    const int first_hidden = recurrent_.cell().hidden.begin;
    Numbers numbers;
    const auto append = [&](int block, bool acts) {
      for (int64_t j = 0; j < hidden(); ++j) {
        numbers.push_back(acts ? prepared.base[block * hidden() + j] : 0);
      }
    };
    for (const int block : cell_.input) append(block, true);
    for (const int block : cell_.hidden) {
      const int ours = first_hidden + block;
      append(ours, ours >= recurrent_.cell().input.end);
    }
    return constant(".B", numbers, {1, 2 * gates() * hidden()});
  }

  Tensor peepholes() {
    if (cell_.vectors.empty()) return {};
    Numbers numbers;
    append_transposed(numbers, values(".vectors"), 1, cell_.vectors, hidden());
    return constant(".P", numbers, {1, static_cast<int64_t>(numbers.size())});
  }

 private:
  int64_t hidden() const { return recurrent_.hidden(); }
  int64_t gates() const { return static_cast<int64_t>(cell_.input.size()); }
  std::span<const float> values(const char* name) const {
    const nn::Tensor& tensor = layout_[layout_.find(prefix_ + name)];
    return {parameters_.data(tensor), at_of(tensor.size())};
  }
  Tensor constant(const char* name, const Numbers& numbers, const std::vector<int64_t>& shape) {
    return graph_.constant(prefix_ + name, std::span<const float>(numbers), shape);
  }

  Graph& graph_;
  const StandardCell& cell_;
  const nn::Recurrent& recurrent_;
  const nn::Layout& layout_;
  std::string prefix_;
  const nn::Parameters<float>& parameters_;
};

}  // namespace

const StandardCell* find_standard_cell(std::string_view name) {
  // Ours: i, f, g, o and peepholes i, f, o; of the GRU n, r, z by inputs and r, z, m by the previous state.
  static const std::array kCells = {
      StandardCell{"lstm", "LSTM", {0, 3, 1, 2}, {0, 3, 1, 2}, {}, true},
      StandardCell{"peephole", "LSTM", {0, 3, 1, 2}, {0, 3, 1, 2}, {0, 2, 1}, true},
      StandardCell{"gru", "GRU", {2, 1, 0}, {1, 0, 2}, {}, false, {{"linear_before_reset", int64_t{1}}}},
  };
  for (const StandardCell& cell : kCells) {
    if (cell.name == name) return &cell;
  }
  return nullptr;
}

LayerTensors add_standard_layer(const StandardCell& cell, const EventTensors& events, const Tensor& below,
                                const CellState& before, std::size_t layer, const Model& model,
                                const nn::Parameters<float>& parameters) {
  Graph& graph = *events.sizes.graph;
  const EventRows rows{events.event, events.features, events.times};
  const Stacked sources = stacked(sources_of(rows, below, layer, EventForm::kNarrower, model, parameters));
  Constants constants(graph, cell, layer, model, parameters);
  std::vector<Tensor> inputs = {sources.from, constants.input_weights(sources), constants.hidden_weights(),
                                constants.biases()};
  inputs.push_back(events.single_step ? Tensor{} : cast(events.lengths, Type::kInt32));
  inputs.push_back(before.h ? unsqueeze(before.h, 0) : Tensor{});
  if (cell.has_cell) {
    inputs.push_back(before.c ? unsqueeze(before.c, 0) : Tensor{});
    inputs.push_back(constants.peepholes());
  }
  std::vector<Attribute> attributes = cell.attributes;
  attributes.push_back({"hidden_size", model.layers()[layer].hidden()});
  const std::vector<Tensor> made = graph.nodes(cell.has_cell ? 3 : 2, cell.op, inputs, attributes);
  const Tensor h = squeeze(made[1], 0);
  return {squeeze(made[0], 1), {cell.has_cell ? squeeze(made[2], 0) : h, h}};
}

}  // namespace t2v::onnx
