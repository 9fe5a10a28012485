#include <nlohmann/json.hpp>
#include <sstream>

#include "model/made_model.h"
#include "tool.h"

namespace t2v {
namespace {

using nlohmann::json;

constexpr const char* kShop =
    "user,time,event,price\n"
    "ann,2024-01-01T08:00:00Z,a,1.5\n"
    "ann,2024-01-02T08:00:00Z,b,2\n"
    "\"bob, jr\",2024-01-01T09:30:00Z,c,\n"
    "\"bob, jr\",2024-01-04T09:30:00Z,a,3\n"
    "cy,2024-01-05T00:00:00Z,d,2\n";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

class Predict : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    put("shop.csv", kShop);
    save("next.t2v", testing::made_model());
  }
  /// Writes a model with parameters that fit its configuration.
  void save(const std::string& name, TrainedModel model) const {
    model.parameters = nn::convert<float>(testing::made_parameters(Model(model.config), 1));
    write_model(FileSystem::real(), path(name), model);
  }
  void save_query_model() const {
    TrainedModel model = testing::made_model();
    model.config.times[1].input = TimeInput::kQuery;
    save("query.t2v", model);
  }
  /// The lines that it writes to standard output.
  std::vector<std::string> predicted(const std::string& arguments) const {
    const Ran ran = run("predict " + arguments);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return lines_of(ran.out);
  }
};

TEST_F(Predict, WritesALineOfJsonForEachSequence) {
  const auto lines = predicted("next.t2v shop.csv --top 2");
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_TRUE(lines[1].starts_with(R"({"id":"bob, jr","time":"2024-01-04T09:30:00Z","next":[{"event":")"))
      << lines[1];
  const json ann = json::parse(lines[0]);
  EXPECT_EQ(ann["id"], "ann");
  EXPECT_EQ(ann["time"], "2024-01-02T08:00:00Z");
  ASSERT_EQ(ann["next"].size(), 2U);
  EXPECT_GE(ann["next"][0]["p"], ann["next"][1]["p"]);
}

TEST_F(Predict, GivesProbabilitiesThatSumToOne) {
  for (const std::string& line : predicted("next.t2v shop.csv --every-event")) {
    const json prediction = json::parse(line);
    double sum = 0;
    for (const json& choice : prediction["next"]) sum += choice["p"].get<double>();
    EXPECT_NEAR(sum, 1, 1e-5) << line;
  }
}

TEST_F(Predict, WritesATableWithARowForEachChoice) {
  expect_refused("predict next.t2v shop.csv --csv --json", "--csv and --json contradict each other");
  EXPECT_EQ(predicted("next.t2v shop.csv --json"), predicted("next.t2v shop.csv"));
  const auto lines = predicted("next.t2v shop.csv --csv --top 2");
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[0], "id,time,rank,event,probability");
  EXPECT_TRUE(lines[1].starts_with("ann,2024-01-02T08:00:00Z,1,")) << lines[1];
  EXPECT_TRUE(lines[2].starts_with("ann,2024-01-02T08:00:00Z,2,")) << lines[2];
  EXPECT_TRUE(lines[3].starts_with("\"bob, jr\",2024-01-04T09:30:00Z,1,")) << lines[3];
  const json same = json::parse(predicted("next.t2v shop.csv")[2])["next"][0];
  std::ostringstream want;
  want << "cy,2024-01-05T00:00:00Z,1," << same["event"].get<std::string>() << "," << same["p"];
  EXPECT_EQ(lines[5], want.str());
}

TEST_F(Predict, PredictsAfterEveryEvent) {
  const auto lines = predicted("next.t2v shop.csv --every-event --threads 2");
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(json::parse(lines[0])["time"], "2024-01-01T08:00:00Z");
  EXPECT_EQ(json::parse(lines[1])["time"], "2024-01-02T08:00:00Z");
}

TEST_F(Predict, WritesAFileWhole) {
  const Ran ran = run("predict next.t2v shop.csv -o out.jsonl");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(lines_of(get("out.jsonl")), predicted("next.t2v shop.csv"));
  EXPECT_FALSE(exists("out.jsonl.t2v-unfinished"));
  expect_refused("predict next.t2v shop.csv -o shop.csv", "name another output");
  expect_refused("predict next.t2v shop.csv -o next.t2v", "name another output");
  expect_refused("predict next.t2v shop.csv -o no/such.jsonl", "no such folder");
  EXPECT_EQ(get("shop.csv"), kShop);
}

TEST_F(Predict, ReadsStandardInputAndEventStores) {
  const auto want = predicted("next.t2v shop.csv");
  EXPECT_EQ(lines_of(bash("$T predict next.t2v - <shop.csv").out), want);
  EXPECT_EQ(run("import shop.csv --features price -o shop.events --unit h").code, 0);
  EXPECT_EQ(predicted("next.t2v shop.events"), want);
}

TEST_F(Predict, PredictsForTimesThatAreAskedFor) {
  save_query_model();
  const auto lines = predicted("query.t2v shop.csv --at '+1.5 d' --at 2024-02-01 --top 1");
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(json::parse(lines[0])["at"], "2024-01-03T20:00:00Z");
  EXPECT_EQ(json::parse(lines[1])["at"], "2024-02-01T00:00:00Z");
  EXPECT_EQ(json::parse(lines[2])["at"], "2024-01-05T21:30:00Z");
  EXPECT_EQ(predicted("query.t2v shop.csv --at +36h --top 1")[1], lines[2]);
  EXPECT_EQ(predicted("query.t2v shop.csv --csv --at +36h")[0], "id,time,at,rank,event,probability");
  const auto summer = predicted("query.t2v shop.csv --at 2024-02-01 --timezone Europe/Paris --top 1");
  EXPECT_EQ(json::parse(summer[0])["at"], "2024-01-31T23:00:00Z");
  EXPECT_EQ(predicted("query.t2v shop.csv --every-event").size(), 2U);
}

TEST_F(Predict, SaysWhatIsWrongWithATimeAndWritesNothing) {
  save_query_model();
  expect_refused("predict query.t2v shop.csv", "--at '+1 d'");
  expect_refused("predict next.t2v shop.csv --at +1d", "train with --when or --query-time");
  expect_refused("predict query.t2v shop.csv --at 2024-01-03 -o out",
                 "before the last event of sequence 'bob");
  for (const char* wrong : {"'+1'", "'+1 x'", "'+-1 d'", "'+1.2.3 d'"}) {
    expect_refused("predict query.t2v shop.csv --at " + std::string(wrong), "is not a duration");
  }
  expect_refused("predict query.t2v shop.csv --at '+0.0000000001 s'", "finer");
  expect_refused("predict query.t2v shop.csv --at '+99999999 d'", "exceeds the limit of 292 years");
  expect_refused("predict query.t2v shop.csv --at '+100000000000000000000000 d'",
                 "exceeds the limit of 292 years");
  expect_refused("predict query.t2v shop.csv --at tomorrow", "--at 'tomorrow'");
  expect_refused("predict next.t2v shop.csv --unit h", "those of the model");
}

TEST_F(Predict, PredictsForAPart) {
  put("test.csv", "user,time,event,price\ndee,2024-01-01T08:00:00Z,a,1.5\n");
  const auto lines = predicted("next.t2v --train shop.csv --test test.csv --part test");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(json::parse(lines[0])["id"], "dee");
  EXPECT_EQ(predicted("next.t2v --train shop.csv --test test.csv").size(), 4U);
  expect_refused("predict next.t2v shop.csv --part test", "no part 'test'");
  expect_refused("predict next.t2v --train shop.csv --part test", "is empty");
  EXPECT_EQ(run("import shop.csv --features price --split last -o shop.events").code, 0);
  const auto known = predicted("next.t2v shop.events --part test --every-event");
  ASSERT_EQ(known.size(), 4U);
  EXPECT_EQ(json::parse(known[0])["time"], "2024-01-01T08:00:00Z");
}

TEST_F(Predict, SaysHowManyEventsAreUnknownToTheModel) {
  put("new.csv", "user,time,event,price\nann,2024-01-01,z,1\n");
  expect_refused("predict next.t2v new.csv", "'z' in column 'event' of sequence 'ann' is unknown");
  TrainedModel model = testing::made_model("lstm", 3);
  model.encoding.event->names.pop_back();
  model.encoding.event->unknown = true;
  save("some.t2v", model);
  const Ran ran = run("predict some.t2v shop.csv");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.err, "are of types that the model does not know");
  EXPECT_FALSE(has(ran.out, "(other)"));
}

TEST_F(Predict, SaysWhatAndWhenAtATimeAndWithoutAndSeveralEventsAhead) {
  TrainedModel model = testing::made_model();
  testing::make_timed(model.config, {nn::TimeEncoderConfig{}});
  model.config.heads[0].classes = 4;
  save("timed.t2v", model);
  const json without = json::parse(predicted("timed.t2v shop.csv")[0]);
  EXPECT_GT(without["error"], 0);
  EXPECT_LT(without["error"], 0.1);
  EXPECT_TRUE(without["when"]["dates"].contains("p10"));
  const auto at = predicted("timed.t2v shop.csv --at '+1 h' --at '+3 d'");
  ASSERT_EQ(at.size(), 6U);
  EXPECT_NE(json::parse(at[0])["next"], json::parse(at[1])["next"]);
  EXPECT_FALSE(json::parse(at[0]).contains("error"));
  EXPECT_EQ(json::parse(at[0])["when"], without["when"]);
  const auto ahead = predicted("timed.t2v shop.csv --events 3 --samples 20 --threads 1");
  ASSERT_EQ(ahead.size(), 3U);
  const json first = json::parse(ahead[0]);
  EXPECT_EQ(first["id"], "ann");
  EXPECT_EQ(first["ahead"]["expected"], 3);
  EXPECT_EQ(first["ahead"]["next"].size(), 3U);
  EXPECT_EQ(predicted("timed.t2v shop.csv --events 3 --samples 20 --threads 2"), ahead);
  EXPECT_NE(predicted("timed.t2v shop.csv --events 3 --samples 20 --seed 2"), ahead);
  const auto raw = predicted("timed.t2v shop.csv --horizon 30d --events 2 --samples 4 --raw");
  ASSERT_EQ(raw.size(), 12U);
  EXPECT_EQ(json::parse(raw[1])["sample"], 1);
  EXPECT_LE(json::parse(raw[1])["events"].size(), 2U);
  expect_refused("predict timed.t2v shop.csv --events 3 --at '+1 h'", "--at is for the next event");
  expect_refused("predict timed.t2v shop.csv --events 3 --csv", "leave --csv out");
  expect_refused("predict next.t2v shop.csv --events 3", "train with --when");
}

TEST_F(Predict, WritesClassesNumbersAndTimes) {
  TrainedModel model = testing::made_model();
  model.config.heads.emplace_back();
  model.config.heads[1].kind = "when";
  save("when.t2v", model);
  EXPECT_EQ(predicted("when.t2v shop.csv --csv")[0],
            "id,time,rank,event,probability,when_p10,when_median,when_p90,when_mean,"
            "when_p10_at,when_median_at,when_p90_at,when_mean_at");
  const json when = json::parse(predicted("when.t2v shop.csv")[0])["when"];
  EXPECT_EQ(when["unit"], "d");
  EXPECT_TRUE(when["dates"]["median"].get<std::string>().starts_with("20")) << when;
  model.config.heads = {nn::HeadConfig{}};
  model.task = Task::kClassify;
  model.encoding.label.emplace();
  model.encoding.label->names = {"no", "say \"yes\""};
  save("class.t2v", model);
  const auto classes = predicted("class.t2v shop.csv --csv");
  EXPECT_EQ(classes[0], "id,time,rank,label,probability");
  EXPECT_HAS(classes[1] + classes[2], ",\"say \"\"yes\"\"\",");
  model.config.heads[0].kind = "mse";
  model.config.heads[0].each_step = true;
  model.task = Task::kForecast;
  model.values = data::ValueTarget::kOfNextEvent;
  model.encoding.label.reset();
  model.encoding.value_scale = data::NumberFeature{"value", 100, 10, false, 0};
  save("value.t2v", model);
  const auto values = predicted("value.t2v shop.csv --csv");
  EXPECT_EQ(values[0], "id,time,value");
  EXPECT_EQ(values[1],
            "ann,2024-01-02T08:00:00Z," + json::parse(predicted("value.t2v shop.csv")[0])["value"].dump());
}

TEST_F(Predict, RefusesATableWithoutTheIdOfTraining) {
  TrainedModel model = testing::made_model();
  model.training["data"]["columns"] = {{"id", "user"}, {"time", "time"}, {"event", "event"}};
  save("next.t2v", model);
  put("renamed.csv", "host" + std::string(kShop).substr(4));
  expect_refused("predict next.t2v renamed.csv", "the id was 'user' in training");
  EXPECT_EQ(predicted("next.t2v renamed.csv --id host").size(), 3U);
  EXPECT_EQ(predicted("next.t2v shop.csv").size(), 3U);
}

TEST_F(Predict, RefusesWhatIsNotAModel) {
  expect_refused("predict shop.csv shop.csv", "shop.csv");
  expect_refused("predict no_model shop.csv", "no_model");
  put("numbers.csv", "user,time,event,price\nann,1,a,1.5\nann,2,a,1.5\n");
  expect_refused("predict next.t2v numbers.csv", "plain numbers");
  put("lacking.csv", "user,time,event\nann,2024-01-01,a\n");
  expect_refused("predict next.t2v lacking.csv", "'price'");
}

}  // namespace
}  // namespace t2v
