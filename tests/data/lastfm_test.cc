#include "data/lastfm.h"

#include "importer_files.h"

namespace t2v::data {
namespace {

TimeLstmOptions all_for_training() {
  TimeLstmOptions options;
  options.train_share = 1;
  return options;
}

constexpr std::string_view kLog =
    "user_1\t2009-05-04T23:08:57Z\tf1b1\tDeep Dish\t\tFuck Me Im Famous\n"
    "user_1\t2009-05-04T13:54:10Z\ta7f7\tA \"b\"\t\tComposition \"0919\n"
    "user_1\t2009-05-04T13:52:04Z\ta7f7\tA\tid\tNA\n"
    "user_2\t2009-05-04T13:42:52.5Z\ta7f7\tB\tother id\tNA\n"
    "user_2\t\ta7f7\tB\tother id\tNA\n"
    "user_2\t2009-05-04T13:42:53Z\ta7f7\tB\tother id\t\n"
    "user_2\t2009-05-04T13:42:54Z\ta7f7\tB\tother id\tNA\n";

TEST(Lastfm, HasTracksByNameWithLiteralFields) {
  const OwnFiles files;
  const EventTable table = import_lastfm(files.write("log.tsv", kLog), all_for_training());
  EXPECT_EQ(names_of(table.ids), (Texts{"user_1", "user_2"}));
  EXPECT_EQ(names_of(table.event->names), (Texts{"NA", "Fuck Me Im Famous", "Composition \"0919"}));
  EXPECT_EQ(table.event->codes, (Codes{0, 2, 1, 0, 0}));
  EXPECT_EQ(table.event->name, "track");
  EXPECT_EQ(table.ticks.front(), 1'241'445'124'000'000'000);
  EXPECT_EQ(table.ticks[3], 1'241'444'572'500'000'000);
  EXPECT_EQ(table.scale, (TickScale{true, 9}));
  EXPECT_TRUE(any_note(table, "7 rows of 2 users and 3 items"));
}

TEST(Lastfm, LeavesOutLinesWithAnotherNumberOfFieldsAndCountsThem) {
  const OwnFiles files;
  const EventTable table = import_lastfm(
      files.write("log.tsv", std::string(kLog) + "user_2\t2009\t\t\t\tx\ty\nshort\n"), all_for_training());
  EXPECT_EQ(table.rows(), 5);
  EXPECT_TRUE(any_note(table, "2 lines do not have 6 fields"));
}

TEST(Lastfm, RefusesAFileOfAnotherForm) {
  const OwnFiles files;
  const std::string path = files.write("log.csv", "user,time,track\n");
  EXPECT_SAYS(complaint([&] { import_lastfm(path, {}); }),
              path + ":1: 'user,time,track' has 1 fields with tabs between; write 6: user");
}

TEST(Lastfm, NamesThePlaceOfAWrongTime) {
  const OwnFiles files;
  const std::string path = files.write("log.tsv", std::string(kLog) + "u\t2009-13-04T23:08:57Z\t\t\t\tx\n");
  EXPECT_SAYS(complaint([&] { import_lastfm(path, {}); }), path + ":8:3: '2009-13-04T23:08:57Z'");
}

}  // namespace
}  // namespace t2v::data
