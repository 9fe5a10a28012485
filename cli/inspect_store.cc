#include "inspect_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "data/event_store.h"
#include "data/human_time.h"
#include "data/iso_time.h"
#include "data/splits.h"
#include "summary.h"

namespace t2v::cli {
namespace {

using Json = nlohmann::json;

/// Calls on_numbers(role, column) or on_names(role, column) for each column.
template <class Numbers, class Names>
void over_columns(const data::Events& events, const Numbers& on_numbers, const Names& on_names) {
  if (events.event) on_names("event", *events.event);
  if (events.value) on_numbers("value", *events.value);
  if (events.interval) on_numbers("interval", *events.interval);
  for (const auto& column : events.numbers) on_numbers("feature", column);
  for (const auto& column : events.categories) on_names("feature", column);
  for (const auto& column : events.sequence_numbers) on_numbers("sequence", column);
  for (const auto& column : events.sequence_categories) on_names("sequence", column);
  if (events.label) on_names("label", *events.label);
  if (events.target) on_numbers("target", *events.target);
}

std::string columns_text(const data::Events& events) {
  std::string text;
  const auto line = [&](const char* what, const std::string& name, const std::string& kind) {
    text += fmt::format("  {:<10} {:<20} {}\n", what, name, kind);
  };
  over_columns(
      events, [&](const char* role, const data::NumberColumn& column) { line(role, column.name, "numbers"); },
      [&](const char* role, const data::CategoryColumn& column) {
        line(role, column.name, fmt::format("{} names", data::human_count(column.names.size())));
      });
  return text;
}

/// Where the data come from, as far as it is known.
std::string source_of(const data::Events& events) {
  const auto json = parse_json_text(events.provenance);
  std::string text;
  const auto add = [&](const char* name, const Json& value) {
    if (value.is_string()) text += fmt::format("{:<10} {}\n", name, value.get<std::string>());
  };
  if (!json.is_object()) return text;
  add("source", json.value("source", Json()));
  for (const auto& note : json.value("notes", Json::array())) add("note", note);
  return text;
}

Json columns_json(const data::Events& events) {
  Json columns = Json::array();
  over_columns(
      events,
      [&](const char* role, const data::NumberColumn& column) {
        columns.push_back({{"role", role}, {"name", column.name}, {"kind", "numbers"}});
      },
      [&](const char* role, const data::CategoryColumn& column) {
        columns.push_back(
            {{"role", role}, {"name", column.name}, {"kind", "names"}, {"names", column.names.size()}});
      });
  return columns;
}

Json lengths_json(const data::Events& events) {
  std::vector<int64_t> lengths;
  for (int64_t s = 0; s < events.sequences(); ++s) lengths.push_back(events.length(s));
  std::ranges::sort(lengths);
  return {{"least", lengths.front()},
          {"median", lengths[lengths.size() / 2]},
          {"mean", static_cast<double>(events.size()) / static_cast<double>(events.sequences())},
          {"most", lengths.back()}};
}

Json tick_json(const data::Events& events, int64_t tick) {
  return events.scale.instants ? Json(data::format_iso(tick)) : Json(events.view.at(tick, 0));
}

/// Spans of time are in units of the view.
Json times_json(const data::Events& events) {
  using data::OriginKind;
  const auto [first, last] = std::ranges::minmax(events.ticks);
  const OriginKind origin = events.view.origin;
  return {{"dates", events.scale.instants},
          {"unit", events.view.unit},
          {"first", tick_json(events, first)},
          {"last", tick_json(events, last)},
          {"span", events.view.at(last, first)},
          {"grid", static_cast<double>(events.grid) / events.view.ticks_per_unit},
          {"origin", origin == OriginKind::kSequence  ? Json("sequence")
                     : origin == OriginKind::kDataSet ? Json("dataset")
                                                      : tick_json(events, events.view.origin_tick)}};
}

Json part_json(const std::vector<data::Piece>& pieces) {
  int64_t events = 0;
  int64_t context = 0;
  for (const data::Piece& piece : pieces) {
    events += piece.end - piece.begin;
    context += piece.first_target - piece.begin;
  }
  return {{"sequences", pieces.size()}, {"events", events}, {"context", context}};
}

Json encoding_json(const data::Encoding& encoding) {
  return {{"event_types", encoding.event_types()},
          {"classes", encoding.classes()},
          {"features", encoding.feature_names()}};
}

}  // namespace

std::string store_text(const std::string& path) {
  const data::EventStore store = data::open_store(path);
  store.events.check(0, store.events.size());
  std::string text = summary_of(store.events);
  if (const std::string columns = columns_text(store.events); !columns.empty()) text += "columns\n" + columns;
  if (store.split) text += "split\n" + indented(data::describe(*store.split, {}));
  if (store.encoding) text += "encoding\n" + indented(data::describe(*store.encoding));
  store.events.check_intact();
  return text + source_of(store.events);
}

nlohmann::json store_json(const std::string& path) {
  const data::EventStore store = data::open_store(path);
  const data::Events& events = store.events;
  events.check(0, events.size());
  Json json = {{"sequences", events.sequences()},
               {"events", events.size()},
               {"lengths", lengths_json(events)},
               {"times", times_json(events)},
               {"columns", columns_json(events)}};
  if (events.event) json["types"] = events.event->names.size();
  if (events.label) json["classes"] = events.label->names.size();
  if (store.split) {
    json["split"] = {{"train", part_json(store.split->train)},
                     {"valid", part_json(store.split->valid)},
                     {"test", part_json(store.split->test)}};
  }
  if (store.encoding) json["encoding"] = encoding_json(*store.encoding);
  events.check_intact();
  return json;
}

}  // namespace t2v::cli
