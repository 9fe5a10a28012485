#include "data/json_lines.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "data/json_list.h"

namespace t2v::data {
namespace {

using Json = nlohmann::json;

constexpr int kMostLevels = 64;
constexpr std::size_t kSeenBytes = 64;

/// Gives the parser the bytes of a line, and tells how far it has read.
class LineCursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  LineCursor(const char* at, const char** read) : at_(at), read_(read) {}
  const char& operator*() const { return *at_; }
  LineCursor& operator++() {
    *read_ = ++at_;
    return *this;
  }
  bool operator==(const LineCursor& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  const char** read_;
};

/// What can be wrong with an object.
struct Complaints {
  std::string_view no_object;
  std::string_view invalid;
  std::string_view too_deep;
  std::string_view too_large;
  std::string_view twice;
  std::string_view nested;
  std::string_view advice;
};

constexpr Complaints kOfLine = {
    "the line is not a JSON object",
    "the line is not valid JSON",
    "the line is nested too deeply",
    "the line has a number that is too large",
    "the line has a key twice",
    "the line has a list or an object where a single value is needed",
    R"(write one object a line: {"user_id": "a", "time": 1, ...})",
};

constexpr Complaints kOfObject = {
    "this is not a JSON object",
    "the object is not valid JSON",
    "the object is nested too deeply",
    "the object has a number that is too large",
    "the object has a key twice",
    "the object has a list or an object where a single value is needed",
    R"(write one for each event: [{"user_id": "a", "time": 1}, ...])",
};

const Complaints& complaints_of(bool list) { return list ? kOfObject : kOfLine; }

/// Takes the values of an object's keys from nlohmann's events.
class ObjectReader : public nlohmann::json_sax<Json> {
 public:
  explicit ObjectReader(const Complaints& complaints) : complaints_(complaints) {}
  virtual void on_key(std::string_view key) = 0;
  /// `begin`: where the value starts in the line if it stands there as it is meant.
  virtual void on_value(std::string_view text, std::size_t begin) = 0;
  virtual void on_nested() = 0;

  /// Whether a line is an object that can be used.
  bool parse(std::string_view line) {
    line_ = line;
    read_ = line.data();
    level_ = 0;
    what_ = {};
    position_ = 0;
    const LineCursor begin(line.data(), &read_);
    const LineCursor end(line.data() + line.size(), nullptr);
    return Json::sax_parse(begin, end, this) && what_.empty();
  }

  bool null() final { return value("", bytes_read() - 4); }
  bool boolean(bool is) final { return value(is ? "true" : "false", bytes_read() - (is ? 4 : 5)); }
  bool number_integer(int64_t number) final { return digits(std::to_string(number)); }
  bool number_unsigned(uint64_t number) final { return digits(std::to_string(number)); }
  bool number_float(double /*number*/, const std::string& text) final { return digits(text); }
  bool string(std::string& text) final { return value(text, bytes_read() - 1 - text.size()); }
  bool binary(Json::binary_t& /*bytes*/) final { return false; }
  bool start_object(std::size_t /*size*/) final { return open(true); }
  bool start_array(std::size_t /*size*/) final { return open(false); }
  bool end_object() final { return close(); }
  bool end_array() final { return close(); }
  bool key(std::string& name) final {
    if (level_ == 1) on_key(name);
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) final {
    constexpr int kTooLarge = 406;  // nlohmann's number for it
    const bool too_large = error.id == kTooLarge;
    std::size_t at = position == 0 ? 0 : position - 1;
    while (too_large && at > 0 && std::string_view("0123456789+-.eE").find(line_[at - 1]) != npos) --at;
    if (!too_large) at = word_begin(at);
    return stop(too_large ? complaints_.too_large : complaints_.invalid, at);
  }

  std::string_view what() const { return what_; }
  std::size_t position() const { return position_; }

 protected:
  static constexpr std::size_t npos = std::string_view::npos;

  const Complaints& complaints() const { return complaints_; }
  std::string_view line() const { return line_; }
  std::size_t bytes_read() const { return static_cast<std::size_t>(read_ - line_.data()); }
  bool stop(std::string_view what, std::size_t position) {
    if (!what_.empty()) return false;
    what_ = what;
    position_ = std::min(position, line_.size());
    return false;
  }

 private:
  /// The begin of the word, in no quotes, that the byte at `at` spoils: "nonsense" is no "null".
  std::size_t word_begin(std::size_t at) const {
    const auto is_letter = [&](std::size_t i) { return line_[i] >= 'a' && line_[i] <= 'z'; };
    if (at >= line_.size() || line_[at] < ' ' || line_[at] > '~' || line_[at] == '\\') return at;
    std::size_t begin = at;
    while (begin > 0 && is_letter(begin - 1)) --begin;
    const bool starts = begin == 0 || std::string_view(" \t:,[{").find(line_[begin - 1]) != npos;
    return starts ? begin : at;
  }
  /// A number ends where a byte follows that is none of it, which is read by now.
  bool digits(std::string_view text) { return value(text, bytes_read() - 1 - text.size()); }
  bool value(std::string_view text, std::size_t begin) {
    if (level_ == 0) return stop(complaints_.no_object, 0);
    if (level_ == 1) on_value(text, begin);
    return what_.empty();
  }
  bool open(bool object) {
    if (level_ == 0 && !object) return stop(complaints_.no_object, 0);
    if (level_ >= kMostLevels) return stop(complaints_.too_deep, 0);
    if (level_ == 1) on_nested();
    ++level_;
    return what_.empty();
  }
  bool close() {
    --level_;
    return true;
  }

  const Complaints& complaints_;
  std::string_view line_;
  const char* read_ = nullptr;  // behind the last byte that the parser took
  int level_ = 0;
  std::string_view what_;
  std::size_t position_ = 0;
};

/// Keeps the values of the wanted keys as cells.
class RowReader final : public ObjectReader {
 public:
  RowReader(CellChunk& chunk, const std::vector<std::string>& keys, const Complaints& complaints,
            Nested nested)
      : ObjectReader(complaints), chunk_(chunk), keys_(keys), nested_(nested), filled_(keys.size()) {}

  void read(std::string_view row, std::size_t begin) {
    begin_ = begin;
    filled_.assign(keys_.size(), false);
    chunk_.make_room();
    for (auto& column : chunk_.columns) column[chunk_.row_begin.size()] = {chunk_.next_changed(), 0};
    if (parse(row)) {
      chunk_.row_begin.push_back(static_cast<uint32_t>(begin));
      return;
    }
    Fault fault;
    fault.row = static_cast<uint32_t>(chunk_.rows());
    fault.at = static_cast<uint32_t>(begin + position());
    fault.what = what();
    fault.advice = complaints().advice;
    fault.seen = row.substr(position(), kSeenBytes);
    fault.begin = static_cast<uint32_t>(begin);
    chunk_.faults.push_back(fault);
  }

 private:
  void on_key(std::string_view key) override {
    const auto found = std::ranges::find(keys_, key);
    column_ = found == keys_.end() ? -1 : static_cast<int>(found - keys_.begin());
    if (column_ < 0) return;
    // With its quotes; of a key with escapes, somewhere in it.
    if (filled_[static_cast<std::size_t>(column_)]) {
      stop(complaints().twice, bytes_read() - key.size() - 2);
    }
    filled_[static_cast<std::size_t>(column_)] = true;
  }
  void on_value(std::string_view text, std::size_t begin) override {
    if (column_ < 0) return;
    CellChunk::Cell& cell = chunk_.columns[static_cast<std::size_t>(column_)][chunk_.row_begin.size()];
    cell.size = static_cast<uint32_t>(text.size());
    if (begin <= line().size() && line().substr(begin, text.size()) == text) {
      cell.begin = static_cast<uint32_t>(begin_ + begin);
      return;
    }
    cell.begin = chunk_.next_changed();
    chunk_.changed += text;
  }
  void on_nested() override {
    if (column_ < 0) return;
    if (nested_ == Nested::kFault) stop(complaints().nested, bytes_read() - 1);
  }

  CellChunk& chunk_;
  const std::vector<std::string>& keys_;
  Nested nested_;
  std::vector<bool> filled_;
  std::size_t begin_ = 0;  // of the line
  int column_ = -1;
};

class KeyReader final : public ObjectReader {
 public:
  using ObjectReader::ObjectReader;
  std::vector<std::string> keys;

 private:
  void on_key(std::string_view key) override { keys.emplace_back(key); }
  void on_value(std::string_view /*text*/, std::size_t /*begin*/) override {}
  void on_nested() override {}
};

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

}  // namespace

void read_json_lines(CellChunk& chunk, std::string_view text, const std::vector<std::string>& keys) {
  read_json(chunk, text, keys, false);
}

void read_json(CellChunk& chunk, std::string_view text, const std::vector<std::string>& keys, bool list,
               Nested nested) {
  chunk.start(text, keys.size());
  RowReader reader(chunk, keys, complaints_of(list), nested);
  for (std::size_t at = 0; at < text.size();) {
    if (list) {
      at = std::min(text.find('{', at), text.size());
      const std::size_t size = object_end(text.substr(at));
      if (size > 0) reader.read(text.substr(at, size), at);
      at += size;
      continue;
    }
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (!is_blank(line)) reader.read(line, at);
    at = end + 1;
  }
}

std::vector<std::string> read_json_keys(std::string_view text, bool list) {
  KeyReader reader(complaints_of(list));
  if (!reader.parse(text.substr(0, list ? object_end(text) : text.find('\n')))) fail("{}", reader.what());
  return std::move(reader.keys);
}

}  // namespace t2v::data
