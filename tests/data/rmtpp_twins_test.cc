#include "data/rmtpp_twins.h"

#include "build_paths.h"
#include "importer_files.h"

namespace t2v::data {
namespace {

TEST(RmtppTwins, BecomeSequencesOfExactInstants) {
  const OwnFiles files;
  const std::string events = files.write("e", "6 14 6\n2 \n");
  const std::string times = files.write("t", "1328917389.137 1328919209.5 1328919210\n1385052124.001\n");
  const EventTable table = import_rmtpp({{events, times}});
  EXPECT_EQ(table.scale, (TickScale{true, 9}));
  EXPECT_EQ(table.ticks, (Ticks{1'328'917'389'137'000'000, 1'328'919'209'500'000'000,
                                1'328'919'210'000'000'000, 1'385'052'124'001'000'000}));
  EXPECT_EQ(table.sequence, (Codes{0, 0, 0, 1}));
  EXPECT_EQ(names_of(table.event->names), (Texts{"2", "6", "14"}));
  EXPECT_EQ(table.event->codes, (Codes{1, 2, 1, 0}));
  EXPECT_EQ(names_of(table.ids), (Texts{"1", "2"}));
}

TEST(RmtppTwins, MayBePlainNumbersWithDecimals) {
  const OwnFiles files;
  const EventTable table =
      import_rmtpp({{files.write("e", "1 1\n"), files.write("t", "84.46399305555556 90.5\n")}});
  EXPECT_EQ(table.scale, (TickScale{false, 14}));
  EXPECT_EQ(table.ticks, (Ticks{8'446'399'305'555'556, 9'050'000'000'000'000}));
}

TEST(RmtppTwins, KeepPartsApartWithOneSetOfTypes) {
  const OwnFiles files;
  const EventTable table = import_rmtpp({{files.write("e", "5\n"), files.write("t", "1\n"), Part::kTrain},
                                         {files.write("f", "4\n"), files.write("u", "2.5\n"), Part::kTest}});
  EXPECT_EQ(names_of(table.ids), (Texts{"train-1", "test-1"}));
  EXPECT_EQ(table.part, (std::vector<Part>{Part::kTrain, Part::kTest}));
  EXPECT_EQ(table.event->codes, (Codes{1, 0}));
  EXPECT_EQ(table.ticks, (Ticks{10, 25}));
}

TEST(RmtppTwins, LeaveOutLinesThatAreEmptyInBothFiles) {
  const OwnFiles files;
  const EventTable table = import_rmtpp({{files.write("e", "1\n \n2\n"), files.write("t", "1\n\n2\n")}});
  EXPECT_EQ(names_of(table.ids), (Texts{"1", "3"}));
  EXPECT_TRUE(any_note(table, "1 empty lines"));
}

TEST(RmtppTwins, MustHaveLinesOfEqualLengths) {
  const OwnFiles files;
  const std::string events = files.write("e", "1 2\n1 2 3\n");
  const std::string times = files.write("t", "1 2\n1 2\n");
  const std::string what = complaint([&] { import_rmtpp({{events, times}}); });
  EXPECT_SAYS(what, events + ":2: 3 events, but 2 times at " + times + ":2; give each event a time");
  const std::string empty = files.write("n", "1 2\n\n");
  EXPECT_SAYS(complaint([&] { import_rmtpp({{empty, times}}); }), "0 events, but 2 times");
}

TEST(RmtppTwins, MustHaveEquallyManyLines) {
  const OwnFiles files;
  const std::string one = files.write("one", "1\n");
  const std::string two = files.write("two", "1\n2\n");
  EXPECT_SAYS(complaint([&] {
                import_rmtpp({{one, two}});
              }),
              one + ": has no line that belongs to " + two + ":2");
  EXPECT_SAYS(complaint([&] {
                import_rmtpp({{two, one}});
              }),
              one + ": has no line that belongs to " + two + ":2");
}

TEST(RmtppTwins, MustHoldNumbers) {
  const OwnFiles files;
  const std::string good = files.write("g", "1 2\n");
  const std::string bad = files.write("b", "1 2x\n");
  EXPECT_SAYS(complaint([&] { import_rmtpp({{bad, good}}); }), bad + ":1:3: '2x'");
  EXPECT_SAYS(complaint([&] { import_rmtpp({{good, bad}}); }), bad + ":1:3: '2x' is not a number");
  EXPECT_SAYS(complaint([&] { import_rmtpp({{good, files.path("none")}}); }), "cannot open");
}

TEST(RmtppTwins, OfStackOverflowHaveTheCountsThatAreKnown) {
  const std::string folder = test_data("stackoverflow");
  if (folder.empty()) GTEST_SKIP() << no_test_data("stackoverflow");
  const EventTable table =
      import_rmtpp({{folder + "/event-1-train.txt", folder + "/time-1-train.txt", Part::kTrain},
                    {folder + "/event-1-test.txt", folder + "/time-1-test.txt", Part::kTest}});
  EXPECT_EQ(table.sequences(), 3842 + 1326);
  EXPECT_EQ(table.rows(), 279'492 + 97'233);
  EXPECT_EQ(table.event->names.size(), 22);
  EXPECT_EQ(table.event->names[21], "22");
  EXPECT_TRUE(table.scale.instants);
  EXPECT_EQ(table.ticks.front(), 1'328'917'389'137'000'000);
  EXPECT_EQ(std::count(table.part.begin(), table.part.end(), Part::kTest), 1326);
}

TEST(RmtppTwins, OfTheLastfmSampleHaveTheCountsThatAreKnown) {
  const std::string folder = test_data("lastfm_sample");
  if (folder.empty()) GTEST_SKIP() << no_test_data("lastfm_sample");
  const EventTable table = import_rmtpp({{folder + "/event.txt", folder + "/time.txt"}});
  EXPECT_EQ(table.sequences(), 403);
  EXPECT_EQ(table.rows(), 73'889);
  EXPECT_EQ(table.event->names.size(), 2372);
  EXPECT_EQ(table.scale, (TickScale{false, 15}));  // up to 18 decimals are there, 1403 days leave room for 15
  EXPECT_TRUE(any_note(table, "have more than the 15 decimals"));
}

}  // namespace
}  // namespace t2v::data
