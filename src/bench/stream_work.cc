#include "bench/stream_work.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "base/random.h"
#include "bench/model_work.h"
#include "model/initialise.h"
#include "stream/stepper.h"

namespace t2v::bench {
namespace {

class StreamWork final : public Workload {
 public:
  explicit StreamWork(const ModelConfig& config)
      : model_(config),
        parameters_(nn::convert<float>(initialise(model_, 1))),
        stepper_(model_, parameters_),
        state_(static_cast<std::size_t>(stepper_.state_size())) {
    latencies_.reserve(kSteps);
  }

  Repetition run() override {
    latencies_.clear();
    for (int i = 0; i < kSteps; ++i) latencies_.push_back(step());
    std::sort(latencies_.begin(), latencies_.end());
    return {latencies_[kSteps / 2], 1, static_cast<double>(weight_bytes(model_.config())),
            latencies_[kSteps / 1000 * 999]};
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int kSteps = 20'000;

  double step() {
    const auto start = Clock::now();
    StepInput input;
    input.event = static_cast<int32_t>(random_.below(static_cast<uint64_t>(model_.config().event_types)));
    input.times[static_cast<std::size_t>(TimeInput::kGap)] = 10 * random_.uniform();
    stepper_.advance(state_, input);
    sink_ = sink_ + stepper_.outputs(0)[0];
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  Model model_;
  nn::Parameters<float> parameters_;
  Stepper stepper_;
  std::vector<float> state_;
  std::vector<double> latencies_;
  Random random_{1};
  float sink_ = 0;
};

}  // namespace

ModelConfig stream_model() {
  ModelConfig config;
  config.event_types = 22;
  config.times = {nn::TimeEncoderConfig{}};
  config.times[0].k = 64;
  config.times[0].input = TimeInput::kGap;
  config.hidden = 128;
  config.heads[0].each_step = true;
  config.heads[0].classes = config.event_types;
  return config;
}

int64_t weight_bytes(const ModelConfig& model) {
  // Each weight takes part in one multiplication and one addition.
  return static_cast<int64_t>(operations_of_event(model) / 2) * static_cast<int64_t>(sizeof(float));
}

std::unique_ptr<Workload> stream_work(const ModelConfig& model) {
  return std::make_unique<StreamWork>(model);
}

}  // namespace t2v::bench
