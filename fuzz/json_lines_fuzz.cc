// Any text is rows and faults, never anything else.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "data/json_lines.h"
#include "t2v/error.h"

namespace {

void check(bool good) {
  if (!good) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::vector<char> own(data, data + size);
  const std::string_view text(own.data(), own.size());
  const std::vector<std::string> keys = {"id", "t", ""};
  t2v::data::CellChunk chunk;
  t2v::data::read_json_lines(chunk, text, keys);
  std::size_t bytes = 0;
  for (std::size_t row = 0; row < static_cast<std::size_t>(chunk.rows()); ++row) {
    check(chunk.begin_of(row) < text.size());
    for (std::size_t column = 0; column < keys.size(); ++column) {
      bytes += std::string(chunk.cell(column, row)).size();
    }
  }
  check(bytes <= text.size() + chunk.changed.size());  // a cell stands in the text, or is there changed
  for (const auto& fault : chunk.faults) {
    check(fault.at <= text.size() && !fault.what.empty());
    check(!t2v::data::explain_row(text, fault).empty());
  }
  try {
    t2v::data::read_json_keys(text);
  } catch (const t2v::Error&) {
  }
  return 0;
}
