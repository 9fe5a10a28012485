#include "paper/run_table.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/disks.h"
#include "base/twin_disk.h"

namespace t2v::paper {
namespace {

using Json = nlohmann::json;

Json made_record(const std::string& run, const Json& curve) {
  return {{"experiment", "event-mnist"},
          {"run", run},
          {"model", run},
          {"scale", "paper"},
          {"seed", 1},
          {"epochs", 3},
          {"config", {{"hidden", 3}}},
          {"curve", curve},
          {"seconds", 0.1},
          {"data", {{"name", "days"}, {"kind", "made"}, {"note", "a, \"b\""}}}};
}

std::vector<Json> made_records() {
  return {made_record("a.s1", {{"accuracy", {0.1, 1.0 / 3, 1}}, {"log_loss", {2.5, nullptr, 1e-17}}}),
          made_record("b.s1", {{"recall@10 sampled", {0.5, 0.25, 0.0}}}),
          made_record("c.s1", {{"accuracy", Json::array()}}), made_record("d.s1", Json::object())};
}

TEST(RunTable, IsReadAsItWasWrittenToTheLastBit) {
  TwinDisk disk;
  write_run_table(disk, "/d", made_records());
  EXPECT_EQ(read_run_table(disk, "/d"), made_records());
  EXPECT_EQ(disk.names(), (std::vector<std::string>{"/d/epochs.csv.zst", "/d/runs.jsonl"}));
}

TEST(RunTable, IsSmallWhereCurvesAreLong) {
  Json curve = Json::array();
  for (int i = 0; i < 20'000; ++i) curve.push_back(0.5 + i % 100 * 0.001);
  TwinDisk disk;
  write_run_table(disk, "/d", {made_record("long.s1", {{"accuracy", curve}})});
  EXPECT_LT(disk.get("/d/epochs.csv.zst").size(), 60'000U);
  EXPECT_EQ(read_run_table(disk, "/d").at(0).at("curve").at("accuracy").size(), 20'000U);
}

TEST(RunTable, IsEmptyWhereThereIsNone) {
  TwinDisk disk;
  EXPECT_TRUE(read_run_table(disk, "/d").empty());
}

TEST(RunTable, OfChangedRunsIsRefusedWithTheLine) {
  TwinDisk disk;
  write_run_table(disk, "/d", made_records());
  const std::string lines = disk.get("/d/runs.jsonl");
  const auto error_with = [&](const std::string& text) {
    disk.put("/d/runs.jsonl", text);
    return error_of([&] { read_run_table(disk, "/d"); });
  };
  std::string changed = lines;
  changed.replace(changed.find("\"hidden\":3", changed.find('\n')), 10, "\"hidden\":4");
  EXPECT_EQ(error_with(changed).find("/d/runs.jsonl:2: was changed since it was written; restore both files"),
            0U)
      << error_with(changed);
  EXPECT_EQ(error_with("oops\n").find("/d/runs.jsonl:1: is no record of a run"), 0U) << error_with("oops\n");
  EXPECT_EQ(error_with(lines), "");
  TwinDisk other;
  write_run_table(other, "/d", {made_record("a.s1", {{"accuracy", {0.2, 0.3, 0.4}}})});
  disk.put("/d/epochs.csv.zst", other.get("/d/epochs.csv.zst"));
  EXPECT_EQ(error_with(lines).find("/d/runs.jsonl:1: was changed"), 0U) << "its curves are others";
}

}  // namespace
}  // namespace t2v::paper
