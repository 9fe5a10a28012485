#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <unordered_set>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/doctor_text.h"
#include "data/encoding.h"
#include "data/human_time.h"

namespace t2v::data {
namespace {

using nlohmann::json;

json json_of(const Vocabulary& vocabulary) {
  return {{"names", vocabulary.names},
          {"unknown", vocabulary.unknown},
          {"unknown_train", vocabulary.unknown_train},
          {"unknown_other", vocabulary.unknown_other}};
}

json json_of(const NumberFeature& feature) {
  return {{"name", feature.name},
          {"mean", feature.mean},
          {"std", feature.std},
          {"flag", feature.flag},
          {"empty", feature.empty}};
}

json json_of(const CategoryFeature& feature) {
  return {{"name", feature.name}, {"vocabulary", json_of(feature.vocabulary)}};
}

template <class T>
json json_of(const std::optional<T>& part) {
  return part ? json_of(*part) : json(nullptr);
}

template <class T>
json json_of(const std::vector<T>& parts) {
  json list = json::array();
  for (const T& part : parts) list.push_back(json_of(part));
  return list;
}

void read(Vocabulary& vocabulary, const json& from) {
  vocabulary.names = from.at("names").get<std::vector<std::string>>();
  vocabulary.unknown = from.at("unknown").get<bool>();
  vocabulary.unknown_train = from.at("unknown_train").get<int64_t>();
  vocabulary.unknown_other = from.at("unknown_other").get<int64_t>();
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : vocabulary.names) {
    if (!seen.insert(name).second) fail("the encoding names '{}' twice; the file is damaged", shown(name));
  }
}

void read(NumberFeature& feature, const json& from) {
  feature.name = from.at("name").get<std::string>();
  feature.mean = from.at("mean").get<double>();
  feature.std = from.at("std").get<double>();
  feature.flag = from.at("flag").get<bool>();
  feature.empty = from.at("empty").get<int64_t>();
  if (std::isfinite(feature.mean) && std::isfinite(feature.std) && feature.std > 0) return;
  fail("the encoding of column '{}' has mean {} and spread {}; the file is damaged", shown(feature.name),
       feature.mean, feature.std);
}

void read(CategoryFeature& feature, const json& from) {
  feature.name = from.at("name").get<std::string>();
  read(feature.vocabulary, from.at("vocabulary"));
}

template <class T>
void read(std::optional<T>& part, const json& from) {
  if (!from.is_null()) read(part.emplace(), from);
}

template <class T>
void read(std::vector<T>& parts, const json& from) {
  for (const json& entry : from.get_ref<const json::array_t&>()) read(parts.emplace_back(), entry);
}

/// Every part of an encoding under its name, for both directions.
template <class AnyEncoding, class Function>
void for_each_part(AnyEncoding& encoding, Function function) {
  function("event", encoding.event);
  function("value", encoding.value);
  function("numbers", encoding.numbers);
  function("categories", encoding.categories);
  function("sequence_numbers", encoding.sequence_numbers);
  function("sequence_categories", encoding.sequence_categories);
  function("label", encoding.label);
  function("value_scale", encoding.value_scale);
  function("target_scale", encoding.target_scale);
}

void read_typed_values(Encoding& encoding, const json& from) {
  const auto values = from.find("typed_values");
  if (values != from.end()) encoding.typed_values = typed_values_from_json(*values);
  encoding.together = from.value("together", false);
}

std::string empty_text(int64_t empty) {
  return fmt::format("; {} {} the mean and a flag", counted(empty, "empty cell"),
                     empty == 1 ? "gets" : "get");
}

std::string text_of(const NumberFeature& feature) {
  std::string text = fmt::format("{}: mean {:.4g}, std {:.4g}", feature.name, feature.mean, feature.std);
  if (feature.flag) text += empty_text(feature.empty);
  return text + "\n";
}

/// Several numbers in one line.
std::string text_of(std::span<const NumberFeature> run) {
  const auto [low, high] = std::ranges::minmax(run, {}, &NumberFeature::mean);
  const auto [narrow, wide] = std::ranges::minmax(run, {}, &NumberFeature::std);
  int64_t empty = 0;
  for (const NumberFeature& feature : run) empty += feature.empty;
  std::string text =
      fmt::format("{} ... {}: {} numbers, mean {:.4g} to {:.4g}, std {:.4g} to {:.4g}", run.front().name,
                  run.back().name, run.size(), low.mean, high.mean, narrow.std, wide.std);
  if (run.front().flag) text += empty_text(empty);
  return text + "\n";
}

/// A line each; many of one kind that follow each other are one.
std::string texts_of(const std::vector<NumberFeature>& features) {
  constexpr std::size_t kMostLines = 8;
  std::string text;
  for (std::size_t begin = 0; begin < features.size();) {
    std::size_t end = begin + 1;
    while (end < features.size() && features[end].flag == features[begin].flag) ++end;
    const auto run = std::span(features).subspan(begin, end - begin);
    if (run.size() > kMostLines) {
      text += text_of(run);
    } else {
      for (const NumberFeature& feature : run) text += text_of(feature);
    }
    begin = end;
  }
  return text;
}

std::string text_of(const std::string& name, const Vocabulary& vocabulary, const char* what) {
  std::string text =
      fmt::format("{}: {}", name, counted(static_cast<int64_t>(vocabulary.names.size()), what));
  if (vocabulary.unknown) {
    text += fmt::format("; others share one place: {} in training, {} elsewhere",
                        human_count(vocabulary.unknown_train), human_count(vocabulary.unknown_other));
  }
  return text + "\n";
}

std::string texts_of(const std::vector<CategoryFeature>& features) {
  std::string text;
  for (const CategoryFeature& feature : features) text += text_of(feature.name, feature.vocabulary, "value");
  return text;
}

}  // namespace

nlohmann::json to_json(const Encoding& encoding) {
  json all;
  for_each_part(encoding, [&](const char* name, const auto& part) { all[name] = json_of(part); });
  if (encoding.typed_values) all["typed_values"] = to_json(*encoding.typed_values);
  if (encoding.together) all["together"] = true;
  return all;
}

Encoding encoding_from_json(const nlohmann::json& json) {
  Encoding encoding;
  try {
    for_each_part(encoding, [&](const char* name, auto& part) { read(part, json.at(name)); });
    read_typed_values(encoding, json);
  } catch (const nlohmann::json::exception& error) {
    fail("the encoding cannot be read ({}); the file is damaged or of another version", error.what());
  }
  return encoding;
}

std::string describe(const Encoding& encoding) {
  std::string text;
  if (encoding.event) text += text_of("event", *encoding.event, "type");
  if (encoding.value) text += text_of(*encoding.value);
  text += texts_of(encoding.numbers) + texts_of(encoding.categories);
  text += texts_of(encoding.sequence_numbers) + texts_of(encoding.sequence_categories);
  if (encoding.typed_values) {
    text += fmt::format("{}: a scale and weights of its own for each event type\n",
                        encoding.typed_values->name());
  }
  if (encoding.together) text += "events of one time are one step\n";
  if (encoding.label) text += text_of("label", *encoding.label, "class");
  return text;
}

}  // namespace t2v::data
