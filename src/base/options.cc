#include "base/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "base/fail.h"
#include "base/nearest_name.h"
#include "base/text_check.h"

namespace t2v {
namespace {

using Json = nlohmann::json;

using Texts = std::vector<std::string>;
using Numbers = std::vector<int64_t>;

std::string replaced(std::string_view text, char from, char to) {
  std::string result(text);
  std::ranges::replace(result, from, to);
  return result;
}

// --- what is valid ---

/// A bound: 65,536, 0.5.
std::string bound(double number) {
  std::string text = fmt::format("{}", number);
  if (number != std::floor(number) || std::abs(number) >= 1e15) return text;
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3) {
    text.insert(static_cast<std::size_t>(at), ",");
  }
  return text;
}

std::string range_text(const Option& option) {
  const bool up = std::isinf(option.most);
  if (up && option.least == 0) return "a number from 0 up";
  if (up) return fmt::format("a number of at least {}", bound(option.least));
  return fmt::format("a number from {} to {}{}", bound(option.least), option.below_most ? "below " : "",
                     bound(option.most));
}

void check_number(const Option& option, double number, const std::string& text) {
  const bool below = option.below_most ? number < option.most : number <= option.most;
  if (std::isfinite(number) && number >= option.least && below) return;
  const bool bounded = std::isfinite(option.least) || std::isfinite(option.most);
  fail("`{}` {} is not {}", option.name, text, bounded ? range_text(option) : "a finite number");
}

void check_choice(const Option& option, const std::string& text) {
  if (option.choices.empty() || std::ranges::find(option.choices, text) != option.choices.end()) return;
  const std::string near = nearest_name(text, option.choices);
  fail("`{}` {} is none of {}{}", option.name, in_quotes(text), fmt::join(option.choices, ", "),
       near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near));
}

void check_value(const OptionTable::Entry& entry) {
  std::visit(
      [&](const auto* value) {
        using T = std::remove_cvref_t<decltype(*value)>;
        if constexpr (std::is_same_v<T, std::string>) {
          check_choice(entry.option, *value);
        } else if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
          check_number(entry.option, static_cast<double>(*value), fmt::format("{}", *value));
        } else if constexpr (std::is_same_v<T, Numbers>) {
          for (const int64_t one : *value) {
            check_number(entry.option, static_cast<double>(one), fmt::format("{}", one));
          }
        }
      },
      entry.member);
}

// --- from and to texts ---

template <class T>
T number_from(const Option& option, const std::string& text) {
  T number{};
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(begin, end, number);
  if (error == std::errc() && stop == end) return number;
  constexpr bool kWhole = !std::is_same_v<T, double>;
  const bool negative = std::is_unsigned_v<T> && text.starts_with('-');
  fail("`{}` {} is not a {}", option.name, in_quotes(text),
       negative ? "number from 0 up"
       : kWhole ? "whole number"
                : "number");
}

bool truth_from(const Option& option, const std::string& text) {
  if (text == "true") return true;
  if (text == "false") return false;
  fail("`{}` {} is neither true nor false", option.name, in_quotes(text));
}

template <class T>
T value_from(const Option& option, const std::string& text) {
  if constexpr (std::is_same_v<T, std::string>) return text;
  if constexpr (std::is_same_v<T, bool>) return truth_from(option, text);
  if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) return number_from<T>(option, text);
}

/// The parts of "a,b,c".
Texts parts_of(const std::string& text) {
  Texts parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return parts;
}

// --- from JSON ---

[[noreturn]] void refuse_type(const Option& option, const Json& json) {
  fail("`{}` is {}, which is of another type", option.name, shown(json.dump()));
}

template <class T>
bool is_of_type(const Json& json) {
  if constexpr (std::is_same_v<T, bool>) return json.is_boolean();
  if constexpr (std::is_same_v<T, std::string>) return json.is_string();
  if constexpr (std::is_same_v<T, double>) return json.is_number();
  if constexpr (std::is_same_v<T, uint64_t>) {
    return json.is_number_unsigned() || (json.is_number_integer() && json.get<int64_t>() >= 0);
  }
  if constexpr (std::is_same_v<T, int> || std::is_same_v<T, int64_t>) {
    if (!json.is_number_unsigned()) {
      return json.is_number_integer() && json.get<int64_t>() >= std::numeric_limits<T>::min();
    }
    return json.get<uint64_t>() <= static_cast<uint64_t>(std::numeric_limits<T>::max());
  }
}

/// A list, or a single text.
Texts list_from(const Option& option, const Json& json) {
  if (json.is_string()) return {json.get<std::string>()};
  const bool texts =
      json.is_array() && std::ranges::all_of(json, [](const Json& one) { return one.is_string(); });
  if (!texts) refuse_type(option, json);
  return json.get<Texts>();
}

/// A list, or a single number.
Numbers numbers_from(const Option& option, const Json& json) {
  Numbers numbers;
  for (const Json& one : json.is_array() ? json : Json::array({json})) {
    if (!is_of_type<int64_t>(one)) refuse_type(option, json);
    numbers.push_back(one.get<int64_t>());
  }
  return numbers;
}

void set_from(const OptionTable::Entry& entry, const Json& json) {
  std::visit(
      [&](auto* value) {
        using T = std::remove_reference_t<decltype(*value)>;
        if constexpr (std::is_same_v<T, Texts>) {
          *value = list_from(entry.option, json);
        } else if constexpr (std::is_same_v<T, Numbers>) {
          *value = numbers_from(entry.option, json);
        } else {
          if (!is_of_type<T>(json)) refuse_type(entry.option, json);
          *value = json.get<T>();
        }
      },
      entry.member);
  check_value(entry);
}

void mark_given(const OptionTable::Entry& entry) {
  if (entry.given != nullptr) entry.given->insert(std::string(entry.option.name));
}

}  // namespace

void OptionTable::add(OptionTable other) {
  for (OptionTable::Entry& entry : other.entries_) entries_.push_back(std::move(entry));
}

void OptionTable::remove(std::string_view name) {
  std::erase_if(entries_, [&](const OptionTable::Entry& entry) { return entry.option.name == name; });
}

const OptionTable::Entry* OptionTable::find(std::string_view name) const {
  const std::string field = field_name(name);
  const auto found = std::ranges::find_if(
      entries_, [&](const OptionTable::Entry& entry) { return entry.option.name == field; });
  return found == entries_.end() ? nullptr : &*found;
}

const OptionTable::Entry& OptionTable::named(std::string_view name) const {
  if (const OptionTable::Entry* entry = find(name)) return *entry;
  std::vector<std::string_view> names;
  for (const OptionTable::Entry& entry : entries_) names.push_back(entry.option.name);
  const std::string nearest = nearest_name(field_name(name), names);
  fail("there is no option {}{}", in_quotes(name),
       nearest.empty() ? "" : fmt::format("; did you mean `{}`?", nearest));
}

Json OptionTable::json() const {
  Json json = Json::object();
  for (const OptionTable::Entry& entry : entries_) {
    std::visit([&](const auto* value) { json[key_of(entry.option.name)] = *value; }, entry.member);
  }
  return json;
}

void OptionTable::read(const Json& json) const {
  if (!json.is_object()) fail("options are to be a JSON object of names and values");
  for (const auto& item : json.items()) {
    const OptionTable::Entry& entry = named(item.key());
    set_from(entry, item.value());
    mark_given(entry);
  }
}

void OptionTable::set(const OptionTable::Entry& entry, const Texts& texts) {
  std::visit(
      [&](auto* value) {
        using T = std::remove_reference_t<decltype(*value)>;
        if constexpr (std::is_same_v<T, Texts>) {
          *value = texts;
        } else if constexpr (std::is_same_v<T, Numbers>) {
          value->clear();
          for (const std::string& text : texts) value->push_back(number_from<int64_t>(entry.option, text));
        } else {
          if (texts.size() != 1) fail("`{}` takes one value, not {}", entry.option.name, texts.size());
          *value = value_from<T>(entry.option, texts.front());
        }
      },
      entry.member);
  check_value(entry);
  mark_given(entry);
}

void OptionTable::set(std::string_view name, const std::string& text) const {
  const OptionTable::Entry& entry = named(name);
  set(entry, is_list(entry) ? parts_of(text) : Texts{text});
}

void OptionTable::check() const {
  for (const OptionTable::Entry& entry : entries_) check_value(entry);
}

bool is_list(const OptionTable::Entry& entry) {
  return std::holds_alternative<Texts*>(entry.member) || std::holds_alternative<Numbers*>(entry.member);
}

Texts texts_of(const OptionTable::Entry& entry) {
  return std::visit(
      [](const auto* value) -> Texts {
        using T = std::remove_cvref_t<decltype(*value)>;
        if constexpr (std::is_same_v<T, Texts>) return *value;
        if constexpr (std::is_same_v<T, std::string>) return {*value};
        if constexpr (std::is_arithmetic_v<T>) return {fmt::format("{}", *value)};
        if constexpr (std::is_same_v<T, Numbers>) {
          Texts texts;
          for (const int64_t one : *value) texts.push_back(fmt::format("{}", one));
          return texts;
        }
      },
      entry.member);
}

std::string kind_of(const OptionTable::Entry& entry) {
  if (!entry.option.takes.empty()) return std::string(entry.option.takes);
  if (std::holds_alternative<bool*>(entry.member)) return "FLAG";
  if (std::holds_alternative<double*>(entry.member)) return "NUMBER";
  const bool text =
      std::holds_alternative<std::string*>(entry.member) || std::holds_alternative<Texts*>(entry.member);
  return text ? "TEXT" : "INT";
}

std::string field_name(std::string_view name) { return replaced(name, '-', '_'); }

std::string key_of(std::string_view name) { return replaced(name, '_', '-'); }

std::string flag_of(std::string_view name) { return "--" + key_of(name); }

std::string with_flags(std::string_view message, const std::function<bool(std::string_view)>& is_option) {
  std::string result;
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t open = std::min(message.find('`', at), message.size());
    const std::size_t close = open < message.size() ? message.find('`', open + 1) : std::string_view::npos;
    result += message.substr(at, open - at);
    if (close == std::string_view::npos) return result += message.substr(open);
    const std::string_view name = message.substr(open + 1, close - open - 1);
    const bool known = is_option(name);
    if (known) {
      result += flag_of(name);
      at = close + 1;
    } else {
      result += '`';
      at = open + 1;
    }
  }
  return result;
}

}  // namespace t2v
