#include "bench/measurement.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace t2v::bench {
namespace {

TEST(Middle, IsTheMedianAndHalfOfWhatTheMiddleHalfCovers) {
  const Middle odd = middle_of({9, 1, 3, 7, 5});
  EXPECT_EQ(odd.median, 5);
  EXPECT_EQ(odd.spread, 2);
  const Middle even = middle_of({4, 1, 2, 3});
  EXPECT_EQ(even.median, 2.5);
  EXPECT_EQ(even.spread, 0.5);
  EXPECT_EQ(middle_of({8}).median, 8);
  EXPECT_EQ(middle_of({8}).spread, 0);
}

TEST(Measure, ComparesAWorkloadWithItsLimit) {
  ThreadPool pool(2);
  BenchConfig config;
  config.times = 1000;
  const Measurement measured = measure(workload_named("encode"), config, pool, 3);
  EXPECT_EQ(measured.threads, 2);
  EXPECT_GT(measured.rate.median, 0);
  EXPECT_GT(measured.fraction.median, 0);
  EXPECT_EQ(to_json(measured)["workload"], "encode");
  EXPECT_GT(measured.limit, 0);
  EXPECT_EQ(describe(measured).find("p99.9"), std::string::npos);
  const Measurement alone = measure(workload_named("stream"), config, pool, 1);
  EXPECT_EQ(alone.threads, 1);
}

TEST(Describe, TellsTheLatencyInMicrosecondsAndTheStepsBesideAScore) {
  Measurement measured{&workload_named("stream"), 1, {200'000, 0}, {0.5, 0}, 1e9, 7e-6, std::nullopt};
  EXPECT_NE(describe(measured).find("median 5.00 us, p99.9 7.00 us"), std::string::npos);
  EXPECT_EQ(to_json(measured)["median_us"], 5);
  EXPECT_EQ(to_json(measured)["p999_us"], 7);
  measured.p999 = 0;
  measured.score = Score{"accuracy", 0.25, 60, 0.5};
  EXPECT_NE(describe(measured).find("accuracy 0.25 after 60 steps"), std::string::npos);
  EXPECT_EQ(to_json(measured)["score"]["steps"], 60);
  EXPECT_EQ(to_json(measured)["score"]["epochs"], 0.5);
}

}  // namespace
}  // namespace t2v::bench
