// No command destroys what it reads, or writes two things to one file.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "tool.h"

namespace t2v {
namespace {

namespace fs = std::filesystem;

struct Refused {
  std::string arguments;
  std::string says;
};

const char* const kResults = R"({"format": 1, "verdicts": [], "experiments": []})";

class Overwrite : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    put("clicks.csv", kClicks);
    put("clicks.t2v.checkpoint", kClicks);
    put("late.csv", kClicks);
    put("o.json", R"({"hidden": 2})");
    put("to_clicks.json", R"({"output": "clicks.csv"})");
    put("events.jsonl", "{\"user\": \"ann\", \"time\": \"2024-01-09\", \"event\": \"open\"}\n");
    for (const char* folder : {"r", "out"}) {
      fs::create_directory(path(folder));
      put(folder + std::string("/results.json"), kResults);
    }
    fs::create_symlink("clicks.csv", path("link.csv"));
    fs::create_hard_link(path("clicks.csv"), path("twin.csv"));
    fs::create_symlink("y.t2v", path("to_y"));
    ASSERT_EQ(run("import clicks.csv -o e.events").code, 0);
    const Ran ran = run("train clicks.csv" + kTiny + "-o m.t2v");
    ASSERT_EQ(ran.code, 0) << ran.err;
  }

  /// The bytes of all files.
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(path("."))) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      all[entry.path().string()] = {std::istreambuf_iterator<char>(file), {}};
    }
    return all;
  }

  const std::string kTiny = " --hidden 2 --time t2v:2 --epochs 1 --batch 2 ";
};

const std::vector<Refused>& refused() {
  static const std::string over = ": would be written over itself; name another output";
  static const std::string twice = ": would be written twice; name two files";
  static const auto over_as = [](const std::string& name) {
    return ": would be written over itself, as it is " + name + "; name another output";
  };
  static const auto twice_as = [](const std::string& name) {
    return ": would be written twice, as it is " + name + "; name two files";
  };
  static const std::vector<Refused> all = {
      {"import clicks.csv -o clicks.csv", "clicks.csv" + over},
      {"import e.events -o ./e.events", "./e.events" + over_as("e.events")},
      {"train clicks.csv -o clicks.csv", "clicks.csv" + over},
      {"train clicks.csv -o r/../clicks.csv", "r/../clicks.csv" + over_as("clicks.csv")},
      {"train clicks.csv -o link.csv", "link.csv" + over_as("clicks.csv")},
      {"train clicks.csv -o twin.csv", "twin.csv" + over_as("clicks.csv")},
      {"train link.csv -o clicks.csv", "clicks.csv" + over_as("link.csv")},
      {"train --train clicks.csv --valid late.csv -o late.csv", "late.csv" + over},
      {"train e.events -o e.events", "e.events" + over},
      {"train - -o clicks.csv < clicks.csv", "clicks.csv" + over_as("standard input")},
      {"train clicks.csv --config o.json -o o.json", "o.json" + over},
      {"train clicks.csv --config to_clicks.json", "clicks.csv" + over},
      {"train clicks.t2v.checkpoint -o clicks.t2v", "clicks.t2v.checkpoint" + over},
      {"train clicks.csv --log clicks.csv -o y.t2v", "clicks.csv" + over},
      {"train clicks.csv --config o.json --log o.json", "o.json" + over},
      {"train clicks.csv --init m.t2v --log m.t2v -o y.t2v", "m.t2v" + over},
      {"train clicks.csv --log y.t2v -o y.t2v", "y.t2v" + twice},
      {"train clicks.csv --log ./y.t2v -o y.t2v", "./y.t2v" + twice_as("y.t2v")},
      {"train clicks.csv --log to_y -o y.t2v", "to_y" + twice_as("y.t2v")},
      {"train clicks.csv --log y.t2v.checkpoint -o y.t2v", "y.t2v.checkpoint" + twice},
      {"ablate clicks.csv -o clicks.csv", "clicks.csv" + over},
      {"ablate clicks.csv --config o.json -o o.json", "o.json" + over},
      {"predict m.t2v clicks.csv -o clicks.csv", "clicks.csv" + over},
      {"predict m.t2v clicks.csv -o m.t2v", "m.t2v" + over},
      {"predict m.t2v --test clicks.csv -o link.csv", "link.csv" + over_as("clicks.csv")},
      {"predict m.t2v clicks.csv >> clicks.csv", "standard output" + over_as("clicks.csv")},
      {"stream m.t2v --snapshot m.t2v < events.jsonl", "m.t2v" + over},
      {"stream m.t2v --snapshot events.jsonl < events.jsonl", "events.jsonl" + over_as("standard input")},
      {"export m.t2v --onnx m.t2v", "m.t2v" + over},
      {"report r -o r/results.json", "r/results.json" + over},
      {"reproduce 5.2-period --scale smoke --data mnist=out/results.json -o out", "out/results.json" + over},
  };
  return all;
}

TEST_F(Overwrite, IsRefusedByEveryCommand) {
  const auto before = contents();
  for (const Refused& one : refused()) {
    SCOPED_TRACE(one.arguments);
    expect_refused(one.arguments, one.says);
    EXPECT_TRUE(contents() == before);
  }
}

/// It would read what it writes, for ever.
TEST_F(Overwrite, IsRefusedByAStreamOfItsOwnAnswers) {
  const auto before = contents();
  const Ran ran = bash("ulimit -f 100; timeout 60 $T stream m.t2v < events.jsonl >> events.jsonl");
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(
      ran.err,
      "t2v: standard output: would be written over itself, as it is standard input; name another output\n");
  EXPECT_TRUE(contents() == before);
}

TEST_F(Overwrite, IsAllowedWhereAModelOrAStateTakesThePlaceOfTheOneBefore) {
  const auto runs = [&](const std::string& line) {
    const Ran ran = bash(line);
    EXPECT_EQ(ran.code, 0) << line << "\n" << ran.err;
  };
  for (int i = 0; i < 2; ++i) runs("$T stream m.t2v --snapshot s.t2v < events.jsonl > answers.jsonl");
  for (int i = 0; i < 2; ++i) {
    runs("$T train clicks.csv --init m.t2v --epochs 1 --log run.jsonl -o m.t2v");
    runs("$T rescale m.t2v --unit h -o m.t2v");
    runs("$T predict m.t2v clicks.csv -o p.jsonl");
    runs("$T train clicks.csv" + kTiny + "-o y.t2v < /dev/null > /dev/null");
  }
}

TEST_F(Overwrite, OfNoNameIsRefusedBeforeAnythingIsRead) {
  for (const char* arguments :
       {"train none.csv -o ''", "train none.csv --log ''", "predict none.t2v none.csv -o ''",
        "stream none.t2v --snapshot ''", "ablate none.csv -o ''", "export none.t2v --onnx ''",
        "rescale none.t2v --unit h -o ''", "import none.csv -o ''", "reproduce 1a -o ''", "report r -o ''"}) {
    expect_refused(arguments, " is empty; give a value, or leave it out");
  }
  put("no_name.json", R"({"output": ""})");
  for (const char* command : {"train", "ablate"}) {
    expect_refused(std::string(command) + " none.csv --config no_name.json",
                   "--output is empty; give a value, or leave it out");
  }
}

}  // namespace
}  // namespace t2v
