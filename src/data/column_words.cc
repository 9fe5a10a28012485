#include "data/column_words.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace t2v::data {
namespace {

using Words = std::vector<std::string>;
using Some = std::initializer_list<std::string_view>;

bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }
bool is_column_words_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
/// Bytes of other letters than ASCII count as letters.
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0; }

bool is_one_of(std::string_view word, Some some) { return std::ranges::find(some, word) != some.end(); }
bool has_one_of(const Words& words, Some some) {
  return std::ranges::any_of(words, [&](const std::string& word) { return is_one_of(word, some); });
}

/// Whether a word starts at a character, which is not the first: userId, HTTPCode, value1.
bool starts_word(std::string_view name, std::size_t at) {
  const char before = name[at - 1];
  const char c = name[at];
  if (is_upper(c)) return !is_upper(before) || (at + 1 < name.size() && is_lower(name[at + 1]));
  return is_column_words_digit(c) != is_column_words_digit(before) && is_word(before);
}

bool is_for_ids(std::string_view word) {
  return is_one_of(
      word, {"id", "ids", "no", "nr", "nbr", "num", "number", "key", "uuid", "guid", "code", "identifier"});
}

bool says_nothing(std::string_view word) {
  return is_one_of(word, {"name", "hash", "unique", "concept", "anonymous", "anonymized"});
}

bool is_entity(std::string_view word) {
  return is_one_of(
      word,
      {"user",     "customer",  "cust",   "client",    "patient",    "case",      "session",    "device",
       "account",  "member",    "visit",  "visitor",   "player",     "student",   "subject",    "sensor",
       "machine",  "station",   "meter",  "vehicle",   "driver",     "employee",  "worker",     "cc",
       "card",     "household", "person", "series",    "sequence",   "seq",       "trace",      "host",
       "hostname", "ip",        "store",  "shop",      "stay",       "admission", "subscriber", "buyer",
       "reviewer", "listener",  "author", "passenger", "turbine",    "engine",    "unit",       "process",
       "actor",    "owner",     "login",  "email",     "individual", "animal",    "asset",      "equipment",
       "vessel",   "mmsi",      "imei",   "truck",     "team",       "site",      "room"});
}

Strength event_strength(std::string_view word) {
  if (is_one_of(word, {"event", "activity", "action", "operation", "command", "task"})) return 3;
  if (is_one_of(word,
                {"item",    "product", "movie", "film", "song",  "track",    "artist",   "book",
                 "article", "place",   "venue", "poi",  "page",  "location", "url",      "uri",
                 "path",    "badge",   "stock", "sku",  "alarm", "merchant", "variable", "parameter",
                 "concept", "message", "click", "tag",  "video", "symptom",  "course",   "measurement"})) {
    return 2;
  }
  return is_one_of(word, {"category", "status", "state", "kind", "label", "class", "level"}) ? 1 : 0;
}

/// userid, caseid.
bool is_entity_id(std::string_view word) {
  return (word.ends_with("id") && is_entity(word.substr(0, word.size() - 2))) || word == "username";
}

}  // namespace

std::vector<std::string> words_of(std::string_view name) {
  Words words;
  bool inside = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!is_word(name[i])) {
      inside = false;
      continue;
    }
    if (!inside || starts_word(name, i)) words.emplace_back();
    inside = true;
    words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
  }
  return words;
}

Strength says_id(const Words& words) {
  if (words.size() >= 2 && is_for_ids(words.back()) && words.back() != "code" &&
      is_entity(words[words.size() - 2])) {
    return 2;
  }
  Words core;
  std::ranges::copy_if(words, std::back_inserter(core),
                       [](const std::string& word) { return !is_for_ids(word) && !says_nothing(word); });
  if (core.size() != 1) return 0;
  if (is_entity_id(core[0])) return 2;
  return !is_entity(core[0]) ? 0 : core.size() < words.size() ? 2 : 1;
}

Strength says_event(const Words& words) {
  if (words == Words{"concept", "name"}) return 3;
  Words core;
  std::ranges::copy_if(words, std::back_inserter(core), [](const std::string& word) {
    return !is_for_ids(word) && !says_nothing(word) && word != "type";
  });
  if (core.empty()) return words == Words{"type"} || words == Words{"code"} ? 1 : 0;
  if (core.size() != 1) return 0;
  const Strength strength = event_strength(core[0]);
  if (strength > 0 || !core[0].ends_with("id")) return strength;
  return event_strength(std::string_view(core[0]).substr(0, core[0].size() - 2));  // itemid
}

bool says_elapsed(const Words& words) {
  if (has_one_of(words, {"duration", "length", "age", "delay", "gap", "interval", "latency", "lag", "wait",
                         "per", "rate", "spent", "of", "zone", "birth", "count", "id"})) {
    return false;
  }
  return has_one_of(words, {"time",    "timestamp", "elapsed", "second", "seconds", "sec",   "secs", "minute",
                            "minutes", "mins",      "hour",    "hours",  "hrs",     "day",   "days", "week",
                            "weeks",   "month",     "months",  "year",   "years",   "ms",    "step", "tick",
                            "ticks",   "cycle",     "cycles",  "epoch",  "date",    "offset"});
}

bool says_value(const Words& words) {
  return !words.empty() && is_one_of(words[0], {"value", "valuenum", "reading", "measurement", "result"}) &&
         words.size() <= 3 && (words.size() == 1 || !is_column_words_digit(words[1][0]));
}

bool says_measure(const Words& words) {
  return has_one_of(words, {"parameter", "variable", "measurement", "measure"});
}

bool says_outcome(const Words& words) {
  return words.size() <= 3 &&
         has_one_of(words, {"died", "dead", "death", "deceased", "mortality", "survived", "churn", "churned",
                            "outcome", "fraud", "fraudulent", "default", "defaulted", "diagnosis",
                            "readmitted", "readmission", "converted", "label", "class"});
}

bool says_code(const Words& words) {
  if (words.size() >= 2) return is_for_ids(words.back());
  constexpr std::size_t kShortest = 5;  // movieid
  return words.size() == 1 && words[0].size() >= kShortest && words[0].ends_with("id") &&
         !is_one_of(words[0], {"valid", "humid", "fluid", "solid", "rapid", "hybrid", "avoid"});
}

}  // namespace t2v::data
