#include "data/provenance.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "data/importer_files.h"
#include "data/table_reader.h"

namespace t2v::data {
namespace {

KnownData known_of(const std::string& text, const TableOptions& options = {}) {
  ThreadPool threads(1);
  const OwnFiles files;
  ReadReport report;
  const EventTable table = read_tables({{files.write("events", text)}}, options, threads, report);
  return known_data(provenance_of({}, options, table, report));
}

TEST(Provenance, KeepsGuessedColumns) {
  std::string text = "CaseID,Activity Name,CompleteTimestamp\n";
  for (int i = 0; i < 40; ++i)
    text += fmt::format("{},{},{}/01/2024\n", i % 5, i % 3 == 0 ? "a" : "b", 13 + i % 9);
  const KnownData known = known_of(text);
  EXPECT_EQ(known.columns.at(Role::kId), "CaseID");
  EXPECT_EQ(known.columns.at(Role::kTime), "CompleteTimestamp");
  EXPECT_EQ(known.columns.at(Role::kEvent), "Activity Name");
  EXPECT_EQ(known.day_first, "yes");
  EXPECT_EQ(known.time_format, "");
}

TEST(Provenance, KeepsHowTimesAreWritten) {
  TableOptions options;
  options.time_format = "%d.%m.%Y";
  const KnownData known = known_of("id,time\na,1.2.2024\n", options);
  EXPECT_EQ(known.time_format, "%d.%m.%Y");
  EXPECT_EQ(known.day_first, "auto");
  EXPECT_EQ(known_data(nlohmann::json::object()).day_first, "");
}

TEST(Provenance, TellsFurtherTablesHowToRead) {
  TableOptions options;
  options.known = {{Role::kId, "CaseID"}, {Role::kTime, "when"}};
  options.day_first = "yes";
  ThreadPool threads(1);
  const OwnFiles files;
  ReadReport report;
  const EventTable table = read_tables(
      {{files.write("events", "when,CaseID,created\n01/02/2024,5,2024-01-31\n")}}, options, threads, report);
  EXPECT_EQ(describe(report.columns), "id 'CaseID', time 'when'");
  EXPECT_EQ(table.ticks[0], int64_t{1706745600} * 1'000'000'000);
}

}  // namespace
}  // namespace t2v::data
