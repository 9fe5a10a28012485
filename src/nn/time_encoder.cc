#include "nn/time_encoder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <utility>

#include "base/named.h"

namespace t2v::nn {
namespace {

using std::numbers::pi;

template <class Enum>
struct Name {
  Enum value;
  std::string_view name;
};

constexpr Name<Activation> kActivations[] = {
    {Activation::kSin, "sin"},   {Activation::kCos, "cos"},         {Activation::kTriangle, "triangle"},
    {Activation::kMod, "mod"},   {Activation::kSigmoid, "sigmoid"}, {Activation::kTanh, "tanh"},
    {Activation::kRelu, "relu"},
};

constexpr Name<OmegaStart> kStarts[] = {
    {OmegaStart::kU11, "u11"},
    {OmegaStart::kU01, "u01"},
    {OmegaStart::kN1, "n1"},
    {OmegaStart::kN01, "n01"},
    {OmegaStart::kGeometric, "geometric"},
    {OmegaStart::kEqual, "equal"},
    {OmegaStart::kPositional, "positional"},
    {OmegaStart::kSpan, "span"},
    {OmegaStart::kCycles, "cycles"},
    {OmegaStart::kPeriodogram, "periodogram"},
};

constexpr Name<TimeInput> kInputs[] = {{TimeInput::kStart, "start"},
                                       {TimeInput::kGap, "gap"},
                                       {TimeInput::kQuery, "query"},
                                       {TimeInput::kUntil, "until"},
                                       {TimeInput::kSince, "since"}};

template <class Enum, std::size_t N>
std::string_view name_in(const Name<Enum> (&names)[N], Enum value) {
  for (const Name<Enum>& entry : names) {
    if (entry.value == value) return entry.name;
  }
  return "?";
}

constexpr double kDay = 86400;
/// Years beyond this many days from 1970 have no calendar here (about 27 million years).
constexpr double kMaxDays = 1e10;

/// The day of the year, from 0, and the number of days of that year, of day number `days` since 1970-01-01 in
/// the Gregorian calendar. Works on the 400-year cycle of 146,097 days that starts on a 1st of March.
std::pair<int64_t, int64_t> day_of_year(int64_t days) {
  constexpr int64_t kCycle = 146097;
  const int64_t since = days + 719468;  // since 0000-03-01
  const int64_t cycle = (since >= 0 ? since : since - kCycle + 1) / kCycle;
  const int64_t day = since - cycle * kCycle;
  const int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  const int64_t from_march = day - (365 * year + year / 4 - year / 100);
  // January and February, 306 days after the 1st of March on, belong to the next year.
  const bool next = from_march >= 306;
  const int64_t calendar_year = cycle * 400 + year + (next ? 1 : 0);
  const bool leap = calendar_year % 4 == 0 && (calendar_year % 100 != 0 || calendar_year % 400 == 0);
  return {next ? from_march - 306 : from_march + 59 + (leap ? 1 : 0), leap ? 366 : 365};
}

void encode_raw(double* out, const TimeEncoderConfig& config, double tau) {
  out[0] = (tau - config.centre) / config.scale;
}

void encode_log(double* out, const TimeEncoderConfig& config, double tau) {
  const double log = std::copysign(std::log1p(std::abs(tau) / config.scale), tau);
  out[0] = (log - config.centre) / config.spread;
}

/// A date: the day since 1970-01-01 and the share of it that has passed.
struct Day {
  int64_t number;
  double share;

  /// In [0, 1), from Monday.
  double of_week() const {
    constexpr int64_t kThursday = 3;  // 1970-01-01
    return (static_cast<double>(((number + kThursday) % 7 + 7) % 7) + share) / 7;
  }
};

Day day_of(const TimeEncoderConfig& config, double tau) {
  // Whole days of the origin are taken apart first, so that the time of day keeps its digits.
  const double origin_days = std::floor(config.origin / kDay);
  const double seconds = tau * config.unit + (config.origin - origin_days * kDay);
  const double whole = std::floor(seconds / kDay);
  const double days = whole + origin_days;
  if (!(std::abs(days) < kMaxDays)) fail("time {} is too far from 1970 for a calendar", tau);
  return {static_cast<int64_t>(days), (seconds - whole * kDay) / kDay};
}

void encode_phases(double* out, std::initializer_list<double> phases) {
  for (const double phase : phases) {
    *out++ = std::sin(2 * pi * phase);
    *out++ = std::cos(2 * pi * phase);
  }
}

void encode_week(double* out, const TimeEncoderConfig& config, double tau) {
  const Day day = day_of(config, tau);
  encode_phases(out, {day.share, day.of_week()});
}

void encode_calendar(double* out, const TimeEncoderConfig& config, double tau) {
  const Day day = day_of(config, tau);
  const auto [of_year, year_days] = day_of_year(day.number);
  encode_phases(out, {day.share, day.of_week(),
                      (static_cast<double>(of_year) + day.share) / static_cast<double>(year_days)});
}

template <int64_t n>
int64_t always(const TimeEncoderConfig& /*config*/) {
  return n;
}

/// The widest encoder without parameters: their vectors lie on the stack.
constexpr std::size_t kWidestPlain = 6;

int64_t t2v_width(const TimeEncoderConfig& config) { return config.k + (config.linear ? 1 : 0); }

constexpr TimeEncoderKind kKinds[] = {
    {"raw", always<1>, encode_raw},   {"log", always<1>, encode_log},
    {"week", always<4>, encode_week}, {"calendar", always<kWidestPlain>, encode_calendar},
    {"t2v", t2v_width, nullptr},
};

constexpr int64_t kMostSines = int64_t{1} << 24;

void check_config(const std::string& name, const TimeEncoderConfig& config) {
  if (config.k < 0) fail("{}: k must not be negative; it is {}", name, config.k);
  if (config.k > kMostSines) fail("{}: k must be at most {}; it is {}", name, kMostSines, config.k);
  if (!(config.l1 >= 0) || !std::isfinite(config.l1))
    fail("{}: l1 must not be negative; it is {}", name, config.l1);
  if (config.l1 > 0 && config.kind != "t2v") {
    fail("{}: an l1 penalty is for the periodic terms of t2v; '{}' has none", name, config.kind);
  }
  const auto positive = [](double x) { return x > 0 && std::isfinite(x); };
  if (!positive(config.scale) || !positive(config.spread) || !std::isfinite(config.centre)) {
    fail("{}: scale {} and spread {} must be positive and finite, centre {} finite", name, config.scale,
         config.spread, config.centre);
  }
  if (!(config.unit > 0) || !std::isfinite(config.unit) || !std::isfinite(config.origin)) {
    fail("{}: the calendar needs a positive unit and a finite origin; they are {} and {}", name, config.unit,
         config.origin);
  }
}

bool usable(double time) { return std::abs(time) <= kernels::kMaxTime; }  // false for NaN

double largest(std::span<const double> values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace

std::string_view name_of(Activation activation) { return name_in(kActivations, activation); }
std::string_view name_of(OmegaStart start) { return name_in(kStarts, start); }
std::string_view name_of(TimeInput input) { return name_in(kInputs, input); }
Activation activation_from(std::string_view name) {
  return find_named(kActivations, name, "activation").value;
}
OmegaStart omega_start_from(std::string_view name) {
  return find_named(kStarts, name, "start of the frequencies").value;
}
TimeInput time_input_from(std::string_view name) { return find_named(kInputs, name, "time input").value; }

std::span<const TimeEncoderKind> time_encoders() { return kKinds; }

TimeEncoder::TimeEncoder(Layout& layout, const std::string& name, const TimeEncoderConfig& config)
    : config_(config),
      kind_(&find_named(kKinds, config.kind, "time encoder")),
      width_((check_config(name, config), kind_->width(config))) {
  if (width_ < 1) fail("{}: a time vector needs at least one entry; k is {}", name, config.k);
  if (kind_->encode != nullptr) return;
  omega_ = layout.add(name + ".omega", Role::kOmega, 1, width_);
  phi_ = layout.add(name + ".phi", Role::kPhi, 1, width_);
}

void check_times(const SequenceBatch& batch, TimeInput input) {
  const std::span<const double> times = batch.times[static_cast<std::size_t>(input)];
  if (static_cast<int64_t>(times.size()) != batch.event_count()) {
    fail("the model uses the time input '{}', but the batch has {} such times for {} events", name_of(input),
         times.size(), batch.event_count());
  }
  for (std::size_t b = 0; b + 1 < batch.offsets.size(); ++b) {
    for (int64_t e = batch.offsets[b]; e < batch.offsets[b + 1]; ++e) {
      const double t = times[static_cast<std::size_t>(e)];
      if (usable(t)) continue;
      fail("time input '{}': event {} of sequence {} is at {}; times must be finite and at most {:g} in size",
           name_of(input), e - batch.offsets[b], b, t, kernels::kMaxTime);
    }
  }
}

void TimeEncoder::check_times(std::span<const double> tau) {
  for (const double t : tau) {
    if (!usable(t)) fail("a time is {}; times must be finite and at most {:g} in size", t, kernels::kMaxTime);
  }
}

template <class W>
void TimeEncoder::check_phases(const std::string& name, const W* omega, const W* phi,
                               std::span<const double> tau) const {
  const double most = largest(tau);
  for (int64_t i = 0; i < width_; ++i) {
    const double w = std::abs(real_part(omega[i]));
    const double p = std::abs(real_part(phi[i]));
    if (w <= kernels::kMaxTime && w * most <= kernels::kMaxPhase && p <= kernels::kMaxPhase) continue;
    constexpr double kOfNoData = 1e12;  // no start is so fast
    const char* advice =
        std::max(w, p) > kOfNoData
            ? "training diverged: use a smaller learning rate (`rate`)"
            : "use a larger time unit or an origin nearer to the data; if training made it so, "
              "use a smaller learning rate (`rate`)";
    fail("{}[{}]: frequency {:g} with phase {:g} at time {:g} leaves the range of exact phases, {:g} rad; {}",
         name, i, real_part(omega[i]), real_part(phi[i]), most, kernels::kMaxPhase, advice);
  }
}

template <class T>
kernels::Terms<Wide<T>> TimeEncoder::terms(const Layout& layout, const Parameters<T>& parameters) const {
  return {config_.activation, config_.linear, width_, parameters.wide_data(layout[omega_]),
          parameters.wide_data(layout[phi_])};
}

template <class T>
void TimeEncoder::forward(T* value, T* slope, const Layout& layout, const Parameters<T>& parameters,
                          std::span<const double> tau) const {
  check_times(tau);
  if (learned()) {
    const auto view = terms(layout, parameters);
    check_phases(layout[omega_].name, view.omega, view.phi, tau);
    kernels::time2vec_forward(value, slope, width_, view, tau);
    return;
  }
  std::array<double, kWidestPlain> out{};
  for (std::size_t u = 0; u < tau.size(); ++u) {
    kind_->encode(out.data(), config_, tau[u]);
    for (int64_t i = 0; i < width_; ++i) {
      value[static_cast<int64_t>(u) * width_ + i] = static_cast<T>(out[static_cast<std::size_t>(i)]);
    }
  }
}

template <class T>
void TimeEncoder::backward(const Layout& layout, Parameters<T>& gradient, const T* dvalue, const T* slope,
                           std::span<const double> tau) const {
  if (!learned()) return;
  // Frozen periodic terms leave the linear one, the first, to be learned.
  const int64_t count = config_.frozen ? first_periodic() : width_;
  kernels::time2vec_backward(gradient.wide_data(layout[omega_]), gradient.wide_data(layout[phi_]), dvalue,
                             slope, width_, count, tau);
}

#define T2V_INSTANTIATE(T)                                                                  \
  template void TimeEncoder::forward<T>(T*, T*, const Layout&, const Parameters<T>&,        \
                                        std::span<const double>) const;                     \
  template void TimeEncoder::backward<T>(const Layout&, Parameters<T>&, const T*, const T*, \
                                         std::span<const double>) const;
T2V_INSTANTIATE(float)
T2V_INSTANTIATE(double)
T2V_INSTANTIATE(Complex)
#undef T2V_INSTANTIATE

}  // namespace t2v::nn
