#include "data/lst_triples.h"

#include "importer_files.h"

namespace t2v::data {
namespace {

TEST(LstTriples, HaveAccumulatedTimesAndDeltasAsStored) {
  const OwnFiles files;
  const EventTable table =
      import_lst({{files.write("i", "u1,10 0 3\nu2, 3\n"), files.write("d", "u1,5 7.5 0\nu2,9\n"),
                   files.write("a", "u1,0 5 12.5\nu2,0\n")}});
  EXPECT_EQ(names_of(table.ids), (Texts{"u1", "u2"}));
  EXPECT_EQ(table.sequence, (Codes{0, 0, 0, 1}));
  EXPECT_EQ(names_of(table.event->names), (Texts{"0", "3", "10"}));
  EXPECT_EQ(table.event->codes, (Codes{2, 0, 1, 1}));
  EXPECT_EQ(table.scale, (TickScale{false, 1, true}));
  EXPECT_EQ(table.ticks, (Ticks{0, 50, 125, 0}));
  EXPECT_EQ(table.interval->values, (Doubles{5, 7.5, 0, 9}));
}

TEST(LstTriples, CountUsersWhoseDeltasDoNotAddUp) {
  const OwnFiles files;
  const std::string items = files.write("i", "a,1 2 3\nb,1 2\nc,1 2\nd,1\n");
  const std::string times = files.write("a", "a,0 5 12.5\nb,0 7\nc,10 10.3\nd,3\n");
  const auto notes = [&](const std::string& deltas) {
    return import_lst({{items, files.write("d", deltas), times}}).notes;
  };
  EXPECT_EQ(notes("a,5 7.5 0\nb,7 9\nc,0.3 0\nd,8\n").size(), 1U);  // the last delta leads nowhere
  const Texts two = notes("a,5 7.4 0\nb,7 0\nc,0.4 0\nd,0\n");
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[1],
            "Deltas do not add up to the accumulated times of 2 users, first at " + times +
                ":1:7: '12.5' is not '5' and the delta '7.4'; look whether the files are of one set.");
}

TEST(LstTriples, MayComeAsTrainingAndTest) {
  const OwnFiles files;
  const std::string one = files.write("1", "u1,1\n");
  const std::string two = files.write("2", "u2,2\n");
  const EventTable table = import_lst({{one, one, one, Part::kTrain}, {two, two, two, Part::kTest}});
  EXPECT_EQ(table.part, (std::vector<Part>{Part::kTrain, Part::kTest}));
  EXPECT_SAYS(complaint([&] {
                import_lst({{one, one, one, Part::kTrain}, {one, one, one, Part::kTest}});
              }),
              one + ":1: two sequences have the id 'u1'");
}

TEST(LstTriples, LeaveOutUsersWithoutEventsOrWithUnequalLists) {
  const OwnFiles files;
  const EventTable table =
      import_lst({{files.write("i", "a,1 2\nb,1\nc,\nd,4\n"), files.write("d", "a,1\nb,2\nc,\nd,4\n"),
                   files.write("a", "a,1 2\nb,1 2\nc,\nd,5\n")}});
  EXPECT_EQ(names_of(table.ids), Texts{"d"});
  EXPECT_TRUE(any_note(table, "2 users whose lists differ in length"));
  EXPECT_TRUE(any_note(table, "1 users without events"));
}

TEST(LstTriples, NameThePlaceOfWhatIsWrong) {
  const OwnFiles files;
  const std::string good = files.write("g", "u,1 2\n");
  const auto what = [&](const std::string& second, const std::string& third) {
    return complaint([&] { import_lst({{good, files.write("2", second), files.write("3", third)}}); });
  };
  EXPECT_SAYS(what("v,1 2\n", "u,1 2\n"),
              files.path("2") + ":1: user 'v', but 'u' at " + good + ":1; give three files");
  EXPECT_SAYS(what("u,1 2\n", "v,1 2\n"), files.path("3") + ":1: user 'v'");
  EXPECT_SAYS(what("u,1 2\nv,1\n", "u,1 2\n"), "different numbers of lines");
  EXPECT_SAYS(what("u 1 2\n", "u,1 2\n"),
              files.path("2") + ":1: 'u 1 2' has no comma; write a user, a comma");
  EXPECT_SAYS(what("u,1 x\n", "u,1 2\n"), files.path("2") + ":1:5: 'x' is not a number; write it as");
  EXPECT_SAYS(what("u,1 2\n", "u,1 nan\n"), files.path("3") + ":1:5: 'nan'");
}

}  // namespace
}  // namespace t2v::data
