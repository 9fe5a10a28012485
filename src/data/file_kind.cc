#include "data/file_kind.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string_view>

#include "base/fail.h"
#include "base/file_system.h"
#include "data/byte_stream.h"

namespace t2v::data {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kSqliteMark = "SQLite format 3\x00"sv;

struct Kind {
  std::string_view magic;  // first bytes
  std::string_view what;   // what it is, and what to do
};

constexpr std::array<Kind, 14> kKinds = {{
    {"\x00\x00\x08\x01"sv, "an IDX file of labels; give it after its images with `format` mnist"},
    {"\x00\x00\x08\x03"sv, "an IDX file of images; give it and its labels with `format` mnist"},
    {"\x89HDF\r\n\x1a\n"sv,
     "an HDF5 file; if it is N-TIDIGITS18 use `format` ntidigits, else export it as CSV"},
    {"PAR1"sv, "a Parquet file, compressed as a whole; unpack it"},
    {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, "an Excel file; export it as CSV"},
    {"PK\x03\x04"sv, "a zip archive; unpack it"},
    {"ARROW1\x00"sv, "an Arrow file; export it as CSV"},
    {"Obj\x01"sv, "an Avro file; export it as CSV"},
    {kSqliteMark, "an SQLite database, compressed; unpack it"},
    {"\x93NUMPY"sv, "a NumPy file; export it as CSV"},
    {"\x89PNG\r\n\x1a\n"sv, "a PNG image; a table of events is needed"},
    {"\xFF\xD8\xFF"sv, "a JPEG image; a table of events is needed"},
    {"BZh"sv, "compressed with bzip2; unpack it, or compress it with gzip or zstd"},
    {"\xFD\x37zXZ\x00"sv, "compressed with xz; unpack it, or compress it with gzip or zstd"},
}};

/// Some marks are also the start of a name: a table has no control characters.
bool is_binary(std::string_view start) {
  return std::ranges::any_of(start, [](char c) {
    return (c >= 0 && c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == '\x7f';
  });
}

/// The zip archive of a spreadsheet starts with one of these files.
bool is_spreadsheet(std::string_view start) {
  constexpr std::size_t kNameAt = 30;
  const std::string_view name = start.substr(std::min(kNameAt, start.size()));
  return std::ranges::any_of(std::array{"[Content_Types].xml"sv, "_rels/"sv, "docProps/"sv, "xl/"sv},
                             [&](std::string_view file) { return name.starts_with(file); });
}

}  // namespace

TableKind table_kind_of(const std::string& path) {
  constexpr std::size_t kDuckdbMarkAt = 8;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return TableKind::kText;
  OpenFile file(FileSystem::real(), path, FileSystem::Mode::kRead);
  std::array<char, 64> buffer{};
  const std::size_t size = file.read(std::as_writable_bytes(std::span(buffer)));
  const std::string_view start(buffer.data(), size);
  if (!is_binary(start)) return TableKind::kText;
  if (start.starts_with("PAR1") || start.starts_with("PARE")) return TableKind::kParquet;
  if (start.substr(std::min(kDuckdbMarkAt, size)).starts_with("DUCK")) return TableKind::kDuckdb;
  return start.starts_with(kSqliteMark) ? TableKind::kSqlite : TableKind::kText;
}

void refuse_other_kinds(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return;
  std::array<char, 64> buffer{};
  const auto size = static_cast<std::size_t>(open_stream(path)->read(buffer));
  const std::string_view start(buffer.data(), size);
  if (!is_binary(start)) return;
  for (const Kind& kind : kKinds) {
    if (!start.starts_with(kind.magic)) continue;
    const bool sheet = kind.magic.starts_with("PK") && is_spreadsheet(start);
    fail("{}: this is {}", path, sheet ? "an Excel file; export it as CSV" : kind.what);
  }
}

}  // namespace t2v::data
