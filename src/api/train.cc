#include "t2v/train.h"

#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "api/event_log.h"
#include "api/time_model.h"
#include "base/fail.h"
#include "base/text_check.h"
#include "data/decimal.h"
#include "train/common_origin.h"
#include "train/training.h"

namespace t2v {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const char* name, const std::string& text, const char* wanted) {
  fail("the setting '{}' is {}, which is no {}", name, in_quotes(text), wanted);
}

/// The value of an option from its text, as JSON of the option's type.
template <class T>
Json json_from(const char* name, const std::string& text) {
  if constexpr (std::is_same_v<T, std::string>) {
    return text;
  } else if constexpr (std::is_same_v<T, bool>) {
    if (text != "true" && text != "false") refuse(name, text, "'true' or 'false'");
    return text == "true";
  } else {
    double number = 0;
    if (data::parse_double(text, number) != data::NumberFault::kNone) refuse(name, text, "number");
    if constexpr (std::is_same_v<T, double>) return number;
    data::Decimal whole;
    const bool good = data::parse_decimal(text, whole) == data::NumberFault::kNone && whole.decimals == 0;
    if (!good || (std::is_unsigned_v<T> && whole.mantissa < 0)) refuse(name, text, "whole number");
    return static_cast<T>(whole.mantissa);
  }
}

TrainConfig config_from(const std::map<std::string, std::string>& settings) {
  TrainConfig config;
  Json json = Json::object();
  for (const auto& [name, text] : settings) json[name] = text;  // also unknown ones, to be named
  for_each_option(config, [&](const char* name, auto& value) {
    const auto found = settings.find(name);
    if (found != settings.end()) {
      json[name] = json_from<std::remove_reference_t<decltype(value)>>(name, found->second);
    }
  });
  read_json(config, json);
  return config;
}

Fit::Hooks hooks_of(const TrainOptions& options) {
  Fit::Hooks hooks;
  hooks.stop = options.stop;
  if (options.epoch) {
    hooks.epoch = [&options](const EpochReport& report) {
      options.epoch({report.epoch, report.loss, report.valid_loss, report.measure, report.rate,
                     report.seconds, report.best});
    };
  }
  return hooks;
}

TrainEnd public_end(FitEnd end) {
  switch (end) {
    case FitEnd::kConverged:
      return TrainEnd::kConverged;
    case FitEnd::kEpochs:
      return TrainEnd::kEpochs;
    case FitEnd::kTime:
      return TrainEnd::kTime;
    case FitEnd::kStopped:
      break;
  }
  return TrainEnd::kStopped;
}

}  // namespace

TrainResult train(const EventLog& log, const TrainOptions& options) {
  const TrainConfig config = config_from(options.settings);
  data::EventStore store = log.impl().store;
  if (!log.impl().origin_given) use_common_origin(store.events, config);
  ThreadPool pool(options.threads);
  Training training(store, config, pool);
  const FitEnd end = training.run(hooks_of(options));
  TrainedModel trained = training.result();
  std::vector<std::string> notes = training.choices();
  for (std::string& remark : training.remarks(end, trained)) notes.push_back(std::move(remark));
  return {api::model_of(std::move(trained)), public_end(end), training.fit().best_epoch(), std::move(notes)};
}

}  // namespace t2v
