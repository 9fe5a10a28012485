#include "t2v/time2vec.h"

#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "base/random.h"
#include "kernels/time2vec.h"
#include "nn/omega_start.h"

namespace t2v {
namespace {

using kernels::kMaxPhase;
using kernels::kMaxTime;

// The public enumerations are those of the engine, value by value.
static_assert(static_cast<int>(Activation::kRelu) == static_cast<int>(kernels::Activation::kRelu));
static_assert(static_cast<int>(FrequencyStart::kSpan) == static_cast<int>(nn::OmegaStart::kSpan));

kernels::Activation engine(Activation activation) { return static_cast<kernels::Activation>(activation); }

/// ω and φ are drawn from a stream of random numbers each.
constexpr uint64_t kOmegaStream = 0;
constexpr uint64_t kPhiStream = 1;

void check_size(const char* name, std::size_t size, std::size_t expected) {
  if (size != expected) fail("Time2Vec: {} has {} numbers, but {} are needed", name, size, expected);
}

void check_finite(std::span<const double> times) {
  for (const double t : times) {
    if (!(std::abs(t) <= kMaxTime)) {
      fail("Time2Vec: a time is {}; times must be finite and at most {:g} in size", t, kMaxTime);
    }
  }
}

double largest(std::span<const double> values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

void check_phases(std::span<const double> omega, std::span<const double> phi, std::span<const double> times) {
  const double most = largest(times);
  for (std::size_t i = 0; i < omega.size(); ++i) {
    const double w = std::abs(omega[i]);
    if (w <= kMaxTime && w * most <= kMaxPhase && std::abs(phi[i]) <= kMaxPhase) continue;
    fail(
        "Time2Vec: frequency {:g} with phase {:g} of term {} at time {:g} leaves the range of exact phases, "
        "{:g} rad; use a larger time unit or an origin nearer to the data",
        omega[i], phi[i], i, most, kMaxPhase);
  }
}

bool is_periodic(Activation activation) {
  return activation == Activation::kSin || activation == Activation::kCos ||
         activation == Activation::kTriangle || activation == Activation::kMod;
}

using Terms = kernels::Terms<double>;

void evaluate(float* value, float* slope, const Terms& terms, std::span<const double> times) {
  kernels::time2vec_forward(value, slope, terms.count, terms, times);
}

/// Phases first, reduced exactly; then F of each, in place.
void evaluate(double* value, double* slope, const Terms& terms, std::span<const double> times) {
  const bool periodic = is_periodic(static_cast<Activation>(terms.activation));
  if (periodic) kernels::time2vec_phases(value, terms, times);
  for (std::size_t u = 0; u < times.size(); ++u) {
    for (int64_t i = 0; i < terms.count; ++i) {
      const int64_t at = static_cast<int64_t>(u) * terms.count + i;
      const bool line = terms.linear && i == 0;
      const double x = periodic && !line ? value[at] : std::fma(terms.omega[i], times[u], terms.phi[i]);
      const auto [v, s] =
          line ? kernels::ValueAndSlope<double>{x, 1.0} : kernels::activate(terms.activation, x);
      value[at] = v;
      if (slope != nullptr) slope[at] = s;
    }
  }
}

/// Checks everything, then computes; without a slope if that is null.
template <class T>
void checked_forward(const Time2Vec& layer, std::span<T> value, const std::span<T>* slope,
                     std::span<const double> omega, std::span<const double> phi,
                     std::span<const double> times) {
  const auto width = static_cast<std::size_t>(layer.width());
  check_size("omega", omega.size(), width);
  check_size("phi", phi.size(), width);
  check_size("value", value.size(), times.size() * width);
  if (slope != nullptr) check_size("slope", slope->size(), times.size() * width);
  check_finite(times);
  check_phases(omega, phi, times);
  const Terms terms{engine(layer.config().activation), layer.config().linear, layer.width(), omega.data(),
                    phi.data()};
  evaluate(value.data(), slope == nullptr ? nullptr : slope->data(), terms, times);
}

template <class T>
void checked_backward(const Time2Vec& layer, std::span<double> domega, std::span<double> dphi,
                      std::span<const T> dvalue, std::span<const T> slope, std::span<const double> times) {
  const auto width = static_cast<std::size_t>(layer.width());
  check_size("domega", domega.size(), width);
  check_size("dphi", dphi.size(), width);
  check_size("dvalue", dvalue.size(), times.size() * width);
  check_size("slope", slope.size(), times.size() * width);
  kernels::time2vec_backward(domega.data(), dphi.data(), dvalue.data(), slope.data(), layer.width(),
                             layer.width(), times);
}

template <class T>
void checked_backward_times(const Time2Vec& layer, std::span<double> dtimes, std::span<const T> dvalue,
                            std::span<const T> slope, std::span<const double> omega) {
  const auto width = static_cast<std::size_t>(layer.width());
  check_size("omega", omega.size(), width);
  check_size("dvalue", dvalue.size(), dtimes.size() * width);
  check_size("slope", slope.size(), dtimes.size() * width);
  for (std::size_t u = 0; u < dtimes.size(); ++u) {
    for (std::size_t i = 0; i < width; ++i) {
      dtimes[u] +=
          omega[i] * static_cast<double>(dvalue[u * width + i]) * static_cast<double>(slope[u * width + i]);
    }
  }
}

}  // namespace

Time2Vec::Time2Vec(const Time2VecConfig& config)
    : config_(config), width_(config.k + (config.linear ? 1 : 0)) {
  if (config.k < 0) fail("Time2Vec: k must not be negative; it is {}", config.k);
  if (width_ < 1)
    fail("Time2Vec: a time vector needs at least one entry; k is 0 and there is no linear term");
}

void Time2Vec::start(std::span<double> omega, std::span<double> phi, FrequencyStart how, uint64_t seed,
                     std::span<const double> times) const {
  check_size("omega", omega.size(), static_cast<std::size_t>(width_));
  check_size("phi", phi.size(), static_cast<std::size_t>(width_));
  nn::TimeEncoderConfig config;
  config.k = config_.k;
  config.activation = engine(config_.activation);
  config.linear = config_.linear;
  config.start = static_cast<nn::OmegaStart>(how);
  nn::TimeScale scale;
  if (how == FrequencyStart::kSpan) {
    SequenceBatch batch;  // each time a sequence of its own: the gaps are those between times in order
    std::vector<int64_t> offsets;
    for (std::size_t i = 0; i <= times.size(); ++i) offsets.push_back(static_cast<int64_t>(i));
    batch.offsets = offsets;
    batch.times[static_cast<std::size_t>(TimeInput::kStart)] = times;
    scale = nn::time_scale(batch, TimeInput::kStart);
  }
  Random omega_random(seed, kOmegaStream);
  Random phi_random(seed, kPhiStream);
  nn::start_frequencies(omega.data(), phi.data(), config, scale, omega_random, phi_random);
}

void Time2Vec::encode(std::span<float> value, std::span<const double> omega, std::span<const double> phi,
                      std::span<const double> times) const {
  checked_forward<float>(*this, value, nullptr, omega, phi, times);
}
void Time2Vec::encode(std::span<double> value, std::span<const double> omega, std::span<const double> phi,
                      std::span<const double> times) const {
  checked_forward<double>(*this, value, nullptr, omega, phi, times);
}

void Time2Vec::forward(std::span<float> value, std::span<float> slope, std::span<const double> omega,
                       std::span<const double> phi, std::span<const double> times) const {
  checked_forward(*this, value, &slope, omega, phi, times);
}
void Time2Vec::forward(std::span<double> value, std::span<double> slope, std::span<const double> omega,
                       std::span<const double> phi, std::span<const double> times) const {
  checked_forward(*this, value, &slope, omega, phi, times);
}

void Time2Vec::backward(std::span<double> domega, std::span<double> dphi, std::span<const float> dvalue,
                        std::span<const float> slope, std::span<const double> times) const {
  checked_backward(*this, domega, dphi, dvalue, slope, times);
}
void Time2Vec::backward(std::span<double> domega, std::span<double> dphi, std::span<const double> dvalue,
                        std::span<const double> slope, std::span<const double> times) const {
  checked_backward(*this, domega, dphi, dvalue, slope, times);
}

void Time2Vec::backward_times(std::span<double> dtimes, std::span<const float> dvalue,
                              std::span<const float> slope, std::span<const double> omega) const {
  checked_backward_times(*this, dtimes, dvalue, slope, omega);
}
void Time2Vec::backward_times(std::span<double> dtimes, std::span<const double> dvalue,
                              std::span<const double> slope, std::span<const double> omega) const {
  checked_backward_times(*this, dtimes, dvalue, slope, omega);
}

}  // namespace t2v
