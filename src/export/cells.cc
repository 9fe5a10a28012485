#include "export/cells.h"

#include "base/named.h"
#include "export/operators.h"
#include "export/scan_formulas.h"
#include "export/sources.h"
#include "export/standard_cell.h"
#include "export/times.h"

namespace t2v::onnx {
namespace {

/// Adds up, for each column block of a cell, what several sources give it.
class BlockSums {
 public:
  BlockSums(int blocks, int64_t hidden) : hidden_(hidden), sums_(static_cast<std::size_t>(blocks)) {}

  /// `sums` [..., count * H] of neighbouring blocks.
  void add(nn::Blocks blocks, const Tensor& sums) {
    const std::vector<Tensor> parts =
        split_last(sums, std::vector<int64_t>(static_cast<std::size_t>(blocks.count()), hidden_));
    for (int b = blocks.begin; b < blocks.end; ++b) {
      Tensor& sum = sums_[static_cast<std::size_t>(b)];
      const Tensor& part = parts[static_cast<std::size_t>(b - blocks.begin)];
      sum = sum ? sum + part : part;
    }
  }

  /// Zero where nothing was added.
  std::vector<Tensor> all(Graph& graph) const {
    std::vector<Tensor> all = sums_;
    for (Tensor& sum : all) {
      if (!sum) sum = graph.scalar(Type::kFloat, 0);
    }
    return all;
  }

 private:
  int64_t hidden_;
  std::vector<Tensor> sums_;
};

/// A layer of a cell that is no operator of ONNX: sums of the inputs for all steps at once, then step by
/// step.
class ScanLayer {
 public:
  ScanLayer(EventTensors& events, std::size_t layer, const Model& model,
            const nn::Parameters<float>& parameters)
      : events_(events),
        recurrent_(model.layers()[layer]),
        cell_(recurrent_.cell()),
        formula_(find_named(scan_formulas(), cell_.name, "cell of ONNX")),
        prefix_(Model::layer_prefix(layer)),
        layer_(layer),
        model_(model),
        parameters_(parameters),
        graph_(*events.sizes.graph) {}

  LayerTensors add(const Tensor& below, const CellState& before) {
    add_constants();
    add_sums(below);
    return events_.single_step ? one_step(before) : all_steps(before);
  }

 private:
  std::span<const float> values(const nn::Tensor& tensor) const {
    return {parameters_.data(tensor), static_cast<std::size_t>(tensor.size())};
  }

  void add_constants() {
    const nn::Layout& layout = model_.layout();
    const nn::Tensor& hidden = layout[layout.find(prefix_ + ".hidden")];
    hidden_weights_ = graph_.constant(hidden.name, values(hidden), {hidden.rows, hidden.cols});
    const int64_t units = recurrent_.hidden();
    if (cell_.vectors > 0) {
      const nn::Tensor& vectors = layout[layout.find(prefix_ + ".vectors")];
      for (int v = 0; v < cell_.vectors; ++v) {
        const auto row =
            values(vectors).subspan(static_cast<std::size_t>(v * units), static_cast<std::size_t>(units));
        vectors_.push_back(graph_.constant(fmt::format("{}.{}", vectors.name, v), row, {units}));
      }
    }
  }

  /// The biases act on the blocks that the inputs feed; the previous state feeds some of these.
  Tensor bias() {
    nn::Recurrent::Prepared<float> prepared;
    recurrent_.prepare(prepared, model_.layout(), parameters_);
    const nn::Columns columns = recurrent_.columns_of(cell_.input);
    const std::span<const float> base(prepared.base.data() + columns.begin,
                                      static_cast<std::size_t>(columns.count()));
    return graph_.constant(prefix_ + ".bias", base, {columns.count()});
  }

  void add_sums(const Tensor& below) {
    const EventRows rows{events_.event, events_.features, events_.times};
    const Sources sources = sources_of(rows, below, layer_, EventForm::kRow, model_, parameters_);
    const Tensor inputs = sum_of_products(sources.inputs);
    bias_ = bias();
    if (inputs) scanned_.push_back({cell_.input, inputs + bias_});
    if (!sources.times.empty()) scanned_.push_back({cell_.time, sum_of_products(sources.times)});
    has_bias_ = static_cast<bool>(inputs);
    if (!recurrent_.clock()) return;
    const Tensor& tau = events_.taus[static_cast<std::size_t>(TimeInput::kStart)];
    scanned_.push_back({{cell_.clock, cell_.clock + 1},
                        add_clock(events_, tau, prefix_, *recurrent_.clock(), model_.layout(), parameters_)});
  }

  /// One step in a graph: from the sums of its inputs, [B, ...] each.
  CellState step(Graph& graph, const std::vector<Tensor>& sums, const CellState& before) const {
    BlockSums blocks(cell_.blocks, recurrent_.hidden());
    for (std::size_t i = 0; i < sums.size(); ++i) blocks.add(scanned_[i].blocks, sums[i]);
    if (!has_bias_) blocks.add(cell_.input, graph.outer(bias_));
    blocks.add(cell_.hidden, matmul(before.h, graph.outer(hidden_weights_)));
    std::vector<Tensor> vectors;
    for (const Tensor& vector : vectors_) vectors.push_back(graph.outer(vector));
    return formula_.step(blocks.all(graph), vectors, before, cell_.inner == "tanh" ? tanh : sigmoid);
  }

  LayerTensors one_step(const CellState& before) {
    std::vector<Tensor> sums;
    for (const Scanned& scanned : scanned_) sums.push_back(squeeze(scanned.sums, 0));
    const CellState after = step(graph_, sums, before);
    return {unsqueeze(after.h, 0), after};
  }

  LayerTensors all_steps(const CellState& before) {
    Graph body(prefix_);
    const Shape state_shape = {"batch", recurrent_.hidden()};
    const CellState inner{body.input("c", Type::kFloat, state_shape, ""),
                          body.input("h", Type::kFloat, state_shape, "")};
    std::vector<Tensor> given = {start_of(before.c), start_of(before.h)};
    std::vector<Tensor> sums;
    for (const Scanned& scanned : scanned_) {
      const int64_t width = scanned.blocks.count() * recurrent_.hidden();
      sums.push_back(body.input("sums", Type::kFloat, {"batch", width}, ""));
      given.push_back(scanned.sums);
    }
    const Tensor there = body.input("there", Type::kBool, {"batch", int64_t{1}}, "");
    given.push_back(unsqueeze(events_.there, -1));
    const CellState made = step(body, sums, inner);
    // A sequence that has ended keeps its state.
    const CellState kept{where(there, made.c, inner.c), where(there, made.h, inner.h)};
    body.output(kept.c, "c", state_shape, "");
    body.output(kept.h, "h", state_shape, "");
    body.output(kept.h, "all", state_shape, "");
    const auto scanned_count = static_cast<int64_t>(given.size()) - 2;
    const std::vector<Tensor> out =
        graph_.nodes(3, "Scan", given, {{"body", &body}, {"num_scan_inputs", scanned_count}});
    return {out[2], {out[0], out[1]}};
  }

  Tensor start_of(const Tensor& state) {
    if (state) return state;
    const Tensor batch = unsqueeze(element(events_.sizes, 1), 0);
    return expand(graph_.scalar(Type::kFloat, 0), concat({batch, graph_.integers({recurrent_.hidden()})}, 0));
  }

  struct Scanned {
    nn::Blocks blocks;
    Tensor sums;  // [T, B, count * H]
  };

  EventTensors& events_;
  const nn::Recurrent& recurrent_;
  const nn::Cell& cell_;
  const ScanFormula& formula_;
  std::string prefix_;
  std::size_t layer_;
  const Model& model_;
  const nn::Parameters<float>& parameters_;
  Graph& graph_;
  Tensor hidden_weights_;
  Tensor bias_;
  bool has_bias_ = false;  // within the scanned sums
  std::vector<Tensor> vectors_;
  std::vector<Scanned> scanned_;
};

}  // namespace

LayerTensors add_layer(EventTensors& events, const Tensor& below, const CellState& before, std::size_t layer,
                       const Model& model, const nn::Parameters<float>& parameters) {
  const nn::Recurrent& recurrent = model.layers()[layer];
  if (const StandardCell* standard = find_standard_cell(recurrent.cell().name)) {
    return add_standard_layer(*standard, events, below, before, layer, model, parameters);
  }
  return ScanLayer(events, layer, model, parameters).add(below, before);
}

}  // namespace t2v::onnx
