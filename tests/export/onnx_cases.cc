// Writes models as ONNX with random inputs and what the library makes of them, for run_onnx.py to compare:
//   onnx_cases FOLDER
// A case is a folder with batch.onnx, step.onnx and, where there is a prediction at each event, every.onnx;
// and case.safetensors with the inputs "in.<name>" of all events one after another, sequences by "offsets",
// and what is expected at each of them, "out.<name>".
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/container_writer.h"
#include "made_export.h"
#include "pairs.h"

namespace t2v::testing {
namespace {

namespace fs = std::filesystem;

const std::vector<int64_t> kLengths = {1, 7, 3, 12, 5};
constexpr int64_t kHidden = 5;

/// What a graph is given, and the same as the library takes it.
struct Inputs {
  std::vector<int64_t> offsets = {0};
  std::map<std::string, std::vector<double>> numbers;  // by the name of the input
  std::map<std::string, std::vector<int64_t>> codes;
  std::array<std::vector<double>, kTimeInputs> times;
  std::vector<int32_t> events;
  std::vector<float> features;

  int64_t size() const { return offsets.back(); }
  /// All beginnings of all sequences, as sequences of their own: as many as there are events.
  Inputs beginnings() const {
    Inputs all;
    const std::size_t width = features.size() / static_cast<std::size_t>(size());
    const auto append = [](auto& to, const auto& from, std::size_t begin, std::size_t end) {
      if (!from.empty())
        to.insert(to.end(), from.begin() + std::ptrdiff_t(begin), from.begin() + std::ptrdiff_t(end));
    };
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
      const auto begin = static_cast<std::size_t>(offsets[s]);
      for (std::size_t end = begin + 1; end <= static_cast<std::size_t>(offsets[s + 1]); ++end) {
        all.offsets.push_back(all.offsets.back() + static_cast<int64_t>(end - begin));
        for (std::size_t i = 0; i < kTimeInputs; ++i) append(all.times[i], times[i], begin, end);
        append(all.events, events, begin, end);
        append(all.features, features, begin * width, end * width);
      }
    }
    return all;
  }
  SequenceBatch view() const {
    SequenceBatch batch;
    batch.offsets = offsets;
    for (std::size_t i = 0; i < kTimeInputs; ++i) batch.times[i] = times[i];
    batch.events = events;
    batch.features = features;
    return batch;
  }
};

/// Draws inputs for a model: numbers with gaps, codes that are known or, where they may be, not.
class Drawer {
 public:
  Drawer(const TrainedModel& model, uint64_t seed) : model_(model), random_(seed) {}

  Inputs draw(const std::vector<int64_t>& lengths, double first_time) {
    for (const int64_t length : lengths) inputs_.offsets.push_back(inputs_.offsets.back() + length);
    draw_times(lengths, first_time);
    const data::Encoding& encoding = model_.encoding;
    if (model_.config.event_types > 0) {
      inputs_.codes["event"] = codes(*encoding.event, inputs_.size());
      for (int64_t& code : inputs_.codes["event"]) inputs_.events.push_back(known(code, *encoding.event));
    }
    inputs_.features.assign(static_cast<std::size_t>(inputs_.size() * model_.config.features), 0);
    for (const auto& feature : encoding.numbers) add_number(feature, false);
    for (const auto& feature : encoding.categories) add_category(feature, false);
    for (const auto& feature : encoding.sequence_numbers) add_number(feature, true);
    for (const auto& feature : encoding.sequence_categories) add_category(feature, true);
    return std::move(inputs_);
  }

 private:
  void draw_times(const std::vector<int64_t>& lengths, double first_time) {
    for (const int64_t length : lengths) {
      double start = first_time;
      for (int64_t i = 0; i < length; ++i) {
        const double gap = i == 0 ? 0 : 3 * random_.uniform();
        const double until = random_.uniform(0.5, 1.5);
        start += gap;
        inputs_.times[0].push_back(start);
        inputs_.times[1].push_back(gap);
        inputs_.times[2].push_back(start + until);
        inputs_.times[3].push_back(until);
        inputs_.times[4].push_back(start - first_time);
      }
    }
  }

  /// Codes of a vocabulary; with a place for the unknown also some that it has no name for.
  std::vector<int64_t> codes(const data::Vocabulary& vocabulary, int64_t count) {
    std::vector<int64_t> drawn;
    for (int64_t i = 0; i < count; ++i) {
      const auto extra = vocabulary.unknown ? 2U : 0U;
      auto code = static_cast<int64_t>(random_.below(static_cast<uint64_t>(vocabulary.size()) + extra));
      if (code > vocabulary.size()) code = -1;
      drawn.push_back(code);
    }
    return drawn;
  }
  static int32_t known(int64_t code, const data::Vocabulary& vocabulary) {
    return static_cast<int32_t>(code < 0 || code >= vocabulary.size() ? vocabulary.unknown_code() : code);
  }

  int64_t places(bool of_sequence) const {
    return of_sequence ? static_cast<int64_t>(inputs_.offsets.size()) - 1 : inputs_.size();
  }
  /// Calls visit(value's number, features of the event from this column on) for all events.
  template <class Visit>
  void over_events(bool of_sequence, const Visit& visit) {
    for (std::size_t s = 0; s + 1 < inputs_.offsets.size(); ++s) {
      for (int64_t e = inputs_.offsets[s]; e < inputs_.offsets[s + 1]; ++e) {
        visit(of_sequence ? s : static_cast<std::size_t>(e),
              inputs_.features.data() + e * model_.config.features + column_);
      }
    }
  }

  void add_number(const data::NumberFeature& feature, bool of_sequence) {
    std::vector<double>& values = inputs_.numbers["feature." + feature.name];
    for (int64_t i = 0; i < places(of_sequence); ++i) {
      const bool none = random_.uniform() < 0.3;
      values.push_back(none ? NAN : feature.mean + feature.std * random_.uniform(-2, 2));
    }
    over_events(of_sequence, [&](std::size_t i, float* out) { feature.encode(out, values[i]); });
    column_ += feature.width();
  }
  void add_category(const data::CategoryFeature& feature, bool of_sequence) {
    const std::vector<int64_t> drawn = codes(feature.vocabulary, places(of_sequence));
    over_events(of_sequence,
                [&](std::size_t i, float* out) { out[known(drawn[i], feature.vocabulary)] = 1; });
    inputs_.codes["feature." + feature.name] = drawn;
    column_ += feature.vocabulary.size();
  }

  const TrainedModel& model_;
  Random random_;
  Inputs inputs_;
  int64_t column_ = 0;
};

/// What the library says after each event.
struct Expected {
  std::vector<float> probability;  // [N, answers]
  std::vector<double> value;       // [N]
  std::vector<double> when;        // [N, 4]: p10, median, p90, mean
  std::vector<float> hidden;       // [B, H] after the last event
};

Expected expected(const TrainedModel& trained, const Inputs& inputs) {
  ModelConfig config = trained.config;
  const bool whole = std::ranges::any_of(config.heads, [](const auto& head) { return head.pool == "all"; });
  for (nn::HeadConfig& head : config.heads) head.each_step = !whole;
  const Model model = network_of(trained, config);
  ThreadPool pool(1);
  Workspace<float> work;
  std::vector<Prediction> predictions(static_cast<std::size_t>(inputs.size()));
  const Inputs seen = whole ? inputs.beginnings() : inputs;
  model.visit_outputs<float>(
      [&](std::size_t head, int64_t place, const float* outputs) {
        interpret_head(predictions[static_cast<std::size_t>(place)], trained, head, outputs, 1 << 20);
      },
      trained.parameters, seen.view(), work, pool);
  Expected made;
  for (const Prediction& prediction : predictions) {
    std::vector<float> by_code(prediction.top.size());
    for (const Choice& choice : prediction.top)
      by_code[static_cast<std::size_t>(choice.code)] = choice.probability;
    made.probability.insert(made.probability.end(), by_code.begin(), by_code.end());
    if (prediction.value) made.value.push_back(*prediction.value);
    if (const auto& when = prediction.when) {
      made.when.insert(made.when.end(), {when->p10, when->median, when->p90, when->mean});
    }
  }
  if (config.cell == "none") return made;
  made.hidden.resize((inputs.offsets.size() - 1) * static_cast<std::size_t>(config.hidden));
  model.visit_states<float>(
      [&](int64_t row, const float* h) {
        std::copy_n(h, config.hidden, made.hidden.data() + row * config.hidden);
      },
      trained.parameters, inputs.view(), work, pool);
  return made;
}

/// Writes one case after another.
class Writer {
 public:
  explicit Writer(fs::path folder) : folder_(std::move(folder)) {}

  void write(const TrainedModel& model, const Inputs& inputs, const std::string& about) {
    const fs::path folder = folder_ / fmt::format("{:04}", count_++);
    fs::create_directories(folder);
    const bool each = std::ranges::all_of(
        model.config.heads, [](const nn::HeadConfig& head) { return head.each_step || head.kind == "when"; });
    write_graph(model, {}, folder / "batch.onnx");
    write_graph(model, {.single_step = true}, folder / "step.onnx");
    if (each) write_graph(model, {.every_event = true}, folder / "every.onnx");
    write_numbers(model, inputs, expected(model, inputs), about, folder / "case.safetensors");
  }

 private:
  static void write_graph(const TrainedModel& model, const OnnxConfig& config, const fs::path& path) {
    const std::string bytes = to_onnx(model, config).bytes;
    std::ofstream(path, std::ios::binary) << bytes;
  }

  static void write_numbers(const TrainedModel& model, const Inputs& inputs, const Expected& out,
                            const std::string& about, const fs::path& path) {
    ContainerWriter file("case");
    file.set("about", about);
    file.add("offsets", std::span<const int64_t>(inputs.offsets));
    for (std::size_t i = 0; i < kTimeInputs; ++i) {
      const std::string name = "in." + std::string(nn::name_of(static_cast<TimeInput>(i)));
      file.add(name, std::span<const double>(inputs.times[i]));
    }
    for (const auto& [name, values] : inputs.numbers) file.add("in." + name, std::span<const double>(values));
    for (const auto& [name, values] : inputs.codes) file.add("in." + name, std::span<const int64_t>(values));
    const int64_t n = inputs.size();
    const auto add = [&](const std::string& name, const auto& values, int64_t rows) {
      if (values.empty()) return;
      const std::span numbers(values.data(), values.size());
      file.add(name, numbers, {rows, static_cast<int64_t>(values.size()) / rows});
    };
    add("out.probability", out.probability, n);
    add("out.value", out.value, n);
    add("out.when", out.when, n);
    add("hidden", out.hidden, static_cast<int64_t>(inputs.offsets.size()) - 1);
    const Model laid_out(model.config);
    for (const nn::Tensor& tensor : laid_out.layout().tensors()) {
      if (!tensor.wide()) continue;
      file.add("wide." + tensor.name, std::span<const double>(model.parameters.wide_data(tensor),
                                                              static_cast<std::size_t>(tensor.size())));
    }
    file.write(FileSystem::real(), path.string());
  }

  fs::path folder_;
  int count_ = 0;
};

bool has_calendar(const ModelConfig& config) {
  return std::ranges::any_of(config.times, [](const auto& time) { return time.kind == "calendar"; });
}

/// Every cell with every encoder of times.
void write_cells_and_encoders(Writer& writer) {
  std::vector<std::vector<nn::TimeEncoderConfig>> encoders = all_time_configs();
  encoders.emplace_back();  // none
  uint64_t seed = 1;
  for (ModelConfig config : all_cell_configs()) {
    for (const auto& times : encoders) {
      config.times = times;
      config.hidden = kHidden;
      config.heads.resize(1);
      config.heads[0].each_step = true;
      config.heads[0].pool = "last";
      const TrainedModel model = made_export(config, {}, seed);
      const Inputs inputs = Drawer(model, seed++).draw(kLengths, has_calendar(config) ? 19'780 : 0);
      writer.write(model, inputs, describe(config));
    }
  }
}

/// What a task predicts, with heads as it has them.
struct MadeTask {
  const char* task;
  const char* values;
  std::vector<std::string> heads;
  bool each_step;
};

const std::vector<MadeTask> kTasks = {
    {"classify", "none", {"softmax"}, false},     {"classify", "none", {"logistic"}, false},
    {"next", "none", {"softmax"}, true},          {"next", "none", {"softmax", "when"}, true},
    {"recommend", "none", {"softmax"}, true},     {"regress", "sequence", {"mse"}, false},
    {"regress", "event", {"mae"}, true},          {"forecast", "next", {"huber"}, true},
    {"next", "none", {"logistic", "when"}, true},
};

std::vector<nn::TimeEncoderConfig> times_of(const std::vector<TimeInput>& inputs) {
  std::vector<nn::TimeEncoderConfig> times;
  for (const TimeInput input : inputs) {
    nn::TimeEncoderConfig time;
    time.input = input;
    time.k = 4;
    times.push_back(time);
  }
  return times;
}

/// Any two options together.
void write_pairs(Writer& writer) {
  using enum TimeInput;
  const std::vector<ModelConfig> cells = all_cell_configs();
  const std::vector<std::vector<TimeInput>> times = {{kStart},         {kGap}, {kQuery, kUntil, kGap},
                                                     {kStart, kQuery}, {},     {kUntil}};
  const std::vector<std::string> constraints = {"none", "nonpositive", "floor"};
  uint64_t seed = 1000;
  for (const std::vector<int>& row :
       pairwise({static_cast<int>(cells.size()), static_cast<int>(kTasks.size()),
                 static_cast<int>(times.size()), 3, 3, 2, 2, 2, 2, 2, 2})) {
    ModelConfig config = cells[static_cast<std::size_t>(row[0])];
    const MadeTask& task = kTasks[static_cast<std::size_t>(row[1])];
    config.times = times_of(times[static_cast<std::size_t>(row[2])]);
    config.layers = 1 + row[3];
    config.t1_constraint = constraints[static_cast<std::size_t>(row[4])];
    config.t1_floor = -0.1;
    config.biases = 1 + row[5];
    config.skip = row[6] == 1;
    config.hidden = kHidden;
    config.heads.clear();
    for (const std::string& kind : task.heads) {
      nn::HeadConfig& head = config.heads.emplace_back();
      head.kind = kind;
      head.each_step = task.each_step;
      if (!task.each_step && config.cell != "none" && row[5] == 1) head.pool = "all";
    }
    MadeKind kind;
    kind.task = task.task;
    kind.values = task.values;
    kind.features = row[7] == 0;
    kind.sequence_features = row[8] == 1;
    kind.many_types = row[9] == 1;
    kind.unknown = row[10] == 1;
    const bool types = std::string_view(task.task) == "next" || std::string_view(task.task) == "recommend";
    kind.rules = types && task.heads[0] == "softmax" && row[7] == 0;
    const TrainedModel model = made_export(config, kind, seed);
    const Inputs inputs = Drawer(model, seed++).draw(kLengths, 0);
    writer.write(
        model, inputs,
        fmt::format("{} {}{}{}{}{} {} biases, T1 {}", task.task, describe(config),
                    kind.features ? " features" : "", kind.sequence_features ? " sequence features" : "",
                    kind.many_types ? " many types" : "", kind.unknown ? " unknown" : "", config.biases,
                    config.t1_constraint));
  }
}

/// A model that says what an encoder makes of a time, in sequences of one event.
TrainedModel bare_encoder(const nn::TimeEncoderConfig& time, const std::vector<double>& weights) {
  ModelConfig config;
  config.cell = "none";
  config.times = {time};
  config.heads[0].kind = "mse";
  MadeKind kind{.event_types = false, .features = false, .task = "regress", .values = "sequence"};
  TrainedModel model = made_export(config, kind, 1);
  model.encoding.target_scale.reset();
  const Model laid_out(model.config);
  const nn::Layout& layout = laid_out.layout();
  const nn::Tensor& weight = layout[layout.find("head.time0")];
  for (std::size_t i = 0; i < weights.size(); ++i) {
    model.parameters.set(weight, static_cast<int64_t>(i), weights[i]);
  }
  model.parameters.set(layout[laid_out.head_bias(0)], 0, 0);
  return model;
}

/// One sequence of one event for each time.
Inputs at_times(const std::vector<double>& tau) {
  Inputs inputs;
  for (const double t : tau) {
    inputs.offsets.push_back(inputs.offsets.back() + 1);
    for (auto& times : inputs.times) times.push_back(t);
  }
  return inputs;
}

/// Phases up to the limit, of frequencies of all sizes. run_onnx.py computes them exactly from ω and φ.
void write_phases(Writer& writer) {
  Random random(7);
  for (const nn::Activation activation : {nn::Activation::kSin, nn::Activation::kCos}) {
    for (const double omega : {1.0, -2.7e-3, 6.283185e5, 1e-9}) {
      nn::TimeEncoderConfig time;
      time.k = 1;
      time.linear = false;
      time.activation = activation;
      TrainedModel model = bare_encoder(time, {1});
      const Model laid_out(model.config);
      const nn::TimeEncoder& encoder = laid_out.times().encoders()[0];
      model.parameters.wide_data(laid_out.layout()[encoder.omega()])[0] =
          omega * (1 + 1e-3 * random.uniform());
      model.parameters.wide_data(laid_out.layout()[encoder.phi()])[0] = random.uniform(-1e6, 1e6);
      std::vector<double> tau = {0};
      const double most = kMaxOnnxPhase / std::abs(omega) / 1.001;
      for (int i = 0; i < 400; ++i)
        tau.push_back(most * std::pow(10.0, -random.uniform(0, 2)) * (i % 2 == 0 ? 1 : -1));
      writer.write(model, at_times(tau), fmt::format("phases {} {}", nn::name_of(activation), omega));
    }
  }
}

/// What and when together, on a grid, with gaps of zero.
void write_timed(Writer& writer) {
  uint64_t seed = 2000;
  for (const char* cell : {"lstm", "gru", "tlstm1", "none"}) {
    ModelConfig config;
    config.cell = cell;
    config.t1_constraint = "none";
    config.hidden = kHidden;
    config.skip = seed % 2 == 0;
    config.times = times_of({TimeInput::kStart, TimeInput::kGap});
    make_timed(config, times_of({TimeInput::kQuery, TimeInput::kGap}));
    const MadeKind kind{.unknown = seed % 2 == 0, .rules = seed % 3 == 0, .task = "next"};
    const TrainedModel model = made_export(config, kind, seed++);
    writer.write(model, Drawer(model, seed).draw(kLengths, 0), fmt::format("what and when {}", cell));
  }
}

/// Dates over three centuries, days around the turns of years and leap days among them.
void write_dates(Writer& writer) {
  Random random(11);
  nn::TimeEncoderConfig time;
  time.kind = "calendar";
  std::vector<double> tau;
  for (int year = -100; year <= 200; year += 4) {
    const double january = std::floor(year * 365.2425);
    for (int day = -2; day <= 2; ++day) tau.push_back(january + day + random.uniform());
    for (int day = 57; day <= 61; ++day) tau.push_back(january + day);
  }
  for (int i = 0; i < 300; ++i) tau.push_back(random.uniform(-60'000, 60'000));
  writer.write(bare_encoder(time, {1, 0.5, -0.25, 2, 0.3, -1}), at_times(tau), "dates");
}

}  // namespace
}  // namespace t2v::testing

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: onnx_cases FOLDER\n", stderr);
    return 2;
  }
  t2v::testing::Writer writer{std::filesystem::path(argv[1])};
  t2v::testing::write_cells_and_encoders(writer);
  t2v::testing::write_pairs(writer);
  t2v::testing::write_timed(writer);
  t2v::testing::write_phases(writer);
  t2v::testing::write_dates(writer);
  return 0;
}
