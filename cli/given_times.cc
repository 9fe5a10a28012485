#include "given_times.h"

#include <filesystem>
#include <iostream>
#include <optional>
#include <sstream>
#include <system_error>

#include "base/fail.h"
#include "base/file_system.h"
#include "base/text_check.h"
#include "data/decimal.h"
#include "data/duration.h"
#include "data/iso_time.h"
#include "data/time_zone.h"
#include "nn/time_encoder.h"

namespace t2v::cli {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 30;
constexpr std::string_view kBlanks = " \t\r";

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::optional<double> number_in(std::string_view text) {
  double number = 0;
  if (data::parse_double(text, number) != data::NumberFault::kNone) return std::nullopt;
  return number;
}

/// The date in nanoseconds.
std::optional<int64_t> date_in(const std::string& text, const data::TimeZone& zone) {
  data::IsoTime time;
  if (data::parse_iso(text, time) != data::TimeFault::kNone) return std::nullopt;
  return time.has_offset ? time.nanoseconds : zone.to_utc(time.nanoseconds);
}

void add_lines(std::vector<GivenTime>& times, std::istream& stream, const std::string& name) {
  int64_t number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (std::string text = trimmed(line); !text.empty()) {
      times.push_back({std::move(text), 0, fmt::format("{}:{}: ", name, number)});
    }
  }
}

void add_file(std::vector<GivenTime>& times, const std::string& path) {
  const std::vector<std::byte> bytes = read_file(FileSystem::real(), path, kMostBytes);
  std::istringstream stream(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  add_lines(times, stream, path);
}

/// Whether it is counted from an event, not from the origin.
bool is_span(TimeInput input) { return input != TimeInput::kStart && input != TimeInput::kQuery; }

}  // namespace

std::vector<GivenTime> given_times(const std::vector<std::string>& arguments) {
  std::vector<GivenTime> times;
  for (const std::string& argument : arguments) {
    std::error_code ignored;
    if (argument == "-") {
      add_lines(times, std::cin, "standard input");
    } else if (!number_in(argument) && std::filesystem::is_regular_file(argument, ignored)) {
      add_file(times, argument);
    } else {
      times.push_back({trimmed(argument), 0, ""});
    }
  }
  return times;
}

double tau_of(const std::string& text, const ModelTimes& times, TimeInput input, const data::TimeZone& zone) {
  const bool since_origin = times.view.origin != data::OriginKind::kSequence && !is_span(input);
  const bool dates = times.scale.instants;
  if (const auto number = number_in(text)) {
    const bool of_data = since_origin && !dates;
    return of_data ? *number - times.view.at(times.view.origin_tick, 0) : *number;
  }
  if (!dates) {
    fail("'{}' is not a number, which the times of this model are{}", shown(text),
         date_in(text, data::TimeZone::utc()) ? "; it was not trained on dates" : "");
  }
  if (data::looks_like_duration(text)) {
    return static_cast<double>(data::parse_duration(text, "the time")) / times.view.ticks_per_unit;
  }
  const auto date = date_in(text, zone);
  if (date && since_origin) return times.view.at(*date, times.view.origin_tick);
  const std::string_view unit = times.view.unit;
  if (!date) {
    fail("'{}' is not a time: a number (in {}){}, or one with a unit such as '12 h'", shown(text), unit,
         since_origin ? ", a date" : "");
  }
  fail(
      "'{}' is a date, but the times of '{}' count from {}; give a number (in {}) or one with a unit, '12 h'",
      shown(text), nn::name_of(input),
      is_span(input) ? "the event before" : "the first event of each sequence", unit);
}

}  // namespace t2v::cli
