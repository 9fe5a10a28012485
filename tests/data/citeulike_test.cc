#include "data/citeulike.h"

#include "importer_files.h"

namespace t2v::data {
namespace {

CiteulikeOptions all_for_training(int64_t vocabulary, int64_t fewest_posts) {
  CiteulikeOptions options;
  options.time_lstm.train_share = 1;
  options.time_lstm.vocabulary = vocabulary;
  options.fewest_posts = fewest_posts;
  return options;
}

constexpr std::string_view kPosts =
    "42|u1|2004-11-04 02:25:05.373798+00|ecoli\n"
    "42|u1|2004-11-04 02:25:05.373798+00|metabolism|x\n"
    "42|u2|2004-11-04 02:25:06+00|barabasi\n"
    "42|u1|2004-11-04 02:25:05.373798+00|again\n"
    "43|u1|2004-11-04 02:25:53+00|no-tag\n"
    "44|u1|2004-11-04 02:25:53.9+00|no-tag\n"
    "43|u2|2004-11-04 02:25:54+00|no-tag\n";

TEST(Citeulike, CollapsesNeighboursThatAreOnePost) {
  const OwnFiles files;
  const EventTable table = import_citeulike(files.write("posts", kPosts), all_for_training(100, 1));
  EXPECT_EQ(names_of(table.ids), (Texts{"u2", "u1"}));
  EXPECT_EQ(names_of(table.event->names), (Texts{"42", "43", "44"}));
  EXPECT_EQ(table.event->codes, (Codes{0, 1, 0, 0, 1, 2}));
  EXPECT_EQ(table.ticks[2], 1'099'535'105'373'798'000);
  EXPECT_EQ(table.ticks[3], table.ticks[2]) << "not a neighbour: a post of its own";
}

TEST(Citeulike, KeepsTheMostPostedArticlesAndUsersWithEnoughPosts) {
  const OwnFiles files;
  const std::string path = files.write("posts", kPosts);
  const EventTable table = import_citeulike(path, all_for_training(2, 3));
  EXPECT_EQ(names_of(table.ids), Texts{"u1"});
  EXPECT_EQ(table.event->codes, (Codes{0, 0, 1}));
  EXPECT_TRUE(any_note(table, "Of 6 posts of 2 users, 3 are of the 2 most posted articles"));
}

TEST(Citeulike, AsCodedCountsWholeSeconds) {
  const OwnFiles files;
  CiteulikeOptions options = all_for_training(100, 3);
  options.time_lstm.preparation = Preparation::kAsCoded;
  const EventTable table = import_citeulike(files.write("posts", kPosts), options);
  EXPECT_EQ(table.interval->values, (Doubles{0, 47, 0, 0}));
}

TEST(Citeulike, NamesThePlaceOfWhatIsWrong) {
  const OwnFiles files;
  const std::string path = files.write("posts", "|u|2004-11-04 02:25:05+00|t\n1|u\n");
  EXPECT_SAYS(complaint([&] { import_citeulike(path, {}); }),
              path + ":2: '1|u' has 2 fields with | between; write");
  const std::string late = files.write("late", "1|u|soon|t\n");
  EXPECT_SAYS(complaint([&] { import_citeulike(late, {}); }), late + ":1:5: 'soon'");
}

}  // namespace
}  // namespace t2v::data
