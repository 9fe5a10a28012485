// The real tables of the data folder, without options, through the reader. Skipped where it is absent.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "build_paths.h"
#include "data/importer_files.h"
#include "data/table_reader.h"

namespace t2v::data {
namespace {

struct SharedTable {
  const char* path;
  const char* columns;  // or the question
};

const std::vector<SharedTable>& tables() {
  static const std::vector<SharedTable> all = {
      {"process/helpdesk.csv", "id 'CaseID', time 'CompleteTimestamp', event 'ActivityID'"},
      {"physionet2012/physionet2012-a.csv.gz",
       "id 'id', time 'minutes', event 'parameter', value 'value', label 'died'"},
      {"physionet2012/physionet2012-b.csv.gz",
       "id 'id', time 'minutes', event 'parameter', value 'value', label 'died'"},
      {"movielens/ratings.csv", "id 'userId', time 'timestamp', event 'movieId'"},
      {"bibsonomy/posts.tsv", "id 'column 1', time 'column 3', event 'column 2'"},
      {"foursquare_nyc/checkins.tsv", "id 'column 1', time 'column 3', event 'column 2'"},
      {"forecast/ambient_temperature.csv", "time 'timestamp', value 'value'"},
      {"forecast/elb_requests.csv", "time 'timestamp', value 'value'"},
      {"forecast/tweets_amzn.csv", "time 'timestamp', value 'value'"},
      {"forecast/co2.csv", "both 'CO2' and 'adjusted CO2' are numbers; name the one to learn with `value`"},
      {"forecast/ETTh2.csv", "'HUFL', 'HULL', 'MUFL', 'MULL' and 3 more are numbers; name the one to learn"},
      {"tpp/taxi/train.csv", "id 'id', time 'time', event 'event'"},
      {"tpp/taobao/train.csv", "id 'id', time 'time', event 'event'"},
      {"tpp/earthquake/train.csv", "id 'id', time 'time', event 'event'"},
  };
  return all;
}

std::string reading(const std::string& path) {
  ThreadPool pool(2);
  ReadReport report;
  const std::string question = complaint([&] { read_tables({{path}}, {}, pool, report); });
  return question.empty() ? describe(report.columns) : question;
}

TEST(SharedTables, AreReadWithoutOptions) {
  int read = 0;
  for (const SharedTable& table : tables()) {
    const std::string path = test_data(table.path);
    if (path.empty()) continue;
    ++read;
    EXPECT_SAYS(reading(path), table.columns) << table.path;
  }
  if (read == 0) GTEST_SKIP() << no_test_data(tables().front().path);
}

TEST(ExampleTables, AreReadWithoutOptions) {
  const auto example = [](const std::string& name) { return reading(source_path("examples/" + name)); };
  EXPECT_EQ(example("visitors.csv"), "time 'date', value 'visitors'");
  EXPECT_EQ(example("cafe.csv"), "id 'user_id', time 'time', event 'event'");
  EXPECT_EQ(example("shop.csv"), "id 'user_id', time 'timestamp', event 'event'");
  EXPECT_EQ(example("songs.csv"), "id 'user_id', time 'time', event 'item'");
}

}  // namespace
}  // namespace t2v::data
