// One event at a time through ONNX Runtime's C API: a graph of one step, its inputs and outputs bound to
// memory once, the state going back and forth between two buffers.
//   onnx_stream STEPS THREADS GRAPH.onnx...
// Speaks the lines of the other workers (worker.py): of several graphs it takes the one with the least
// median.
#include <onnxruntime_c_api.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr int64_t kHidden = 128;
constexpr int64_t kTypes = 22;
constexpr std::size_t kTrial = 2000;

const OrtApi* const api = OrtGetApiBase()->GetApi(ORT_API_VERSION);

void check(OrtStatus* status) {
  if (status == nullptr) return;
  std::fprintf(stderr, "onnx_stream: %s\n", api->GetErrorMessage(status));
  std::exit(1);
}

OrtMemoryInfo* cpu_memory() {
  static OrtMemoryInfo* const memory = [] {
    OrtMemoryInfo* made = nullptr;
    check(api->CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &made));
    return made;
  }();
  return memory;
}

template <class T>
OrtValue* tensor(std::vector<T>& data, const std::vector<int64_t>& shape, ONNXTensorElementDataType type) {
  OrtValue* value = nullptr;
  check(api->CreateTensorWithDataAsOrtValue(cpu_memory(), data.data(), data.size() * sizeof(T), shape.data(),
                                            shape.size(), type, &value));
  return value;
}

struct Events {
  std::vector<int64_t> types;
  std::vector<float> times;

  explicit Events(std::size_t count) {
    std::mt19937_64 random(1);
    std::exponential_distribution<double> gap(1);
    double now = 0;
    for (std::size_t n = 0; n < count; ++n) {
      now = std::fmod(now + gap(random), 1000.0);
      types.push_back(static_cast<int64_t>(random() % kTypes));
      times.push_back(static_cast<float>(now));
    }
  }
};

/// A session with its memory. The handles live as long as the program.
class Step {
 public:
  Step(OrtEnv* env, const char* path, int threads) {
    OrtSessionOptions* options = nullptr;
    check(api->CreateSessionOptions(&options));
    check(api->SetIntraOpNumThreads(options, threads));
    check(api->SetInterOpNumThreads(options, 1));
    check(api->SetSessionGraphOptimizationLevel(options, ORT_ENABLE_ALL));
    check(api->CreateSession(env, path, options, &session_));
    api->ReleaseSessionOptions(options);
    const std::vector<int64_t> state{1, 1, kHidden};
    std::array<OrtValue*, 2> h{};
    std::array<OrtValue*, 2> c{};
    for (std::size_t side = 0; side < 2; ++side) {
      h[side] = tensor(h_[side], state, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT);
      c[side] = tensor(c_[side], state, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT);
    }
    OrtValue* const time = tensor(time_, {1, 1, 1}, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT);
    OrtValue* const event = tensor(event_, {1, 1}, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64);
    OrtValue* const scores = tensor(scores_, {1, kTypes}, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT);
    for (std::size_t from = 0; from < 2; ++from) {
      OrtIoBinding*& binding = bindings_[from];
      check(api->CreateIoBinding(session_, &binding));
      check(api->BindInput(binding, "time", time));
      check(api->BindInput(binding, "event", event));
      check(api->BindInput(binding, "h", h[from]));
      check(api->BindInput(binding, "c", c[from]));
      check(api->BindOutput(binding, "scores", scores));
      check(api->BindOutput(binding, "next_h", h[1 - from]));
      check(api->BindOutput(binding, "next_c", c[1 - from]));
    }
  }

  void run(int64_t event, float time) {
    event_[0] = event;
    time_[0] = time;
    check(api->RunWithBinding(session_, nullptr, bindings_[at_]));
    at_ = 1 - at_;
  }

  /// Seconds of each step, sorted.
  std::vector<double> timed(const Events& events, std::size_t count) {
    std::vector<double> seconds(count);
    for (std::size_t n = 0; n < count; ++n) {
      const auto start = std::chrono::steady_clock::now();
      run(events.types[n], events.times[n]);
      seconds[n] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    std::sort(seconds.begin(), seconds.end());
    return seconds;
  }

  /// Of the scores: whether they are numbers at all.
  bool finite() const {
    return std::all_of(scores_.begin(), scores_.end(), [](float score) { return std::isfinite(score); });
  }

 private:
  OrtSession* session_ = nullptr;
  std::array<OrtIoBinding*, 2> bindings_{};
  std::size_t at_ = 0;
  std::vector<float> time_ = std::vector<float>(1);
  std::vector<int64_t> event_ = std::vector<int64_t>(1);
  std::vector<float> scores_ = std::vector<float>(kTypes);
  std::array<std::vector<float>, 2> h_{std::vector<float>(kHidden), std::vector<float>(kHidden)};
  std::array<std::vector<float>, 2> c_{std::vector<float>(kHidden), std::vector<float>(kHidden)};
};

std::string name_of(const std::string& path) {
  const std::string file = path.substr(path.rfind('/') + 1);
  return file.substr(0, file.rfind('.'));
}

struct Choice {
  std::unique_ptr<Step> step;
  std::string graph;
};

/// The graph with the least median of a few short trials in turns.
Choice fastest(OrtEnv* env, const std::vector<const char*>& paths, int threads, const Events& events) {
  std::vector<std::unique_ptr<Step>> steps;
  for (const char* path : paths) steps.push_back(std::make_unique<Step>(env, path, threads));
  std::vector<double> least(paths.size(), INFINITY);
  for (int round = 0; round < 4; ++round) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      least[i] = std::min(least[i], steps[i]->timed(events, kTrial)[kTrial / 2]);
    }
  }
  const auto best = static_cast<std::size_t>(std::min_element(least.begin(), least.end()) - least.begin());
  return {std::move(steps[best]), name_of(paths[best])};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: onnx_stream STEPS THREADS GRAPH.onnx...\n");
    return 2;
  }
  const std::size_t steps = std::stoul(argv[1]);
  const int threads = std::stoi(argv[2]);
  OrtEnv* env = nullptr;
  check(api->CreateEnv(ORT_LOGGING_LEVEL_WARNING, "onnx_stream", &env));
  const Events events(std::max(steps, kTrial));
  const Choice choice = fastest(env, {argv + 3, argv + argc}, threads, events);
  std::printf(
      "{\"ready\": true, \"peer\": \"ONNX Runtime %s\", \"variant\": \"onnx-c\", \"settings\": {\"threads\": "
      "%d, "
      "\"steps\": %zu, \"graph\": \"%s\"}}\n",
      OrtGetApiBase()->GetVersionString(), threads, steps, choice.graph.c_str());
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    if (line != "go") continue;
    const auto seconds = choice.step->timed(events, steps);
    if (!choice.step->finite()) return 1;
    std::printf("{\"seconds\": %.9g, \"p999\": %.9g, \"amount\": 1}\n", seconds[steps / 2],
                seconds[steps * 999 / 1000]);
    std::fflush(stdout);
  }
}
