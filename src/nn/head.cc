#include "nn/head.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/fail.h"
#include "base/named.h"
#include "base/text_check.h"
#include "kernels/losses.h"
#include "nn/when.h"

namespace t2v::nn {
namespace {

template <class T>
Wide<T> softmax(T* dlogits, const T* logits, const HeadConfig& config, const Target& target, T scale) {
  return kernels::softmax_loss(dlogits, logits, config.classes, target.label, scale);
}

template <class T>
Wide<T> logistic(T* dlogits, const T* logits, const HeadConfig& /*config*/, const Target& target, T scale) {
  return kernels::logistic_loss(dlogits, logits[0], target.label, scale);
}

/// The losses of a value are functions of the difference d = prediction - target.
template <class T>
struct LossAndSlope {
  T loss;
  T slope;
};

struct Mse {
  template <class W>
  static LossAndSlope<W> of(W d, double /*delta*/) {
    return {d * d, W(2) * d};
  }
};

struct Mae {
  template <class W>
  static LossAndSlope<W> of(W d, double /*delta*/) {
    const double sign = real_part(d) > 0 ? 1 : real_part(d) < 0 ? -1 : 0;
    return {d * W(sign), W(sign)};
  }
};

struct Huber {
  template <class W>
  static LossAndSlope<W> of(W d, double delta) {
    if (std::abs(real_part(d)) <= delta) return {W(0.5) * d * d, d};
    const double sign = real_part(d) > 0 ? 1 : -1;
    return {W(delta) * (d * W(sign) - W(0.5 * delta)), W(sign * delta)};
  }
};

template <class Kind, class T>
Wide<T> value(T* dlogits, const T* logits, const HeadConfig& config, const Target& target, T scale) {
  const auto [loss, slope] = Kind::of(Wide<T>(logits[0]) - Wide<T>(target.value), config.delta);
  if (dlogits != nullptr) dlogits[0] = static_cast<T>(Wide<T>(scale) * slope);
  return loss;
}

template <class T>
Wide<T> when(T* dlogits, const T* logits, const HeadConfig& config, const Target& target, T scale) {
  return when_loss(dlogits, logits, config, target.value, scale);
}

template <class Kind>
constexpr kernels::ByType<HeadFunctions> value_functions() {
  return {{value<Kind, float>}, {value<Kind, double>}, {value<Kind, Complex>}};
}

int64_t class_outputs(const HeadConfig& config) { return config.classes; }
int64_t one_output(const HeadConfig& /*config*/) { return 1; }

constexpr Head kHeads[] = {
    {"softmax", TargetKind::kClass, class_outputs, {{softmax<float>}, {softmax<double>}, {softmax<Complex>}}},
    {"logistic",
     TargetKind::kClass,
     one_output,
     {{logistic<float>}, {logistic<double>}, {logistic<Complex>}}},
    {"mse", TargetKind::kValue, one_output, value_functions<Mse>()},
    {"mae", TargetKind::kValue, one_output, value_functions<Mae>()},
    {"huber", TargetKind::kValue, one_output, value_functions<Huber>()},
    {"when", TargetKind::kGap, when_outputs, {{when<float>}, {when<double>}, {when<Complex>}}},
};

void check_classes(const HeadConfig& config) {
  if (config.classes < 1) fail("a {} head needs at least 1 class; it has {}", config.kind, config.classes);
  if (config.kind == "logistic" && config.classes != 2) {
    fail("the logistic head has 2 classes, not {}; use softmax", config.classes);
  }
  if (config.class_weights.empty()) return;
  if (static_cast<int64_t>(config.class_weights.size()) != config.classes) {
    fail("there are {} class weights for {} classes", config.class_weights.size(), config.classes);
  }
  for (const double weight : config.class_weights) {
    if (!(weight >= 0) || !std::isfinite(weight))
      fail("class weights must be finite and not negative; one is {}", weight);
  }
}

void check_mixture(const HeadConfig& config) {
  if (config.components < 1) fail("a mixture needs at least 1 component");
  const bool sound = std::isfinite(config.centre) && config.spread > 0 && std::isfinite(config.spread) &&
                     config.floor >= 0 && std::isfinite(config.floor);
  if (sound) return;
  fail("gaps around exp({}), {} apart, on a grid of {} make no sense", config.centre, config.spread,
       config.floor);
}

void check_hidden(const HeadConfig& config, const Head& head) {
  if (config.units < 0) fail("the hidden layer of a head cannot have {} units", config.units);
  if (!config.timed) return;
  if (config.units == 0) fail("a head that sees the time of the next event needs a hidden layer");
  if (config.kind != "softmax") fail("the head '{}' cannot see the time of the next event", head.name);
}

}  // namespace

std::span<const Head> heads() { return kHeads; }

const Head& head_from(const HeadConfig& config) {
  const Head& head = find_named(kHeads, config.kind, "head");
  if (head.target == TargetKind::kClass) check_classes(config);
  if (config.kind == "when") check_mixture(config);
  check_hidden(config, head);
  if (config.kind == "huber" && !(config.delta > 0)) fail("delta of the Huber loss must be positive");
  if (config.pool != "last" && config.pool != "all") {
    fail("unknown pool '{}' of a head; use last or all", shown(config.pool));
  }
  if (config.pool == "all" && (config.each_step || head.target == TargetKind::kGap)) {
    fail("a head at each event sees the state there alone; its pool is last");
  }
  if (!(config.weight > 0) || !std::isfinite(config.weight)) fail("the weight of a head must be positive");
  return head;
}

void class_probabilities(float* probabilities, const float* logits, const HeadConfig& config) {
  if (config.kind == "logistic") {
    probabilities[0] = kernels::sigmoid(-logits[0]);
    probabilities[1] = kernels::sigmoid(logits[0]);
  } else {
    kernels::softmax(probabilities, logits, config.classes);
  }
}

}  // namespace t2v::nn
