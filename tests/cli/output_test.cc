// The one gate for what commands write: what is there is not lost, and keeps whose it is.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tool.h"

namespace t2v {
namespace {

namespace fs = std::filesystem;

const std::string kTiny = " --hidden 2 --time t2v:2 --epochs 1 --batch 2 ";

class Outputs : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    put("clicks.csv", kClicks);
    put("events.jsonl", "{\"user\": \"ann\", \"time\": \"2024-01-09\", \"event\": \"open\"}\n");
    fs::create_directory(path("r"));
    put("r/results.json", R"({"format": 1, "verdicts": [], "experiments": []})");
    const Ran ran = run("train clicks.csv" + kTiny + "-o m.t2v");
    ASSERT_EQ(ran.code, 0) << ran.err;
  }

  /// Every command that writes, with its output.
  static std::vector<std::string> commands(const std::string& output) {
    return {"train clicks.csv" + kTiny + "-o " + output,
            "train clicks.csv" + kTiny + "-o y.t2v --log " + output,
            "import clicks.csv -o " + output,
            "predict m.t2v clicks.csv -o " + output,
            "predict m.t2v clicks.csv --csv -o " + output,
            "ablate clicks.csv --seeds 1 --variants none --epochs 1 --hidden 2 -o " + output,
            "export m.t2v --onnx " + output,
            "rescale m.t2v --unit h -o " + output,
            "report r -o " + output,
            "stream m.t2v --snapshot " + output + " < events.jsonl"};
  }
  void runs(const std::string& line) const {
    const Ran ran = bash(line);
    EXPECT_EQ(ran.code, 0) << line << "\n" << ran.err;
  }
};

TEST_F(Outputs, AreFilesAlone) {
  ASSERT_EQ(bash("mkfifo pipe; ln -s /dev/null null").code, 0);
  for (const std::string name : {"pipe", "null"}) {
    for (const std::string& command : commands(name)) {
      expect_refused(command, name + ": is not a file that can be replaced; name another output");
    }
  }
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
  EXPECT_TRUE(fs::is_symlink(path("null")));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

/// But for predictions, which people read as well.
TEST_F(Outputs, AreNotStandardOutput) {
  for (const std::string& command : commands("-")) {
    if (command.starts_with("predict")) continue;
    const Ran ran = run(command);
    EXPECT_EQ(ran.code, 2) << command;
    EXPECT_EQ(ran.out, "") << command;
    EXPECT_FALSE(exists("-")) << command;
  }
  expect_refused("train clicks.csv -o -", "-: standard output is no place for a model; name a file");
}

TEST_F(Outputs, OfAReproductionAreItsOwnAndHaveOneWriter) {
  const std::string row = "reproduce 5.6 --data-dir none --scale smoke -o ";
  fs::create_directory(path("mine"));
  put("mine/table.csv", "Chapter 1\n");
  expect_refused(row + "mine", "mine/table.csv: is there already and is not beside results of t2v reproduce");
  EXPECT_EQ(get("mine/table.csv"), "Chapter 1\n");
  runs("$T " + row + "mine --force");
  EXPECT_TRUE(get("mine/table.csv").starts_with("id,answer,"));
  runs("$T " + row + "mine");  // nothing is run again
  fs::remove(path("mine/results.json"));
  runs("$T " + row + "mine");  // the runs are ours as well
  fs::remove(path("mine/table.md"));
  fs::create_symlink("/dev/null", path("mine/table.md"));
  expect_refused(row + "mine", "mine/table.md: is not a file that can be replaced");
  const Ran two = bash(
      "$T reproduce all --data-dir none --scale paper -o both >/dev/null 2>&1 & p=$!\n"
      "for n in $(seq 2000); do [ -n \"$(ls both 2>/dev/null)\" ] && break; sleep 0.005; done\n"
      "$T " +
      row + "both; echo code $? of $p; kill -9 $p; wait $p 2>/dev/null");
  const std::size_t at = two.out.find("code 2 of ");
  ASSERT_NE(at, std::string::npos) << two.out << two.err;
  const std::string process = two.out.substr(at + 10, two.out.find('\n', at) - at - 10);
  EXPECT_HAS(two.err, "both/results.json: is being written by process " + process);
}

TEST_F(Outputs, ReplaceNoFileOfAnotherKindUnlessForced) {
  put("thesis.txt", "Chapter 1\n");
  for (const std::string& command : commands("thesis.txt")) {
    expect_refused(command, "thesis.txt: is there already and is not a");  // model, graph, ...
  }
  EXPECT_EQ(get("thesis.txt"), "Chapter 1\n");
  runs("$T train clicks.csv --force -o thesis.txt" + kTiny);
  EXPECT_TRUE(get("thesis.txt") == get("m.t2v"));
}

TEST_F(Outputs, ReplaceNeitherDataNorFilesOfOtherCommands) {
  runs("$T import clicks.csv -o e.events");
  put("series.csv", "id,time,value\na,1,2\n");
  put("series.jsonl", R"({"id":"a","time":1,"event":"open","value":2})"
                      "\n");
  expect_refused("train clicks.csv -o e.events" + kTiny, "e.events: is there already and is not a model");
  expect_refused("import clicks.csv -o m.t2v", "m.t2v: is there already and is not an event store");
  expect_refused("predict m.t2v clicks.csv --csv -o series.csv", "series.csv: is there already");
  expect_refused("predict m.t2v clicks.csv -o series.jsonl", "series.jsonl: is there already");
}

TEST_F(Outputs, ReplaceFilesOfTheirOwnKindAndEmptyOnes) {
  put("e.events", "");
  const bool draws = run("report r -o r.html").code == 0;  // unless it is built without what draws charts
  for (int i = 0; i < 2; ++i) {
    runs("$T import clicks.csv -o e.events");
    runs("$T train clicks.csv -o n.t2v --log run.jsonl" + kTiny);
    runs("$T predict m.t2v clicks.csv -o p.jsonl");
    runs("$T predict m.t2v clicks.csv --csv -o p.csv");
    runs("$T export m.t2v --onnx m.onnx");
    if (draws) runs("$T report r -o r.html");
    runs("$T ablate clicks.csv --seeds 1 --variants none --epochs 1 --hidden 2 -o a.json");
    runs("$T stream m.t2v --snapshot s.t2v < events.jsonl");
  }
}

TEST_F(Outputs, KeepModeOwnerAndAccessListOfWhatTheyReplace) {
  ASSERT_EQ(bash("cp m.t2v n.t2v; chmod 0640 n.t2v").code, 0);
  const bool lists = bash("command -v setfacl && setfacl -m u:12345:r n.t2v").code == 0;
  const std::string before = lists ? bash("getfacl -n n.t2v").out : "";
  const bool root = ::getuid() == 0;
  if (root) {
    ASSERT_EQ(::chown(path("n.t2v").c_str(), 12345, 12346), 0);
  }
  runs("$T train clicks.csv -o n.t2v --seed 2" + kTiny);
  EXPECT_FALSE(get("n.t2v") == get("m.t2v"));
  struct stat info {};
  ASSERT_EQ(::stat(path("n.t2v").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, lists ? info.st_mode & 07777 : 0640U);
  EXPECT_EQ(info.st_uid, root ? 12345U : ::getuid());
  EXPECT_EQ(info.st_gid, root ? 12346U : info.st_gid);
  if (lists && !root) {
    EXPECT_EQ(bash("getfacl -n n.t2v").out, before);
  }
  if (lists) {
    EXPECT_HAS(bash("getfacl -n n.t2v").out, "user:12345:r--");
  }
}

TEST_F(Outputs, MayHaveTheLongestNamesThatThereAre) {
  const std::string name = std::string(251, 'm') + ".t2v";
  runs("$T train clicks.csv --checkpoint-steps 1 -o " + name + kTiny);
  runs("$T predict " + name + " clicks.csv -o " + std::string(249, 'p') + ".jsonl");
  EXPECT_EQ(names().size(), 6U);                                        // nothing unfinished is left
  for (const std::string& command : commands(std::string(256, 'm'))) {  // before any work
    const Ran longer = run(command);
    EXPECT_EQ(longer.code, 2) << command;
    EXPECT_HAS(longer.err, "File name too long");
    EXPECT_EQ(std::ranges::count(longer.err, '\n'), 1) << longer.err;
  }
}

TEST_F(Outputs, HaveOneWriterWhoIsNamedToTheSecond) {
  const Ran ran = bash(
      "$T train clicks.csv --epochs 1000000 --patience 0 -o n.t2v --log run.jsonl >/dev/null 2>&1 & p=$!\n"
      "for n in $(seq 2000); do [ -s run.jsonl ] && break; sleep 0.005; done\n"
      "$T train clicks.csv -o ./n.t2v --epochs 1; echo code $? of $p\n"
      "kill -9 $p; wait $p 2>/dev/null\n"
      "$T train clicks.csv -o n.t2v" +
      kTiny);
  EXPECT_EQ(ran.code, 0) << ran.err;
  const std::size_t at = ran.out.find("code 2 of ");
  ASSERT_NE(at, std::string::npos) << ran.out;
  const std::string process = ran.out.substr(at + 10, ran.out.find('\n', at) - at - 10);
  EXPECT_HAS(ran.err, "t2v: ./n.t2v: is being written by process " + process + "; wait until that ends");
  EXPECT_TRUE(exists("n.t2v"));
}

/// A file that is opened must not become standard input, output or error.
TEST_F(Outputs, AreNotMistakenForDescriptorsThatAreClosed) {
  const Ran stream = bash("timeout 20 $T stream m.t2v --snapshot s.t2v <&-");
  EXPECT_EQ(stream.code, 2) << stream.err;
  EXPECT_HAS(stream.err, "cannot read standard input");
  runs("timeout 60 $T train clicks.csv -o n.t2v" + kTiny + "<&- 2>&-");
  EXPECT_TRUE(get("n.t2v") == get("m.t2v"));
  EXPECT_EQ(bash("timeout 60 $T predict m.t2v clicks.csv >&-").code, 2);
}

TEST_F(Outputs, CannotBeForgedByIds) {
  put("evil.jsonl", R"({"user":"ann\nbob 1 2","time":"2024-01-01","event":"open"})"
                    "\n"
                    R"({"user":"=1+2","time":"2024-01-01","event":"open"})"
                    "\n"
                    R"({"user":"x\u202ey\ufeff","time":"2024-01-01","event":"open"})"
                    "\n");
  const Ran states = run("encode m.t2v --states evil.jsonl");
  EXPECT_EQ(states.code, 0) << states.err;
  EXPECT_EQ(std::ranges::count(states.out, '\n'), 3) << states.out;
  EXPECT_HAS(states.out, "ann\\x0abob 1 2 ");
  EXPECT_HAS(states.out, "x\\xe2\\x80\\xaey\\xef\\xbb\\xbf ");
  const Ran plain = run("predict m.t2v evil.jsonl --csv --top 1");
  EXPECT_HAS(plain.out, "\n=1+2,");
  const Ran safe = run("predict m.t2v evil.jsonl --csv --csv-safe --top 1");
  EXPECT_EQ(safe.code, 0) << safe.err;
  EXPECT_HAS(safe.out, "\n'=1+2,");
  expect_refused("predict m.t2v evil.jsonl --csv-safe", "--csv-safe is for tables; give --csv, too");
}

}  // namespace
}  // namespace t2v
