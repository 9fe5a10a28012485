#include "paper/recommendation_source.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "data/importer_files.h"
#include "data/made_events.h"
#include "t2v/error.h"

namespace t2v::paper {
namespace {

using Items = std::vector<int32_t>;

TEST(RecommendationSource, IsADataSetOfAnyScale) {
  data::Events events = data::MadeEvents({{10, 30}, {5, 6, 7}}).types({"a", "b", "b", "b", "a"}).events();
  const data::ItemLog log = item_log_of(events, 60);
  EXPECT_EQ(log.user, (Items{0, 0, 1, 1, 1}));
  EXPECT_EQ(log.items[log.item[2]], "b");
  EXPECT_EQ(log.ticks[1] - log.ticks[0], 20 * 60 * int64_t{1'000'000'000});
  events.scale = {true, 9};
  EXPECT_EQ(item_log_of(events, 60).ticks, (std::vector<int64_t>{10, 30, 5, 6, 7}));
  events.event.reset();
  EXPECT_THROW(item_log_of(events, 1), Error);
}

TEST(RecommendationSource, ReadsLinesOfUserItemAndTime) {
  const data::OwnFiles files;
  const data::ItemLog log = read_item_lines(files.write("good", "1\t36\t57\n1\t37\t72\n2\t36\t5\n"), 60);
  EXPECT_EQ(log.user, (Items{0, 0, 1}));
  EXPECT_EQ(log.item, (Items{0, 1, 0}));
  EXPECT_EQ(log.ticks[1] - log.ticks[0], 900 * int64_t{1'000'000'000});
  EXPECT_THROW(read_item_lines(files.write("bad", "1\t36\n"), 60), Error);
  EXPECT_THROW(read_item_lines(files.write("worse", "1\t36\tnoon\n"), 60), Error);
}

TEST(RecommendationSource, TellsFilesByTheirNamesAndLooksIntoFolders) {
  const data::OwnFiles files;
  EXPECT_THROW(read_recommendation_source("lastfm", files.path("")), Error) << "an empty folder";
  const std::string posts = files.write("posts.tsv", "1\t36\t7\n1\t37\t9\n");
  EXPECT_EQ(read_recommendation_source("citeulike", files.path("")).log.ticks[1], 9'000'000'000);
  files.write("checkins.tsv", "1\t36\t7\n1\t37\t9\n");
  const RecommendationSource checkins = read_recommendation_source("lastfm", files.path(""));
  EXPECT_EQ(checkins.log.ticks[1], 9 * 60'000'000'000);
  EXPECT_EQ(checkins.kind, "stand-in");
  EXPECT_EQ(checkins.note, std::filesystem::path(posts).parent_path().filename().string() + ", check-ins");
  EXPECT_EQ(read_recommendation_source("lastfm", posts).log.ticks[1], 9'000'000'000);
}

TEST(RecommendationSource, ReadsThePapersOwnFiles) {
  const data::OwnFiles files;
  const std::string plays = files.write("plays.tsv", "user_1\t2009-05-04T23:08:57Z\ta\tSomeone\tt\tA Song\n");
  EXPECT_EQ(read_recommendation_source("lastfm", plays).log.items[0], "A Song");
  EXPECT_EQ(read_recommendation_source("lastfm", plays).kind, "part") << "it has 992 users";
  std::string lines;
  for (int i = 0; i < 12; ++i)
    lines += "42|active|2004-11-04 02:25:05.37379+00|tag" + std::to_string(i) + "\n";
  for (int i = 10; i < 22; ++i) lines += "7|active|2004-11-04 02:" + std::to_string(i) + ":05+00|tag\n";
  lines += "42|lazy|2004-11-04 02:25:05.37379+00|tag\n";
  const data::ItemLog log = read_recommendation_source("citeulike", files.write("current", lines)).log;
  EXPECT_EQ(log.rows(), 13U) << "one post a line but for tags, of users with ten or more";
  EXPECT_EQ(log.users.size(), 1);
}

TEST(RecommendationSource, IsThePapersOwnWithAllOfItsUsers) {
  const data::OwnFiles files;
  const auto kind = [&](int users) {
    std::string lines;
    for (int i = 0; i < users; ++i)
      lines += "user_" + std::to_string(i) + "\t2009-05-04T23:08:57Z\ta\tSomeone\tt\tA Song\n";
    return read_recommendation_source("lastfm", files.write("plays.tsv", lines)).kind;
  };
  EXPECT_EQ(kind(992), "original");
  EXPECT_EQ(kind(991), "part");
}

TEST(RecommendationSource, IsMadeTheSameEachTime) {
  const RecommendationSource one = made_recommendation_source();
  EXPECT_EQ(one.kind, "invented");
  EXPECT_EQ(one.log.item, made_recommendation_source().log.item);
  EXPECT_EQ(one.log.users.size(), 60);
}

}  // namespace
}  // namespace t2v::paper
