#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "base/container.h"
#include "model/trained_model.h"
#include "tool.h"

namespace t2v {
namespace {

using Json = nlohmann::json;

/// The tool at work on visits of the types a, b, c in turn, at steps of hours.
class Train : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    put("events.csv", visits(24, 5));
  }

  static std::string visits(int users, int events) {
    std::string text = "user,time,event\n";
    for (int u = 0; u < users; ++u) {
      for (int i = 0; i < events; ++i) {
        const int hour = i * (1 + u % 3);
        text += "u" + std::to_string(u) + ",2024-01-" + (u % 20 + 1 < 10 ? "0" : "") +
                std::to_string(u % 20 + 1) + "T" + (hour < 10 ? "0" : "") + std::to_string(hour) +
                ":00:00Z," + "abc"[(u + i) % 3] + "\n";
      }
    }
    return text;
  }

  /// Two models are the same byte for byte.
  void expect_same_model(const std::string& a, const std::string& b) const {
    EXPECT_FALSE(get(a).empty()) << a;
    EXPECT_TRUE(get(a) == get(b)) << a << " and " << b << " differ";
  }
};

const char* const kTiny = " --hidden 4 --time t2v:2 --batch 4 --epochs 3 --rate 0.02 ";

TEST_F(Train, NeedsNothingButAFile) {
  const Ran ran = run("train events.csv --epochs 1");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.err, "task: next\n");
  EXPECT_HAS(ran.err, "learned from: 22 sequences; validation: 2, the latest to start\n");
  EXPECT_HAS(ran.err, "epoch   1  loss ");
  EXPECT_EQ(names(), (std::vector<std::string>{"events.csv", "model.t2v"}));
  // Standard output has the results alone.
  EXPECT_TRUE(ran.out.starts_with("finished: 1 epoch\nbest epoch   1\nvalidation   loss ")) << ran.out;
  EXPECT_TRUE(ran.out.ends_with("written      model.t2v\n")) << ran.out;
  const auto lines = std::ranges::count(ran.out, '\n');
  const std::string_view note = "\nnote  ";
  int64_t notes = 0;
  for (std::size_t at = ran.out.find(note); at != std::string::npos; at = ran.out.find(note, at + 1)) ++notes;
  EXPECT_EQ(lines - notes, 5) << ran.out;
  EXPECT_EQ(run("evaluate model.t2v events.csv").code, 0);
}

TEST_F(Train, SaysWhereNothingIsForValidation) {
  put("one.csv", visits(1, 20));
  const Ran ran = run("train one.csv --epochs 2 -o one.t2v" + std::string(" --hidden 4"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.err, "learned from: 1 sequence; none for validation");
  EXPECT_EQ(ran.out.find("validation"), std::string::npos);
}

TEST_F(Train, EndsInTimeWithAModel) {
  const Ran ran = run("train events.csv --epochs 1000000 --patience 0 --max-time 0.3 --hidden 4");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.out, "stopped: time limit reached after ");
  EXPECT_TRUE(exists("model.t2v"));
}

TEST_F(Train, GoesOnAfterItWasKilledToTheSameModel) {
  const std::string options =
      "train events.csv --hidden 4 --batch 4 --epochs 60 --patience 2 --layers 2 --dropout 0.2 ";
  ASSERT_EQ(run(options + "-o whole.t2v --threads 1").code, 0);
  // Killed soon after there is a checkpoint, again and again; then it may end.
  const Ran ran = bash(
      "for i in $(seq 8); do\n"
      "  resume=; [ -e m.t2v.checkpoint ] && resume=--resume && echo resumed\n"
      "  $T " +
      options +
      "-o m.t2v --threads $((1 + i % 3)) --checkpoint-steps 1 $resume >/dev/null 2>&1 & p=$!\n"
      "  for n in $(seq 2000); do [ -e m.t2v.checkpoint ] && break; sleep 0.005; done\n"
      "  sleep 0.0$((i % 5))5; kill -9 $p; wait $p\n"
      "  [ -e m.t2v ] && exit 0\n"
      "done 2>/dev/null\n"
      "$T " +
      options + "-o m.t2v --threads 2 --resume");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.out, "resumed");
  expect_same_model("m.t2v", "whole.t2v");
  EXPECT_EQ(names(), (std::vector<std::string>{"events.csv", "m.t2v", "whole.t2v"}));
}

TEST_F(Train, SavesOnSignalsAndSaysHowToGoOn) {
  const std::string options =
      "train events.csv --hidden 4 --batch 4 --epochs 600 --epoch-steps 1 --patience 0 ";
  ASSERT_EQ(run(options + "-o whole.t2v").code, 0);
  for (const auto& [signal, code] : {std::pair{"INT", 130}, std::pair{"TERM", 143}, std::pair{"HUP", 129}}) {
    const auto start = std::chrono::steady_clock::now();
    // A shell that does not wait for a job would have it ignore SIGINT; tests under nohup ignore SIGHUP.
    const Ran ran = bash("set -m; env --default-signal=HUP $T " + options +
                         "-o m.t2v --log run.jsonl & p=$!\n"
                         // Without a new process, which on a busy machine may take longer than the training.
                         "until [[ $SECONDS -ge 10 || $seen == *'\"epoch\"'* ]]; do\n"
                         "  [ -e run.jsonl ] && read -r -d '' seen <run.jsonl\n"
                         "done\n"
                         "kill -" +
                         signal + " $p; wait $p");
    EXPECT_EQ(ran.code, code) << ran.err;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(4));
    EXPECT_HAS(ran.err, "saved to m.t2v.checkpoint; run the same command with --resume to go on\n");
    EXPECT_EQ(ran.out, "");
    EXPECT_FALSE(exists("m.t2v"));
    ASSERT_TRUE(exists("m.t2v.checkpoint"));
    EXPECT_EQ(run(options + "-o m.t2v --resume --threads 2").code, 0);
    expect_same_model("m.t2v", "whole.t2v");
    EXPECT_FALSE(exists("m.t2v.checkpoint"));
    std::filesystem::remove(path("m.t2v"));
    std::filesystem::remove(path("run.jsonl"));
  }
}

TEST_F(Train, IsStoppedInTheMidstOfLargeProductsWithoutHarm) {
  // Matrix products may run on a stack of their own, where the frame of a signal would fall on the heap.
  std::string table = "user,time,event\n";
  for (int i = 0; i < 1200; ++i) {
    table += "u" + std::to_string(i % 40) + "," + std::to_string(1'600'000'000 + 3600 * i) + ",e" +
             std::to_string(i * i % 7 % 3) + "\n";
  }
  put("many.csv", table);
  for (int i = 0; i < 12; ++i) {
    const std::string moment = "0." + std::to_string(20 + 7 * i);
    const Ran ran = bash("set -m; $T train many.csv --epochs 100000 --patience 0 -o m.t2v & p=$!\nsleep " +
                         moment + "; kill -INT $p; wait $p");
    // Before the training starts there is nothing to save.
    EXPECT_EQ(ran.code, 130) << ran.err;
    std::filesystem::remove(path("m.t2v.checkpoint"));
  }
}

TEST_F(Train, EndsWithinASecondOfASignalHoweverLongAStepTakes) {
  std::string table = "user,time,event\n";
  for (int i = 0; i < 200'000; ++i) {
    table += "u" + std::to_string(i / 40) + "," + std::to_string(1'600'000'000 + 3600 * (i % 40)) + ",e" +
             std::to_string(i * i % 7 % 3) + "\n";
  }
  put("many.csv", table);
  // A step takes some seconds; so does what comes after the last one: rules and the validation of the other.
  for (const char* options :
       {"--batch 5000 --hidden 256", "--epoch-steps 1 --batch 500 --hidden 256 --valid-share 0.9"}) {
    const Ran ran =
        bash("set -m; $T train many.csv --epochs 1 -o m.t2v --log run.jsonl " + std::string(options) +
             " & p=$!\n"
             "for n in $(seq 2000); do [ -s run.jsonl ] && break; sleep 0.01; done; sleep 1.5\n"
             "kill -INT $p; for n in $(seq 150); do kill -0 $p 2>/dev/null || break; sleep 0.01; done\n"
             "kill -KILL $p 2>/dev/null && echo hangs; wait $p");
    EXPECT_EQ(ran.code, 130) << ran.err;
    EXPECT_EQ(ran.out, "") << options;
    EXPECT_TRUE(exists("m.t2v.checkpoint"));
    std::filesystem::remove(path("m.t2v.checkpoint"));
    std::filesystem::remove(path("run.jsonl"));
  }
}

TEST_F(Train, GoesOnWhereNobodyListens) {
  const std::string options = "$T train events.csv --hidden 4 --epochs 2 -o m.t2v ";
  for (const char* deaf : {"2>/dev/full", "2>&-", "2> >(true)"}) {
    EXPECT_EQ(bash(options + deaf).code, 0) << deaf;
    EXPECT_TRUE(exists("m.t2v")) << deaf;
    std::filesystem::remove(path("m.t2v"));
  }
}

TEST_F(Train, GoesOnWithoutACheckpointThatCannotBeSaved) {
  const Ran ran = bash(
      "mkdir m.t2v.checkpoint.t2v-unfinished && touch m.t2v.checkpoint.t2v-unfinished/x\n"
      "$T train events.csv --hidden 4 --epochs 2 --checkpoint-steps 1 -o m.t2v");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(exists("m.t2v"));
  const std::string said = "no checkpoint could be saved, going on without: m.t2v.checkpoint";
  EXPECT_HAS(ran.err, said);
  EXPECT_EQ(ran.err.find(said), ran.err.rfind(said)) << "said once";
}

TEST_F(Train, DoesNotThrowAStoppedRunAway) {
  put("model.t2v.checkpoint", "a run");
  expect_refused("train events.csv --epochs 1 --hidden 4",
                 "model.t2v.checkpoint: is a run that was stopped; go on with --resume, or delete it");
}

TEST_F(Train, RefusesToGoOnWithOtherOptionsOrData) {
  expect_refused("train events.csv --resume", "model.t2v.checkpoint: is not there");
  const Ran ran = bash(
      "set -m; $T train events.csv --epochs 100000 --patience 0 --hidden 4 --checkpoint-steps 1 & p=$!\n"
      "for n in $(seq 2000); do [ -e model.t2v.checkpoint ] && break; sleep 0.005; done\n"
      "kill -TERM $p; wait $p");
  ASSERT_EQ(ran.code, 143) << ran.err;
  const std::string options = "--epochs 100000 --patience 0 --resume ";
  expect_refused("train events.csv --hidden 5 " + options, "was made with --hidden 4, but now it is 5");
  expect_refused("train events.csv --hidden 4 --unit d " + options,
                 "was made with --unit h, but now it is d");
  expect_refused("train events.csv --hidden 4 --max-len 2 " + options,
                 "was made with --max-len unset, but now it is 2");
  put("events.csv", visits(25, 5));
  expect_refused("train events.csv --hidden 4 " + options, "was made with other data");
  put("events.csv", visits(24, 5));
  EXPECT_EQ(run("train events.csv --hidden 4 --patience 0 --resume --epochs 1").code, 0);
}

TEST_F(Train, KeepsTheOldModelWhereThereIsNoRoomForTheNew) {
  ASSERT_EQ(run("train events.csv" + std::string(kTiny)).code, 0);
  const std::string before = get("model.t2v");
  const Ran ran = bash("ulimit -f 1; $T train events.csv --seed 2" + std::string(kTiny));
  EXPECT_EQ(ran.code, 2) << ran.err;
  EXPECT_EQ(ran.out, "");
  const std::string last = ran.err.substr(ran.err.rfind('\n', ran.err.size() - 2) + 1);
  EXPECT_TRUE(last.starts_with("t2v: model.t2v")) << ran.err;
  EXPECT_EQ(get("model.t2v"), before);
  EXPECT_EQ(names(), (std::vector<std::string>{"events.csv", "model.t2v"}));
  EXPECT_EQ(run("inspect model.t2v").code, 0);
}

TEST_F(Train, RefusesWhereNothingCanBeWrittenBeforeItReads) {
  expect_refused("train no.csv -o none/m.t2v", "none");
}

TEST_F(Train, TakesOptionsFromAFile) {
  put("c.json", R"({"hidden": 5, "time": "t2v:3", "epochs": 1, "no-skip": true, "valid": 0.5, "unit": "d"})");
  ASSERT_EQ(run("train events.csv --config c.json --hidden 6 -o m.t2v").code, 0);
  const TrainedModel model = read_model(path("m.t2v"));
  EXPECT_EQ(model.config.hidden, 6);  // the command line comes first
  EXPECT_EQ(model.config.times[0].k, 3);
  EXPECT_FALSE(model.config.skip);
  EXPECT_EQ(model.options->at("hidden"), 6);
  EXPECT_EQ(model.options->at("epochs"), 1);
  EXPECT_EQ(model.training->at("valid_sequences"), 12);
  EXPECT_EQ(model.times.view.unit, "d");
}

TEST_F(Train, TakesAListInAFileForWordsWithCommas) {
  put("c.json", R"({"time-input": ["gap", "start"], "hidden": 4, "epochs": 1})");
  const Ran ran = run("train events.csv --config c.json -o m.t2v");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(read_model(path("m.t2v")).options->at("time-input"), "gap,start");
}

TEST_F(Train, MakesAPlaceForUnknownTypesIfAsked) {
  ASSERT_EQ(run("train events.csv --unknown always -o m.t2v" + std::string(kTiny)).code, 0);
  const TrainedModel model = read_model(path("m.t2v"));
  EXPECT_TRUE(model.encoding.event->unknown);
  EXPECT_EQ(model.options->at("unknown"), "always");
  ASSERT_EQ(run("train events.csv -o n.t2v" + std::string(kTiny)).code, 0);
  EXPECT_FALSE(read_model(path("n.t2v")).encoding.event->unknown);
}

TEST_F(Train, SaysWhichColumnsAreNotRead) {
  put("more.csv", "user,time,event,amount,churn\na,1,x,5,no\na,2,y,6,no\nb,1,x,5,yes\nb,3,y,7,yes\n");
  const Ran ran = run("train more.csv --valid-share 0 -o m.t2v" + std::string(kTiny));
  EXPECT_HAS(ran.err,
             "not read: 'amount', 'churn'; use --features for inputs, --label for the class of a sequence\n");
  EXPECT_FALSE(has(run("predict m.t2v more.csv").err, "not read"));
}

TEST_F(Train, FitsTheLiveLineToTheTerminal) {
  const Ran ran = bash(
      "script -qc \"stty cols 30; $T train events.csv --hidden 4 --epochs 3 --epoch-steps 400 -o m.t2v\" "
      "/dev/null | tr '\\r' '\\n' > typed; grep -a ' s left' typed | head -1");
  EXPECT_HAS(ran.out, " s left");
  EXPECT_LE(ran.out.size(), 31U) << ran.out;
}

/// A training, and a second by the options that the first one's model records.
TEST_F(Train, RecordsOptionsThatGiveTheSameRunAgain) {
  put("values.csv", [] {
    std::string text = "user,time,value\n";
    for (int i = 0; i < 120; ++i) {
      text += (i % 2 == 0 ? "u," : "v,") + std::to_string(i / 2) + "," + std::to_string(i % 7) + "\n";
    }
    return text;
  }());
  ASSERT_EQ(run("import events.csv --split random --valid-share 0.2 -o parts.events").code, 0);
  for (const std::string options :
       {"events.csv", "events.csv --unit d --origin dataset", "events.csv --origin 2024-01-01 --time raw",
        "events.csv --max-len 3 --cut first --vocab 2", "events.csv --split random --test-share 0.3",
        "events.csv --split random --split-seed 4 --valid-share 0.3 --vocab-from-all --vocab 2",
        "events.csv --split time --test-from 2024-01-15", "events.csv --max-len 3 --valid-share 0.3",
        "events.csv --time calendar", "events.csv --query-time --match-params 900", "events.csv --when",
        "parts.events", "values.csv", "values.csv --task regress --origin 5"}) {
    const std::string file = options.substr(0, options.find(' '));
    const Ran first = run("train " + options + " --hidden 4 --batch 4 --epochs 2 --epoch-steps 4 -o a.t2v");
    ASSERT_EQ(first.code, 0) << options << "\n" << first.err;
    put("again.json", read_model(path("a.t2v")).options->dump());
    const Ran again = run("train " + file + " --config again.json -o b.t2v");
    ASSERT_EQ(again.code, 0) << options << "\n" << again.err;
    SCOPED_TRACE(options);
    expect_same_model("a.t2v", "b.t2v");
    EXPECT_EQ(*read_model(path("a.t2v")).options, *read_model(path("b.t2v")).options);
  }
}

TEST_F(Train, RecordsWhatWasSettled) {
  ASSERT_EQ(run("train events.csv --hidden 4 --epochs 1 --max-len 4 --vocab 2 --match-params 700").code, 0);
  const TrainedModel model = read_model(path("model.t2v"));
  EXPECT_EQ(model.options->at("time"), "auto");
  EXPECT_EQ(model.options->at("time-input"), "auto");
  EXPECT_EQ(model.options->at("unit"), "h");
  EXPECT_EQ(model.options->at("origin"), "dataset");
  EXPECT_EQ(model.options->at("max-len"), 4);
  EXPECT_EQ(model.options->at("vocab"), 2);
  EXPECT_FALSE(model.options->contains("cut"));
  EXPECT_EQ(model.options->at("match-params"), 700);
  EXPECT_EQ(model.options->at("hidden"), model.config.hidden);
  EXPECT_NE(model.config.hidden, 4);
}

TEST_F(Train, RefusesOptionsOfAFileThatMakeNoSense) {
  const auto refused = [&](const std::string& json, const std::string& why) {
    put("c.json", json);
    expect_refused("train events.csv --config c.json", why);
  };
  refused(R"({"hiden": 5})", "c.json: there is no option 'hiden'; did you mean 'hidden'?");
  refused(R"({"hidden": "many"})", R"(c.json: option 'hidden' cannot be "many")");
  refused(R"({"hidden": true})", "c.json: option 'hidden' cannot be true");
  refused(R"({"hidden": 2.5})", "c.json: option 'hidden' cannot be 2.5");
  refused(R"({"hidden": [1, 2]})", "c.json: option 'hidden' cannot be [1,2]");
  refused(R"({"hidden": null})", "c.json: option 'hidden' cannot be null");
  refused(R"({"task": null})", "c.json: option 'task' cannot be null");
  refused(R"({"hidden": {"a": 1}})", "c.json: option 'hidden' cannot be {");
  refused(R"({"when": 1})", "c.json: option 'when' cannot be 1");
  refused(R"({"cell": "lsmt"})", "c.json: option 'cell' cannot be \"lsmt\": --cell 'lsmt' is none of auto, ");
  refused(R"({"seed": -1})", "c.json: option 'seed' cannot be -1");
  refused(R"({"max-len": -1})", "c.json: option 'max-len' cannot be -1");
  refused("{\"hidden\": 4,\n \"seed\": ", "c.json:2:10: the file ends too early");
  refused("{\"hidden\": 4,\n nonsense}", "c.json:2:3: this is not valid JSON");
  refused(R"({"hidden": 4, "hidden": 5})", "c.json: the option 'hidden' is there twice");
  refused(R"({"config": "d.json"})", "c.json: a file of options cannot name another one");
  refused("[1]", "c.json: is not a JSON object");
  expect_refused("train events.csv --config none.json", "none.json");
}

TEST_F(Train, WritesALogOfJsonLines) {
  ASSERT_EQ(run("train events.csv --log run.jsonl" + std::string(kTiny)).code, 0);
  std::vector<Json> lines;
  std::istringstream text(get("run.jsonl"));
  for (std::string line; std::getline(text, line);) lines.push_back(Json::parse(line));
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0].at("event"), "start");
  EXPECT_EQ(lines[0].at("options").at("hidden"), 4);
  for (int i = 1; i <= 3; ++i) {
    EXPECT_EQ(lines[static_cast<std::size_t>(i)].at("epoch"), i);
    EXPECT_TRUE(lines[static_cast<std::size_t>(i)].at("valid_loss").is_number());
  }
  EXPECT_EQ(lines[1].at("rate"), 0.02);
  EXPECT_EQ(lines[4].at("reason"), "finished: 3 epochs");
  expect_refused("train events.csv --log none/run.jsonl" + std::string(kTiny),
                 "none: there is no such folder");
}

TEST_F(Train, TakesValidationAsAShareOrAFile) {
  const auto valid_of = [&](const std::string& options) {
    const Ran ran = run("train " + options + " -o v.t2v" + kTiny);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return read_model(path("v.t2v")).training->at("valid_sequences").get<int>();
  };
  put("late.csv", visits(3, 4));
  EXPECT_EQ(valid_of("events.csv --valid 0.25"), 6);
  EXPECT_EQ(valid_of("events.csv --valid-share 0.25"), 6);
  EXPECT_EQ(valid_of("events.csv --valid-share 0.25 --max-len 3"), 6);
  EXPECT_EQ(valid_of("events.csv --valid 0.25 --max-len 3"), 6);
  EXPECT_EQ(valid_of("events.csv --valid 0"), 0);
  EXPECT_EQ(valid_of("events.csv --valid-share 0"), 0);
  EXPECT_EQ(valid_of("events.csv --split random --valid-share 0.25"), 6);
  put("train.csv", visits(24, 5).substr(0, visits(20, 5).size()));
  std::string late = visits(24, 5);
  put("late.csv", "user,time,event\n" + late.substr(visits(20, 5).size()));
  EXPECT_EQ(valid_of("--train train.csv --valid late.csv"), 4);
  expect_refused("train events.csv --valid 1.5", "in [0, 1)");
  expect_refused("train --train train.csv --valid late.csv --valid-share 0.2", "leave it out");
}

TEST_F(Train, GoesOnFromAModel) {
  const std::string options = " --hidden 6 --time t2v:2 --batch 4 --patience 0 --rate 0.02 ";
  ASSERT_EQ(run("train events.csv --epochs 40 -o first.t2v" + options).code, 0);
  ASSERT_EQ(run("train events.csv --epochs 1 -o second.t2v --init first.t2v" + options).code, 0);
  // What the model is need not be said again.
  EXPECT_EQ(run("train events.csv --epochs 1 -o third.t2v --init first.t2v").code, 0);
  const TrainedModel first = read_model(path("first.t2v"));
  const TrainedModel second = read_model(path("second.t2v"));
  const double start = first.training->at("epochs").front().at("loss");
  const double end = first.training->at("epochs").back().at("loss");
  const double again = second.training->at("epochs").front().at("loss");
  EXPECT_LT(end, 0.7 * start);
  EXPECT_LT(again, end + 0.1 * (start - end));
  EXPECT_EQ(second.times.view.unit, first.times.view.unit);
  expect_refused("train events.csv --init none.t2v", "none.t2v");
  expect_refused("train events.csv --init events.csv", "events.csv");
}

TEST_F(Train, NamesTheOptionThatContradictsTheModelToGoOnFrom) {
  const std::string layout = " --hidden 6 --time t2v:2 --vocab 2 --epochs 1 ";
  ASSERT_EQ(run("train events.csv -o first.t2v" + layout).code, 0);
  const auto refused = [&](const std::string& option, const std::string& of_model) {
    expect_refused("train events.csv -o second.t2v --init first.t2v " + option,
                   option + " contradicts the model that --init names (" + of_model + "); leave it out");
  };
  refused("--hidden 7", "6");
  refused("--cell gru", "lstm");
  refused("--layers 2", "1");
  refused("--time t2v:3", "t2v:2");
  refused("--time-input gap", "start,gap");
  refused("--activation cos", "sin");
  refused("--task recommend", "next");
  refused("--vocab 3", "2");
  refused("--unit d", "h");
  refused("--origin dataset", "sequence");
  expect_refused("train events.csv --init first.t2v --when", "--when yes contradicts");
  // What the model has may be said.
  EXPECT_EQ(
      run("train events.csv -o second.t2v --init first.t2v --unit h --origin sequence --cell lstm" + layout)
          .code,
      0);
}

TEST_F(Train, RefusesWhatMakesNoSenseInOneLine) {
  expect_refused("train", "no file was given");
  expect_refused("train events.csv --cell lsmt", "(did you mean 'lstm'?)");
  expect_refused("train events.csv --activation sine", "sin, cos");
  expect_refused("train events.csv --omega-init spam", "span, cycles, periodogram");
  expect_refused("train events.csv --time t3v:4", "t2v:k, such as t2v:64");
  expect_refused("train events.csv --time when", "none, raw, log, week, calendar, t2v or t2v:k");
  for (const char* k : {"0", "100001", "9223372036854775807", "9223372036854775808"}) {
    expect_refused("train events.csv --time t2v:" + std::string(k), "t2v:k with a k from 1 to 100,000");
  }
  expect_refused("train events.csv --task guess", "classify, next");
  expect_refused("train events.csv --when --query-time", "use one of them");
  expect_refused("train events.csv --task classify", "--label");
  expect_refused("train events.csv --event -", "nothing to predict");
  expect_refused("train events.csv --hidden few", "--hidden");
  expect_refused("train events.csv --batch 0", "--batch 0 is not a number from 1 to 1,000,000,000");
  put("single.csv", visits(5, 1));
  expect_refused("train single.csv", "needs sequences of two events or more");
  put("plain.csv", "user,time,event\nu,1,a\nu,2,b\nv,1,a\nv,3,b\n");
  expect_refused("train plain.csv --time calendar", "plain numbers");
}

TEST_F(Train, RefusesCountsBeyondTheirBoundsBeforeItReads) {
  struct Bound {
    const char* name;
    int64_t most;
    const char* shown;
  };
  constexpr Bound kBounds[] = {
      {"hidden", 65'536, "65,536"},
      {"layers", 64, "64"},
      {"match-params", 1'000'000'000, "1,000,000,000"},
      {"components", 1'000, "1,000"},
      {"chunk", 1'000'000'000, "1,000,000,000"},
      {"warmup", 1'000'000'000, "1,000,000,000"},
      {"epochs", 1'000'000, "1,000,000"},
      {"epoch-steps", 1'000'000'000, "1,000,000,000"},
      {"batch", 1'000'000'000, "1,000,000,000"},
      {"patience", 1'000'000'000, "1,000,000,000"},
      {"patience-steps", 1'000'000'000, "1,000,000,000"},
      {"rate-cuts", 1'000, "1,000"},
  };
  put("c.json", "");
  for (const Bound& bound : kBounds) {
    for (const int64_t value : {bound.most + 1, INT64_MAX, int64_t{-1}, INT64_MIN}) {
      const std::string given = "--" + std::string(bound.name) + " " + std::to_string(value);
      const std::string says = given + " is not a number from ";
      expect_refused("train none.csv " + given, says);
      put("c.json", "{\"" + std::string(bound.name) + "\": " + std::to_string(value) + "}");
      expect_refused("train none.csv --config c.json", says);
      expect_refused("train none.csv --config c.json", std::string(" to ") + bound.shown + "\n");
    }
  }
  expect_refused("ablate none.csv --hidden 65537", "--hidden 65537 is not a number from 0 to 65,536");
  expect_refused("train none.csv --max-len 9223372036854775807", "--max-len");
  expect_refused("train none.csv --vocab 9223372036854775807", "--vocab");
}

TEST_F(Train, TakesAPlainSeriesForOneSequence) {
  std::string rows = "date,y\n";
  for (int i = 0; i < 60; ++i) {
    rows += "2024-0" + std::to_string(1 + i / 28) + "-" + std::to_string(10 + i % 28 * 18 / 28) + "," +
            std::to_string(i % 7) + "\n";
  }
  put("series.csv", rows);
  const Ran ran = run("train series.csv --epochs 1");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.err,
             "columns: time 'date', value 'y'\n"
             "all rows are one sequence, since no column looks like an id\n");
  EXPECT_HAS(ran.err, "task: forecast\n");
  EXPECT_EQ(run("evaluate model.t2v series.csv").code, 0);
  EXPECT_EQ(run("predict model.t2v series.csv --at '+1 d'").code, 0);
}

TEST_F(Train, TakesAColumnOfTimesByEitherName) {
  put("odd.csv", "user,moment,event\nu,1,a\nu,2,b\nv,1,a\nv,3,b\nw,2,a\nw,4,b\n");
  for (const char* option : {"--time moment", "--time-column moment"}) {
    const Ran ran = run("train odd.csv " + std::string(option) + " --epochs 1 --hidden 4");
    EXPECT_EQ(ran.code, 0) << ran.err;
  }
  expect_refused("train odd.csv --time-column moment --time moment", "t2v:k");
}

TEST_F(Train, ReplacesNothingButFiles) {
  ASSERT_EQ(bash("mkfifo pipe").code, 0);
  expect_refused("train events.csv -o pipe", "pipe: is not a file that can be replaced");
}

TEST_F(Train, OfASingleClassGivesAModelThatCanBeUsed) {
  std::string rows = "user,time,event,label\n";
  for (int i = 0; i < 60; ++i) rows += "u" + std::to_string(i % 20) + "," + std::to_string(i) + ",a,x\n";
  put("single.csv", rows);
  ASSERT_EQ(run("train single.csv --epochs 1 --hidden 4 -o single.t2v").code, 0);
  EXPECT_EQ(run("inspect single.t2v").code, 0);
}

TEST_F(Train, SaysSoIfItsResultsCannotBePrinted) {
  const Ran ran = bash("$T train events.csv --epochs 1 --hidden 4 >/dev/full");
  EXPECT_EQ(ran.code, 2);
  EXPECT_HAS(ran.err, "standard output cannot be written");
}

}  // namespace
}  // namespace t2v
