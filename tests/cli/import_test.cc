#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "data/event_store.h"
#include "tool.h"

namespace t2v {
namespace {

using data::EventStore;
using data::OriginKind;

class Import : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    put("clicks.csv", kClicks);
  }
  /// The store that a run writes.
  EventStore imported(const std::string& arguments) const {
    const Ran ran = run("import " + arguments + " -o y.events");
    EXPECT_EQ(ran.code, 0) << arguments << "\n" << ran.err;
    EXPECT_FALSE(exists("y.events.t2v-unfinished"));
    if (ran.code != 0) throw std::runtime_error(ran.err);
    return data::open_store(path("y.events"));
  }
  static std::vector<int64_t> ticks(const EventStore& store) {
    return {store.events.ticks.begin(), store.events.ticks.end()};
  }
};

TEST_F(Import, SaysWhatItChoseAndWhatItWrote) {
  const Ran ran = run("import clicks.csv -o y.events");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err,
            "columns: id 'user', time 'time', event 'event'\n"
            "time 'time': dates; those without an offset are UTC\n"
            "event: 3 types\n");
  EXPECT_EQ(ran.out,
            "sequences  4\n"
            "events     8\n"
            "types      3\n"
            "lengths    2 to 2 events, median 2, mean 2.0\n"
            "times      2024-01-01T08:00:00Z to 2024-01-08T00:00:00Z (over 6.7 d)\n"
            "unit       d, counted from the first event of each sequence\n"
            "grid       1.0 d; periods under 2.0 d cannot be told from longer ones\n"
            "written    y.events\n");
  EXPECT_EQ(names(), (std::vector<std::string>{"clicks.csv", "y.events"}));
}

TEST_F(Import, RefusesWhatItCannotUseAndWritesNothing) {
  put("bad.csv", "user,time,event\nann,2024-13-01,x\n");
  put("empty.csv", "");
  put("header.csv", "user,time,event\n");
  put("latin.csv", "user,time,event\nM\xfcller,2024-01-01,x\n");
  put("plain.csv", "user,time\na,1\na,5\nb,2\nb,7\n");
  put("back.csv", "user,time\na,5\na,1\n");
  put("old", "something else");
  put("cut.events", std::string("\x40\0\0\0\0\0\0\0{\"a\"", 12));
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"import clicks.csv", "--output is required"},
      {"import -o y.events", "no file was given"},
      {"import none.csv -o y.events", "none.csv: "},
      {"import . -o y.events", "."},
      {"import bad.csv -o y.events", "bad.csv:2:5: time '2024-13-01' "},
      {"import empty.csv -o y.events", "empty.csv: the file is empty"},
      {"import header.csv -o y.events", "header.csv: there is no event"},
      {"import latin.csv -o y.events", "latin.csv:2:"},
      {"import cut.events -o y.events", "cut.events: "},
      {"import clicks.csv --id nobody -o y.events", "there is no column 'nobody'"},
      {"import clicks.csv --event user -o y.events", "no column for the id was found"},
      {"import clicks.csv --format cvs -o y.events", "--format"},
      {"import clicks.csv --format rmtpp -o y.events", "1 file, but rmtpp wants"},
      {"import a b --format rmtpp --time-unit s -o y.events", "--time-unit is for tables alone"},
      {"import --train a b --format rmtpp -o y.events", "--train, --valid and --test are for tables alone"},
      {"import clicks.csv --set shift=no -o y.events", "--set is for formats"},
      {"import a b --format mnist --set shift -o y.events", "--set takes name=value, not 'shift'"},
      {"import a b --format mnist --set shaft=no -o y.events", "unknown setting of mnist 'shaft'"},
      {"import clicks.csv --unit y -o y.events", "--unit"},
      {"import plain.csv --unit d -o y.events", "the times are plain numbers, which have no unit 'd'"},
      {"import clicks.csv --origin noon -o y.events", "--origin 'noon' "},
      {"import plain.csv --origin 0.5 -o y.events", "--origin '0.5' is finer than the times"},
      {"import plain.csv --origin 1e30 -o y.events", "--origin '1e30' "},
      {"import plain.csv --origin 2020-01-01 -o y.events", "--origin '2020-01-01' is not a number"},
      {"import clicks.csv --timezone Europe/Pariss -o y.events", "Europe/Pariss"},
      {"import back.csv --order strict -o y.events", "back.csv:3:3: time '1' runs backwards"},
      {"import clicks.csv --order up -o y.events", "--order"},
      {"import clicks.csv --on-error skipp -o y.events", "--on-error"},
      {"import clicks.csv --split given -o y.events", "do not say which sequences are for training"},
      {"import clicks.csv --split tme -o y.events", "--split"},
      {"import clicks.csv --split random --test-share 1 -o y.events",
       "--test-share 1 is not a number from 0 to below 1"},
      {"import clicks.csv --split time --test-from soon -o y.events", "--test-from 'soon' "},
      {"import clicks.csv --test-from 2024-01-05 -o y.events", "--test-from is for --split time"},
      {"import plain.csv --split time --test-from 2024-01-05 -o y.events",
       "--test-from '2024-01-05' is not a number"},
      {"import clicks.csv --vocab -1 -o y.events", "--vocab"},
      {"import clicks.csv --max-len -1 -o y.events", "--max-len"},
      {"import clicks.csv --max-len 1 --cut windows -o y.events",
       "--cut windows needs a --max-len of at least 2"},
      {"import clicks.csv --threads -1 -o y.events", "--threads"},
      {"import clicks.csv --train clicks.csv -o y.events", "not both"},
      {"import clicks.csv -o clicks.csv", "clicks.csv: would be written over itself"},
      {"import clicks.csv -o old", "old: is there already and is not an event store"},
      {"import clicks.csv -o /dev/null",
       "/dev/null: is not a file that can be replaced; name another output"},
      {"import clicks.csv -o .", ".: is a folder"},
      {"import clicks.csv -o none/y.events", "none: there is no such folder"},
      {"import clicks.csv -o -", "an event store is a file"},
      {"import clicks.csv -o ''", ""},
  };
  for (const auto& [arguments, says] : cases) expect_refused(arguments, says);
  EXPECT_EQ(get("old"), "something else");
  EXPECT_EQ(get("clicks.csv"), kClicks);
}

TEST_F(Import, LeavesAnOldStoreAloneIfItFails) {
  imported("clicks.csv");
  const std::string old = get("y.events");
  put("bad.csv", "user,time,event\nann,never,x\n");
  expect_refused("import bad.csv -o y.events", "bad.csv:2:5");
  EXPECT_EQ(get("y.events"), old);
}

TEST_F(Import, WritesThroughALinkAndLeavesTheLink) {
  std::filesystem::create_directory(path("far"));
  std::filesystem::create_symlink("far/real.events", path("y.events"));
  imported("clicks.csv");
  EXPECT_TRUE(std::filesystem::is_symlink(path("y.events")));
  EXPECT_EQ(data::open_store(path("far/real.events")).events.size(), 8);
}

TEST_F(Import, ClearsUpWhenAFileMayNotGrowSoLarge) {
  const Ran ran = bash("ulimit -f 1; $T import clicks.csv -o y.events");
  EXPECT_EQ(ran.code, 2);
  EXPECT_HAS(ran.err, "t2v: y.events.t2v-unfinished: cannot write: File too large\n");
  EXPECT_EQ(names(), (std::vector<std::string>{"clicks.csv"}));
}

TEST_F(Import, EndsWithoutAWordWhenNobodyReadsItsOutput) {
  std::string header = "user,time";
  std::string row = "a,1";
  std::string features;
  for (int i = 0; i < 200; ++i) {
    const std::string name = "feature" + std::to_string(i);
    header += "," + name;
    row += ",1";
    features += (i == 0 ? "" : ",") + name;
  }
  put("wide.csv", header + "\n" + row + "\n");
  imported("wide.csv --features " + features);
  for (const char* ignored : {"", "trap '' PIPE; "}) {
    const Ran ran =
        bash(std::string(ignored) + "(sleep 0.1; $T inspect y.events --json; echo $? >&2) | true");
    EXPECT_EQ(ran.err, "141\n");
  }
}

TEST_F(Import, ReadsStandardInputPipesAndCompressedFilesAlike) {
  imported("clicks.csv");
  const auto whole = [&] { return ticks(data::open_store(path("y.events"))); };
  const std::vector<int64_t> expected = whole();
  for (const char* line :
       {"cat clicks.csv | $T import - -o y.events", "$T import - -o y.events < clicks.csv",
        "$T import <(cat clicks.csv) -o y.events", "gzip -c clicks.csv > c.gz && $T import c.gz -o y.events",
        "gzip -c clicks.csv | $T import - -o y.events"}) {
    std::filesystem::remove(path("y.events"));
    const Ran ran = bash(line);
    ASSERT_EQ(ran.code, 0) << line << ran.err;
    EXPECT_EQ(whole(), expected) << line;
  }
}

TEST_F(Import, ReadsSeveralFilesAsOneTable) {
  put("more.csv", "user,time,event\nann,2024-02-01,back\neve,2024-02-02,open\n");
  const EventStore store = imported("clicks.csv more.csv");
  EXPECT_EQ(store.events.sequences(), 5);
  EXPECT_EQ(store.events.length(0), 3);
  EXPECT_FALSE(store.split->train.empty());
  EXPECT_TRUE(store.split->test.empty());
}

TEST_F(Import, TakesThePartsFromFiles) {
  put("later.csv", "user,time,event\nfay,2024-02-01,open\n");
  const EventStore store = imported("--train clicks.csv --test later.csv");
  EXPECT_EQ(store.split->train.size(), 4U);
  EXPECT_EQ(store.split->test.size(), 1U);
  EXPECT_EQ(imported("--train clicks.csv --test later.csv --split none").split->train.size(), 5U);
}

TEST_F(Import, SplitsInEachWay) {
  const auto sizes = [&](const std::string& options) {
    const EventStore store = imported("clicks.csv --split " + options);
    return std::vector<std::size_t>{store.split->train.size(), store.split->valid.size(),
                                    store.split->test.size()};
  };
  using Sizes = std::vector<std::size_t>;
  EXPECT_EQ(sizes("random"), (Sizes{3, 0, 1}));
  EXPECT_EQ(sizes("random --test-share 0.25 --valid-share 0.25"), (Sizes{2, 1, 1}));
  EXPECT_EQ(sizes("last"), (Sizes{4, 0, 4}));
  EXPECT_EQ(sizes("head-tail --test-share 0.5"), (Sizes{2, 0, 2}));
  EXPECT_EQ(sizes("time --test-from 2024-01-05"), (Sizes{2, 0, 2}));
  EXPECT_EQ(sizes("time --test-from 2024-01-05T00:00:00.000000001Z"), (Sizes{3, 0, 2}));
  EXPECT_EQ(sizes("none"), (Sizes{4, 0, 0}));
}

TEST_F(Import, ReadsDatesOfOptionsInTheSameZoneAsTheTable) {
  put("local.csv", "user,time\na,2024-01-01\na,2024-01-02\na,2024-01-03\n");
  const EventStore store =
      imported("local.csv --timezone Europe/Berlin --split time --test-from 2024-01-03 --origin 2024-01-01");
  EXPECT_EQ(store.events.tick(0), 1704063600LL * 1'000'000'000);  // 23:00 UTC of the day before
  EXPECT_EQ(store.split->test.at(0).first_target, 2);
  EXPECT_EQ(store.events.time(0, 0), 0);
}

TEST_F(Import, KeepsTheMostFrequentTypesAndCutsSequences) {
  const EventStore store = imported("clicks.csv --vocab 2 --max-len 1 --cut last");
  EXPECT_EQ(store.encoding->event->names, (std::vector<std::string>{"buy", "open"}));
  EXPECT_EQ(store.events.size(), 8);
  for (const data::Piece& piece : store.split->train) EXPECT_EQ(piece.end - piece.begin, 1);
  EXPECT_EQ(imported("clicks.csv --max-len 2 --cut windows").split->train.size(), 4U);
}

TEST_F(Import, SetsUnitAndOrigin) {
  EXPECT_EQ(imported("clicks.csv").events.view.unit, "d");
  const EventStore hours = imported("clicks.csv --unit h --origin dataset");
  EXPECT_EQ(hours.events.time(0, 1), 24);
  EXPECT_EQ(hours.events.time(1, 2), 1.5);
  const EventStore instant = imported("clicks.csv --unit h --origin 2024-01-01T10:00:00+02:00");
  EXPECT_EQ(instant.events.view.origin, OriginKind::kInstant);
  EXPECT_EQ(instant.events.time(0, 0), 0);
  put("plain.csv", "user,time\na,1.25\na,5\n");
  EXPECT_EQ(imported("plain.csv --origin -0.50").events.time(0, 0), 1.75);
  EXPECT_EQ(imported("plain.csv --origin 1e1").events.time(0, 1), -5);
}

TEST_F(Import, SkipsAndCountsBadRowsIfTold) {
  put("bad.csv",
      "user,time,event\nann,2024-01-01,x\nann,never,x\n,2024-01-02,x\nann,2024-01-03,y\nann,soon,y\n");
  const Ran ran = run("import bad.csv --on-error skip -o y.events");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.err, "skipped 3 rows:\n");
  EXPECT_HAS(ran.err, "  2 time ");
  EXPECT_HAS(ran.err, "  1 user ");
  EXPECT_EQ(data::open_store(path("y.events")).events.size(), 2);
}

TEST_F(Import, SortsOrDropsWhatRunsBackwardsAndSaysSo) {
  put("back.csv", "user,time\na,5\na,1\na,6\n");
  EXPECT_EQ(ticks(imported("back.csv")), (std::vector<int64_t>{1, 5, 6}));
  EXPECT_EQ(ticks(imported("back.csv --order drop")), (std::vector<int64_t>{5, 6}));
  EXPECT_HAS(run("import back.csv -o y.events").err, "1 event runs backwards in time and was sorted\n");
  EXPECT_HAS(run("import back.csv -o y.events --order drop").err,
             "1 event runs backwards in time and was dropped\n");
}

TEST_F(Import, SplitsAStoreAnew) {
  imported("clicks.csv --unit h --origin dataset");
  const Ran ran = run("import y.events --split last --unit min -o z.events");
  EXPECT_EQ(ran.code, 0) << ran.err;
  const EventStore store = data::open_store(path("z.events"));
  EXPECT_EQ(store.events.view.unit, "min");
  EXPECT_EQ(store.events.view.origin, OriginKind::kDataSet);
  EXPECT_EQ(store.split->test.size(), 4U);
  EXPECT_EQ(run("import y.events --origin sequence -o z.events").code, 0);
  EXPECT_EQ(data::open_store(path("z.events")).events.view.origin, OriginKind::kSequence);
  EXPECT_HAS(store.events.provenance, "clicks.csv");
  expect_refused("import y.events -o y.events", "y.events: would be written over itself");
  expect_refused("import y.events -o ./y.events", "would be written over itself");
  expect_refused("import y.events clicks.csv -o q.events", "y.events: an event store must be the only file");
  expect_refused("import --train y.events -o q.events", "y.events: an event store must be the only file");
  expect_refused("import y.events --id user -o q.events", "--id is for tables alone");
}

TEST_F(Import, RefusesAStoreThatIsDamaged) {
  imported("clicks.csv");
  std::string bytes = get("y.events");
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  put("d.events", bytes);
  expect_refused("import d.events -o q.events", "d.events: tensor '");
  expect_refused("doctor d.events", "d.events: tensor '");
  expect_refused("inspect d.events", "d.events: tensor '");
}

TEST_F(Import, TakesOptionsBeforeFiles) {
  put("p.csv", "user,time,event,price,qty\na,1,x,2.5,3\na,2,y,,4\n");
  const EventStore store = imported("--features price,qty p.csv");
  EXPECT_EQ(store.events.numbers.size(), 2U);
  EXPECT_EQ(imported("--id - p.csv").events.sequences(), 1);
}

// --- formats of others ---

TEST_F(Import, ReadsRecBoleFilesByDefault) {
  put("ml.inter",
      "user_id:token\titem_id:token\trating:float\ttimestamp:float\n"
      "196\t242\t3\t881250949\n186\t302\t3\t891717742\n196\t377\t1\t878887116\n");
  const EventStore store = imported("ml.inter");
  EXPECT_EQ(store.events.sequences(), 2);
  EXPECT_EQ(ticks(store),
            (std::vector<int64_t>{878887116'000000000, 881250949'000000000, 891717742'000000000}));
  EXPECT_EQ(store.events.event->name, "item_id");
  EXPECT_TRUE(store.events.scale.instants);
}

TEST_F(Import, ReadsNixtlaFilesByDefault) {
  put("series.csv", "unique_id,ds,y\nH1,2020-01-01,605.5\nH1,2020-01-02,586\nH2,2020-01-01,586\n");
  const EventStore store = imported("series.csv");
  EXPECT_EQ(store.events.sequences(), 2);
  EXPECT_EQ(store.events.value->values[0], 605.5);
  EXPECT_EQ(store.events.view.unit, "d");
  EXPECT_FALSE(store.events.event);
}

TEST_F(Import, ReadsTwinFilesAndSaysThatTheyAreNotThePapers) {
  put("e1", "1 2\n3 4 5\n");
  put("t1", "1325376000 1325376060\n1325376001 1325376002 1325376003\n");
  put("e2", "2 2\n");
  put("t2", "1325376000.5 1325376060\n");
  const Ran ran = run("import --format rmtpp e1 t1 e2 t2 -o y.events");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.out, "rmtpp; not the paper's SOF\n  sequences  3 (2 train, 1 test)\n");
  const EventStore store = data::open_store(path("y.events"));
  EXPECT_EQ(store.split->test.size(), 1U);
  EXPECT_EQ(store.events.tick(5), 1325376000'500000000);
}

TEST_F(Import, ReadsLstTriplesAndEasyTppRows) {
  put("items.lst", "u1,1 2 3\nu2,4 5\n");
  put("deltas.lst", "u1,0 10 20\nu2,0 5\n");
  put("sums.lst", "u1,0 10 30\nu2,0 5\n");
  const EventStore triples = imported("--format lst items.lst deltas.lst sums.lst");
  EXPECT_EQ(triples.events.sequences(), 2);
  EXPECT_EQ(triples.events.time(0, 2), 30);
  EXPECT_EQ(triples.events.interval->values[2], 20);
  put("rows.jsonl",
      R"({"seq_idx":0,"seq_len":2,"dim_process":3,"time_since_start":[0,1.5],"time_since_last_event":[0,1.5],"type_event":[1,2]})"
      "\n");
  const EventStore store = imported("--format easytpp rows.jsonl");
  EXPECT_EQ(store.events.size(), 2);
  EXPECT_EQ(store.events.time(0, 1), 1.5);
}

/// An IDX file of images of 2 x 2 pixels, and one of their labels.
std::string images_of(const std::vector<std::string>& images) {
  std::string bytes("\0\0\x08\x03\0\0\0\0\0\0\0\x02\0\0\0\x02", 16);
  bytes[7] = static_cast<char>(images.size());
  for (const std::string& image : images) bytes += image;
  return bytes;
}

TEST_F(Import, SaysThatAnHdf5FileMustBeTrustedBeforeItIsRead) {
  put("spikes.hdf5", "\x89HDF\r\n\x1a\n and then nothing that the library could read");
  for (const std::string command : {"import spikes.hdf5 -o s.events", "train spikes.hdf5 -o s.t2v"}) {
    const Ran ran = run(command + " --format ntidigits");
    EXPECT_EQ(ran.code, 2);
    const size_t note = ran.err.find("note: an HDF5 file is to come from a source that you trust");
    const size_t error = ran.err.find("spikes.hdf5:");
    EXPECT_NE(note, std::string::npos) << ran.err;
    EXPECT_NE(error, std::string::npos) << ran.err;
    EXPECT_LT(note, error);
  }
  EXPECT_EQ(names(), (std::vector<std::string>{"clicks.csv", "spikes.hdf5"}));
}

TEST_F(Import, KeepsPositionsOfPixelsIfTheyAreNotToBeShifted) {
  put("images", images_of({{0, '\xff', '\xff', 0}, {0, 0, 0, '\xff'}}));
  put("labels", std::string("\0\0\x08\x01\0\0\0\x02\x07\x01", 10));
  const EventStore shifted = imported("--format mnist images labels");
  EXPECT_EQ(shifted.events.time(0, 0), 0);
  EXPECT_EQ(shifted.events.time(1, 2), 0);
  const EventStore kept = imported("--format mnist --set shift=no images labels");
  EXPECT_EQ(kept.events.view.origin, OriginKind::kInstant);
  EXPECT_EQ(kept.events.time(0, 0), 1);
  EXPECT_EQ(kept.events.time(0, 1), 2);
  EXPECT_EQ(kept.events.time(1, 2), 3);
  EXPECT_EQ(imported("--format mnist --set shift=no images labels --origin sequence").events.time(1, 2), 0);
}

TEST_F(Import, TellsDefaultsAndTheThresholdsOfTimeUnitsInItsHelp) {
  const Ran ran = run("import --help-all");
  EXPECT_EQ(ran.code, 0);
  for (const char* part : {"1e8", "1e11", "1e14", "1e17", "Examples:", "--on-error", "skipped in spring"}) {
    EXPECT_HAS(ran.out, part);
  }
  for (const char* part : {"--test-share NUMBER [0.2]", "--cut {first,last,windows} [last]",
                           "--output FILE (required)", "--split-seed INT [1]", "--id COLUMN  "}) {
    EXPECT_HAS(ran.out, part);
  }
  std::size_t longest = 0;
  for (std::size_t at = 0, end = 0; (end = ran.out.find('\n', at)) != std::string::npos; at = end + 1) {
    longest = std::max(longest, end - at);
  }
  EXPECT_LE(longest, 110U);
}

}  // namespace
}  // namespace t2v
