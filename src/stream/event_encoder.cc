#include "stream/event_encoder.h"

#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "base/text_check.h"

namespace t2v {
namespace {

data::Names names_of(const data::Vocabulary& vocabulary) {
  data::Names names;
  for (const std::string& name : vocabulary.names) names.add(name);
  return names;
}

/// The code of a name; the one of all unknown ones, if there is such.
/// `column`: of a feature; empty for the type of the event.
int32_t code_of(std::string_view name, const data::Names& names, int32_t unknown, std::string_view column) {
  const int32_t code = names.find(name);
  if (code >= 0) return code;
  if (unknown >= 0) return unknown;
  const bool type = column.empty();
  const std::string what = type ? "event type" : fmt::format("'{}'", shown(column));
  if (name.empty())
    fail("there is no {}, which the model needs{}", what, type ? "; name its key with `event`" : "");
  constexpr std::string_view kAdvice = "train with `unknown` always for a model that takes such ones";
  if (type) fail("the event type {} is unknown to the model; {}", in_quotes(name), kAdvice);
  fail("{} in {} is unknown to the model; {}", in_quotes(name), what, kAdvice);
}

}  // namespace

EventEncoder::EventEncoder(const TrainedModel& model)
    : has_events_(model.config.event_types > 0), sums_(model.config.event_rows > 0) {
  const data::Encoding& encoding = model.encoding;
  if (has_events_) {
    events_ = names_of(*encoding.event);
    unknown_event_ = encoding.event->unknown_code();
  }
  if (sums_) typed_values_ = encoding.typed_values;
  if (typed_values_) {
    columns_.push_back({typed_values_->name(), true});
    places_.emplace_back();
  }
  if (model.config.features == 0) return;
  if (encoding.value) add_number(*encoding.value);
  for (const auto& feature : encoding.numbers) add_number(feature);
  for (const auto& feature : encoding.categories) add_category(feature);
  for (const auto& feature : encoding.sequence_numbers) add_number(feature);
  for (const auto& feature : encoding.sequence_categories) add_category(feature);
}

void EventEncoder::add_number(const data::NumberFeature& feature) {
  columns_.push_back({feature.name, true});
  Place& place = places_.emplace_back();
  place.at = features_;
  place.feature = feature;
  features_ += feature.width();
}

void EventEncoder::add_category(const data::CategoryFeature& feature) {
  columns_.push_back({feature.name, false});
  Place& place = places_.emplace_back();
  place.at = features_;
  place.names = names_of(feature.vocabulary);
  place.unknown = feature.vocabulary.unknown_code();
  features_ += feature.vocabulary.size();
}

void EventEncoder::encode_number(std::span<float> features, const Place& place, double x) {
  float* out = features.data() + place.at;
  place.feature.encode(out, x);
  if (std::isfinite(out[0])) return;
  fail("the number {} in '{}' is too large for the model", x, shown(place.feature.name));
}

EventEncoder::Encoded EventEncoder::encode(std::span<float> features, std::vector<EventPart>& parts,
                                           std::string_view event, std::span<const FeatureCell> cells) const {
  if (cells.size() != columns_.size()) {
    fail("an event of this model has {} features, not {}", columns_.size(), cells.size());
  }
  Encoded encoded{0, false};
  if (has_events_) {
    encoded.event = code_of(event, events_, unknown_event_, "");
    encoded.unknown = encoded.event == unknown_event_;
  }
  parts.clear();
  const double value = typed_values_ ? cells[0].number : std::numeric_limits<double>::quiet_NaN();
  if (sums_) data::add_parts(parts, typed_values_, encoded.event, value);
  std::fill(features.begin(), features.end(), 0.0F);
  for (std::size_t i = typed_values_ ? 1 : 0; i < cells.size(); ++i) {
    const Place& place = places_[i];
    if (columns_[i].number) {
      encode_number(features, place, cells[i].number);
      continue;
    }
    const int32_t code = code_of(cells[i].name, place.names, place.unknown, columns_[i].name);
    features[static_cast<std::size_t>(place.at + code)] = 1;
    encoded.unknown = encoded.unknown || code == place.unknown;
  }
  return encoded;
}

}  // namespace t2v
