#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

// Before t2v::testing hides gtest's namespace.
#include "tool.h"

#include "model/made_model.h"

namespace t2v {
namespace {

using Json = nlohmann::json;

/// The tool at work on a made model of events a to d with a price, in days.
class StreamTool : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    write(testing::made_model(), "m.t2v");
  }
  void write(const TrainedModel& model, const std::string& name) const {
    write_model(FileSystem::real(), path(name), model);
  }
  /// Runs it on these lines.
  Ran stream(const std::string& lines, const std::string& options = "") const {
    put("in.jsonl", lines);
    return bash("$T stream m.t2v " + options + " < in.jsonl");
  }
  static std::vector<Json> answers(const Ran& ran) {
    std::vector<Json> all;
    std::istringstream text(ran.out);
    for (std::string line; std::getline(text, line);) all.push_back(Json::parse(line));
    return all;
  }
};

const char* const kFirst = R"({"id": "u", "time": "2024-01-01", "event": "a", "price": 2})"
                           "\n";
const char* const kSecond = R"({"id": "u", "time": "2024-01-03", "event": "b"})"
                            "\n";
const char* const kThird = R"({"id": "u", "time": "2024-01-04", "event": "c", "price": 1})"
                           "\n";

TEST_F(StreamTool, AnswersEachLineByAPrediction) {
  const Ran ran = stream(std::string(kFirst) + "\n" + kSecond, "--top 2");
  EXPECT_EQ(ran.code, 0) << ran.err;
  const std::vector<Json> all = answers(ran);
  ASSERT_EQ(all.size(), 2);
  EXPECT_EQ(all[0].at("id"), "u");
  EXPECT_EQ(all[0].at("time"), "2024-01-01");
  ASSERT_EQ(all[0].at("next").size(), 2);
  EXPECT_GE(all[0].at("next")[0].at("p"), all[0].at("next")[1].at("p"));
  EXPECT_NE(all[0].at("next"), all[1].at("next"));
  EXPECT_FALSE(all[0].contains("missing"));
  EXPECT_EQ(all[1].at("missing"), Json({"price"}));
  EXPECT_EQ(ran.err, "2 events, 2 predictions, 1 sequence; 1 without a feature of the model\n");
}

TEST_F(StreamTool, SaysWhichSequenceMadeRoomAndWhichCameBack) {
  const std::string other = R"({"id": "v", "time": "2024-01-02", "event": "a", "price": 2})"
                            "\n";
  const std::vector<Json> all = answers(stream(kFirst + other + kThird, "--max-sequences 1"));
  ASSERT_EQ(all.size(), 3);
  EXPECT_FALSE(all[0].contains("evicted"));
  EXPECT_EQ(all[1].at("evicted"), "u");
  EXPECT_FALSE(all[1].contains("returned"));
  EXPECT_EQ(all[2].at("evicted"), "v");
  EXPECT_EQ(all[2].at("returned"), true);
}

TEST_F(StreamTool, TakesLinesWithoutAnIdAsTheOneSequenceOfAModelWithoutIds) {
  const std::string line = R"({"time": "2024-01-01", "event": "a", "price": 2})"
                           "\n";
  EXPECT_HAS(answers(stream(line))[0].at("error").get<std::string>(), "the line has no id");
  EXPECT_EQ(answers(stream(line, "--id -"))[0].at("id"), "all");
  TrainedModel model = testing::made_model();
  model.training["data"]["columns"] = {{"time", "time"}, {"event", "event"}};
  write(model, "m.t2v");
  const std::vector<Json> all = answers(stream(line + line));
  EXPECT_EQ(all[1].at("id"), "all");
  EXPECT_TRUE(all[1].contains("next"));
}

TEST_F(StreamTool, AnswersBadLinesByErrorsAndGoesOn) {
  const std::string late = R"({"id": "u", "time": "2023-01-01", "event": "a"})"
                           "\n";
  const std::string zebra = R"({"id": "u", "time": "2024-01-02", "event": "zebra"})"
                            "\n";
  const Ran ran = stream(std::string(kFirst) + "nonsense\n" + zebra + late + kSecond);
  EXPECT_EQ(ran.code, 0);
  const std::vector<Json> all = answers(ran);
  ASSERT_EQ(all.size(), 5);
  EXPECT_HAS(all[1].at("error").get<std::string>(), "not valid JSON");
  EXPECT_EQ(all[1].at("line"), 2);
  EXPECT_HAS(all[2].at("error").get<std::string>(),
             "the event type 'zebra' is unknown to the model; train with --unknown always");
  EXPECT_EQ(all[3].at("late"), "dropped");
  EXPECT_FALSE(all[3].contains("next"));
  EXPECT_EQ(all[4], answers(stream(std::string(kFirst) + kSecond))[1]);
  EXPECT_EQ(ran.err,
            "4 events, 2 predictions, 1 sequence; 1 bad among the lines; 1 refused; 1 without a feature of "
            "the model; 1 late and left out\n");
  EXPECT_EQ(answers(stream(std::string(kFirst) + late, "--late keep"))[1].at("late"), "kept");
}

TEST_F(StreamTool, AnswersLinesThatAreTooLongByAnError) {
  const Ran ran = stream(std::string(3 << 20, 'x') + "\n" + kFirst + std::string(2 << 20, 'y'));
  const std::vector<Json> all = answers(ran);
  ASSERT_EQ(all.size(), 3);
  EXPECT_HAS(all[0].at("error").get<std::string>(), "longer than 1 MiB");
  EXPECT_TRUE(all[1].contains("next"));
  EXPECT_EQ(all[2].at("line"), 3);
}

TEST_F(StreamTool, AnswersAtOnceWhileTheInputIsOpen) {
  put("first.jsonl", kFirst);
  const Ran ran = bash(
      "mkfifo in out; $T stream m.t2v < in > out 2>/dev/null & "
      "exec 3> in 4< out; cat first.jsonl >&3; read -t 20 line <&4; echo \"$line\"; exec 3>&-; wait");
  EXPECT_HAS(ran.out, "\"next\"");
}

TEST_F(StreamTool, GoesOnFromASnapshot) {
  const std::vector<Json> whole = answers(stream(std::string(kFirst) + kSecond + kThird));
  EXPECT_EQ(stream(std::string(kFirst) + kSecond, "--snapshot s.t2v").code, 0);
  EXPECT_TRUE(exists("s.t2v"));
  const Ran ran = stream(kThird, "--snapshot s.t2v");
  EXPECT_EQ(answers(ran).at(0), whole[2]);
  EXPECT_HAS(ran.err, "3 events, 3 predictions");
  write(testing::made_model("gru"), "m.t2v");
  expect_refused("stream m.t2v --snapshot s.t2v < in.jsonl", "another model");
}

TEST_F(StreamTool, SavesASnapshotOnASignalAndEndsWell) {
  put("first.jsonl", kFirst);
  const Ran ran = bash(
      "mkfifo in out; $T stream m.t2v --snapshot s.t2v < in > out 2>err & tool=$!; "
      "exec 3> in 4< out; cat first.jsonl >&3; read -t 20 line <&4; kill -TERM $tool; wait $tool; "
      "echo \"code $?\"; cat err; exec 3>&-");
  EXPECT_HAS(ran.out, "code 0\n1 event, 1 prediction, 1 sequence\n");
  EXPECT_EQ(answers(stream(kSecond, "--snapshot s.t2v")).at(0),
            answers(stream(std::string(kFirst) + kSecond)).at(1));
}

TEST_F(StreamTool, SavesSnapshotsOnTheWay) {
  put("first.jsonl", std::string(kFirst) + kSecond);
  const Ran ran = bash(
      "mkfifo in out; $T stream m.t2v --snapshot s.t2v --snapshot-every 2 < in > out 2>err & tool=$!; "
      "exec 3> in 4< out; cat first.jsonl >&3; read -t 20 line <&4; read -t 20 line <&4; "
      "for i in {1..200}; do [ -e s.t2v ] && break; sleep 0.1; done; "
      "kill -KILL $tool; wait $tool 2>/dev/null; exec 3>&-; ls s.t2v");
  EXPECT_HAS(ran.out, "s.t2v");
  EXPECT_EQ(answers(stream(kThird, "--snapshot s.t2v")).at(0),
            answers(stream(std::string(kFirst) + kSecond + kThird)).at(2));
}

TEST_F(StreamTool, SavesSnapshotsOfTheSameMomentsHoweverFastLinesCome) {
  // 300 sequences are copied in several steps, which the lines after the start go on beside.
  std::string lines;
  for (int i = 0; i < 1200; ++i) {
    lines += R"({"id": "u)" + std::to_string(i % 300) + R"(", "time": "2024-01-0)" +
             std::to_string(1 + i / 300) + R"(", "event": "a", "price": 2})" + "\n";
  }
  const Ran ran = stream(lines, "--snapshot s.t2v --snapshot-every 100");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(answers(ran).size(), 1200U);
  EXPECT_HAS(ran.err, "1,200 events, 1,200 predictions, 300 sequences\n");
  EXPECT_EQ(stream(lines, "--snapshot at_end.t2v").code, 0);
  EXPECT_EQ(get("s.t2v"), get("at_end.t2v"));
  EXPECT_EQ(names(), (std::vector<std::string>{"at_end.t2v", "in.jsonl", "m.t2v", "s.t2v"}));
}

TEST_F(StreamTool, EndsOnASignalWhileNobodyReadsItsAnswers) {
  std::string lines;
  for (int i = 0; i < 20000; ++i) lines += kFirst;
  put("in.jsonl", lines);
  const Ran ran = bash(
      "mkfifo out; $T stream m.t2v --snapshot s.t2v < in.jsonl > out 2>err & tool=$!; exec 4< out; sleep 1; "
      "kill -INT $tool; for i in {1..20}; do kill -0 $tool 2>/dev/null || break; sleep 0.1; done; "
      "kill -KILL $tool 2>/dev/null && echo hangs; wait $tool; echo \"code $?\"; cat err");
  EXPECT_HAS(ran.out, "code 2\n");
  EXPECT_HAS(ran.out, "t2v: answers were lost: a signal came while nobody read standard output\n");
  EXPECT_TRUE(exists("s.t2v"));
}

TEST_F(StreamTool, AndEveryCommandThatWaitsForAPipeEndOnASignal) {
  put("d.csv", kClicks);
  ASSERT_EQ(bash("mkfifo pipe").code, 0);
  for (const char* waits : {"train d.csv --config pipe -o x.t2v", "train pipe -o x.t2v", "doctor pipe",
                            "import pipe -o x.events", "predict m.t2v pipe", "evaluate m.t2v pipe",
                            "stream m.t2v < <(sleep 3)", "encode m.t2v - < <(sleep 3)"}) {
    // 124: the signal was enough; 137: it took another one, that nothing survives.
    const Ran ran = bash(std::string("timeout -s INT -k 1 0.2 $T ") + waits + "; echo code $?");
    EXPECT_HAS(ran.out, "code 124\n") << waits;
  }
}

TEST_F(StreamTool, DropsAndCountsLinesThatThereIsNoRoomForIfAsked) {
  std::string lines;
  for (int i = 0; i < 20000; ++i) lines += kFirst;
  put("in.jsonl", lines + "nonsense\n");
  // Nobody reads answers at first: a pipe of 64 KiB is full after some hundred.
  const std::string slow = "mkfifo out; $T stream m.t2v --backlog 50 --when-full ";
  const std::string reader = " < in.jsonl > out 2>err & (sleep 1; wc -l) < out; wait; cat err";
  const Ran dropping = bash(slow + "drop" + reader);
  const int answered = std::stoi(dropping.out);
  EXPECT_LT(answered, 19000);
  EXPECT_HAS(dropping.out, "lines dropped, as the backlog was full\n");
  std::string numbers;
  for (const char c : dropping.out.substr(dropping.out.rfind("; ") + 2)) {
    if (c >= '0' && c <= '9') numbers += c;
  }
  EXPECT_EQ(answered + std::stoi(numbers), 20001) << dropping.out;
  const Ran waiting = bash("rm out; " + slow + "wait" + reader);
  EXPECT_EQ(std::stoi(waiting.out), 20001);
  EXPECT_HAS(waiting.out, "1 bad among the lines");
  EXPECT_EQ(waiting.out.find("dropped"), std::string::npos);
}

TEST_F(StreamTool, RefusesIdsThatAreTooLong) {
  const std::string line =
      R"({"id": ")" + std::string(5000, 'x') + R"(", "time": "2024-01-01", "event": "a"})" + "\n";
  const std::vector<Json> all = answers(stream(line + kFirst));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_HAS(all[0].at("error").get<std::string>(), "has 5000 bytes; an id has at most 1024");
  EXPECT_TRUE(all[1].contains("next"));
}

TEST_F(StreamTool, AnswersQuestionsOfAModelThatLooksAtTheNextTime) {
  TrainedModel model = testing::made_model();
  model.config.times[0].input = TimeInput::kQuery;
  write(model, "m.t2v");
  const std::string question = R"({"id": "u", "at": "2024-01-05"})"
                               "\n";
  const Ran ran = stream(std::string(kFirst) + question);
  const std::vector<Json> all = answers(ran);
  ASSERT_EQ(all.size(), 2);
  EXPECT_FALSE(all[0].contains("next"));
  EXPECT_TRUE(all[1].contains("next"));
  EXPECT_EQ(all[1].at("at"), "2024-01-05");
  EXPECT_HAS(ran.err, "the model looks at the time of the next event");
}

TEST_F(StreamTool, RepeatsTimesAsTheyWereGiven) {
  TrainedModel model = testing::made_model();
  model.config.times[0].input = TimeInput::kQuery;
  write(model, "m.t2v");
  const Ran ran = stream(R"({"id": "u", "time": 1700000000.50, "event": "a", "at": "2024-01-05"})"
                         "\n");
  EXPECT_TRUE(
      ran.out.starts_with(R"({"id":"u","time":1700000000.50,"at":"2024-01-05","missing":["price"],"next":[)"))
      << ran.out;
}

TEST_F(StreamTool, WritesASmallSnapshotOfFewSequencesWhichInspectExplains) {
  ASSERT_EQ(stream(kFirst, "--snapshot s.t2v").code, 0);
  EXPECT_LT(get("s.t2v").size(), 4000U);
  const Ran ran = run("inspect s.t2v");
  EXPECT_EQ(ran.code, 0) << ran.err;
  for (const char* part :
       {"what       a snapshot of 't2v stream'", "model      next, the one whose checksum is ",
        "sequences  1\n", "events     1 came, 1 prediction given\n", "last event 2024-01-01T00:00:00Z\n",
        "go on      t2v stream MODEL --snapshot s.t2v\n"}) {
    EXPECT_HAS(ran.out, part);
  }
  EXPECT_EQ(Json::parse(run("inspect s.t2v --json").out).at("summary").at("counts").at("events"), 1);
}

TEST_F(StreamTool, ReadsTimesInTheFormThatIsAskedForOrThatTrainingHad) {
  const std::string line = R"({"id": "u", "time": "03/02/2024", "event": "a"})"
                           "\n";
  EXPECT_HAS(stream(line).out, "may have the day or the month first; give --day-first as yes or no");
  const auto said = [&](const std::string& time, const std::string& options) {
    put("two.jsonl", R"({"id": "u", "time": "2024-01-30", "event": "a"})"
                     "\n"
                     R"({"id": "u", "time": ")" +
                         time +
                         R"(", "event": "b"})"
                         "\n");
    const Ran ran = bash("$T stream m.t2v < two.jsonl " + options);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return answers(ran).at(1).value("next", Json());
  };
  const Json february = said("2024-02-03", "");
  ASSERT_FALSE(february.is_null());
  EXPECT_EQ(said("03/02/2024", "--day-first yes"), february);
  EXPECT_NE(said("03/02/2024", "--day-first no"), february);
  put("clicks.csv", "user,time,event\na,01/02/2024,x\na,31/03/2024,y\nb,05/02/2024,x\nb,06/02/2024,y\n");
  ASSERT_EQ(run("train clicks.csv --hidden 2 --epochs 1 -o m.t2v").code, 0);
  EXPECT_HAS(stream(R"({"id": "u", "time": "03/02/2024", "event": "x"})"
                    "\n")
                 .out,
             "\"next\":");
  EXPECT_HAS(stream(R"({"id": "u", "time": "3 Feb, 24", "event": "x"})"
                    "\n",
                    "--time-format '%d %b, %y'")
                 .out,
             "\"next\":");
  expect_refused("stream m.t2v --time-format %d", "does not tell the year");
}

TEST_F(StreamTool, RefusesWhatItCannotUse) {
  put("in.jsonl", "");
  put("no.t2v", "nothing");
  expect_refused("stream", "model");
  expect_refused("stream none.t2v < in.jsonl", "cannot open");
  expect_refused("stream no.t2v < in.jsonl", "has only 7 bytes");
  expect_refused("stream m.t2v --snapshot-every 5 < in.jsonl", "--snapshot");
  expect_refused("stream m.t2v --snapshot none/s < in.jsonl", "no such folder");
  expect_refused("stream m.t2v --snapshot m.t2v < in.jsonl",
                 "m.t2v: would be written over itself; name another output");
  expect_refused(
      "stream m.t2v --snapshot no.t2v < in.jsonl",
      "no.t2v: is there already and is not a snapshot of a stream; name another output, or remove it");
  expect_refused("stream m.t2v --late never < in.jsonl", "--late");
  expect_refused("stream m.t2v --backlog 0 < in.jsonl", "--backlog");
  expect_refused("stream m.t2v --when-full never < in.jsonl", "--when-full");
  expect_refused("stream m.t2v --max-sequences 0 < in.jsonl", "--max-sequences");
  expect_refused("stream m.t2v --timezone Nowhere < in.jsonl", "Nowhere");
}

}  // namespace
}  // namespace t2v
