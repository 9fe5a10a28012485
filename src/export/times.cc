#include "export/times.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/fail.h"
#include "export/onnx.h"
#include "export/operators.h"
#include "kernels/time2vec.h"

namespace t2v::onnx {
namespace {

using nn::Activation;
using std::numbers::pi;

/// 2π as a sum of three numbers. The first two have 25 bits, so that their products with the whole turns of a
/// phase up to kMaxOnnxPhase, below 2^28, are exact.
struct Turn {
  double high = std::floor(2 * pi * 0x1p22) * 0x1p-22;
  double middle = std::floor((2 * pi - high) * 0x1p47) * 0x1p-47;
  double low = (2 * pi - high - middle) + 2.4492935982947064e-16;  // what a double lacks of 2π
};

/// ωτ less whole turns: in [-π, π] up to rounding.
Tensor without_turns(const Tensor& phase) {
  const Turn turn;
  const Tensor turns = round(phase * (1 / (2 * pi)));
  return ((phase - turns * turn.high) - turns * turn.middle) - turns * turn.low;
}

/// F of x = ωτ + φ; of a periodic F x is up to two turns from 0.
Tensor activated(Activation activation, const Tensor& x) {
  switch (activation) {
    case Activation::kSin:
      return sin(x);
    case Activation::kCos:
      return cos(x);
    case Activation::kTriangle: {
      const Tensor from_top = (x - pi / 2) * (1 / (2 * pi));  // in turns
      return 1 - abs(from_top - round(from_top)) * 4;
    }
    case Activation::kMod: {
      const Tensor turns = x * (1 / (2 * pi));
      return (turns - floor(turns)) * 2 - 1;
    }
    case Activation::kSigmoid:
      return sigmoid(x);
    case Activation::kTanh:
      return tanh(x);
    case Activation::kRelu:
      return where(x >= 0, x, 0);
  }
  return x;
}

bool is_periodic(Activation activation) {
  return activation == Activation::kSin || activation == Activation::kCos ||
         activation == Activation::kTriangle || activation == Activation::kMod;
}

struct Terms {
  std::vector<double> omega;
  std::vector<double> phi;
};

Terms terms_of(const nn::TimeEncoder& encoder, const nn::Layout& layout,
               const nn::Parameters<float>& parameters) {
  const double* omega = parameters.wide_data(layout[encoder.omega()]);
  const double* phi = parameters.wide_data(layout[encoder.phi()]);
  return {{omega, omega + encoder.width()}, {phi, phi + encoder.width()}};
}

/// ωτ + φ of the terms [begin, end), their phases reduced if they are periodic. The phases at time 0 are φ
/// less whole turns.
Tensor phases(const Tensor& tau, const Terms& terms, int64_t begin, int64_t end, bool periodic,
              const std::string& name) {
  const auto first = static_cast<std::size_t>(begin);
  const auto count = static_cast<std::size_t>(end - begin);
  std::vector<double> phi(terms.phi.begin() + begin, terms.phi.begin() + end);
  if (periodic) {
    const kernels::Terms<double> at_zero{Activation::kSin, false, end - begin, terms.omega.data() + begin,
                                         terms.phi.data() + begin};
    const double zero = 0;
    kernels::time2vec_phases(phi.data(), at_zero, {&zero, 1});
  }
  Graph& graph = *tau.graph;
  const std::span<const double> omega(terms.omega.data() + first, count);
  const Tensor product = tau * graph.constant(name + ".omega", omega, {end - begin});
  const Tensor offset = graph.constant(name + ".phi", std::span<const double>(phi), {end - begin});
  return (periodic ? without_turns(product) : product) + offset;
}

Tensor time2vec(const Tensor& tau, const nn::TimeEncoder& encoder, const Terms& terms,
                const std::string& name) {
  const Tensor column = unsqueeze(tau, -1);
  const int64_t first = encoder.first_periodic();
  std::vector<Tensor> parts;
  if (first > 0) {
    parts.push_back(cast(phases(column, terms, 0, first, false, name + ".linear"), Type::kFloat));
  }
  if (first < encoder.width()) {
    const Activation activation = encoder.config().activation;
    const Tensor x = phases(column, terms, first, encoder.width(), is_periodic(activation), name);
    parts.push_back(cast(activated(activation, x), Type::kFloat));
  }
  return concat(parts, -1);
}

Tensor raw_time(const Tensor& tau, const nn::TimeEncoderConfig& config) {
  return (tau - config.centre) / config.scale;
}

Tensor log_time(const Tensor& tau, const nn::TimeEncoderConfig& config) {
  const Tensor size = log(abs(tau) / config.scale + 1);
  return (where(tau >= 0, size, size * -1) - config.centre) / config.spread;
}

Tensor whole_of(const Tensor& x, double divisor) { return floor(x / divisor); }
Tensor rest_of(const Tensor& x, double divisor) { return x - whole_of(x, divisor) * divisor; }

/// The share of the year that has passed, for whole days since 1970-01-01 and the share of the day: the day
/// of the year as in nn/time_encoder.cc, on the 400-year cycle that starts on a 1st of March.
Tensor share_of_year(const Tensor& days, const Tensor& of_day) {
  constexpr double kCycle = 146097;
  const Tensor since = days + 719468;
  const Tensor cycle = whole_of(since, kCycle);
  const Tensor day = since - cycle * kCycle;
  const Tensor year = whole_of(day - whole_of(day, 1460) + whole_of(day, 36524) - whole_of(day, 146096), 365);
  const Tensor from_march = day - (year * 365 + whole_of(year, 4) - whole_of(year, 100));
  const Tensor next = from_march >= 306;  // January and February belong to the next year
  const Tensor calendar_year = cycle * 400 + year + cast(next, Type::kDouble);
  const auto divisible = [&](double by) { return equal(rest_of(calendar_year, by), 0); };
  const Tensor leap =
      cast(both(divisible(4), either(opposite(divisible(100)), divisible(400))), Type::kDouble);
  const Tensor of_year = where(next, from_march - 306, from_march + 59 + leap);
  return days.graph->node("Div", {of_year + of_day, leap + 365});
}

Tensor calendar(EventTensors& events, const Tensor& tau, const nn::TimeEncoderConfig& config) {
  constexpr double kDay = 86400;
  constexpr double kMaxDays = 1e10;  // from 1970
  const double origin_days = std::floor(config.origin / kDay);
  const Tensor seconds = tau * config.unit + (config.origin - origin_days * kDay);
  const Tensor whole = whole_of(seconds, kDay);
  const Tensor of_day = (seconds - whole * kDay) / kDay;
  const Tensor days = whole + origin_days;
  events.require(abs(days) < kMaxDays);
  const Tensor of_week = (rest_of(days + 3, 7) + of_day) / 7;  // 1970-01-01 was a Thursday
  std::vector<Tensor> parts;
  std::vector<Tensor> shares = {of_day, of_week};
  if (config.kind == "calendar") shares.push_back(share_of_year(days, of_day));
  for (const Tensor& share : shares) {
    const Tensor phase = unsqueeze(share * (2 * pi), -1);
    parts.push_back(cast(sin(phase), Type::kFloat));
    parts.push_back(cast(cos(phase), Type::kFloat));
  }
  return concat(parts, -1);
}

}  // namespace

double largest_omega(const nn::TimeEncoder& encoder, const nn::Layout& layout,
                     const nn::Parameters<float>& parameters) {
  double most = 0;
  for (const double omega : terms_of(encoder, layout, parameters).omega)
    most = std::max(most, std::abs(omega));
  return most;
}

Tensor add_time_vector(EventTensors& events, const Tensor& tau, const nn::TimeEncoder& encoder,
                       const nn::Layout& layout, const nn::Parameters<float>& parameters) {
  const std::string& kind = encoder.config().kind;
  events.require(abs(tau) <= kernels::kMaxTime);
  if (encoder.learned()) {
    events.require(abs(tau) * largest_omega(encoder, layout, parameters) <= kMaxOnnxPhase);
    const std::string& tensor = layout[encoder.omega()].name;
    return time2vec(tau, encoder, terms_of(encoder, layout, parameters), tensor.substr(0, tensor.find('.')));
  }
  if (kind == "raw") return unsqueeze(cast(raw_time(tau, encoder.config()), Type::kFloat), -1);
  if (kind == "log") return unsqueeze(cast(log_time(tau, encoder.config()), Type::kFloat), -1);
  if (kind == "calendar" || kind == "week") return calendar(events, tau, encoder.config());
  fail("the time encoder '{}' cannot be exported to ONNX", kind);
}

Tensor add_clock(EventTensors& events, const Tensor& tau, const std::string& name, const nn::Clock& clock,
                 const nn::Layout& layout, const nn::Parameters<float>& parameters) {
  const nn::Tensor& period = layout[clock.period()];
  const double* shifts = parameters.wide_data(layout[clock.shift()]);
  std::vector<double> rates;
  double most_rate = 0;
  double most_turns = 0;  // of a shift
  for (int64_t j = 0; j < period.size(); ++j) {
    rates.push_back(1 / std::abs(parameters.wide_data(period)[j]));
    most_rate = std::max(most_rate, rates.back());
    most_turns = std::max(most_turns, std::abs(shifts[j]) * rates.back());
  }
  events.require(abs(tau) * most_rate + most_turns <= nn::Clock::kMaxTurns);
  Graph& graph = *tau.graph;
  const std::span<const double> shift(shifts, rates.size());
  const Tensor since = unsqueeze(tau, -1) + graph.constant(name + ".shift", shift, {period.size()});
  const Tensor turns =
      since * graph.constant(name + ".rate", std::span<const double>(rates), {period.size()});
  const Tensor share = turns - floor(turns);
  constexpr double kHalf = nn::Clock::kOpen / 2;
  const Tensor rising = share * (1 / kHalf);
  const Tensor open = where(share <= kHalf, rising, 2 - rising);
  return cast(where(share <= nn::Clock::kOpen, open, share * nn::Clock::kLeak), Type::kFloat);
}

}  // namespace t2v::onnx
