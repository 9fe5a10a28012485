#include "export/notes.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "base/version.h"
#include "export/events.h"
#include "model/time_options.h"

namespace t2v::onnx {
namespace {

using Json = nlohmann::json;

std::string text_of(const Json& json) {
  try {
    return json.dump();
  } catch (const Json::exception&) {
    fail("a name in the model is not UTF-8, which ONNX needs; convert the data to UTF-8 and train again");
  }
}

Json vocabulary_json(const data::Vocabulary& vocabulary) {
  Json json = {{"names", vocabulary.names}};
  json["unknown"] = vocabulary.unknown ? Json(vocabulary.unknown_code()) : Json(nullptr);
  return json;
}

Json features_json(const data::Encoding& encoding) {
  Json list = Json::array();
  const auto add = [&](const std::string& column, bool of_sequence, Json more) {
    more["input"] = feature_input(column);
    more["column"] = column;
    more["of"] = of_sequence ? "sequence" : "event";
    list.push_back(std::move(more));
  };
  const auto add_all = [&](const auto& numbers, const auto& categories, bool of_sequence) {
    for (const auto& feature : numbers) add(feature.name, of_sequence, {{"kind", "number"}});
    for (const auto& feature : categories) {
      Json more = vocabulary_json(feature.vocabulary);
      more["kind"] = "category";
      add(feature.name, of_sequence, std::move(more));
    }
  };
  if (encoding.value) add(encoding.value->name, false, {{"kind", "number"}});
  add_all(encoding.numbers, encoding.categories, false);
  add_all(encoding.sequence_numbers, encoding.sequence_categories, true);
  return list;
}

Json times_json(const ModelTimes& times) {
  Json json = time_options(times);
  json["unit"] = times.view.unit;
  json["dates"] = times.scale.instants;
  // A tick is a nanosecond of a date, else 10^-decimals of the source's unit.
  json["decimals"] = times.scale.decimals;
  json["ticks_per_unit"] = times.view.ticks_per_unit;
  if (times.view.origin != data::OriginKind::kSequence) json["origin_tick"] = times.view.origin_tick;
  return json;
}

}  // namespace

std::string about(const TrainedModel& model, const OnnxConfig& config) {
  return fmt::format("time2vec {}: task {}, cell {}{}", kVersion, name_of(model.task), model.config.cell,
                     config.single_step ? ", a single step" : "");
}

std::vector<Note> notes_of(const TrainedModel& model, const OnnxConfig& config) {
  std::vector<Note> notes = {{"t2v.version", kVersion},
                             {"t2v.task", std::string(name_of(model.task))},
                             {"t2v.single_step", config.single_step ? "true" : "false"},
                             {"t2v.times", text_of(times_json(model.times))}};
  const data::Encoding& encoding = model.encoding;
  if (encoding.event) notes.push_back({"t2v.events", text_of(vocabulary_json(*encoding.event))});
  if (encoding.label) notes.push_back({"t2v.classes", text_of(vocabulary_json(*encoding.label))});
  if (model.config.features > 0) notes.push_back({"t2v.features", text_of(features_json(encoding))});
  return notes;
}

}  // namespace t2v::onnx
