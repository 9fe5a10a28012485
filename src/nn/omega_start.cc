#include "nn/omega_start.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/fail.h"

namespace t2v::nn {
namespace {

using std::numbers::pi;

double median_positive(std::vector<double> gaps) {
  std::erase_if(gaps, [](double gap) { return !(gap > 0); });
  if (gaps.empty()) return 0;
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  return *middle;
}

std::vector<double> gaps_in_sequences(const SequenceBatch& data, std::span<const double> tau) {
  std::vector<double> gaps;
  for (std::size_t b = 0; b + 1 < data.offsets.size(); ++b) {
    for (int64_t e = data.offsets[b] + 1; e < data.offsets[b + 1]; ++e) {
      gaps.push_back(tau[static_cast<std::size_t>(e)] - tau[static_cast<std::size_t>(e - 1)]);
    }
  }
  return gaps;
}

std::vector<double> gaps_in_order(std::span<const double> tau) {
  std::vector<double> sorted(tau.begin(), tau.end());
  std::ranges::sort(sorted);
  for (std::size_t i = sorted.size(); i-- > 1;) sorted[i] -= sorted[i - 1];
  if (!sorted.empty()) sorted.erase(sorted.begin());
  return sorted;
}

/// The phase at time 0 of a sinusoid that has `phi` at the centre of the data, so that a start does not
/// depend on where times are counted from.
double phase_at_zero(double phi, double omega, double centre) {
  return centre == 0 ? phi : std::remainder(phi - omega * centre, 2 * pi);
}

/// |ω| log-uniform over the range of the data; a sine of either sign of ω is the same up to its phase.
void draw_span(double& omega, double& phi, FrequencyRange range, double centre, Random& omega_random,
               Random& phi_random) {
  omega = range.low * std::pow(range.high / range.low, omega_random.uniform());
  phi = phase_at_zero(phi_random.uniform(-pi, pi), omega, centre);
}

void draw_periodic(double* omega, double* phi, const TimeEncoderConfig& config, const TimeScale& scale,
                   Random& omega_random, Random& phi_random) {
  const auto k = static_cast<double>(config.k);
  for (int64_t i = 0; i < config.k; ++i) {
    const auto n = static_cast<double>(i);
    double& w = omega[i];
    double& p = phi[i];
    p = 0;
    switch (config.start) {
      case OmegaStart::kU11:
        w = omega_random.uniform(-1, 1);
        p = phi_random.uniform(-1, 1);
        break;
      case OmegaStart::kU01:
        w = omega_random.uniform();
        p = phi_random.uniform();
        break;
      case OmegaStart::kN1:
        w = omega_random.normal();
        p = phi_random.normal();
        break;
      case OmegaStart::kN01:
        w = 0.1 * omega_random.normal();
        p = 0.1 * phi_random.normal();
        break;
      case OmegaStart::kGeometric:
        w = std::pow(10.0, k > 1 ? -9 * n / (k - 1) : 0);
        break;
      case OmegaStart::kEqual:
        w = 2 * pi * (n + 1) / k;
        break;
      case OmegaStart::kPositional:
        w = std::pow(10000.0, -n / k);
        p = i % 2 == 0 ? 0 : pi / 2;
        break;
      case OmegaStart::kSpan:
        draw_span(w, p, scale.range(), config.centre, omega_random, phi_random);
        break;
      case OmegaStart::kCycles:
      case OmegaStart::kPeriodogram:
        if (i < static_cast<int64_t>(scale.periods.size())) {
          w = scale.periods[static_cast<std::size_t>(i)].omega;
          // The phase of a sine; a cosine is a quarter turn ahead.
          p = scale.periods[static_cast<std::size_t>(i)].phi -
              (config.activation == Activation::kCos ? pi / 2 : 0);
        } else {
          const bool cycles = config.start == OmegaStart::kCycles;
          draw_span(w, p, cycles ? scale.cycles() : scale.range(), config.centre, omega_random, phi_random);
        }
        break;
    }
  }
}

bool needs_data(OmegaStart start) {
  return start == OmegaStart::kSpan || start == OmegaStart::kCycles || start == OmegaStart::kPeriodogram;
}

/// The linear term: by the same law as the periodic ones where that is a random one, over the span of the
/// data where it is known, uniform in (-1, 1) beside fixed frequencies.
void draw_linear(double& omega, double& phi, const TimeEncoderConfig& config, const TimeScale& scale,
                 Random& omega_random, Random& phi_random) {
  if (needs_data(config.start)) {
    omega = 1 / scale.span;
    phi = 0 - config.centre * omega;
    return;
  }
  TimeEncoderConfig one = config;
  one.k = 1;
  if (config.start == OmegaStart::kGeometric || config.start == OmegaStart::kEqual ||
      config.start == OmegaStart::kPositional) {
    one.start = OmegaStart::kU11;
  }
  draw_periodic(&omega, &phi, one, scale, omega_random, phi_random);
}

struct Moments {
  double mean;
  double deviation;
};
Moments moments_of(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / n)};
}

/// What tells the shortest times apart: a tenth of those beyond 0 are below it.
double short_time(std::span<const double> tau) {
  std::vector<double> sizes;
  for (const double t : tau) {
    if (t != 0) sizes.push_back(std::abs(t));
  }
  if (sizes.empty()) return 0;
  const auto tenth = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 10);
  std::nth_element(sizes.begin(), tenth, sizes.end());
  return *tenth;
}

void measure_log(TimeEncoderConfig& encoder, std::span<const double> tau) {
  encoder.scale = short_time(tau);
  std::vector<double> logs;
  for (const double t : tau) logs.push_back(std::copysign(std::log1p(std::abs(t) / encoder.scale), t));
  const Moments moments = moments_of(logs);
  encoder.centre = moments.mean;
  encoder.spread = moments.deviation;
}

}  // namespace

FrequencyRange TimeScale::range() const { return {2 * pi / span, std::max(2 * pi / span, pi / median_gap)}; }

FrequencyRange TimeScale::cycles() const {
  constexpr double kFiner = 8;
  const double low = kSeenCycles * 2 * pi / span;
  const double high = kFiner * pi / median_gap;
  return {low, std::max(low, grid > 0 ? std::min(high, pi / grid) : high)};
}

TimeScale time_scale(const SequenceBatch& data, TimeInput input) {
  check_times(data, input);
  const std::span<const double> tau = data.times[static_cast<std::size_t>(input)];
  TimeScale scale;
  if (tau.empty()) return scale;
  const auto [low, high] = std::ranges::minmax(tau);
  scale.span = high - low;
  if (input == TimeInput::kGap || input == TimeInput::kUntil) {
    scale.median_gap = median_positive({tau.begin(), tau.end()});
    return scale;
  }
  scale.median_gap = median_positive(gaps_in_sequences(data, tau));
  if (scale.median_gap == 0) scale.median_gap = median_positive(gaps_in_order(tau));
  return scale;
}

void measure(TimeEncoderConfig& encoder, const SequenceBatch& data) {
  check_times(data, encoder.input);
  const std::span<const double> tau = data.times[static_cast<std::size_t>(encoder.input)];
  if (tau.empty()) return;
  const auto [low, high] = std::ranges::minmax(tau);
  if (low == high) return;
  if (encoder.kind == "log") return measure_log(encoder, tau);
  const Moments moments = moments_of(tau);
  encoder.centre = moments.mean;
  // Of evenly spread times their span; a few that lie far off do not count for more than they are.
  encoder.scale = encoder.kind == "t2v" ? 2 * (moments.mean - low) : moments.deviation;
}

TimeScale time_scale_of_labels(const SequenceBatch& data, TimeInput input, int64_t classes) {
  TimeScale scale = time_scale(data, input);
  if (static_cast<int64_t>(data.labels.size()) != data.sequences()) {
    fail("the data has {} labels for {} sequences", data.labels.size(), data.sequences());
  }
  for (const int32_t label : data.labels) {
    if (label < 0 || label >= classes) fail("a label is {}, not one of 0..{}", label, classes - 1);
  }
  const std::span<const double> tau = data.times[static_cast<std::size_t>(input)];
  std::vector<double> last;
  std::vector<double> one_hot(data.labels.size() * static_cast<std::size_t>(classes), 0.0);
  for (std::size_t b = 0; b < data.labels.size(); ++b) {
    last.push_back(tau[static_cast<std::size_t>(data.offsets[b + 1] - 1)]);
    one_hot[b * static_cast<std::size_t>(classes) + static_cast<std::size_t>(data.labels[b])] = 1;
  }
  if (scale.span > 0 && scale.median_gap > 0) {
    scale.periods = strongest_periods(last, one_hot, classes, scale.range());
  }
  return scale;
}

void start_frequencies(double* omega, double* phi, const TimeEncoderConfig& config, const TimeScale& scale,
                       Random& omega_random, Random& phi_random) {
  if (needs_data(config.start) && !(scale.span > 0 && scale.median_gap > 0)) {
    fail(
        "the start '{}' of the frequencies needs times that differ: their span is {} and the median of their "
        "positive gaps {}; use another start, such as u11",
        name_of(config.start), scale.span, scale.median_gap);
  }
  if (config.linear) draw_linear(*omega++, *phi++, config, scale, omega_random, phi_random);
  draw_periodic(omega, phi, config, scale, omega_random, phi_random);
}

}  // namespace t2v::nn
