#include "data/csv.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "base/fail.h"
#include "base/text_check.h"

namespace t2v::data {
namespace {

constexpr std::size_t kBlock = 64;
constexpr std::size_t kSeenBytes = 64;
constexpr std::string_view kRagged = "the row has too ";

/// Finds separators and line ends, 64 bytes at a time.
class Ends {
 public:
  Ends(std::string_view text, char separator) : text_(text), separator_(separator) {
    if (!text_.empty()) mask_ = masks_at(0).all;
  }

  /// The first separator, \n or \r at or after a position; the size of the text if there is none.
  std::size_t next(std::size_t from) {
    const std::size_t block = from & ~(kBlock - 1);
    if (block != block_) {
      if (from >= text_.size()) return text_.size();
      block_ = block;
      mask_ = masks_at(block).all;
    }
    uint64_t mask = mask_ & (~uint64_t{0} << (from - block));
    while (mask == 0) {
      block_ += kBlock;
      if (block_ >= text_.size()) return text_.size();
      mask = mask_ = masks_at(block_).all;
    }
    return block_ + static_cast<std::size_t>(std::countr_zero(mask));
  }

  /// A bit for each of 64 bytes: of all ends, of those that are \n, and of those that are \r.
  struct Masks {
    uint64_t all = 0;
    uint64_t newlines = 0;
    uint64_t returns = 0;
  };

  /// Of the 64 bytes from `at` on, a multiple of 64.
  Masks masks_at(std::size_t at) const {
    Masks masks;
    const std::size_t count = std::min(kBlock, text_.size() - at);
#ifdef __SSE2__
    if (count == kBlock) {
      const __m128i separator = _mm_set1_epi8(separator_);
      const __m128i newline = _mm_set1_epi8('\n');
      const __m128i carriage = _mm_set1_epi8('\r');
      for (std::size_t i = 0; i < kBlock; i += 16) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text_.data() + at + i));
        const __m128i lines = _mm_cmpeq_epi8(bytes, newline);
        const __m128i back = _mm_cmpeq_epi8(bytes, carriage);
        const __m128i found = _mm_or_si128(_mm_cmpeq_epi8(bytes, separator), _mm_or_si128(lines, back));
        masks.all |= uint64_t{static_cast<uint32_t>(_mm_movemask_epi8(found))} << i;
        masks.newlines |= uint64_t{static_cast<uint32_t>(_mm_movemask_epi8(lines))} << i;
        masks.returns |= uint64_t{static_cast<uint32_t>(_mm_movemask_epi8(back))} << i;
      }
      return masks;
    }
#endif
    for (std::size_t i = 0; i < count; ++i) {
      const char c = text_[at + i];
      masks.all |= uint64_t{ends(c) ? 1U : 0U} << i;
      masks.newlines |= uint64_t{c == '\n' ? 1U : 0U} << i;
      masks.returns |= uint64_t{c == '\r' ? 1U : 0U} << i;
    }
    return masks;
  }

 private:
  bool ends(char c) const { return c == separator_ || c == '\n' || c == '\r'; }

  std::string_view text_;
  char separator_;
  std::size_t block_ = 0;
  uint64_t mask_ = 0;
};

/// As std::popcount, which is a call into a table where the instruction may be missing.
std::size_t count_bits(uint64_t bits) {
  bits -= bits >> 1 & 0x5555555555555555U;
  bits = (bits & 0x3333333333333333U) + (bits >> 2 & 0x3333333333333333U);
  bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0FU;
  return bits * 0x0101010101010101U >> 56;
}

/// What find_ends() counted.
struct EndCounts {
  std::size_t ends = 0;
  std::size_t newlines = 0;
  std::size_t returns = 0;  // \r
};

/// Where all separators and line ends of a text are, then kBlock entries of anything.
EndCounts find_ends(std::vector<uint32_t>& ends, std::size_t count, std::string_view text, char separator) {
  const Ends masks(text, separator);
  EndCounts counts{count};
  for (std::size_t at = 0; at < text.size(); at += kBlock) {
    const Ends::Masks found = masks.masks_at(at);
    uint64_t mask = found.all;
    if (ends.size() < counts.ends + 2 * kBlock) ends.resize(2 * ends.size() + 4 * kBlock);
    uint32_t* out = ends.data() + counts.ends;
    counts.ends += count_bits(mask);
    counts.newlines += count_bits(found.newlines);
    if (found.returns != 0) counts.returns += count_bits(found.returns);
    // Eight at a time, also beyond the last: most blocks have no more, and a branch for each costs more.
    while (mask != 0) {
      for (int i = 0; i < 8; ++i) {
        *out++ = static_cast<uint32_t>(at) + static_cast<uint32_t>(std::countr_zero(mask));
        mask &= mask - 1;
      }
    }
  }
  return counts;
}

/// Reads the rows of a text one by one.
class Rows {
 public:
  Rows(CellChunk& chunk, std::string_view text, char separator, const WantedFields& wanted)
      : chunk_(chunk), text_(text), separator_(separator), wanted_(wanted), ends_(text, separator) {}

  /// The row at `begin`, which is not a line end; gives where the next one starts. False if the text ends
  /// within a quoted field.
  bool read(std::size_t begin, std::size_t& next) {
    chunk_.make_room();
    begin_ = begin;
    field_ = 0;
    fault_ = {};
    std::size_t at = begin;
    for (;;) {
      std::size_t end = 0;
      if (at < text_.size() && text_[at] == '"') {
        if (!read_quoted(at, end)) return false;
      } else {
        end = ends_.next(at);
        keep(at, end - at);
      }
      ++field_;
      if (end == text_.size() || text_[end] != separator_) {
        next = end;
        break;
      }
      at = end + 1;
    }
    finish();
    return true;
  }

  /// How many fields the row had that was read last.
  std::size_t fields() const { return field_; }
  /// Whether nothing is wrong with that row but its number of fields.
  bool only_ragged() const { return fault_.what.starts_with(kRagged); }

  /// The start of the row that read() found unfinished becomes a fault.
  void leave_unclosed() {
    if (fault_.what.empty()) {
      fault_.what = "a quote is opened here that is never closed";
      fault_.advice = "close it, or double a quote that is meant as a character";
      note(fault_, quote_);
    }
    leave_out();
  }

 private:
  using Cell = CellChunk::Cell;

  void keep(std::size_t begin, std::size_t size) {
    if (field_ >= wanted_.fields()) return;
    const int column = wanted_.column[field_];
    if (column < 0) return;
    chunk_.columns[static_cast<std::size_t>(column)][chunk_.row_begin.size()] = {static_cast<uint32_t>(begin),
                                                                                 static_cast<uint32_t>(size)};
  }

  /// The quoted field at `at`; gives where it ends (a separator or line end). False if the text ends first.
  bool read_quoted(std::size_t at, std::size_t& end) {
    quote_ = at;
    bool doubled = false;
    std::size_t close = at + 1;
    for (;; close += 2) {
      const void* found =
          close < text_.size() ? std::memchr(text_.data() + close, '"', text_.size() - close) : nullptr;
      if (found == nullptr) return false;
      close = static_cast<std::size_t>(static_cast<const char*>(found) - text_.data());
      if (close + 1 >= text_.size() || text_[close + 1] != '"') break;
      doubled = true;
    }
    end = close + 1;
    if (end < text_.size() && ends_.next(end) != end) {
      if (fault_.what.empty()) {
        fault_.what = "there is text after a closing quote";
        fault_.advice = "double a quote that is meant as a character";
        note(fault_, end);
      }
      end = ends_.next(end);
    }
    if (doubled) {
      keep_changed(text_.substr(at + 1, close - at - 1));
    } else {
      keep(at + 1, close - at - 1);
    }
    return true;
  }

  void keep_changed(std::string_view quoted) {
    const std::size_t begin = chunk_.next_changed();
    for (std::size_t i = 0; i < quoted.size(); ++i) {
      chunk_.changed.push_back(quoted[i]);
      if (quoted[i] == '"') ++i;
    }
    keep(begin, chunk_.next_changed() - begin);
  }

  void note(Fault& fault, std::size_t at) const {
    fault.at = static_cast<uint32_t>(at);
    fault.seen = text_.substr(at, std::min(kSeenBytes, text_.size() - at));
  }

  void finish() {
    if (field_ != wanted_.fields() && fault_.what.empty()) {
      fault_.what = field_ < wanted_.fields() ? "the row has too few fields" : "the row has too many fields";
      fault_.advice = "give every row as many fields as the first; quote fields that hold the separator";
      note(fault_, begin_);
    }
    if (!fault_.what.empty()) {
      leave_out();
      return;
    }
    chunk_.row_begin.push_back(static_cast<uint32_t>(begin_));
  }

  void leave_out() {
    fault_.row = static_cast<uint32_t>(chunk_.rows());
    fault_.begin = static_cast<uint32_t>(begin_);
    chunk_.faults.push_back(fault_);
  }

  CellChunk& chunk_;
  std::string_view text_;
  char separator_;
  const WantedFields& wanted_;
  Ends ends_;
  std::size_t begin_ = 0;
  std::size_t field_ = 0;
  std::size_t quote_ = 0;
  Fault fault_;
};

/// Whether a row of the grid ends with a line and nothing before that does: of as many line ends as rows one
/// is at the end of each.
bool rows_end_with_lines(const FieldGrid& grid, std::string_view text, bool returns) {
  for (std::size_t row = 0; row < grid.rows; ++row) {
    const std::size_t end = grid.ends[(row + 1) * grid.fields];
    if (end == text.size()) continue;  // the last one is cut off
    if (text[end] != '\n' || (returns && text[end - 1] != '\r')) return false;
    // An empty line is no row, though a row of one field may look like that.
    if (grid.ends[row * grid.fields] + 1 == end - (returns ? 1 : 0)) return false;
  }
  return true;
}

/// Makes the grid of a text without quotes. False if its lines are not all rows of as many fields as wanted.
bool read_grid(CellChunk& chunk, std::string_view text, char separator, const WantedFields& wanted) {
  FieldGrid& grid = chunk.grid;
  grid.fields = 0;
  if (wanted.fields() == 0 || text.empty()) return false;
  grid.ends.resize(std::max(grid.ends.size(), 2 * kBlock));
  grid.ends[0] = ~uint32_t{0};  // so that the first row begins at 0
  const EndCounts counts = find_ends(grid.ends, 1, text, separator);
  // Where lines end with \r\n, there is nothing between the two: one more field.
  const bool returns = counts.returns > 0;
  const std::size_t fields = wanted.fields() + (returns ? 1 : 0);
  const std::size_t lines = counts.newlines;
  const std::size_t cut = text.back() == '\n' ? 0 : 1;
  std::size_t ends = counts.ends;
  if (cut > 0) {
    for (std::size_t i = 0; i < (returns ? 2 : 1); ++i)
      grid.ends[ends++] = static_cast<uint32_t>(text.size());
  }
  if (ends != 1 + (lines + cut) * fields || (returns && counts.returns != lines)) return false;
  chunk.start_grid(text, wanted, fields, lines + cut);
  chunk.lines = static_cast<int64_t>(lines);
  if (rows_end_with_lines(grid, text, returns)) return true;
  grid.fields = 0;
  return false;
}

}  // namespace

int64_t count_lines(std::string_view text) {
  int64_t lines = 0;
  for (std::size_t at = 0; at < text.size();) {  // in pieces whose count fits a byte, which vectors like
    uint8_t count = 0;
    const std::size_t end = std::min(at + 255, text.size());
    for (; at < end; ++at) count = static_cast<uint8_t>(count + (text[at] == '\n' ? 1 : 0));
    lines += count;
  }
  for (std::size_t at = text.find('\r'); at != std::string_view::npos; at = text.find('\r', at + 1)) {
    if (at + 1 >= text.size() || text[at + 1] != '\n') ++lines;
  }
  return lines;
}

TextPlace place_in(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const std::size_t line_end = before.find_last_of("\r\n");
  const std::size_t begin = line_end == std::string_view::npos ? 0 : line_end + 1;
  return {count_lines(before), static_cast<int64_t>(at - begin) + 1};
}

std::string explain_row(std::string_view text, const Fault& fault, int64_t first_line, int64_t bytes_before) {
  TextPlace place = place_in(text, fault.at);
  if (place.line == 0) place.column += bytes_before;
  const std::string_view seen = fault.seen.substr(0, fault.seen.find_first_of("\r\n", 1));
  return fmt::format("{}:{}: {} ('{}'); {}", first_line + place.line, place.column, fault.what, shown(seen),
                     fault.advice);
}

std::size_t read_csv(CellChunk& chunk, std::string_view text, char separator, const WantedFields& wanted,
                     bool last) {
  const bool quoted = text.find('"') != std::string_view::npos;
  if (!quoted && read_grid(chunk, text, separator, wanted)) return text.size();
  chunk.start(text, wanted.count);
  Rows rows(chunk, text, separator, wanted);
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '\n' || text[at] == '\r') {
      ++at;
      continue;
    }
    std::size_t next = 0;
    if (!rows.read(at, next)) {
      if (!last) return at;
      rows.leave_unclosed();
      break;
    }
    at = next;
  }
  return text.size();
}

HeaderRow read_header(std::string_view text, char separator) {
  HeaderRow header;
  std::size_t at = text.find_first_not_of("\r\n");
  if (at == std::string_view::npos) fail("there is no row; write a row of names, then a row for each event");
  // Read twice: the first time counts the fields.
  CellChunk chunk;
  WantedFields wanted;
  for (const bool counted : {false, true}) {
    chunk.start(text, wanted.count);
    Rows rows(chunk, text, separator, wanted);
    if (!rows.read(at, header.next)) rows.leave_unclosed();
    if (!chunk.faults.empty() && (counted || !rows.only_ragged())) {
      fail("{}", explain_row(text, chunk.faults[0]));
    }
    if (rows.fields() > kMostColumns) {
      fail("the first row has {} fields, and a table at most {}; is this a table?", rows.fields(),
           kMostColumns);
    }
    for (; !counted && wanted.count < rows.fields(); ++wanted.count) {
      wanted.column.push_back(static_cast<int>(wanted.count));
    }
  }
  for (std::size_t field = 0; field < wanted.count; ++field) header.fields.emplace_back(chunk.cell(field, 0));
  return header;
}

char guess_separator(std::string_view text) {
  constexpr std::array<char, 4> kSeparators = {'\t', ',', ';', '|'};
  std::array<int64_t, 4> counts{};
  bool quoted = false;
  for (const char c : text.substr(0, text.find_first_of("\r\n", text.find_first_not_of("\r\n")))) {
    if (c == '"') quoted = !quoted;
    const auto* which = std::ranges::find(kSeparators, c);
    if (!quoted && which != kSeparators.end())
      ++counts[static_cast<std::size_t>(which - kSeparators.begin())];
  }
  const auto* const most = std::ranges::max_element(counts);
  return *most == 0 ? ',' : kSeparators[static_cast<std::size_t>(most - counts.begin())];
}

}  // namespace t2v::data
