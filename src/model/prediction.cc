#include "model/prediction.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "data/human_time.h"
#include "nn/when.h"

namespace t2v {
namespace {

using Json = nlohmann::json;

[[noreturn]] void fail_not_finite() {
  fail("a prediction is not a finite number; look for extreme times or values in the data (t2v doctor)");
}

bool is_better(const Choice& a, const Choice& b) {
  return a.probability > b.probability || (a.probability == b.probability && a.code < b.code);
}

/// The largest logits in place of probabilities, largest first: a heap whose top is the worst of the best.
void take_largest(std::vector<Choice>& best, const float* logits, int64_t classes, int64_t top) {
  best.clear();
  const int64_t kept = std::clamp<int64_t>(top, 0, classes);
  for (int64_t i = 0; i < kept; ++i) best.push_back({static_cast<int32_t>(i), logits[i]});
  if (kept == 0) return;
  std::ranges::make_heap(best, is_better);
  for (int64_t i = kept; i < classes; ++i) {
    if (!(logits[i] > best.front().probability)) continue;
    std::ranges::pop_heap(best, is_better);
    best.back() = {static_cast<int32_t>(i), logits[i]};
    std::ranges::push_heap(best, is_better);
  }
  std::ranges::sort_heap(best, is_better);
}

void choose_by_softmax(std::vector<Choice>& best, const float* logits, int64_t classes, int64_t top) {
  const float largest = *std::max_element(logits, logits + classes);
  double sum = 0;
  for (int64_t i = 0; i < classes; ++i) sum += static_cast<double>(std::exp(logits[i] - largest));
  if (!std::isfinite(sum)) fail_not_finite();
  take_largest(best, logits, classes, top);
  for (Choice& choice : best) {
    const double share = std::exp(static_cast<double>(choice.probability) - static_cast<double>(largest));
    choice.probability = static_cast<float>(share / sum);
  }
}

/// Puts the class first that the threshold says.
void choose_by_threshold(std::vector<Choice>& best, double threshold) {
  if (best.size() < 2) return;
  const auto second = std::ranges::find(best, 1, &Choice::code);
  const bool wanted = static_cast<double>(second->probability) >= threshold;
  if (wanted != (best.front().code == 1)) std::swap(best[0], best[1]);
}

void choose_by_logistic(std::vector<Choice>& best, float logit, int64_t top) {
  if (!std::isfinite(logit)) fail_not_finite();
  const auto share = [](double z) { return static_cast<float>(1 / (1 + std::exp(-z))); };
  const float probabilities[] = {share(-static_cast<double>(logit)), share(static_cast<double>(logit))};
  take_largest(best, probabilities, 2, top);
}

double own_unit(float standard, const TrainedModel& model) {
  if (!std::isfinite(standard)) fail_not_finite();
  const data::NumberFeature scale = value_scale(model);
  return static_cast<double>(standard) * scale.std + scale.mean;
}

nn::GapMixture mixture_of(const float* outputs, const nn::HeadConfig& config) {
  for (int64_t i = 0; i < nn::when_outputs(config); ++i) {
    if (!std::isfinite(outputs[i])) fail_not_finite();
  }
  return {outputs, config};
}

Prediction::When read_mixture(const float* outputs, const nn::HeadConfig& config) {
  const nn::GapMixture mixture = mixture_of(outputs, config);
  return {mixture.quantile(0.1), mixture.median(), mixture.quantile(0.9), mixture.mean()};
}

/// A number of 6 digits; null for one that JSON has no place for.
Json rounded(double number) {
  if (!std::isfinite(number)) return nullptr;
  return std::strtod(fmt::format("{:.6g}", number).c_str(), nullptr);
}

}  // namespace

int64_t answers_of(const TrainedModel& model, const nn::HeadConfig& head) {
  const auto& types = model.encoding.event;
  const bool unknown = model.task != Task::kClassify && types && types->unknown;
  return unknown && head.classes == types->size() && head.classes > 1 ? head.classes - 1 : head.classes;
}

data::NumberFeature value_scale(const TrainedModel& model) {
  const bool of_sequence = model.values == data::ValueTarget::kOfSequence;
  const auto& scale = of_sequence ? model.encoding.target_scale : model.encoding.value_scale;
  return scale.value_or(data::NumberFeature{});
}

void interpret_head(Prediction& out, const TrainedModel& model, std::size_t head, const float* outputs,
                    int64_t top) {
  const nn::HeadConfig& config = model.config.heads[head];
  switch (nn::head_from(config).target) {
    case nn::TargetKind::kClass:
      if (config.kind == "logistic") {
        choose_by_logistic(out.top, outputs[0], top);
      } else {
        const int64_t least = model.threshold ? 2 : 1;  // both are needed to choose
        choose_by_softmax(out.top, outputs, answers_of(model, config), std::max(top, least));
        if (model.threshold) choose_by_threshold(out.top, *model.threshold);
        if (std::ssize(out.top) > top) out.top.resize(static_cast<std::size_t>(top));
      }
      break;
    case nn::TargetKind::kValue:
      out.value = own_unit(outputs[0], model);
      break;
    case nn::TargetKind::kGap:
      out.when = read_mixture(outputs, config);
      break;
  }
}

void interpret_timed(Prediction& out, const TrainedModel& model, const TimedHead& head,
                     const TimedOutputs& outputs, int64_t top) {
  const nn::HeadConfig& classes = model.config.heads[0];
  const int64_t answers = answers_of(model, classes);
  out.error.reset();
  if (outputs.gap) {
    std::vector<float> logits;
    head.logits(logits, outputs.open, outputs.start, {&*outputs.gap, 1});
    choose_by_softmax(out.top, logits.data(), answers, top);
    return;
  }
  const auto when = static_cast<std::size_t>(find_head(model.config, "when"));
  std::vector<double> probabilities(static_cast<std::size_t>(answers));
  out.error = head.marginal(probabilities, outputs.open, outputs.start,
                            mixture_of(outputs.when, model.config.heads[when]));
  if (!std::isfinite(*out.error)) fail_not_finite();
  const std::vector<float> rounded(probabilities.begin(), probabilities.end());
  take_largest(out.top, rounded.data(), answers, top);
}

void interpret(Prediction& out, const TrainedModel& model, std::span<const float* const> outputs,
               int64_t top) {
  out.top.clear();
  out.error.reset();
  out.value.reset();
  out.when.reset();
  for (std::size_t h = 0; h < outputs.size(); ++h) interpret_head(out, model, h, outputs[h], top);
}

std::string_view name_of_choice(const TrainedModel& model, int32_t code) {
  const auto& vocabulary = model.task == Task::kClassify ? model.encoding.label : model.encoding.event;
  const auto at = static_cast<std::size_t>(code);
  return vocabulary && at < vocabulary->names.size() ? std::string_view(vocabulary->names[at]) : "(other)";
}

std::optional<int64_t> tick_after(const Prediction& prediction, const TrainedModel& model, double gap) {
  if (!model.times.scale.instants || !prediction.after) return std::nullopt;
  // To whole seconds, milliseconds or nanoseconds.
  const double grid = model.times.grid * model.times.view.ticks_per_unit;
  const double step = grid >= 1e9 ? 1e9 : grid >= 1e6 ? 1e6 : 1;
  const double ticks = std::round(gap * model.times.view.ticks_per_unit / step) * step;
  int64_t tick = 0;
  const bool near = ticks < 0x1p62 && !__builtin_add_overflow(*prediction.after, std::llround(ticks), &tick);
  return near ? std::optional(tick) : std::nullopt;
}

std::string date_after(const Prediction& prediction, const TrainedModel& model, double gap) {
  const std::optional<int64_t> tick = tick_after(prediction, model, gap);
  return tick ? data::tick_text(model.times.scale, *tick) : "";
}

namespace {

/// What is said of the time as dates.
void add_dates(Json& json, const Prediction& prediction, const TrainedModel& model) {
  const Prediction::When& when = *prediction.when;
  if (!model.times.scale.instants || !prediction.after) return;
  const auto date = [&](double gap) -> Json {
    const std::string text = date_after(prediction, model, gap);
    return text.empty() ? Json(nullptr) : Json(text);
  };
  json["dates"] = {{"p10", date(when.p10)},
                   {"median", date(when.median)},
                   {"p90", date(when.p90)},
                   {"mean", date(when.mean)}};
}

}  // namespace

std::string quantile_name(double share) { return fmt::format("p{:.6g}", 100 * share); }

Json to_json(const Prediction& prediction, const TrainedModel& model) {
  Json json = Json::object();
  const bool classify = model.task == Task::kClassify;
  if (!prediction.top.empty()) {
    Json& choices = json[classify ? "class" : "next"];
    for (const Choice& choice : prediction.top) {
      choices.push_back({{classify ? "label" : "event", name_of_choice(model, choice.code)},
                         {"p", rounded(static_cast<double>(choice.probability))}});
    }
  }
  if (prediction.error) json["error"] = rounded(*prediction.error);
  if (prediction.value) json["value"] = *prediction.value;
  for (const Prediction::Quantile& quantile : prediction.quantiles) {
    json[quantile_name(quantile.share)] = quantile.value;
  }
  if (prediction.when) {
    const Prediction::When& when = *prediction.when;
    json["when"] = {{"p10", rounded(when.p10)},
                    {"median", rounded(when.median)},
                    {"p90", rounded(when.p90)},
                    {"mean", rounded(when.mean)},
                    {"unit", model.times.view.unit}};
    add_dates(json["when"], prediction, model);
  }
  return json;
}

}  // namespace t2v
