#include "model/rescale.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/named.h"
#include "base/text_check.h"
#include "data/duration.h"
#include "kernels/rows.h"
#include "model/time_options.h"

namespace t2v {
namespace {

using nn::Role;
using nn::Tensor;

constexpr double kNanoseconds = 1e9;

constexpr double kLargestFactor = 1e18;
/// How far a factor may be from that of a unit, and an origin from a whole tick, relatively: rounding alone.
constexpr double kRounding = 1e-9;

double seconds_of(const data::TimeView& view) { return view.ticks_per_unit / kNanoseconds; }
double seconds_of(const data::UnitOfTime& unit) {
  return static_cast<double>(unit.nanoseconds) / kNanoseconds;
}

void check_factor(double factor) {
  if (factor >= 1 / kLargestFactor && factor <= kLargestFactor) return;
  fail("times can be multiplied by numbers from {:g} to {:g}, not by {:g}", 1 / kLargestFactor,
       kLargestFactor, factor);
}

/// The unit that times multiplied by the factor are in.
const data::UnitOfTime& unit_after(const data::TimeView& view, double factor) {
  std::string factors;
  for (const data::UnitOfTime& unit : data::kModelUnits) {
    const double exact = seconds_of(view) / seconds_of(unit);
    if (std::abs(factor / exact - 1) <= kRounding) return unit;
    factors += fmt::format("{}{:.17g} ({})", factors.empty() ? "" : ", ", exact, unit.name);
  }
  fail("times in {} multiplied by {:g} are in no unit that has a name; these factors lead to one: {}",
       view.unit, factor, factors);
}

int64_t moved_origin(int64_t tick, double factor) {
  const double moved = static_cast<double>(tick) * factor;
  const double whole = std::round(moved);
  const bool exact = std::abs(moved - whole) <= kRounding * std::max(1.0, std::abs(moved));
  if (exact && std::abs(whole) < 0x1p53) return static_cast<int64_t>(whole);
  fail(
      "the origin of the model's times, multiplied by {:g}, is not a number with as many decimals as they "
      "have",
      factor);
}

void rescale_times(ModelTimes& times, double factor) {
  if (times.scale.instants) {
    const data::UnitOfTime& unit = unit_after(times.view, factor);
    times.view.unit = unit.name;
    times.view.ticks_per_unit = static_cast<double>(unit.nanoseconds);
  } else if (times.view.origin != data::OriginKind::kSequence) {
    times.view.origin_tick = moved_origin(times.view.origin_tick, factor);
  }
  times.grid *= factor;
  times.least_gap *= factor;
}

void rescale_config(ModelConfig& config, double factor) {
  config.clock_scale *= factor;
  for (auto* times : {&config.times, &config.next_times}) {
    for (nn::TimeEncoderConfig& time : *times) {
      time.scale *= factor;
      if (time.kind != "log") time.centre *= factor;
      if (time.kind == "calendar" || time.kind == "week") time.unit /= factor;
    }
  }
  for (nn::HeadConfig& head : config.heads) head.floor *= factor;
}

/// Frequencies and clocks.
void rescale_wide(nn::Parameters<float>& parameters, const nn::Layout& layout, double factor) {
  for (const Tensor& tensor : layout.tensors()) {
    const bool clock = tensor.role == Role::kPeriod || tensor.role == Role::kShift;
    if (tensor.role != Role::kOmega && !clock) continue;
    double* values = parameters.wide_data(tensor);
    for (int64_t i = 0; i < tensor.size(); ++i) values[i] = clock ? values[i] * factor : values[i] / factor;
  }
}

/// log(gap · factor) = log(gap) + log(factor): the means of the mixture move, all at once where they are
/// counted from a centre.
void rescale_gaps(TrainedModel& trained, const Model& model, double factor) {
  for (std::size_t i = 0; i < trained.config.heads.size(); ++i) {
    const nn::HeadConfig& head = trained.config.heads[i];
    if (head.kind != "when") continue;
    if (head.centre != 0 || head.spread != 1) {
      trained.config.heads[i].centre += std::log(factor);
      continue;
    }
    float* bias = trained.parameters.data(model.layout()[model.head_bias(i)]);
    for (int64_t k = head.components; k < 2 * head.components; ++k) {
      bias[k] = static_cast<float>(bias[k] + std::log(factor));
    }
  }
}

/// The logarithm of a gap, and the season of values, are in units of time too.
void rescale_baselines(Baselines& baselines, double factor) {
  if (!baselines.gap.empty()) baselines.gap[0] += std::log(factor);
  for (std::size_t i = 0; i < baselines.type_gaps.size(); i += 3) baselines.type_gaps[i] += std::log(factor);
  if (!baselines.value.empty()) baselines.value[1] *= factor;
}

/// What the training record says in units of time, and that it is about another one.
void rescale_record(nlohmann::json& training, double factor) {
  if (!training.is_object()) return;
  if (const auto span = training.find("span"); span != training.end() && span->is_number()) {
    *span = span->get<double>() * factor;
  }
  training["rescaled"] = training.value("rescaled", 1.0) * factor;
}

/// The unit and origin that are recorded are those that the model has.
void rescale_options(nlohmann::json& options, const ModelTimes& times) {
  if (options.is_object() && options.contains("origin")) options.update(time_options(times));
}

void check_finite(const nn::Parameters<float>& parameters, double factor) {
  if (kernels::all_finite(parameters.dense.data(), parameters.dense.size()) &&
      kernels::all_finite(parameters.wide.data(), parameters.wide.size())) {
    return;
  }
  fail("times multiplied by {:g} need weights beyond the range of numbers", factor);
}

}  // namespace

void rescale(TrainedModel& trained, double factor) {
  check_factor(factor);
  TrainedModel next = trained;
  const Model model(trained.config);
  rescale_times(next.times, factor);
  rescale_config(next.config, factor);
  rescale_wide(next.parameters, model.layout(), factor);
  rescale_gaps(next, model, factor);
  rescale_record(*next.training, factor);
  rescale_options(*next.options, next.times);
  rescale_baselines(next.baselines, factor);
  if (next.forecaster) forecast::rescale(*next.forecaster, factor);
  check_finite(next.parameters, factor);
  trained = std::move(next);
}

void rescale_to_unit(TrainedModel& model, std::string_view unit) {
  if (!model.times.scale.instants) {
    fail("the model's times are plain numbers, which have no unit '{}'; give a factor (`by`)", shown(unit));
  }
  rescale(model, seconds_of(model.times.view) / seconds_of(find_named(data::kModelUnits, unit, "unit")));
}

}  // namespace t2v
