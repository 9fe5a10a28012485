#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "arrays.h"
#include "base/periodogram.h"
#include "base/random.h"
#include "core.h"
#include "data/decimal.h"
#include "data/time_column.h"
#include "kernels/time2vec.h"
#include "nn/omega_start.h"
#include "nn/time_encoder.h"
#include "train/time_layout.h"

namespace t2v::python {
namespace {

using kernels::Activation;
using Terms = kernels::Terms<double>;
using Times = std::span<const double>;

bool is_periodic(Activation activation) { return activation <= Activation::kMod; }

Terms terms_of(const Array<double>& omega, const Array<double>& phi, const std::string& activation,
               bool linear) {
  if (omega.size() != phi.size()) {
    fail("there are {} frequencies omega and {} phases phi; give as many", omega.size(), phi.size());
  }
  if (omega.size() < 1) fail("a time vector needs at least one term; omega is empty");
  return {nn::activation_from(activation), linear, omega.size(), omega.data(), phi.data()};
}

/// Throws t2v::Error for what cannot be encoded exactly.
void check_range(const Terms& terms, Times tau) {
  double most = 0;
  for (const double t : tau) {
    if (!(std::abs(t) <= kernels::kMaxTime)) {
      fail("a time is {}; times must be finite (no NaN, no inf) and at most {:g} in size", t,
           kernels::kMaxTime);
    }
    most = std::max(most, std::abs(t));
  }
  for (int64_t i = 0; i < terms.count; ++i) {
    const double w = std::abs(terms.omega[i]);
    const double p = std::abs(terms.phi[i]);
    if (w <= kernels::kMaxTime && w * most <= kernels::kMaxPhase && p <= kernels::kMaxPhase) continue;
    fail(
        "frequency {:g} with phase {:g} at time {:g} leaves the range of exact phases, {:g} rad; use a "
        "larger unit of time or an origin nearer to the data",
        terms.omega[i], terms.phi[i], most, kernels::kMaxPhase);
  }
}

/// The same in double, from phases that are reduced exactly: value and slope [U, count].
void forward_in_double(double* value, double* slope, const Terms& terms, Times tau) {
  constexpr std::size_t kRows = 256;  // whose phases stay in the nearest cache
  std::vector<double> phases(kRows * static_cast<std::size_t>(terms.count));
  for (std::size_t first = 0; first < tau.size(); first += kRows) {
    const Times some = tau.subspan(first, std::min(kRows, tau.size() - first));
    kernels::time2vec_phases(phases.data(), terms, some);
    for (std::size_t u = 0; u < some.size(); ++u) {
      for (int64_t i = 0; i < terms.count; ++i) {
        const bool line = terms.linear && i == 0;
        const double x =
            line || !is_periodic(terms.activation)
                ? terms.omega[i] * some[u] + terms.phi[i]
                : phases[u * static_cast<std::size_t>(terms.count) + static_cast<std::size_t>(i)];
        const auto [v, s] =
            line ? kernels::ValueAndSlope<double>{x, 1.0} : kernels::activate(terms.activation, x);
        const auto at = static_cast<int64_t>(first + u) * terms.count + i;
        value[at] = v;
        if (slope != nullptr) slope[at] = s;
      }
    }
  }
}

template <class T>
void forward(Array<T> value, std::optional<Array<T>> slope, const Array<double>& tau,
             const Array<double>& omega, const Array<double>& phi, const std::string& activation,
             bool linear) {
  const Terms terms = terms_of(omega, phi, activation, linear);
  const Times times = span_of(tau);
  const int64_t size = tau.size() * terms.count;
  T* const out = writable(value, size, "value");
  T* const slopes = slope ? writable(*slope, size, "slope") : nullptr;
  const py::gil_scoped_release release;
  check_range(terms, times);
  if constexpr (std::is_same_v<T, double>) {
    forward_in_double(out, slopes, terms, times);
  } else {
    kernels::time2vec_forward(out, slopes, terms.count, terms, times);
  }
}

template <class T>
void backward(Array<double> domega, Array<double> dphi, const Array<T>& dvalue, const Array<T>& slope,
              const Array<double>& tau) {
  const int64_t count = domega.size();
  if (dvalue.size() != slope.size() || dvalue.size() != tau.size() * count) {
    fail("dvalue has {} numbers and slope {}, but {} times and {} terms need {}", dvalue.size(), slope.size(),
         tau.size(), count, tau.size() * count);
  }
  double* const to_omega = writable(domega, count, "domega");
  double* const to_phi = writable(dphi, count, "dphi");
  const py::gil_scoped_release release;
  kernels::time2vec_backward(to_omega, to_phi, dvalue.data(), slope.data(), count, count, span_of(tau));
}

/// dtau[u] += sum over i of dvalue slope omega.
template <class T>
void backward_times(Array<double> dtau, const Array<T>& dvalue, const Array<T>& slope,
                    const Array<double>& omega) {
  const int64_t count = omega.size();
  if (dvalue.size() != slope.size() || dvalue.size() != dtau.size() * count) {
    fail("dvalue has {} numbers and slope {}, but {} times and {} terms need {}", dvalue.size(), slope.size(),
         dtau.size(), count, dtau.size() * count);
  }
  double* const out = dtau.mutable_data();
  const T* const dv = dvalue.data();
  const T* const s = slope.data();
  const double* const w = omega.data();
  const int64_t times = dtau.size();
  const py::gil_scoped_release release;
  for (int64_t u = 0; u < times; ++u) {
    for (int64_t i = 0; i < count; ++i) {
      out[u] += static_cast<double>(dv[u * count + i]) * static_cast<double>(s[u * count + i]) * w[i];
    }
  }
}

/// Times as sequences: by their offsets, or each as one.
class Sequences {
 public:
  Sequences(Times times, std::optional<Array<int64_t>> offsets) {
    if (offsets) {
      const auto given = span_of(*offsets);
      offsets_.assign(given.begin(), given.end());
    } else {
      for (std::size_t i = 0; i <= times.size(); ++i) offsets_.push_back(static_cast<int64_t>(i));
    }
    if (offsets_.empty() || offsets_.front() != 0 || offsets_.back() != std::ssize(times)) {
      fail("the offsets of the sequences do not fit {} times", times.size());
    }
    batch_.offsets = offsets_;
    batch_.times[static_cast<std::size_t>(TimeInput::kStart)] = times;
  }
  Sequences(const Sequences&) = delete;
  Sequences& operator=(const Sequences&) = delete;

  const SequenceBatch& batch() const { return batch_; }

 private:
  std::vector<int64_t> offsets_;
  SequenceBatch batch_;
};

/// The periods that a start takes from the data, if it takes any.
void find_periods(nn::TimeScale& scale, const nn::TimeEncoderConfig& config, TargetsOverTime targets,
                  double unit_seconds) {
  if (!(scale.span > 0 && scale.median_gap > 0)) return;
  if (config.start == nn::OmegaStart::kPeriodogram) {
    scale.periods = strongest_periods(targets.tau, targets.values, targets.columns, scale.range());
  } else if (config.start == nn::OmegaStart::kCycles) {
    ModelTimes times;
    times.scale.instants = unit_seconds > 0;
    times.view.ticks_per_unit = unit_seconds * 1e9;
    times.grid = scale.grid;
    scale.periods = start_cycles(targets, times, config, scale);
  }
}

/// Frequencies and phases of a layer for these times, in their unit, and by what they are measured.
py::tuple start(int64_t k, const std::string& kind, const std::string& activation, bool linear, uint64_t seed,
                const Array<double>& tau, std::optional<Array<double>> targets,
                std::optional<Array<int64_t>> offsets, double unit_seconds, double grid, bool measured) {
  nn::TimeEncoderConfig config;
  config.k = k;
  config.activation = nn::activation_from(activation);
  config.linear = linear;
  config.start = nn::omega_start_from(kind);
  if (k < 0 || k + (linear ? 1 : 0) < 1) fail("k is {}; a time vector needs at least one term", k);
  const Times times = span_of(tau);
  if (config.start == nn::OmegaStart::kPeriodogram && !targets) {
    fail("the start 'periodogram' takes the periods of what is to be predicted; give y, or use span");
  }
  nn::TimeScale scale;
  TargetsOverTime over_time;
  if (targets) {
    over_time.columns = targets->size() / std::max<int64_t>(1, tau.size());
    if (over_time.columns * tau.size() != targets->size())
      fail("y has {} numbers for {} times", targets->size(), tau.size());
    over_time.tau.assign(times.begin(), times.end());
    over_time.values.assign(targets->data(), targets->data() + targets->size());
  }
  if (!times.empty()) {
    const Sequences sequences(times, std::move(offsets));
    scale = nn::time_scale(sequences.batch(), TimeInput::kStart);
    scale.grid = grid;
    if (measured) nn::measure(config, sequences.batch());
    find_periods(scale, config, std::move(over_time), unit_seconds);
  }
  const auto width = static_cast<std::size_t>(k + (linear ? 1 : 0));
  std::vector<double> omega(width);
  std::vector<double> phi(width);
  Random omega_random(seed, 0);
  Random phi_random(seed, 1);
  nn::start_frequencies(omega.data(), phi.data(), config, scale, omega_random, phi_random);
  return py::make_tuple(array_of(std::move(omega)), array_of(std::move(phi)), config.scale, config.centre);
}

/// What numbers of this size count: s, ms, us or ns since 1970, or number.
std::string detected_unit(const Array<double>& numbers) {
  std::vector<data::Decimal> sample;
  for (const double number : span_of(numbers)) {
    data::Decimal decimal;
    if (data::parse_decimal(fmt::format("{:.0f}", number), decimal) == data::NumberFault::kNone) {
      sample.push_back(decimal);
    }
  }
  return std::string(data::name_of(data::detect_unit(sample)));
}

template <class T>
void bind_of(py::module_& module) {
  using py::arg;
  module.def("forward", &forward<T>, arg("value").noconvert(), arg("slope").noconvert(),
             arg("tau").noconvert(), arg("omega").noconvert(), arg("phi").noconvert(), arg("activation"),
             arg("linear"),
             "Writes t2v of U times to value [U, terms] and, unless None, dF/dx to slope of that shape.");
  module.def("backward", &backward<T>, arg("domega").noconvert(), arg("dphi").noconvert(),
             arg("dvalue").noconvert(), arg("slope").noconvert(), arg("tau").noconvert(),
             "Adds to the gradients of the frequencies and phases [terms].");
  module.def("backward_times", &backward_times<T>, arg("dtau").noconvert(), arg("dvalue").noconvert(),
             arg("slope").noconvert(), arg("omega").noconvert(), "Adds to the gradients of the times [U].");
}

}  // namespace

void bind_layer(py::module_& module) {
  bind_of<float>(module);
  bind_of<double>(module);
  module.def(
      "start", &start, py::arg("k"), py::arg("kind"), py::arg("activation"), py::arg("linear"),
      py::arg("seed"), py::arg("tau"), py::arg("targets") = py::none(), py::arg("offsets") = py::none(),
      py::arg("unit_seconds") = 0.0, py::arg("grid") = 0.0, py::arg("measured") = false,
      "Frequencies and phases to start from for times tau, and, if measured, scale and centre of these: "
      "(omega, phi, scale, centre).");
  module.def("detect_unit", &detected_unit, py::arg("numbers").noconvert(),
             "What numbers of this size count: s, ms, us or ns since 1970, or number.");
}

}  // namespace t2v::python
