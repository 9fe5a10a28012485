#include "data/importer.h"

#include <set>

#include "base/named.h"
#include "build_paths.h"
#include "importer_files.h"

namespace t2v::data {
namespace {

const Importer& importer_of(std::string_view name) { return find_named(importers(), name, "format"); }

TEST(Importers, HaveNamesAndHelp) {
  std::set<std::string_view> names;
  for (const Importer& importer : importers()) {
    EXPECT_TRUE(names.insert(importer.name).second) << importer.name;
    EXPECT_FALSE(importer.description.empty());
    EXPECT_FALSE(importer.files.empty());
    for (const Setting& setting : importer.settings) EXPECT_FALSE(setting.meaning.empty()) << setting.name;
  }
  EXPECT_EQ(names, (std::set<std::string_view>{"mnist", "ntidigits", "rmtpp", "lastfm", "citeulike", "lst",
                                               "easytpp"}));
}

TEST(Importers, AcceptEverySettingTheyListWithItsFirstValue) {
  for (const Importer& importer : importers()) {
    Settings settings;
    for (const Setting& setting : importer.settings) {
      if (setting.name != "parts")
        settings[std::string(setting.name)] = setting.values.substr(0, setting.values.find(','));
    }
    const Texts paths(importer.files_at_once, "/no/such/file");
    EXPECT_SAYS(complaint([&] { import_files(importer, paths, settings); }), "cannot open");
  }
}

TEST(Importers, RefuseWhatTheyDoNotKnow) {
  const auto what = [](std::string_view name, const Texts& paths, const Settings& settings) {
    return complaint([&] { import_files(importer_of(name), paths, settings); });
  };
  EXPECT_SAYS(what("mnist", {"a", "b"}, {{"thresold", "1"}}),
              "unknown setting of mnist 'thresold'; use one of threshold, shift, parts");
  EXPECT_SAYS(what("mnist", {"a", "b"}, {{"shift", "maybe"}}), "unknown shift 'maybe'; use one of yes, no");
  EXPECT_SAYS(what("mnist", {"a", "b"}, {{"threshold", "high"}}),
              "setting threshold: 'high' is not a number; write it as");
  EXPECT_SAYS(what("lastfm", {"a"}, {{"longest", "1.5"}}),
              "setting longest: '1.5' is not a whole number; write it");
  EXPECT_SAYS(what("mnist", {"a", "b"}, {{"shift", std::string(100, 'x')}}),
              "unknown shift '" + std::string(40, 'x') + "...'; use one of");
  EXPECT_SAYS(what("mnist", {"a"}, {}), "1 file, but mnist wants images and labels");
  EXPECT_SAYS(what("lastfm", {"a", "b"}, {}), "2 files, but lastfm wants one file");
  EXPECT_SAYS(what("easytpp", {}, {}), "0 files");
  EXPECT_SAYS(what("easytpp", {"a", "b", "c", "d"}, {}), "4 groups of files; set parts");
  EXPECT_SAYS(what("easytpp", {"a", "b"}, {{"parts", "test"}}), "2 groups of files and parts 'test'");
  EXPECT_SAYS(what("easytpp", {"a"}, {{"parts", "tset"}}), "unknown part 'tset'");
}

TEST(Importers, GivePartsByTheNumberOfFilesOrAsSet) {
  const OwnFiles files;
  const auto write = [&](const std::string& name) { return files.write(name, name + ",1\n"); };
  const std::string a = write("a");
  const std::string b = write("b");
  const std::string c = write("c");
  const Importer& lst = importer_of("lst");
  EXPECT_TRUE(import_files(lst, {a, a, a}, {}).part.empty());
  EXPECT_EQ(import_files(lst, {a, a, a}, {{"parts", "test"}}).part, std::vector<Part>{Part::kTest});
  EXPECT_EQ(import_files(lst, {a, a, a, b, b, b}, {}).part, (std::vector<Part>{Part::kTrain, Part::kTest}));
  EXPECT_EQ(import_files(lst, {a, a, a, b, b, b, c, c, c}, {}).part,
            (std::vector<Part>{Part::kTrain, Part::kValid, Part::kTest}));
  EXPECT_EQ(import_files(lst, {a, a, a, b, b, b}, {{"parts", "valid,train"}}).part,
            (std::vector<Part>{Part::kValid, Part::kTrain}));
}

TEST(Importers, PassSettingsOn) {
  const OwnFiles files;
  const std::string log = files.write("log",
                                      "u\t2020-01-01T00:00:00Z\t\t\t\tx\nu\t2020-01-01T00:00:05Z\t\t\t\tx\n"
                                      "u\t2020-01-01T00:00:06Z\t\t\t\ty\n");
  const EventTable table = import_files(importer_of("lastfm"), {log},
                                        {{"variant", "as_coded"},
                                         {"vocabulary", "1"},
                                         {"train_users", "1"},
                                         {"test_users", "0"},
                                         {"stored", "accumulated"}});
  EXPECT_EQ(table.interval->values, (Doubles{0, 5}));
  const std::string times = files.write("t", "100000000 100000001\n");
  const std::string events = files.write("e", "1 2\n");
  EXPECT_TRUE(import_files(importer_of("rmtpp"), {events, times}, {}).scale.instants);
  EXPECT_FALSE(import_files(importer_of("rmtpp"), {events, times}, {{"times", "plain"}}).scale.instants);
}

TEST(Importers, GiveUsersByNumberWhereTheDefaultIsAShare) {
  const OwnFiles files;
  std::string posts;
  for (const char user : {'a', 'b', 'c', 'd'}) {
    for (int day = 1; day <= 3; ++day)
      posts += fmt::format("{}|{}|2020-01-0{} 00:00:00+00|t\n", day, user, day);
  }
  const std::string path = files.write("posts", posts);
  const Importer& citeulike = importer_of("citeulike");
  EXPECT_EQ(import_files(citeulike, {path}, {{"fewest_posts", "1"}}).sequences(), 4);
  const Settings numbers = {{"fewest_posts", "1"}, {"train_users", "1"}, {"test_users", "2"}};
  EXPECT_EQ(import_files(citeulike, {path}, numbers).part,
            (std::vector<Part>{Part::kTrain, Part::kTest, Part::kTest}));
}

TEST(CountsBesideThePaper, AreLinesOfText) {
  EventTable table;
  table.scale = {.instants = true, .decimals = 9};
  table.event = Categories{"event", {}, {}};
  for (int type = 0; type < 22; ++type) table.event->names.add(std::to_string(type));
  for (int32_t s = 0; s < 6000; ++s) {
    table.ids.add(std::to_string(s));
    table.part.push_back(s < 5000 ? Part::kTrain : Part::kTest);
    for (int i = 0; i < 1 + s % 2; ++i) {
      table.sequence.push_back(s);
      table.ticks.push_back(1'325'376'181'507'000'000 + s);
      table.event->codes.push_back(s % 22);
    }
  }
  EXPECT_EQ(counts_beside_the_paper(importer_of("rmtpp"), table),
            "data set   rmtpp; the paper: SOF\n"
            "sequences  6000 (5000 train, 1000 test); the paper: about 6K (5307 train, 1326 test)\n"
            "events     9000 (7500 train, 1500 test); the paper: about 480K (383181 train, 97233 test)\n"
            "types      22; the paper: 22\n"
            "lengths    1 to 2, mean 1.5\n"
            "times      2012-01-01T00:03:01.507Z to 2012-01-01T00:03:01.507005999Z\n"
            "unit       instants, kept in nanoseconds\n");
}

TEST(CountsBesideThePaper, AreAloneForOtherDataOfTheFormat) {
  const OwnFiles files;
  const std::string events = files.write("e", "1 2 1\n3\n");
  const std::string times = files.write("t", "1325376181.507 1325376182 1388534180\n1388534180\n");
  const Importer& rmtpp = importer_of("rmtpp");
  EXPECT_EQ(counts_beside_the_paper(rmtpp, import_files(rmtpp, {events, times}, {})),
            "data set   rmtpp; not the paper's SOF\n"
            "sequences  2\n"
            "events     4\n"
            "types      3\n"
            "lengths    1 to 3, mean 2.0\n"
            "times      2012-01-01T00:03:01.507Z to 2013-12-31T23:56:20Z\n"
            "unit       instants, kept in nanoseconds\n");
}

TEST(CountsBesideThePaper, AreNotThoseOfASmallOrLargeSetWithAsManyTypes) {
  EventTable table;
  table.event = Categories{"event", {}, {}};
  for (int type = 0; type < 22; ++type) table.event->names.add(std::to_string(type));
  for (const int32_t sequences : {3'000, 14'000}) {
    while (table.ids.size() < sequences) table.ids.add(std::to_string(table.ids.size()));
    EXPECT_SAYS(counts_beside_the_paper(importer_of("rmtpp"), table), "not the paper's SOF");
  }
}

TEST(CountsBesideThePaper, KnowStackOverflow) {
  const std::string folder = test_data("stackoverflow");
  if (folder.empty()) GTEST_SKIP() << no_test_data("stackoverflow");
  const Importer& rmtpp = importer_of("rmtpp");
  const EventTable table = import_files(rmtpp,
                                        {folder + "/event-1-train.txt", folder + "/time-1-train.txt",
                                         folder + "/event-1-test.txt", folder + "/time-1-test.txt"},
                                        {});
  EXPECT_SAYS(counts_beside_the_paper(rmtpp, table), "data set   rmtpp; the paper: SOF\n");
}

TEST(CountsBesideThePaper, AreThereWithoutAPaperAndWithoutEvents) {
  const Importer& lst = importer_of("lst");
  EventTable table;
  EXPECT_SAYS(counts_beside_the_paper(lst, table), "sequences  0\nevents     0\ntypes      none\n");
  table.ids.add("u");
  table.ticks = {-5, 25};
  table.sequence = {0, 0};
  table.scale.decimals = 1;
  EXPECT_SAYS(counts_beside_the_paper(lst, table), "times      -0.5 to 2.5\nunit       plain numbers");
  table.scale.seconds = true;
  EXPECT_SAYS(counts_beside_the_paper(lst, table), "unit       seconds\n");
}

}  // namespace
}  // namespace t2v::data
