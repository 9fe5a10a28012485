#include "data/time_zone.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/disks.h"
#include "data/duration.h"
#include "t2v/error.h"

namespace t2v::data {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr int64_t kSecond = kNanosecondsPerSecond;

bool has_database() { return FileSystem::real().is_folder("/usr/share/zoneinfo/Europe"); }

#define SKIP_WITHOUT_DATABASE() \
  if (!has_database()) GTEST_SKIP() << "the package tzdata is not installed"

int64_t nanoseconds_of(const char* text) {
  IsoTime time;
  EXPECT_EQ(parse_iso(text, time), TimeFault::kNone) << text;
  return time.nanoseconds;
}

template <class Function>
std::string message_of(Function function) {
  try {
    function();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

std::string message_of_find(const char* name) {
  return message_of([&] { TimeZone::find(name); });
}

/// Sets TZDIR for a while.
class DatabaseFolder {
 public:
  explicit DatabaseFolder(const char* folder) { setenv("TZDIR", folder, 1); }
  DatabaseFolder(const DatabaseFolder&) = delete;
  DatabaseFolder& operator=(const DatabaseFolder&) = delete;
  ~DatabaseFolder() { unsetenv("TZDIR"); }
};

/// A TZif file of version 2: an empty block of version 1, then these. The first offset holds before all
/// transitions, and transition i begins offset i + 1.
struct Tzif {
  std::vector<int32_t> offsets = {0};
  std::vector<int64_t> transitions = {};
  std::string rule = {};

  static void append(std::string& bytes, int64_t number, int size) {
    for (int i = size - 1; i >= 0; --i) bytes += static_cast<char>(number >> (8 * i) & 0xFF);
  }
  static void append_header(std::string& bytes, int64_t transitions, int64_t types) {
    bytes += "TZif2" + std::string(15, '\0');
    for (const int64_t count : {int64_t{0}, int64_t{0}, int64_t{0}, transitions, types, int64_t{0}}) {
      append(bytes, count, 4);
    }
  }
  std::string bytes() const {
    std::string bytes;
    append_header(bytes, 0, 0);
    append_header(bytes, static_cast<int64_t>(transitions.size()), static_cast<int64_t>(offsets.size()));
    for (const int64_t at : transitions) append(bytes, at, 8);
    for (std::size_t i = 0; i < transitions.size(); ++i) append(bytes, static_cast<int64_t>(i) + 1, 1);
    for (const int32_t offset : offsets) append(bytes, int64_t{offset} << 16, 6);
    return bytes + "\n" + rule + "\n";
  }
};

TimeZone zone_of(const std::string& bytes) {
  return TimeZone::from_tzif("Test", std::as_bytes(std::span(bytes)));
}

int64_t offset_at(const TimeZone& zone, const char* local) {
  const int64_t time = nanoseconds_of(local);
  return (time - zone.to_utc(time)) / kSecond;
}

struct Case {
  const char* zone;
  const char* local;
  const char* utc;
  bool adjusted;
};

/// Made with zoneinfo of Python 3.11 and tzdata 2025b: changes of clocks and times between them, before 1900
/// and after 2037. Adjusted are those for which fold=0 and fold=1 differ.
const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"Europe/Paris", "1800-01-01 00:00:00", "1799-12-31T23:50:39Z", false},
      {"Europe/Paris", "1911-03-10 23:55:00", "1911-03-10T23:45:39Z", true},
      {"Europe/Paris", "1940-06-14 23:30:00", "1940-06-14T22:30:00Z", true},
      {"Europe/Paris", "1945-09-16 02:30:00", "1945-09-16T00:30:00Z", true},
      {"Europe/Paris", "1976-03-28 01:30:00", "1976-03-28T00:30:00Z", true},
      {"Europe/Paris", "2021-03-28 01:59:59", "2021-03-28T00:59:59Z", false},
      {"Europe/Paris", "2021-03-28 02:00:00", "2021-03-28T01:00:00Z", true},
      {"Europe/Paris", "2021-03-28 02:30:00", "2021-03-28T01:30:00Z", true},
      {"Europe/Paris", "2021-03-28 03:00:00", "2021-03-28T01:00:00Z", false},
      {"Europe/Paris", "2021-10-31 01:59:59", "2021-10-30T23:59:59Z", false},
      {"Europe/Paris", "2021-10-31 02:00:00", "2021-10-31T00:00:00Z", true},
      {"Europe/Paris", "2021-10-31 02:59:59", "2021-10-31T00:59:59Z", true},
      {"Europe/Paris", "2021-10-31 03:00:00", "2021-10-31T02:00:00Z", false},
      {"Europe/Paris", "2037-10-25 02:30:00", "2037-10-25T00:30:00Z", true},
      {"Europe/Paris", "2038-03-28 02:30:00", "2038-03-28T01:30:00Z", true},
      {"Europe/Paris", "2040-07-01 12:00:00", "2040-07-01T10:00:00Z", false},
      {"Europe/Paris", "2100-03-28 02:30:00", "2100-03-28T01:30:00Z", true},
      {"Europe/Paris", "2100-10-31 02:30:00", "2100-10-31T00:30:00Z", true},
      {"Europe/Paris", "2261-07-01 00:00:00", "2261-06-30T22:00:00Z", false},
      {"Europe/Paris", "2261-12-01 00:00:00", "2261-11-30T23:00:00Z", false},
      {"Europe/London", "1900-01-01 00:00:00", "1900-01-01T00:00:00Z", false},
      {"Europe/London", "1943-06-01 12:00:00", "1943-06-01T10:00:00Z", false},
      {"Europe/London", "1969-01-01 12:00:00", "1969-01-01T11:00:00Z", false},
      {"Europe/London", "1971-10-31 02:30:00", "1971-10-31T01:30:00Z", true},
      {"Europe/London", "2045-06-01 12:00:00", "2045-06-01T11:00:00Z", false},
      {"Europe/London", "2044-10-30 01:30:00", "2044-10-30T00:30:00Z", true},
      {"Europe/Dublin", "1916-05-21 02:20:00", "1916-05-21T02:45:21Z", true},
      {"Europe/Dublin", "1970-01-01 00:00:00", "1969-12-31T23:00:00Z", false},
      {"Europe/Dublin", "2030-01-01 00:00:00", "2030-01-01T00:00:00Z", false},
      {"Europe/Dublin", "2050-07-01 12:00:00", "2050-07-01T11:00:00Z", false},
      {"Europe/Dublin", "2050-03-27 01:30:00", "2050-03-27T01:30:00Z", true},
      {"Europe/Dublin", "2050-10-30 01:30:00", "2050-10-30T00:30:00Z", true},
      {"America/New_York", "1883-11-18 12:01:00", "1883-11-18T16:57:02Z", true},
      {"America/New_York", "1942-02-09 02:30:00", "1942-02-09T07:30:00Z", true},
      {"America/New_York", "1945-08-14 19:30:00", "1945-08-14T23:30:00Z", false},
      {"America/New_York", "1974-01-06 02:30:00", "1974-01-06T07:30:00Z", true},
      {"America/New_York", "2007-03-11 02:30:00", "2007-03-11T07:30:00Z", true},
      {"America/New_York", "2007-11-04 01:30:00", "2007-11-04T05:30:00Z", true},
      {"America/New_York", "2038-03-14 02:30:00", "2038-03-14T07:30:00Z", true},
      {"America/New_York", "2060-11-07 01:30:00", "2060-11-07T05:30:00Z", true},
      {"America/New_York", "2200-07-04 12:00:00", "2200-07-04T16:00:00Z", false},
      {"America/St_Johns", "1935-03-30 00:00:10", "1935-03-30T03:31:02Z", true},
      {"America/St_Johns", "2006-10-29 00:00:30", "2006-10-29T02:30:30Z", true},
      {"America/St_Johns", "2011-03-13 00:01:30", "2011-03-13T03:31:30Z", true},
      {"America/St_Johns", "2090-07-01 00:00:00", "2090-07-01T02:30:00Z", false},
      {"America/Sao_Paulo", "1985-11-02 00:30:00", "1985-11-02T03:30:00Z", true},
      {"America/Sao_Paulo", "2018-11-04 00:30:00", "2018-11-04T03:30:00Z", true},
      {"America/Sao_Paulo", "2019-02-16 23:30:00", "2019-02-17T01:30:00Z", true},
      {"America/Sao_Paulo", "2050-01-01 00:00:00", "2050-01-01T03:00:00Z", false},
      {"America/Nuuk", "2023-03-25 22:30:00", "2023-03-26T01:30:00Z", true},
      {"America/Nuuk", "2024-03-30 23:30:00", "2024-03-31T01:30:00Z", true},
      {"America/Nuuk", "2045-03-25 00:30:00", "2045-03-25T02:30:00Z", false},
      {"America/Nuuk", "2045-03-25 23:30:00", "2045-03-26T01:30:00Z", true},
      {"America/Nuuk", "2060-10-31 00:30:00", "2060-10-31T02:30:00Z", false},
      {"America/Santiago", "1927-09-01 00:00:01", "1927-09-01T04:42:46Z", true},
      {"America/Santiago", "2022-09-11 00:30:00", "2022-09-11T04:30:00Z", true},
      {"America/Santiago", "2040-09-02 00:30:00", "2040-09-02T04:30:00Z", true},
      {"America/Santiago", "2041-04-06 23:30:00", "2041-04-07T02:30:00Z", true},
      {"Asia/Kolkata", "1905-12-31 23:59:59", "1905-12-31T18:38:49Z", false},
      {"Asia/Kolkata", "1942-06-01 00:00:00", "1942-05-31T18:30:00Z", false},
      {"Asia/Kolkata", "2022-01-01 00:00:00", "2021-12-31T18:30:00Z", false},
      {"Asia/Kolkata", "2200-01-01 00:00:00", "2199-12-31T18:30:00Z", false},
      {"Asia/Gaza", "2011-08-01 00:30:00", "2011-07-31T22:30:00Z", false},
      {"Asia/Gaza", "2023-04-29 02:30:00", "2023-04-29T00:30:00Z", true},
      {"Asia/Gaza", "2086-10-01 00:00:00", "2086-09-30T21:00:00Z", false},
      {"Asia/Gaza", "2100-07-01 12:00:00", "2100-07-01T09:00:00Z", false},
      {"Asia/Jerusalem", "1948-05-23 00:30:00", "1948-05-22T22:30:00Z", false},
      {"Asia/Jerusalem", "2050-03-25 02:30:00", "2050-03-25T00:30:00Z", true},
      {"Asia/Jerusalem", "2050-10-30 01:30:00", "2050-10-29T22:30:00Z", true},
      {"Africa/Casablanca", "2020-04-19 03:30:00", "2020-04-19T03:30:00Z", false},
      {"Africa/Casablanca", "2040-10-15 12:00:00", "2040-10-15T11:00:00Z", false},
      {"Africa/Casablanca", "2087-05-11 02:30:00", "2087-05-11T02:30:00Z", true},
      {"Africa/Casablanca", "2200-07-01 00:00:00", "2200-06-30T23:00:00Z", false},
      {"Africa/Monrovia", "1972-01-07 00:30:00", "1972-01-07T01:14:30Z", true},
      {"Africa/Monrovia", "1960-01-01 00:00:00", "1960-01-01T00:44:30Z", false},
      {"Australia/Lord_Howe", "1985-10-26 23:45:00", "1985-10-26T13:15:00Z", false},
      {"Australia/Lord_Howe", "2021-10-03 02:15:00", "2021-10-02T15:45:00Z", true},
      {"Australia/Lord_Howe", "2021-04-04 01:45:00", "2021-04-03T14:45:00Z", true},
      {"Australia/Lord_Howe", "2055-10-03 02:15:00", "2055-10-02T15:45:00Z", true},
      {"Australia/Lord_Howe", "2055-04-04 01:45:00", "2055-04-03T14:45:00Z", true},
      {"Pacific/Apia", "1892-07-04 12:00:00", "1892-07-03T23:26:56Z", true},
      {"Pacific/Apia", "2011-12-29 23:59:59", "2011-12-30T09:59:59Z", false},
      {"Pacific/Apia", "2011-12-30 12:00:00", "2011-12-30T22:00:00Z", true},
      {"Pacific/Apia", "2011-12-31 00:00:00", "2011-12-30T10:00:00Z", false},
      {"Pacific/Apia", "2050-01-01 00:00:00", "2049-12-31T11:00:00Z", false},
      {"Pacific/Chatham", "2021-04-04 03:00:00", "2021-04-03T13:15:00Z", true},
      {"Pacific/Chatham", "2021-09-26 03:00:00", "2021-09-25T14:15:00Z", true},
      {"Pacific/Chatham", "2045-01-01 00:00:00", "2044-12-31T10:15:00Z", false},
      {"Etc/GMT+5", "1700-01-01 00:00:00", "1700-01-01T05:00:00Z", false},
      {"Etc/GMT+5", "2100-01-01 00:00:00", "2100-01-01T05:00:00Z", false},
  };
  return all;
}

TEST(TimeZone, AgreesWithPython) {
  SKIP_WITHOUT_DATABASE();
  for (const Case& c : cases()) {
    const TimeZone zone = TimeZone::find(c.zone);
    EXPECT_EQ(zone.name(), c.zone);
    bool adjusted = !c.adjusted;
    EXPECT_EQ(format_iso(zone.to_utc(nanoseconds_of(c.local), &adjusted)), c.utc) << c.zone << ' ' << c.local;
    EXPECT_EQ(adjusted, c.adjusted) << c.zone << ' ' << c.local;
  }
}

TEST(TimeZone, ReadsSkippedTimesWithTheOffsetBeforeAndDoubledOnesAsTheFirst) {
  // An hour forward at 10,000 s, an hour back at 20,000 s.
  const TimeZone zone = zone_of(Tzif{{3600, 7200, 3600}, {10000, 20000}, {}}.bytes());
  const auto utc = [&](int64_t local, bool expected) {
    bool adjusted = !expected;
    const int64_t result = zone.to_utc(local, &adjusted);
    EXPECT_EQ(adjusted, expected) << local;
    return result;
  };
  EXPECT_EQ(utc(13600 * kSecond - 1, false), 10000 * kSecond - 1);
  EXPECT_EQ(utc(13600 * kSecond, true), 10000 * kSecond);
  EXPECT_EQ(utc(17200 * kSecond - 1, true), 13600 * kSecond - 1);
  EXPECT_EQ(utc(17200 * kSecond, false), 10000 * kSecond);
  EXPECT_EQ(utc(23600 * kSecond - 1, false), 16400 * kSecond - 1);
  EXPECT_EQ(utc(23600 * kSecond, true), 16400 * kSecond);
  EXPECT_EQ(utc(27200 * kSecond - 1, true), 20000 * kSecond - 1);
  EXPECT_EQ(utc(27200 * kSecond, false), 23600 * kSecond);
}

TEST(TimeZone, FollowsEveryKindOfRule) {
  const auto zone = [](const char* rule) { return zone_of(Tzif{{0}, {}, rule}.bytes()); };
  EXPECT_EQ(offset_at(zone("<+0330>-3:30:15"), "1900-01-01"), 12615);
  EXPECT_EQ(offset_at(zone("AAA+5"), "2100-01-01"), -18000);
  const TimeZone julian = zone("AAA0BBB,J60/0,J365/0");  // March 1 in all years
  EXPECT_EQ(offset_at(julian, "2023-02-28T23:00"), 0);
  EXPECT_EQ(offset_at(julian, "2023-03-01T02:00"), 3600);
  EXPECT_EQ(offset_at(julian, "2024-02-29T23:00"), 0);
  EXPECT_EQ(offset_at(julian, "2024-03-01T02:00"), 3600);
  EXPECT_EQ(offset_at(julian, "2024-12-30T12:00"), 3600);
  EXPECT_EQ(offset_at(julian, "2024-12-31T02:00"), 0);
  const TimeZone counted = zone("AAA0BBB-2,59/0,300/-1");  // February 29 or March 1
  EXPECT_EQ(offset_at(counted, "2023-02-28T23:00"), 0);
  EXPECT_EQ(offset_at(counted, "2023-03-01T03:00"), 7200);
  EXPECT_EQ(offset_at(counted, "2024-02-28T23:00"), 0);
  EXPECT_EQ(offset_at(counted, "2024-02-29T03:00"), 7200);
  EXPECT_EQ(offset_at(counted, "2023-10-27T22:30"), 7200);
  EXPECT_EQ(offset_at(counted, "2023-10-27T23:30"), 0);
  const TimeZone last_sunday = zone("AAA0BBB,M3.5.0/0,M10.5.0/0");  // on each day that it can be
  for (const std::string day :
       {"2018-03-25", "2023-03-26", "2022-03-27", "2021-03-28", "2020-03-29", "2025-03-30", "2024-03-31"}) {
    const std::string before = day.substr(0, 8) + std::to_string(std::stoi(day.substr(8)) - 1);
    EXPECT_EQ(offset_at(last_sunday, (before + "T23:00").c_str()), 0) << day;
    EXPECT_EQ(offset_at(last_sunday, (day + "T02:00").c_str()), 3600) << day;
  }
  const TimeZone always_summer = zone("AAA5BBB4,0/0,J365/25");
  for (const char* time : {"1999-12-31T23:59", "2000-01-01T00:00", "2000-07-01", "2261-12-31T23:00"}) {
    EXPECT_EQ(offset_at(always_summer, time), -14400) << time;
  }
}

TEST(TimeZone, FollowsTheRuleOnlyAfterTheLastTransition) {
  const int64_t last = 86400 * days_since_1970(2020, 7, 1);
  const TimeZone zone = zone_of(Tzif{{100, 3600}, {last}, "AAA0BBB,M3.5.0,M10.5.0/3"}.bytes());
  EXPECT_EQ(offset_at(zone, "1700-07-01"), 100);
  EXPECT_EQ(offset_at(zone, "2019-07-01"), 100);
  EXPECT_EQ(offset_at(zone, "2020-08-01"), 3600);
  EXPECT_EQ(offset_at(zone, "2020-12-01"), 0);
  EXPECT_EQ(offset_at(zone, "2262-04-01"), 3600);
  const TimeZone odd = zone_of(Tzif{{100, 5000}, {last}, "AAA0BBB,M3.5.0,M10.5.0/3"}.bytes());
  EXPECT_EQ(offset_at(odd, "2020-06-01"), 100);
  EXPECT_EQ(offset_at(odd, "2020-08-01"), 5000);  // not the rule's, until its next change
  EXPECT_EQ(offset_at(odd, "2020-12-01"), 0);
  const TimeZone without = zone_of(Tzif{{100, 3600}, {last}, ""}.bytes());
  EXPECT_EQ(offset_at(without, "2260-01-01"), 3600);
}

TEST(TimeZone, HasUtcWithoutADatabase) {
  const DatabaseFolder absent("/no/such/folder");
  for (const char* name : {"UTC", "Etc/UTC"}) {
    for (const int64_t time : {-kMost, int64_t{0}, kMost}) EXPECT_EQ(TimeZone::find(name).to_utc(time), time);
  }
  const std::string message = message_of_find("Europe/Paris");
  for (const char* part : {"'Europe/Paris'", "/no/such/folder", "tzdata", "TZDIR"}) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

TEST(TimeZone, IsLookedUpWhereTheEnvironmentSays) {
  SKIP_WITHOUT_DATABASE();
  const DatabaseFolder folder("/usr/share/zoneinfo/Europe");
  EXPECT_EQ(offset_at(TimeZone::find("Paris"), "2021-07-01"), 7200);
}

TEST(TimeZone, SuggestsTheNearestNames) {
  SKIP_WITHOUT_DATABASE();
  EXPECT_EQ(message_of_find("Europe/Pari"), "unknown time zone 'Europe/Pari'; did you mean Europe/Paris?");
  EXPECT_EQ(message_of_find("paris"), "unknown time zone 'paris'; did you mean Europe/Paris?");
  EXPECT_EQ(message_of_find("America/NewYork"),
            "unknown time zone 'America/NewYork'; did you mean America/New_York?");
  EXPECT_EQ(message_of_find("utc"), "unknown time zone 'utc'; did you mean Etc/UTC or UTC?");
  const auto far = [](const std::string& name) {
    return "unknown time zone '" + name + "'; give a name such as Europe/Paris or UTC";
  };
  for (const char* name : {"xyzxyzxyz", "", "../../../etc/passwd", "/etc/passwd", "Europe", "zone1970.tab"}) {
    EXPECT_EQ(message_of_find(name), far(name));
  }
  EXPECT_EQ(message_of_find("x\n\xFFyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"),
            far("x\\x0a\\xff" + std::string(37, 'y')));
  EXPECT_EQ(message_of_find(std::string(5000, 'y').c_str()), far(std::string(40, 'y')));
}

TEST(TimeZone, ThatCannotBeReadIsNotCalledUnknown) {
  SKIP_WITHOUT_DATABASE();
  const auto message_with = [](const char* operation) {
    FaultyDisk disk;
    disk.fault[operation] = EIO;
    return message_of([&] { TimeZone::find("Europe/Paris", disk); });
  };
  for (const char* operation : {"open", "read"}) {
    const std::string message = message_with(operation);
    EXPECT_EQ(message.find("unknown"), std::string::npos) << message;
    EXPECT_NE(message.find("Input/output error"), std::string::npos) << message;
  }
  FaultyDisk interrupted;
  interrupted.interrupt = true;
  EXPECT_EQ(offset_at(TimeZone::find("Europe/Paris", interrupted), "2021-07-01"), 7200);
}

TEST(TimeZone, RefusesTimesThatLeaveTheRange) {
  const TimeZone east = zone_of(Tzif{{3600}, {}, ""}.bytes());
  const TimeZone west = zone_of(Tzif{{-3600}, {}, ""}.bytes());
  EXPECT_EQ(east.to_utc(-kMost + 3600 * kSecond), -kMost);
  EXPECT_EQ(west.to_utc(kMost - 3600 * kSecond), kMost);
  EXPECT_THROW(east.to_utc(-kMost + 3600 * kSecond - 1), Error);
  EXPECT_THROW(east.to_utc(-kMost), Error);
  EXPECT_THROW(west.to_utc(kMost - 3600 * kSecond + 1), Error);
  const std::string message = message_of([&] { west.to_utc(kMost); });
  EXPECT_NE(message.find("'2262-04-11T23:47:16.854775807' of time zone Test"), std::string::npos) << message;
  TimeZone::Cursor cursor(west);
  int64_t utc = -77;
  EXPECT_EQ(cursor.to_utc(kMost, utc), TimeFault::kRange);
  EXPECT_EQ(utc, -77);
}

TEST(TimeZone, RefusesFilesThatAreNotUnderstood) {
  const std::string good = Tzif{{0, 3600}, {1000}, "AAA0BBB,M3.5.0,M10.5.0/3"}.bytes();
  zone_of(good);
  for (std::size_t size = 0; size + 26 < good.size(); ++size) {  // 26: the rule and its lines
    EXPECT_NE(message_of([&] { zone_of(good.substr(0, size)); }).find("'Test' cannot be used"),
              std::string::npos)
        << size;
  }
  std::string leap = good;
  leap[44 + 20 + 11] = 1;
  EXPECT_NE(message_of([&] { zone_of(leap); }).find("leap seconds"), std::string::npos);
  std::string old = good;
  old[4] = '\0';
  EXPECT_NE(message_of([&] { zone_of(old); }).find("version 1"), std::string::npos);
  EXPECT_THROW(zone_of(Tzif{{0}, {1000}, ""}.bytes()), Error);  // of an offset that is not there
  EXPECT_THROW(zone_of(Tzif{{}, {}, ""}.bytes()), Error);
  for (const char* rule :
       {"AAA", "5", "AAA25", "AAA0BBB", "AAA0BBB,M3.5.0", "AAA0BBB,M13.5.0,M10.5.0", "<AAA0",
        "AAA0BBB,M3.6.0,M10.5.0", "AAA0BBB,M3.5.7,M10.5.0", "AAA0BBB,J0,J5", "AAA0BBB,J366,J5",
        "AAA0BBB,366,5", "AAA0BBB,M3.5.0/168,M10.5.0", "AAA0BBB,M3.5.0,M10.5.0x", "AAA0:60"}) {
    EXPECT_NE(message_of([&] {
                zone_of(Tzif{{0}, {}, rule}.bytes());
              }).find("rule"),
              std::string::npos)
        << rule;
  }
}

TEST(TimeZone, SurvivesDamagedFiles) {
  const std::string good = Tzif{{0, 3600, -3600}, {1000, 2000}, "AAA0BBB,M3.5.0,M10.5.0/3"}.bytes();
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const int value : {0, 1, 0x7F, 0x80, 0xFF}) {
      std::string bad = good;
      bad[at] = static_cast<char>(value);
      message_of([&] {
        const TimeZone zone = zone_of(bad);
        for (const int64_t time : {-kMost, int64_t{0}, kMost}) zone.to_utc(time);
      });
    }
  }
}

TEST(TimeZoneCursor, AgreesWithTheZoneInAnyOrderAndCounts) {
  SKIP_WITHOUT_DATABASE();
  const TimeZone zone = TimeZone::find("America/St_Johns");
  TimeZone::Cursor cursor(zone);
  int64_t adjusted = 0;
  for (int64_t i = 0; i < 100000; ++i) {
    const int64_t local = (i * 7919 % 100000 - 50000) * 180000 * kSecond + i;
    bool doubtful = false;
    int64_t utc = 0;
    ASSERT_EQ(cursor.to_utc(local, utc), TimeFault::kNone);
    ASSERT_EQ(utc, zone.to_utc(local, &doubtful)) << local;
    adjusted += doubtful ? 1 : 0;
    ASSERT_EQ(cursor.adjusted(), adjusted);
  }
  EXPECT_GT(adjusted, 0);
}

}  // namespace
}  // namespace t2v::data
