#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "data/event_store.h"
#include "tool.h"

namespace t2v {
namespace {

class DataOptions : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    put("clicks.csv", kClicks);
    put("plain.csv", "user,time\na,1\na,5\nb,2\nb,7\n");
  }
  void make_store() const { ASSERT_EQ(run("import clicks.csv -o y.events").code, 0); }
};

TEST_F(DataOptions, AreRefusedBeforeAnyDataAreRead) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"none.csv --origin noon -o q.events",
       "--origin 'noon' is neither a date, such as 2021-03-28 or 2021-03-28T14:05:09Z, nor a number"},
      {"none.csv --origin 2024-13-01 -o q.events", "--origin '2024-13-01' has a date that does not exist"},
      {"none.csv --origin 1,5 -o q.events", "--origin '1,5' has a decimal comma"},
      {"none.csv --timezone Mars/Here -o q.events", "Mars/Here"},
      {"none.csv -o missing/q.events", "missing: there is no such folder"},
      {"none.csv -o .", ".: is a folder; name a file"},
      {"none.csv -o /proc/q.events", "/proc/q.events: cannot write: "},
      {"none.csv clicks.csv -o clicks.csv", "clicks.csv: would be written over itself"},
  };
  for (const auto& [arguments, says] : cases) expect_refused("import " + arguments, says);
  expect_refused("doctor none.csv --origin noon", "--origin 'noon' is neither a date");
}

TEST_F(DataOptions, MayGiveAnOriginThatIsADateOrANumber) {
  for (const char* origin : {"2024-01-01", "2024-01-01T08:00:00+01:00", "sequence", "dataset"}) {
    EXPECT_EQ(run(std::string("import clicks.csv -o y.events --origin ") + origin).code, 0) << origin;
  }
  for (const char* origin : {"0", "-3", "1e1"}) {
    EXPECT_EQ(run(std::string("import plain.csv -o y.events --origin ") + origin).code, 0) << origin;
  }
}

TEST_F(DataOptions, RefuseAnOutputThatIsTheInputByAnotherName) {
  make_store();
  std::filesystem::create_symlink("y.events", path("link"));
  std::filesystem::create_hard_link(path("y.events"), path("twin"));
  expect_refused("import y.events -o link", "link: would be written over itself");
  expect_refused("import y.events -o twin", "twin: would be written over itself");
}

TEST_F(DataOptions, RefuseAUnitOfNumbersForDates) {
  for (const char* unit : {"s", "number"}) {
    const Ran ran = run(std::string("import clicks.csv -o q.events --time-unit ") + unit);
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.err, std::string("t2v: --time-unit ") + unit +
                           " is for times that are numbers, but these are dates; leave it out\n");
  }
  EXPECT_FALSE(exists("q.events"));
  EXPECT_EQ(run("import clicks.csv --time-unit auto -o q.events").code, 0);
  EXPECT_EQ(run("import plain.csv --time-unit s -o q.events").code, 0);
}

TEST_F(DataOptions, RefuseATimeZoneThatNothingIsReadIn) {
  make_store();
  const std::string zone = "import y.events -o q.events --timezone Europe/Paris ";
  const std::string says =
      "--timezone is for dates without an offset, and none is given beside the event store";
  expect_refused(zone, says);
  expect_refused(zone + "--origin dataset", says);
  expect_refused(zone + "--origin 2024-01-01T00:00:00Z", says);
  expect_refused(zone + "--split time --test-from 2024-01-05T00:00Z", says);
  expect_refused("doctor y.events --timezone Europe/Paris", says);
  expect_refused("import a b --format rmtpp -o q.events --timezone UTC",
                 "--timezone is for dates without an offset, and none is given beside --format rmtpp");
  EXPECT_EQ(run(zone + "--origin 2024-01-01").code, 0);
  EXPECT_EQ(data::open_store(path("q.events")).events.view.origin_tick, 1704063600'000000000);
  EXPECT_EQ(run(zone + "--split time --test-from 2024-01-05").code, 0);
}

TEST_F(DataOptions, SayThatATimeOfDayNeedsItsDate) {
  for (const char* time : {"08:30:00", "8:30", "14:05:09.25", "2:05 PM"}) {
    put("split.csv", std::string("user,date,time\na,2024-01-01,") + time + "\n");
    expect_refused("import split.csv -o q.events",
                   std::string("split.csv:2:14: time '") + time +
                       "' is a time of day without its date; join the columns of date and time to one");
  }
  put("word.csv", "user,time\na,soon\n");
  expect_refused("import word.csv -o q.events", "time 'soon' is not a time; write it as");
  put("late.csv", "user,date,time\na,2024-01-01,2024-01-01\na,2024-01-01,08:30:00\n");
  expect_refused("doctor late.csv", "late.csv:3:14: time '08:30:00' is a time of day without its date");
}

TEST_F(DataOptions, FindColumnsWithBlanksAroundTheirNames) {
  put("blanks.csv", "user_id, time, event\na, 2024-01-01, x\na, 2024-01-02, y\n");
  const Ran ran = run("import blanks.csv -o y.events");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.err, "columns: id 'user_id', time 'time', event 'event'\n");
  EXPECT_EQ(data::open_store(path("y.events")).events.event->name, "event");
  EXPECT_EQ(run("import blanks.csv --features event --event - -o y.events").code, 0);
}

TEST_F(DataOptions, TakeTheLeastNumberAsATime) {
  put("least.csv", "user,time\na,-9223372036854775808\na,5\n");
  ASSERT_EQ(run("import least.csv --origin -9223372036854775808 -o y.events").code, 0);
  const data::EventStore store = data::open_store(path("y.events"));
  EXPECT_EQ(store.events.tick(0), INT64_MIN);
  EXPECT_EQ(store.events.time(0, 0), 0);
}

}  // namespace
}  // namespace t2v
