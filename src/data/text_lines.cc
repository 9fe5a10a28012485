#include "data/text_lines.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <span>
#include <system_error>
#include <utility>

#include "base/fail.h"
#include "base/text_check.h"
#include "data/iso_time.h"

namespace t2v::data {
namespace {

constexpr std::size_t kFirstBuffer = 256 << 10;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

TextLines::TextLines(std::string path, FileSystem& files)
    : files_(files), path_(std::move(path)), buffer_(kFirstBuffer) {
  do {
    file_ = files_.open(path_, FileSystem::Mode::kRead);
  } while (file_ < 0 && errno == EINTR);
  if (file_ < 0) fail("{}: cannot open: {}", path_, std::generic_category().message(errno));
}

TextLines::~TextLines() { files_.close(file_); }

bool TextLines::refill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) buffer_.resize(buffer_.size() * 2);
  int64_t n = 0;
  do {
    n = files_.read(file_, std::as_writable_bytes(std::span(buffer_).subspan(end_)));
  } while (n < 0 && errno == EINTR);
  if (n < 0) fail("{}: cannot read: {}", path_, std::generic_category().message(errno));
  end_ += static_cast<std::size_t>(n);
  return n > 0;
}

bool TextLines::next(std::string_view& line) {
  const auto pending = [&] { return std::string_view(buffer_.data() + begin_, end_ - begin_); };
  std::string_view rest = pending();
  std::size_t end = rest.find('\n');
  for (bool more = true; end == std::string_view::npos && more;) {
    const std::size_t searched = rest.size();
    more = refill();
    rest = pending();
    end = rest.find('\n', searched);
  }
  if (rest.empty()) return false;
  line = rest.substr(0, end);
  begin_ += std::min(rest.size(), line.size() + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (number_ == 0 && line.starts_with(kByteOrderMark)) {
    line.remove_prefix(kByteOrderMark.size());
  }
  ++number_;
  return true;
}

std::string TextLines::place() const { return fmt::format("{}:{}", path_, number_); }

std::string TextLines::place(std::string_view line, std::string_view part) const {
  return fmt::format("{}:{}:{}", path_, number_, part.data() - line.data() + 1);
}

std::string_view explain_number(NumberFault fault) {
  return fault == NumberFault::kSyntax ? "is not a number; write it as 12 or 12.5" : explain(fault);
}

int64_t integer_of(const TextLines& lines, std::string_view line, std::string_view word) {
  int64_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, number);
  if (error != std::errc() || stop != end) {
    fail("{}: {} is not a whole number of 64 bits; write it as 12", lines.place(line, word), in_quotes(word));
  }
  return number;
}

Decimal decimal_of(const TextLines& lines, std::string_view line, std::string_view word) {
  Decimal number;
  NumberFault fault = parse_decimal(word, number);
  if (fault == NumberFault::kNone && number.decimals < 0) fault = NumberFault::kOverflow;
  if (fault != NumberFault::kNone) {
    fail("{}: {} {}", lines.place(line, word), in_quotes(word), explain_number(fault));
  }
  return number;
}

int64_t instant_of(const TextLines& lines, std::string_view line, std::string_view field) {
  IsoTime time;
  const TimeFault fault = parse_iso(field, time);
  if (fault != TimeFault::kNone) {
    fail("{}: {} {}", lines.place(line, field), in_quotes(field), explain(fault));
  }
  return time.nanoseconds;
}

void split_fields(std::string_view line, char separator, std::vector<std::string_view>& fields) {
  fields.clear();
  for (;;) {
    const std::size_t end = line.find(separator);
    fields.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return;
    line.remove_prefix(end + 1);
  }
}

void split_words(std::string_view line, std::vector<std::string_view>& words) {
  words.clear();
  constexpr std::string_view kBlanks = " \t";
  for (std::size_t begin = line.find_first_not_of(kBlanks); begin != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(kBlanks, end);
  }
}

}  // namespace t2v::data
