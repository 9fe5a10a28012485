#include "paper/recommendation_source.h"

#include <cmath>
#include <filesystem>

#include "base/fail.h"
#include "base/random.h"
#include "data/citeulike.h"
#include "data/event_store.h"
#include "data/lastfm.h"
#include "data/text_lines.h"

namespace t2v::paper {
namespace {

namespace fs = std::filesystem;

constexpr double kNanosecondsPerSecond = 1e9;
constexpr double kMinute = 60;
constexpr const char* kCheckins = "checkins.tsv";
constexpr const char* kPosts = "posts.tsv";

std::size_t index(int64_t i) { return static_cast<std::size_t>(i); }

constexpr int64_t kLastFmUsers = 992;
constexpr int64_t kCiteulikeUsers = 1600;  // about as many, the paper says

const char* original_name(std::string_view set) {
  return set == "lastfm" ? "userid-timestamp-artid-artname-traid-traname.tsv" : "current";
}

/// `users`: as many as the paper's have.
RecommendationSource original(data::ItemLog log, int64_t users, const char* note) {
  const char* kind = log.users.size() < users ? "part" : "original";
  return {std::move(log), kind, note};
}

RecommendationSource read_original(std::string_view set, const std::string& file) {
  if (set == "lastfm") {
    int64_t malformed = 0;
    return original(data::read_lastfm(file, malformed), kLastFmUsers, "Last.fm-1K");
  }
  const data::CiteulikeOptions options;
  return original(
      data::frequent_rows(data::read_citeulike(file), options.time_lstm.vocabulary, options.fewest_posts),
      kCiteulikeUsers, "who posted what in CiteULike");
}

}  // namespace

data::ItemLog item_log_of(const data::Events& events, double unit) {
  if (!events.event) fail("the data set has no event types, so there is nothing to recommend");
  events.check(0, events.size());
  const double seconds = (events.scale.has_unit() ? 1 : unit) / std::pow(10.0, events.scale.decimals);
  data::ItemLog log;
  for (int64_t code = 0; code < events.event->names.size(); ++code) log.items.add(events.event->names[code]);
  for (int64_t s = 0; s < events.sequences(); ++s) {
    const int32_t user = log.users.add(events.ids[s]);
    for (int64_t e = events.begin(s); e < events.end(s); ++e) {
      log.user.push_back(user);
      log.item.push_back(events.event->codes[index(e)]);
      log.ticks.push_back(events.scale.instants ? events.tick(e)
                                                : std::llround(static_cast<double>(events.tick(e)) * seconds *
                                                               kNanosecondsPerSecond));
    }
  }
  return log;
}

data::ItemLog read_item_lines(const std::string& path, double unit) {
  data::ItemLog log;
  data::TextLines lines(path);
  std::vector<std::string_view> fields;
  for (std::string_view line; lines.next(line);) {
    data::split_fields(line, '\t', fields);
    if (fields.size() != 3) {
      fail("{}: has {} fields with tabs between; write 3: user, item and time", lines.place(), fields.size());
    }
    log.user.push_back(log.users.add(fields[0]));
    log.item.push_back(log.items.add(fields[1]));
    const auto time = static_cast<double>(data::integer_of(lines, line, fields[2]));
    log.ticks.push_back(std::llround(time * unit * kNanosecondsPerSecond));
  }
  return log;
}

std::optional<std::string> recommendation_file(std::string_view set, const std::string& path) {
  if (!fs::is_directory(path)) return path;
  for (const char* name : {original_name(set), kCheckins, kPosts}) {
    const fs::path file = fs::path(path) / name;
    if (fs::exists(file)) return file.string();
  }
  return std::nullopt;
}

RecommendationSource read_recommendation_source(std::string_view set, const std::string& path) {
  const std::optional<std::string> found = recommendation_file(set, path);
  if (!found) {
    fail("{}: has none of the files {}, {} and {}; name the one to be read", path, original_name(set),
         kCheckins, kPosts);
  }
  const std::string& file = *found;
  const std::string name = fs::path(file).filename().string();
  const std::string origin = fs::canonical(file).parent_path().filename().string();  // a link may lead there
  if (name == kCheckins) return {read_item_lines(file, kMinute), "stand-in", origin + ", check-ins"};
  if (name == kPosts) return {read_item_lines(file, 1), "stand-in", origin + ", posts"};
  if (data::is_store(file)) return {item_log_of(data::open_store(file).events), "stand-in", name};
  return read_original(set, file);
}

RecommendationSource made_recommendation_source() {
  constexpr int kUsers = 60;
  constexpr uint64_t kItems = 200;
  Random random(20190711);
  data::ItemLog log;
  for (uint64_t item = 0; item < kItems; ++item) log.items.add(fmt::format("item {}", item));
  for (int user = 0; user < kUsers; ++user) {
    const int32_t number = log.users.add(fmt::format("user {}", user));
    uint64_t item = random.below(kItems);
    int64_t second = 0;
    for (int i = 0; i < 5 + user / 2; ++i) {
      log.user.push_back(number);
      log.item.push_back(static_cast<int32_t>(item));
      log.ticks.push_back(second * 1'000'000'000);
      item = (item + 1 + random.below(3)) % kItems;
      second += 60 + static_cast<int64_t>(random.below(86400));
    }
  }
  return {std::move(log), "invented", "users who take items in turn"};
}

}  // namespace t2v::paper
