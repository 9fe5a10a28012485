// Any text is rows and faults: every cell lies within its text, and reading goes on where it stopped.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "data/csv.h"
#include "t2v/error.h"

namespace {

using t2v::data::CellChunk;
using t2v::data::WantedFields;

void check(bool good) {
  if (!good) std::abort();
}

WantedFields all_fields(std::size_t width) {
  WantedFields wanted;
  for (; wanted.count < width; ++wanted.count) wanted.column.push_back(static_cast<int>(wanted.count));
  return wanted;
}

/// Appends the rows of a chunk and its faults; touches every byte of them.
void take(const CellChunk& chunk, std::size_t width, std::vector<std::string>& cells,
          std::vector<std::string>& faults) {
  for (std::size_t row = 0; row < static_cast<std::size_t>(chunk.rows()); ++row) {
    check(chunk.begin_of(row) < chunk.text.size());
    for (std::size_t column = 0; column < width; ++column) cells.emplace_back(chunk.cell(column, row));
  }
  for (const auto& fault : chunk.faults) {
    check(fault.at <= chunk.text.size() && fault.begin <= fault.at);
    faults.emplace_back(fault.what);
  }
}

void read_header(std::string_view text, char separator) {
  try {
    const auto header = t2v::data::read_header(text, separator);
    check(header.next <= text.size() && !header.fields.empty());
  } catch (const t2v::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  constexpr std::string_view kSeparators = ",;\t| x";
  const char separator = kSeparators[data[0] % kSeparators.size()];
  const std::size_t width = 1 + data[1] % 5;
  const std::vector<char> own(data + 2, data + size);  // so that reading beyond the end is seen
  const std::string_view text(own.data(), own.size());
  const WantedFields wanted = all_fields(width);

  std::vector<std::string> whole;
  std::vector<std::string> whole_faults;
  CellChunk chunk;
  check(read_csv(chunk, text, separator, wanted, true) == text.size());
  take(chunk, width, whole, whole_faults);

  std::vector<std::string> pieces;
  std::vector<std::string> pieces_faults;
  const std::size_t used = read_csv(chunk, text, separator, wanted, false);
  check(used <= text.size());
  take(chunk, width, pieces, pieces_faults);
  read_csv(chunk, text.substr(used), separator, wanted, true);
  take(chunk, width, pieces, pieces_faults);
  check(whole == pieces && whole_faults == pieces_faults);

  read_header(text, separator);
  t2v::data::guess_separator(text);
  return 0;
}
