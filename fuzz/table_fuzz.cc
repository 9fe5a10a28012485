// Reading any bytes as a table gives a table whose columns agree in length, or t2v::Error in one line.

#include <cstddef>
#include <cstdint>

#include "data/table_reader.h"
#include "fuzz_input.h"

namespace {

using t2v::data::EventTable;
using t2v::data::TableOptions;

using t2v::fuzz::check;

TableOptions options_of(uint8_t bits, uint8_t more) {
  TableOptions options;
  options.skip_bad_rows = (bits & 1) != 0;
  if ((bits & 2) != 0) options.order = t2v::data::Order::kStrict;
  if ((bits & 4) != 0) options.features = {"f"};
  if ((bits & 8) != 0) options.sequence_features = {"g"};
  if ((bits & 16) != 0) options.target = "y";
  if ((bits & 32) != 0) options.timezone = "Europe/Paris";
  if ((bits & 64) != 0) options.header = "no";
  if ((bits & 64) != 0) options.time = "2";
  if ((bits & 128) != 0) options.id = (bits & 64) != 0 ? "1" : "-";
  constexpr const char* kUnits[] = {"auto", "s", "ms", "us", "ns", "number"};
  options.time_unit = kUnits[more % 6];
  constexpr const char* kFormats[] = {"auto", "csv", "jsonl"};
  options.format = kFormats[more / 6 % 3];
  constexpr const char* kTimes[] = {"", "%d/%m/%Y", "%Y%m%d %H%M%S", "%b %d %Y %I:%M %p"};
  options.time_format = kTimes[more / 18 % 4];
  constexpr const char* kOrders[] = {"auto", "yes", "no"};
  options.day_first = kOrders[more / 72 % 3];
  return options;
}

void check_table(const EventTable& table) {
  const auto rows = static_cast<std::size_t>(table.rows());
  const auto sequences = static_cast<std::size_t>(table.sequences());
  check(rows > 0 && table.sequence.size() == rows);
  for (const int32_t sequence : table.sequence) check(sequence >= 0 && sequence < table.ids.size());
  const auto check_codes = [](const t2v::data::Categories& column, std::size_t size) {
    check(column.codes.size() == size);
    for (const int32_t code : column.codes) check(code >= 0 && code < column.names.size());
  };
  if (table.event) check_codes(*table.event, rows);
  if (table.label) check_codes(*table.label, sequences);
  for (const auto& column : table.categories) check_codes(column, rows);
  for (const auto& column : table.sequence_categories) check_codes(column, sequences);
  if (table.value) check(table.value->values.size() == rows);
  if (table.target) check(table.target->values.size() == sequences);
  for (const auto& column : table.numbers) check(column.values.size() == rows);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  static t2v::ThreadPool pool(1);
  const t2v::fuzz::MemoryFile file(t2v::fuzz::text_of(data + 2, size - 2));
  t2v::data::ReadReport report;
  t2v::fuzz::expect_error_or_nothing([&] {
    check_table(t2v::data::read_tables({{file.path()}}, options_of(data[0], data[1]), pool, report));
  });
  return 0;
}
