#include "data/easytpp_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/fail.h"
#include "base/file_system.h"
#include "base/text_check.h"
#include "data/number_times.h"
#include "data/parts.h"
#include "data/text_lines.h"

namespace t2v::data {
namespace {

using nlohmann::json;

constexpr std::string_view kTimes = "time_since_start";
constexpr std::string_view kGaps = "time_since_last_event";
constexpr std::string_view kTypes = "type_event";
constexpr std::size_t kMostBytes = std::size_t{1} << 30;
constexpr int64_t kMostTypes = 100'000;

/// What a row says.
struct Row {
  std::optional<std::vector<Decimal>> times;
  std::optional<std::vector<int64_t>> types;
  std::optional<int64_t> gaps;  // how many there are
  std::optional<int64_t> length;
  std::optional<int64_t> dimension;
  std::optional<std::string> id;

  bool any() const { return times || types; }
};

struct Reading {
  EventTable table;
  std::vector<Decimal> times;
  std::vector<int64_t> types;
  int64_t dimension = 0;
  int64_t empty = 0;
};

bool is_of_number(char c) { return std::string_view("0123456789+-.eE").find(c) != std::string_view::npos; }

/// Takes the rows of a file from the parser, number by number, so that times never become doubles.
class RowParser : public nlohmann::json_sax<json> {
 public:
  RowParser(Reading& reading, const EasytppFile& file) : reading_(reading), file_(file) {}

  /// Where the text that is parsed now is in the file.
  void set_text(std::string_view text, int64_t line) {
    text_ = text;
    line_ = line;
  }

  bool null() override { return other("null"); }
  bool boolean(bool) override { return other("true or false"); }
  bool number_integer(number_integer_t value) override { return number(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& text) override { return number(text); }
  bool string(string_t& text) override {
    if (key_ != "seq_idx") return other(text);
    row_.id = text;
    return true;
  }
  bool binary(binary_t&) override { return other("binary data"); }

  bool start_object(std::size_t) override {
    if (row_.any()) fail("{}: {}: an object within a row; write lists of numbers", place(), shown(key_));
    row_ = Row();
    key_.clear();
    return true;
  }
  bool key(string_t& name) override {
    key_ = name;
    in_list_ = false;
    return true;
  }
  bool end_object() override {
    if (row_.any()) add_row();
    row_ = Row();
    return true;
  }
  bool start_array(std::size_t) override {
    if (is_list_field() && in_list_) {
      fail("{}: {}: a list within the list of numbers; write one list of numbers", place(), key_);
    }
    if (key_ == kTimes) row_.times.emplace();
    if (key_ == kTypes) row_.types.emplace();
    if (key_ == kGaps) row_.gaps = 0;
    in_list_ = true;
    return true;
  }
  bool end_array() override {
    in_list_ = false;
    key_.clear();
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const json::exception& error) override {
    constexpr int kTooLarge = 406;  // nlohmann's number for it
    const bool too_large = error.id == kTooLarge;
    std::string_view before = text_.substr(0, position > 0 ? position - 1 : 0);
    while (too_large && !before.empty() && is_of_number(before.back())) before.remove_suffix(1);
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const std::size_t start = before.rfind('\n');
    const std::size_t column = before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
    const std::string_view rest = text_.substr(before.size());
    fail("{}:{}:{}: {} ({}); write a list of rows, or one row a line", file_.path, line_ + lines, column,
         too_large ? "a number that is too large" : "this is not JSON",
         in_quotes(rest.substr(0, rest.find('\n'))));
  }

 private:
  std::string place() const { return fmt::format("{}: row {}", file_.path, rows_); }

  bool is_list_field() const { return key_ == kTimes || key_ == kTypes || key_ == kGaps; }

  /// Anything but a number.
  bool other(std::string_view seen) const {
    if (is_list_field() || key_ == "seq_len" || key_ == "dim_process") {
      fail("{}: {}: {} is not a number; write {}", place(), key_, in_quotes(seen),
           is_list_field() ? "a list of numbers" : "a whole number");
    }
    return true;
  }

  bool number(const std::string& text) {
    if (is_list_field() && !in_list_) {
      fail("{}: {}: {} is not in a list; write a list of numbers", place(), key_, in_quotes(text));
    }
    if (key_ == kTimes) row_.times->push_back(decimal(text));
    if (key_ == kTypes) row_.types->push_back(integer(text));
    if (key_ == kGaps) ++*row_.gaps;
    if (key_ == "seq_len") row_.length = integer(text);
    if (key_ == "dim_process") row_.dimension = integer(text);
    if (key_ == "seq_idx") row_.id = text;
    return true;
  }

  Decimal decimal(const std::string& text) const {
    Decimal value;
    NumberFault fault = parse_decimal(text, value);
    if (fault == NumberFault::kNone && value.decimals < 0) fault = NumberFault::kOverflow;
    if (fault != NumberFault::kNone) {
      fail("{}: {}: {} {}", place(), key_, in_quotes(text), explain_number(fault));
    }
    return value;
  }

  int64_t integer(const std::string& text) const {
    const Decimal value = decimal(text);
    if (value.decimals != 0) {
      fail("{}: {}: {} is not a whole number; write it as 12", place(), key_, in_quotes(text));
    }
    return value.mantissa;
  }

  void check_length(std::string_view field, std::optional<int64_t> length) const {
    const auto events = static_cast<int64_t>(row_.times->size());
    if (length && *length != events) {
      fail("{}: {} of '{}', but {} entries of {}; give each event one in each list", place(), field, *length,
           events, kTimes);
    }
  }

  /// Checks that lists fit each other, and types the number of types, which it counts.
  void check_row() {
    if (!row_.times || !row_.types) {
      fail("{}: has no {}; write both {} and {}", place(), row_.times ? kTypes : kTimes, kTimes, kTypes);
    }
    check_length(kTypes, static_cast<int64_t>(row_.types->size()));
    check_length(kGaps, row_.gaps);
    check_length("seq_len", row_.length);
    const int64_t types = row_.dimension.value_or(kMostTypes);
    if (types < 1 || types > kMostTypes) {
      fail("{}: dim_process: '{}' cannot be; write a number of types from 1 to {}", place(), types,
           kMostTypes);
    }
    for (const int64_t type : *row_.types) {
      if (type < 0 || type >= types) {
        fail("{}: {}: '{}' is out of range; write 0 to {}", place(), kTypes, type, types - 1);
      }
      reading_.dimension = std::max(reading_.dimension, type + 1);
    }
    reading_.dimension = std::max(reading_.dimension, row_.dimension.value_or(0));
  }

  void add_row() {
    check_row();
    if (row_.times->empty()) {
      ++reading_.empty;
    } else {
      const std::string id = row_.id ? *row_.id : std::to_string(rows_);
      add_sequence(reading_.table, id_prefix(file_.part) + id, file_.part, place());
      reading_.times.insert(reading_.times.end(), row_.times->begin(), row_.times->end());
      reading_.types.insert(reading_.types.end(), row_.types->begin(), row_.types->end());
      reading_.table.sequence.resize(reading_.times.size(), reading_.table.ids.size() - 1);
    }
    ++rows_;
  }

  Reading& reading_;
  const EasytppFile& file_;
  std::string_view text_;
  int64_t line_ = 1;
  Row row_;
  int64_t rows_ = 0;
  std::string key_;
  bool in_list_ = false;
};

/// Whether each line is a value of its own: the first one that is not empty is an object, whole.
bool is_json_lines(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || text[begin] != '{') return false;
  return json::accept(text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin));
}

void parse(RowParser& parser, std::string_view text, int64_t line) {
  parser.set_text(text, line);
  json::sax_parse(text.begin(), text.end(), &parser);
}

void read_rows(Reading& reading, const EasytppFile& file) {
  const std::vector<std::byte> bytes = read_file(FileSystem::real(), file.path, kMostBytes);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  RowParser parser(reading, file);
  if (!is_json_lines(text)) {
    parse(parser, text, 1);
    return;
  }
  std::vector<std::string_view> lines;
  split_fields(text, '\n', lines);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].find_first_not_of(" \t\r") == std::string_view::npos) continue;
    parse(parser, lines[i], static_cast<int64_t>(i) + 1);
  }
}

Categories types_of(const Reading& reading) {
  Categories types{"type", {}, {}};
  for (int64_t type = 0; type < reading.dimension; ++type) types.names.add(std::to_string(type));
  types.codes.assign(reading.types.begin(), reading.types.end());
  return types;
}

}  // namespace

EventTable import_easytpp(const std::vector<EasytppFile>& files) {
  Reading reading;
  for (const EasytppFile& file : files) read_rows(reading, file);
  EventTable& table = reading.table;
  set_ticks(table, reading.times, NumberTimes::kPlain);
  table.event = types_of(reading);
  table.source = fmt::format("rows of EasyTPP, {} sequences", table.sequences());
  if (reading.empty > 0) {
    table.notes.push_back(fmt::format("{} rows without events are left out.", reading.empty));
  }
  return std::move(table);
}

}  // namespace t2v::data
