#include "data/json_lines.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/fail.h"

namespace t2v::data {
namespace {

using Json = nlohmann::json;

constexpr int kMostLevels = 64;
constexpr std::size_t kSeenBytes = 64;

/// Takes the values of an object's keys from nlohmann's events.
class ObjectReader : public nlohmann::json_sax<Json> {
 public:
  virtual void on_key(std::string_view key) = 0;
  virtual void on_value(std::string_view text) = 0;
  virtual void on_nested() = 0;

  bool null() final { return value(""); }
  bool boolean(bool is) final { return value(is ? "true" : "false"); }
  bool number_integer(int64_t number) final { return value(std::to_string(number)); }
  bool number_unsigned(uint64_t number) final { return value(std::to_string(number)); }
  bool number_float(double /*number*/, const std::string& text) final { return value(text); }
  bool string(std::string& text) final { return value(text); }
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
    stop(error.id == kTooLarge ? "the line has a number that is too large" : "the line is not valid JSON");
    position_ = position == 0 ? 0 : position - 1;
    return false;
  }

  std::string_view what() const { return what_; }
  std::size_t position() const { return position_; }

 protected:
  void reset() {
    level_ = 0;
    what_ = {};
    position_ = 0;
  }
  bool stop(std::string_view what) {
    if (what_.empty()) what_ = what;
    return false;
  }

 private:
  bool value(std::string_view text) {
    if (level_ == 0) return stop("the line is not a JSON object");
    if (level_ == 1) on_value(text);
    return what_.empty();
  }
  bool open(bool object) {
    if (level_ == 0 && !object) return stop("the line is not a JSON object");
    if (level_ >= kMostLevels) return stop("the line is nested too deeply");
    if (level_ == 1) on_nested();
    ++level_;
    return what_.empty();
  }
  bool close() {
    --level_;
    return true;
  }

  int level_ = 0;
  std::string_view what_;
  std::size_t position_ = 0;
};

/// Keeps the values of the wanted keys as cells.
class RowReader final : public ObjectReader {
 public:
  RowReader(CellChunk& chunk, const std::vector<std::string>& keys)
      : chunk_(chunk), keys_(keys), filled_(keys.size()) {}

  void read(std::string_view line, std::size_t begin) {
    reset();
    filled_.assign(keys_.size(), false);
    for (auto& column : chunk_.columns) column[chunk_.row_begin.size()] = {chunk_.next_changed(), 0};
    const bool good = Json::sax_parse(line, this) && what().empty();
    if (good) {
      chunk_.row_begin.push_back(static_cast<uint32_t>(begin));
      return;
    }
    Fault fault;
    fault.row = static_cast<uint32_t>(chunk_.rows());
    fault.at = static_cast<uint32_t>(begin + std::min(position(), line.size()));
    fault.what = what();
    fault.advice = R"(write one object a line: {"user_id": "a", "time": 1, ...})";
    fault.seen = line.substr(std::min(position(), line.size()), kSeenBytes);
    fault.begin = static_cast<uint32_t>(begin);
    chunk_.faults.push_back(std::move(fault));
  }

 private:
  void on_key(std::string_view key) override {
    const auto found = std::ranges::find(keys_, key);
    column_ = found == keys_.end() ? -1 : static_cast<int>(found - keys_.begin());
    if (column_ < 0) return;
    if (filled_[static_cast<std::size_t>(column_)]) stop("the line has a key twice");
    filled_[static_cast<std::size_t>(column_)] = true;
  }
  void on_value(std::string_view text) override {
    if (column_ < 0) return;
    chunk_.columns[static_cast<std::size_t>(column_)][chunk_.row_begin.size()] = {
        chunk_.next_changed(), static_cast<uint32_t>(text.size())};
    chunk_.changed += text;
  }
  void on_nested() override {
    if (column_ >= 0) stop("the line has a list or an object where a single value is needed");
  }

  CellChunk& chunk_;
  const std::vector<std::string>& keys_;
  std::vector<bool> filled_;
  int column_ = -1;
};

class KeyReader final : public ObjectReader {
 public:
  std::vector<std::string> keys;

 private:
  void on_key(std::string_view key) override { keys.emplace_back(key); }
  void on_value(std::string_view /*text*/) override {}
  void on_nested() override {}
};

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

}  // namespace

void read_json_lines(CellChunk& chunk, std::string_view text, const std::vector<std::string>& keys) {
  chunk.start(text, keys.size());
  RowReader reader(chunk, keys);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (!is_blank(line)) reader.read(line, at);
    at = end + 1;
  }
}

std::vector<std::string> read_json_keys(std::string_view line) {
  KeyReader reader;
  if (!Json::sax_parse(line, &reader) || !reader.what().empty()) fail("{}", reader.what());
  return std::move(reader.keys);
}

}  // namespace t2v::data
