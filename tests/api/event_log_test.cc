#include "t2v/events.h"

#include <chrono>
#include <vector>

#include "cafe.h"
#include "t2v/train.h"

namespace t2v {
namespace {

using namespace testing;
using namespace std::chrono_literals;

class ApiEventLog : public Tool {};

TEST_F(ApiEventLog, ReadsTablesSaysWhatItChoseAndSavesAStore) {
  put("clicks.csv", kClicks);
  const EventLog log = EventLog::read({path("clicks.csv")});
  EXPECT_EQ(log.sequences(), 4);
  EXPECT_EQ(log.events(), 8);
  EXPECT_HAS(log.notes().front(), "id 'user', time 'time', event 'event'");
  log.save(path("clicks.events"));
  EXPECT_EQ(EventLog::read({path("clicks.events")}).events(), 8);
  EXPECT_HAS(error_of([&] { EventLog::read({path("clicks.events")}, {.id = "user"}); }),
             "no effect with an event store");
  EXPECT_HAS(error_of([&] { EventLog::read({path("clicks.csv")}, {.id = "who"}); }), "who");
  EXPECT_HAS(error_of([] { EventLog::read({}); }), "no file");
}

/// The rows of kClicks.
std::vector<Event> clicks() {
  return {{.id = "ann", .time = "2024-01-01T08:00:00Z", .type = "open"},
          {.id = "bob", .time = "2024-01-01T09:30:00Z", .type = "open"},
          {.id = "ann", .time = "2024-01-02T08:00:00Z", .type = "buy"},
          {.id = "bob", .time = "2024-01-04T09:30:00Z", .type = "look"},
          {.id = "cy", .time = "2024-01-05", .type = "open"},
          {.id = "cy", .time = "2024-01-06", .type = "buy"},
          {.id = "dee", .time = "2024-01-07", .type = "open"},
          {.id = "dee", .time = "2024-01-08", .type = "open"}};
}

TEST_F(ApiEventLog, OfMemoryIsTheSameDataAsATable) {
  put("clicks.csv", kClicks);
  for (const std::string name : {"memory", "table"}) {
    const EventLog log = name == "memory" ? EventLog::of(clicks()) : EventLog::read({path("clicks.csv")});
    log.save(path("log.events"));  // under one name, which the doctor tells
    ASSERT_EQ(run("doctor " + path("log.events") + " > " + path(name + ".txt")).code, 0);
    std::filesystem::remove(path("log.events"));
  }
  EXPECT_EQ(get("memory.txt"), get("table.txt"));
}

TEST(ApiEventRows, TakeInstantsNumbersAndTexts) {
  const auto start = std::chrono::sys_days(std::chrono::year(2024) / 1 / 1);
  const std::vector<Event> instants = {{.id = "a", .time = start + 8h}, {.id = "a", .time = start}};
  EXPECT_EQ(EventLog::of(instants).events(), 2);
  const std::vector<Event> numbers = {
      {.id = "a", .time = 0.1}, {.id = "b", .time = 7}, {.id = "b", .time = "8.25"}};
  EXPECT_EQ(EventLog::of(numbers).sequences(), 2);
  const std::vector<Event> mixed = {{.id = "a", .time = 0.1}, {.id = "a", .time = start}};
  EXPECT_HAS(error_of([&] { EventLog::of(mixed); }), "1 of 2 times are dates");
  const std::vector<Event> wrong = {{.id = "a", .time = "soon"}};
  EXPECT_HAS(error_of([&] { EventLog::of(wrong); }), "event 1: the time 'soon'");
  EXPECT_HAS(error_of([] { EventLog::of({}); }), "no events");
}

TEST(ApiEventRows, OfFeaturesLabelsAndTargetsCanBeLearnedFrom) {
  std::vector<std::string> ids;
  for (int i = 0; i < 20; ++i) ids.push_back("id" + std::to_string(i));
  const std::vector<EventFeature> some = {{.name = "price", .number = 2.5},
                                          {.name = "shop", .text = "north"}};
  std::vector<Event> events;
  for (int i = 0; i < 20; ++i) {
    for (int t = 0; t < 3; ++t) {
      Event event{.id = ids[static_cast<std::size_t>(i)], .time = t * (1 + i % 2)};
      event.label = i % 2 == 0 ? "fast" : "slow";
      if (t > 0) event.features = some;  // the first of each sequence lacks them
      events.push_back(event);
    }
  }
  TrainOptions options;
  options.settings = small("classify");
  const TimeModel model = train(EventLog::of(events), options).model;
  EXPECT_EQ(model.task(), "classify");
  EXPECT_EQ(model.names(), (std::vector<std::string_view>{"fast", "slow"}));
  EXPECT_EQ(model.features(), (std::vector<std::string>{"price", "shop"}));
  const auto predictions = model.predict(EventLog::of(events));
  ASSERT_EQ(predictions.size(), 20U);
  EXPECT_EQ(predictions[3].id, "id3");
  EXPECT_EQ(predictions[3].time, "4");
  events[1].label = "slow";
  EXPECT_HAS(error_of([&] { EventLog::of(events); }), "sequence 'id0' has two labels, 'fast' and 'slow'");
}

}  // namespace
}  // namespace t2v
