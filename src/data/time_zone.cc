#include "data/time_zone.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "base/fail.h"
#include "data/duration.h"

namespace t2v::data {

namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;  // of a file of the database
constexpr int64_t kDay = 86400;
constexpr int64_t kFarTime = 10'000'000'000;  // seconds; before and after all times that matter
constexpr int kLastYear = 2262;

/// From `at` on (seconds since 1970 UTC) local time is so many seconds ahead of UTC.
struct Transition {
  int64_t at;
  int64_t offset;
};

/// What a file says, before the rule for the future is written out.
struct ZoneData {
  int64_t first_offset = 0;
  std::vector<Transition> transitions;
  std::string_view rule;
};

// The file.

class Bytes {
 public:
  explicit Bytes(std::span<const std::byte> bytes) : rest_(bytes) {}

  std::span<const std::byte> take(std::size_t count) {
    if (count > rest_.size()) fail("the file ends too early");
    const auto taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }
  /// A big-endian number with a sign.
  template <class T>
  T number() {
    uint64_t value = 0;
    for (const std::byte b : take(sizeof(T))) value = value << 8 | std::to_integer<uint64_t>(b);
    return static_cast<T>(value);
  }
  std::string_view text() const { return {reinterpret_cast<const char*>(rest_.data()), rest_.size()}; }

 private:
  std::span<const std::byte> rest_;
};

struct Header {
  std::size_t utc_marks, standard_marks, leap_seconds, transitions, types, characters;
};

Header read_header(Bytes& bytes) {
  Bytes magic(bytes.take(20));
  if (!magic.text().starts_with("TZif")) fail("it is not a TZif file");
  if (magic.text()[4] < '2') fail("it is of version 1; version 2 or later is needed");
  std::array<std::size_t, 6> counts{};
  for (std::size_t& count : counts) count = static_cast<std::size_t>(bytes.number<uint32_t>());
  return {counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]};
}

ZoneData read_tzif(std::span<const std::byte> file) {
  Bytes bytes(file);
  const Header old = read_header(bytes);
  bytes.take(old.transitions * 5 + old.types * 6 + old.characters + old.leap_seconds * 8 +
             old.standard_marks + old.utc_marks);
  const Header header = read_header(bytes);
  if (header.leap_seconds > 0) fail("it counts leap seconds, which the times of events do not");
  Bytes times(bytes.take(header.transitions * 8));
  Bytes kinds(bytes.take(header.transitions));
  Bytes types(bytes.take(header.types * 6));
  bytes.take(header.characters + header.standard_marks + header.utc_marks);
  std::vector<int64_t> offsets(header.types);
  for (int64_t& offset : offsets) {
    offset = types.number<int32_t>();
    types.take(2);
  }
  if (offsets.empty()) fail("it has no offset from UTC");
  ZoneData zone{offsets.front(), {}, bytes.text()};
  for (std::size_t i = 0; i < header.transitions; ++i) {
    const auto kind = static_cast<std::size_t>(kinds.number<uint8_t>());
    if (kind >= offsets.size()) fail("it refers to an offset that it does not have");
    const auto at = std::clamp(times.number<int64_t>(), -kFarTime, kFarTime);
    zone.transitions.push_back({at, offsets[kind]});
  }
  if (!zone.rule.starts_with('\n')) fail("it has no rule at its end");
  zone.rule.remove_prefix(1);
  zone.rule = zone.rule.substr(0, zone.rule.find('\n'));
  return zone;
}

// The rule for the future, as POSIX has it: CET-1CEST,M3.5.0,M10.5.0/3.

/// A day of every year and the second of local time at which clocks change.
struct YearlyTime {
  char kind = 'M';  // M: weekday of a week of a month; J: day 1..365, never February 29; 0: day 0..365
  int month = 0;
  int week = 0;
  int day = 0;
  int64_t time = 2 * 3600;
};

struct Rule {
  int64_t standard = 0;  // offsets, seconds ahead of UTC
  int64_t summer = 0;
  bool has_summer = false;
  YearlyTime start;  // of summer time
  YearlyTime end;
};

class RuleText {
 public:
  explicit RuleText(std::string_view text) : rest_(text) {}

  Rule read() {
    Rule rule;
    skip_name();
    rule.standard = -seconds(24);
    rule.has_summer = !rest_.empty();
    if (!rule.has_summer) return rule;
    skip_name();
    rule.summer = rest_.starts_with(',') ? rule.standard + 3600 : -seconds(24);
    rule.start = yearly_time();
    rule.end = yearly_time();
    if (!rest_.empty()) refuse();
    return rule;
  }

 private:
  [[noreturn]] static void refuse() { fail("its rule for the future is not understood"); }
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!take(c)) refuse();
  }
  int number(int least, int most) {
    int value = 0;
    std::size_t digits = 0;
    for (; digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9' && digits < 4; ++digits) {
      value = value * 10 + (rest_[digits] - '0');
    }
    if (digits == 0 || value < least || value > most) refuse();
    rest_.remove_prefix(digits);
    return value;
  }
  void skip_name() {
    const bool quoted = take('<');
    const std::size_t end = quoted ? rest_.find('>') : rest_.find_first_of("+-0123456789,");
    if (end == 0 || end == std::string_view::npos) refuse();
    rest_.remove_prefix(end + (quoted ? 1 : 0));
  }
  /// [+-]hh[:mm[:ss]]
  int64_t seconds(int most_hours) {
    const bool minus = take('-');
    if (!minus) take('+');
    int64_t sum = int64_t{3600} * number(0, most_hours);
    if (take(':')) sum += int64_t{60} * number(0, 59);
    if (take(':')) sum += number(0, 59);
    return minus ? -sum : sum;
  }
  YearlyTime yearly_time() {
    YearlyTime time;
    expect(',');
    time.kind = take('M') ? 'M' : take('J') ? 'J' : '0';
    if (time.kind == 'M') {
      time.month = number(1, 12);
      expect('.');
      time.week = number(1, 5);
      expect('.');
      time.day = number(0, 6);
    } else {
      time.day = time.kind == 'J' ? number(1, 365) : number(0, 365);
    }
    if (take('/')) time.time = seconds(167);
    return time;
  }

  std::string_view rest_;
};

/// Seconds since 1970 of local clocks.
int64_t in_year(const YearlyTime& time, int year) {
  const int64_t new_year = days_since_1970(year, 1, 1);
  if (time.kind == '0') return (new_year + time.day) * kDay + time.time;
  if (time.kind == 'J') {
    const int leap_day = is_leap_year(year) && time.day >= 60 ? 1 : 0;
    return (new_year + time.day - 1 + leap_day) * kDay + time.time;
  }
  const int64_t first = days_since_1970(year, time.month, 1);
  const int64_t weekday = ((first + 4) % 7 + 7) % 7;  // Sunday is 0, and 1970 began with a Thursday
  int64_t day = (time.day - weekday + 7) % 7 + 7 * (time.week - 1);
  if (day >= days_in_month(year, time.month)) day -= 7;  // week 5 is the last one
  return (first + day) * kDay + time.time;
}

/// Writes the rule out, from the last transition on.
void extend(ZoneData& zone) {
  if (zone.rule.empty()) return;
  const Rule rule = RuleText(zone.rule).read();
  if (zone.transitions.empty()) zone.first_offset = rule.standard;
  if (!rule.has_summer) return;
  const int64_t last = zone.transitions.empty() ? -kFarTime : zone.transitions.back().at;
  std::vector<std::pair<int64_t, bool>> changes;  // an end comes before a start at the same time
  for (int year = year_of(last / kDay) - 1; year <= kLastYear; ++year) {
    changes.emplace_back(in_year(rule.start, year) - rule.standard, true);
    changes.emplace_back(in_year(rule.end, year) - rule.summer, false);
  }
  std::sort(changes.begin(), changes.end());
  for (const auto& [at, summer] : changes) {
    if (at > last) zone.transitions.push_back({at, summer ? rule.summer : rule.standard});
  }
}

// Names.

std::string database_folder() {
  const char* const folder = std::getenv("TZDIR");  // NOLINT(concurrency-mt-unsafe): nothing here sets it
  return folder != nullptr && *folder != '\0' ? folder : "/usr/share/zoneinfo";
}

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '+' || c == '-' || c == '/';
}

bool is_name(std::string_view name) {
  constexpr std::size_t kLongest = 200;  // of a file; the longest of the database has 32
  return !name.empty() && name.size() <= kLongest && name.front() != '/' &&
         std::ranges::all_of(name, is_name_character);
}

/// For messages: at most 40 bytes, unprintable ones as \x0a.
std::string shown(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, 40)) {
    const bool plain = c >= ' ' && c <= '~';
    result += plain ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return result;
}

bool is_file(FileSystem& files, const std::string& path) {
  return exists(files, path) && !files.is_folder(path);
}

/// All names, from the database's own source: lines "Z name ..." and "L target name".
std::vector<std::string> known_names(FileSystem& files, const std::string& folder) {
  const std::string path = folder + "/tzdata.zi";
  if (!is_file(files, path)) return {"UTC"};
  std::vector<std::string> names;
  const std::vector<std::byte> bytes = read_regular_file(files, path, kMostBytes);
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const bool link = line.starts_with("L ");
    if (!link && !line.starts_with("Z ")) continue;
    line.remove_prefix(link ? line.find(' ', 2) + 1 : 2);
    names.emplace_back(line.substr(0, line.find(' ')));
  }
  return names;
}

/// Letters to insert, remove or replace to make one of the other, whatever their case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

/// The nearest names, three at most, as "A, B or C"; by their last part too, so that Paris finds
/// Europe/Paris. None if all are far.
std::string nearest(std::string_view name, const std::vector<std::string>& names) {
  if (name.empty()) return "";
  std::size_t least = std::max<std::size_t>(2, name.size() / 4);
  std::vector<std::string_view> best;
  for (const std::string_view known : names) {
    const std::string_view city = known.substr(known.rfind('/') + 1);
    const std::size_t distance = std::min(edit_distance(name, known), edit_distance(name, city));
    if (distance < least) best.clear();
    if (distance <= least) best.push_back(known);
    least = std::min(least, distance);
  }
  std::sort(best.begin(), best.end());
  best.erase(std::unique(best.begin(), best.end()), best.end());
  best.resize(std::min<std::size_t>(best.size(), 3));
  std::string text;
  for (std::size_t i = 0; i < best.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == best.size() ? " or " : ", ") + std::string(best[i]);
  }
  return text;
}

}  // namespace

/// Cuts the line of local times into spans.
class SpanBuilder {
 public:
  static std::vector<TimeZone::Span> build(const ZoneData& zone) {
    SpanBuilder builder;
    builder.add(std::numeric_limits<int64_t>::min(), zone.first_offset, false);
    int64_t offset = zone.first_offset;
    for (const Transition& change : zone.transitions) {
      if (change.offset == offset) continue;
      const auto [low, high] = std::minmax(offset, change.offset);
      builder.add(change.at + low, offset, true);
      builder.add(change.at + high, change.offset, false);
      offset = change.offset;
    }
    return builder.spans_;
  }

 private:
  /// Times are seconds. What begins beyond the range is left out, and a span of no length replaced.
  void add(int64_t begin, int64_t offset, bool adjusted) {
    constexpr int64_t kLimit = std::numeric_limits<int64_t>::max() / kNanosecondsPerSecond;
    if (begin > kLimit) return;
    int64_t first = begin < -kLimit ? std::numeric_limits<int64_t>::min() : begin * kNanosecondsPerSecond;
    while (!spans_.empty() && first <= spans_.back().begin) {
      first = spans_.back().begin;
      spans_.pop_back();
    }
    spans_.push_back({first, offset * kNanosecondsPerSecond, adjusted});
  }

  std::vector<TimeZone::Span> spans_;
};

TimeZone TimeZone::utc() { return {"UTC", {{std::numeric_limits<int64_t>::min(), 0, false}}}; }

TimeZone TimeZone::from_tzif(std::string name, std::span<const std::byte> file) {
  try {
    ZoneData zone = read_tzif(file);
    extend(zone);
    return {std::move(name), SpanBuilder::build(zone)};
  } catch (const Error& error) {
    fail("the file of time zone '{}' cannot be used: {}; take another zone, or reinstall the package tzdata",
         name, error.what());
  }
}

TimeZone TimeZone::find(std::string_view name, FileSystem& files) {
  if (name == "UTC" || name == "Etc/UTC") return utc();
  const std::string folder = database_folder();
  if (!files.is_folder(folder)) {
    fail(
        "time zone '{}': there is no time zone database in {}; install the package tzdata, or let TZDIR name "
        "its folder",
        shown(name), folder);
  }
  const std::string path = folder + "/" + std::string(name);
  if (is_name(name) && is_file(files, path))
    return from_tzif(std::string(name), read_regular_file(files, path, kMostBytes));
  const std::string near = nearest(name, known_names(files, folder));
  if (near.empty()) fail("unknown time zone '{}'; give a name such as Europe/Paris or UTC", shown(name));
  fail("unknown time zone '{}'; did you mean {}?", shown(name), near);
}

int64_t TimeZone::to_utc(int64_t local, bool* adjusted) const {
  Cursor cursor(*this);
  int64_t utc = 0;
  if (cursor.to_utc(local, utc) != TimeFault::kNone) {
    std::string text = format_iso(local);
    text.pop_back();
    fail("'{}' of time zone {}, in UTC, {}", text, name_, explain(TimeFault::kRange));
  }
  if (adjusted != nullptr) *adjusted = cursor.adjusted() > 0;
  return utc;
}

void TimeZone::Cursor::seek(int64_t local) noexcept {
  const std::vector<Span>& spans = zone_->spans_;
  const auto after = std::upper_bound(spans.begin() + 1, spans.end(), local,
                                      [](int64_t time, const Span& span) { return time < span.begin; });
  span_ = *(after - 1);
  last_ = after == spans.end() ? std::numeric_limits<int64_t>::max() : after->begin - 1;
}

}  // namespace t2v::data
