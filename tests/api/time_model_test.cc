#include "t2v/model.h"

#include <cmath>
#include <vector>

#include "cafe.h"

namespace t2v {
namespace {

using namespace testing;

class ApiModel : public Tool {};

TEST_F(ApiModel, SaysTheSameAfterItWasSavedAndLoaded) {
  const TimeModel model = cafe_model();
  model.save(path("cafe.t2v"));
  const TimeModel loaded = TimeModel::load(path("cafe.t2v"));
  EXPECT_EQ(loaded.task(), "next");
  EXPECT_EQ(loaded.unit(), "d");
  EXPECT_EQ(loaded.features(), std::vector<std::string>{"price"});
  EXPECT_EQ(loaded.names().size(), 4U);
  EXPECT_FALSE(loaded.needs_time());
  const EventLog log = loaded.read({cafe_table()});
  const auto before = model.predict(log);
  const auto after = loaded.predict(log, {.threads = 1});
  ASSERT_EQ(before.size(), 40U);
  ASSERT_EQ(after.size(), 40U);
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i].id, after[i].id);
    EXPECT_EQ(before[i].choices[0].name, after[i].choices[0].name);
    EXPECT_EQ(before[i].choices[0].probability, after[i].choices[0].probability);
  }
}

TEST_F(ApiModel, PredictsWhatTheToolPrints) {
  const TimeModel model = cafe_model(true);
  model.save(path("cafe.t2v"));
  const Ran ran = run("predict " + path("cafe.t2v") + " " + cafe_table() + " --at '+1 d' --top 1 --csv");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto said = model.predict(model.read({cafe_table()}), {.top = 1, .after = {1}});
  std::string printed = "id,time,at,rank,event,probability\n";
  for (const Predicted& one : said) {
    char text[200];
    std::snprintf(text, sizeof text, "%s,%s,%s,1,%s,%.6g\n", one.id.c_str(), one.time.c_str(), one.at.c_str(),
                  std::string(one.choices[0].name).c_str(), one.choices[0].probability);
    printed += text;
  }
  EXPECT_EQ(printed, ran.out);
}

TEST(ApiTimeModel, AsksForTheTimeWhereItNeedsOne) {
  const TimeModel model = cafe_model(true);
  EXPECT_TRUE(model.needs_time());
  const EventLog log = model.read({cafe_table()});
  EXPECT_HAS(error_of([&] { model.predict(log); }), "needs the time");
  EXPECT_HAS(error_of([&] { model.predict(log, {.after = {-1}}); }), "-1 after the last event");
  const auto at = model.predict(log, {.at = {"2024-05-01"}});
  EXPECT_EQ(at.front().at, "2024-05-01T00:00:00Z");
  EXPECT_EQ(model.predict(log, {.at = {"2024-05-01"}, .after = {1, 2}}).size(), 3 * at.size());
}

TEST(ApiTimeModel, SaysWhatAndWhenAndSeveralEventsAhead) {
  const TimeModel model = cafe_model(false, true);
  const EventLog log = model.read({cafe_table()});
  EXPECT_FALSE(model.needs_time());
  const std::vector<Predicted> without = model.predict(log);
  const std::vector<Predicted> soon = model.predict(log, {.after = {0.01}});
  ASSERT_EQ(without.size(), 40U);
  ASSERT_TRUE(without[0].when);
  EXPECT_GT(without[0].when->median_at, without[0].time);
  EXPECT_GE(without[0].when->p90_at, without[0].when->median_at);
  EXPECT_NE(without[0].choices[0].probability, soon[0].choices[0].probability);
  EXPECT_EQ(without[0].when->median, soon[0].when->median);
  const std::vector<PredictedAhead> ahead = model.ahead(log, {.events = 5, .samples = 20});
  ASSERT_EQ(ahead.size(), 40U);
  EXPECT_EQ(ahead[0].id, without[0].id);
  EXPECT_EQ(ahead[0].time, without[0].time);
  EXPECT_EQ(ahead[0].expected, 5);
  EXPECT_EQ(ahead[0].next.size(), 5U);
  double expected = 0;
  for (const PredictedAhead::Type& type : ahead[0].types) expected += type.expected;
  EXPECT_NEAR(expected, 5, 1e-9);
  EXPECT_EQ(model.ahead(log, {.events = 5, .samples = 20, .threads = 1})[7].next[4].median,
            ahead[7].next[4].median);
  EXPECT_HAS(error_of([&] { model.ahead(log, {}); }), "`events`");
  EXPECT_HAS(error_of([&] { cafe_model().ahead(log, {.events = 1}); }), "`when`");
}

TEST(ApiTimeModel, GivesVectorsOfTimesByItsOwnLayer) {
  const TimeModel model = cafe_model();
  const double tau = model.time_of("2024-03-05T07:24:59Z");
  EXPECT_EQ(tau, 1);  // a day after the first event of all
  const std::vector<double> times = {tau, 2.5};
  const Vectors vectors = model.encode(times);
  const TrainedTime2Vec learned = model.time2vec();
  ASSERT_EQ(vectors.width, learned.layer.width());
  std::vector<float> again(vectors.values.size());
  learned.layer.encode(again, learned.omega, learned.phi, times);
  EXPECT_EQ(vectors.values, again);
  EXPECT_NE(model.encode(times, "gap").values, vectors.values);
  EXPECT_HAS(error_of([&] { model.encode(times, "query"); }), "has no time input 'query'");
}

TEST(ApiTimeModel, GivesAStateForEachSequence) {
  const TimeModel model = cafe_model();
  const EventLog log = model.read({cafe_table()});
  const Vectors states = model.states(log);
  EXPECT_EQ(states.width, 8);
  EXPECT_EQ(states.values.size(), 40U * 8U);
  EXPECT_EQ(states.values, model.states(log, 1).values);
  for (const float h : states.values) EXPECT_LT(std::abs(h), 1);
}

TEST_F(ApiModel, RefusesFilesThatAreNone) {
  put("junk.t2v", "junk");
  EXPECT_HAS(error_of([&] { TimeModel::load(path("junk.t2v")); }), path("junk.t2v"));
  EXPECT_HAS(error_of([&] { TimeModel::load(path("none.t2v")); }), path("none.t2v"));
  EXPECT_HAS(error_of([&] { cafe_model().read({cafe_table()}, {.unit = "h"}); }), "those of the model");
}

}  // namespace
}  // namespace t2v
