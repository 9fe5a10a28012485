// Any text is rows and faults, never anything else; lists end where they end, whatever pieces they come in.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "data/json_lines.h"
#include "data/json_list.h"
#include "t2v/error.h"

namespace {

void check(bool good) {
  if (!good) std::abort();
}

void check_rows(const t2v::data::CellChunk& chunk, std::string_view text, std::size_t keys) {
  std::size_t bytes = 0;
  for (std::size_t row = 0; row < static_cast<std::size_t>(chunk.rows()); ++row) {
    check(chunk.begin_of(row) < text.size());
    for (std::size_t column = 0; column < keys; ++column)
      bytes += std::string(chunk.cell(column, row)).size();
  }
  check(bytes <= text.size() + chunk.changed.size());  // a cell stands in the text, or is there changed
  for (const auto& fault : chunk.faults) {
    check(fault.at <= text.size() && !fault.what.empty());
    check(!t2v::data::explain_row(text, fault).empty());
  }
}

/// What a scanner says of a text in pieces of a size: the last end of an object, or the error.
std::string scanned(std::string_view text, std::size_t piece) {
  t2v::data::JsonListScanner scanner("file");
  std::size_t last = 0;
  try {
    for (std::size_t at = 0; at < text.size(); at += piece) {
      const std::size_t end = scanner.scan(text.substr(at, piece));
      if (end > 0) last = at + end;
    }
    scanner.finish();
  } catch (const t2v::Error& error) {
    return error.what();
  }
  return std::to_string(last);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::vector<char> own(data, data + size);
  const std::string_view text(own.data(), own.size());
  const std::vector<std::string> keys = {"id", "t", ""};
  t2v::data::CellChunk chunk;
  for (const bool list : {false, true}) {
    for (const auto nested : {t2v::data::Nested::kFault, t2v::data::Nested::kEmpty}) {
      t2v::data::read_json(chunk, text, keys, list, nested);
      check_rows(chunk, text, keys.size());
    }
    try {
      t2v::data::read_json_keys(text, list);
    } catch (const t2v::Error&) {
    }
  }
  check(scanned(text, 1) == scanned(text, text.size() + 1));
  return 0;
}
