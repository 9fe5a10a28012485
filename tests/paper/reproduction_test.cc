#include "paper/reproduction.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/disks.h"
#include "data/importer_files.h"
#include "paper/results.h"
#include "paper/training_run.h"
#include "t2v/error.h"

namespace t2v::paper {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// A folder of the test's own, and made data.
class Reproducing : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return own_.path(name); }

  /// Whether it came to its end. `steps`: after so many calls of stop it is stopped; 0 for never.
  bool run(const std::vector<const Row*>& rows, const std::string& folder, int64_t steps = 0) {
    const RunFiles files(FileSystem::real(), path(folder));
    Reproduction reproduction(rows, plan_, files, data_, pool_, FileSystem::real());
    pending_ = reproduction.pending();
    int64_t asked = 0;
    ReproductionHooks hooks;
    hooks.stop = [&] { return steps > 0 && ++asked > steps; };
    if (!reproduction.run(hooks)) return false;
    create_folders(FileSystem::real(), path(folder));
    write_results(FileSystem::real(), files, plan_.scale, "t2v reproduce", pool_.threads());
    return true;
  }
  bool run(const std::string& id, const std::string& folder, int64_t steps = 0) {
    return run(std::vector<const Row*>{&row_from(id)}, folder, steps);
  }

  Json json_of(const std::string& name) const { return Json::parse(text_of(name)); }
  std::string text_of(const std::string& name) const {
    std::ifstream file(path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }

  data::OwnFiles own_;
  Plan plan_{.scale = Scale::kSmoke, .made = {"mnist", "spikes", "stackoverflow", "lastfm", "citeulike"}};
  DataShelf data_{"/nonexistent", {}};
  ThreadPool pool_{2};
  int64_t pending_ = 0;
};

/// Curves, which do not depend on how long a run took.
std::vector<Json> curves_in(const std::string& folder) {
  std::vector<Json> curves;
  for (const Json& record : RunFiles(FileSystem::real(), folder).all()) {
    curves.push_back({record.at("run"), record.at("curve")});
  }
  return curves;
}

TEST_F(Reproducing, RunsEveryRowOnMadeDataAndAnswersIt) {
  std::vector<const Row*> all;
  for (const Row& row : rows()) all.push_back(&row);
  ASSERT_TRUE(run(all, "all"));
  const Json results = json_of("all/results.json");
  EXPECT_EQ(results.at("format"), 2);
  EXPECT_GT(results.at("figures").size(), 8U);
  for (const Judged& row : judge_all(RunFiles(FileSystem::real(), path("all")), Scale::kSmoke)) {
    EXPECT_NE(row.answer, Answer::kNotRun) << row.row->id << row.note;
    EXPECT_EQ(row.data, row.row->data == "made" ? "made" : "invented") << row.row->id;
    EXPECT_EQ(row.a.size(), 2U) << row.row->id;
    EXPECT_EQ(row.users.has_value(), row.row->data == "lastfm" || row.row->data == "citeulike");
  }
  for (const char* name : kResultFiles) EXPECT_TRUE(fs::exists(path("all") + "/" + name)) << name;
}

/// What these runs gave before experiments were declared as data; instruction sets differ a little.
TEST_F(Reproducing, RunsAsItDidBeforeRowsWereDeclared) {
  struct Before {
    const char* run;
    const char* measure;
    double after_two_epochs;
  };
  constexpr Before kBefore[] = {{"event-mnist/lstm-t", "log_loss", 2.326116402340444},
                                {"event-mnist/lstm-t2v-64", "log_loss", 2.3075739452016983},
                                {"spikes/lstm-t2v-64-binned", "log_loss", 2.2801591118874613},
                                {"stackoverflow/lstm-t2v-64-days", "log_loss", 3.0983300897417245},
                                {"lastfm/tlstm1-t2v-64-as-coded", "training loss", 5.291236304384912}};
  for (const Before& before : kBefore) {
    const paper::Run one = run_of(before.run, 2, 1, plan_);
    const RunFiles files(FileSystem::real(), path("before"));
    create_folders(FileSystem::real(), path("before/runs/" + one.home));
    RunContext context{pool_,
                       data_,
                       FileSystem::real(),
                       files.stem(one),
                       [] { return false; },
                       [](double) {},
                       [](int64_t, const Measures&) {}};
    const Json record = complete(one, files, context).value();
    EXPECT_NEAR(record.at("curve").at(before.measure).at(1).get<double>(), before.after_two_epochs, 2e-6)
        << before.run;
  }
}

TEST_F(Reproducing, GivesTheSameNumbersAfterItWasStoppedAndWentOn) {
  ASSERT_TRUE(run("1a", "whole"));
  int64_t starts = 1;
  for (; !run("1a", "cut", 100); ++starts) {
    ASSERT_LT(starts, 50);
  }
  EXPECT_GT(starts, 4);  // it was stopped within runs, too
  EXPECT_EQ(curves_in(path("cut")), curves_in(path("whole")));
  EXPECT_EQ(text_of("cut/table.csv"), text_of("whole/table.csv"));
  for (const auto& entry : fs::recursive_directory_iterator(path("cut/runs"))) {
    EXPECT_TRUE(entry.is_directory() || entry.path().extension() == ".json") << entry.path();
  }
}

TEST_F(Reproducing, TrainsNothingTwiceAndSharesRunsBetweenRows) {
  ASSERT_TRUE(run("1a", "shared"));
  EXPECT_EQ(pending_, 4);
  ASSERT_TRUE(run("1a", "shared"));
  EXPECT_EQ(pending_, 0);
  ASSERT_TRUE(run("5a-mod", "shared"));
  EXPECT_EQ(pending_, 2);  // the sine is there
}

TEST_F(Reproducing, NeedsTheTableAloneNotTheFilesOfItsRuns) {
  ASSERT_TRUE(run("1a", "table"));
  const std::vector<Json> before = curves_in(path("table"));
  const std::string table = text_of("table/table.csv");
  fs::remove_all(path("table/runs"));
  ASSERT_TRUE(run("1a", "table"));
  EXPECT_EQ(pending_, 0);
  EXPECT_EQ(curves_in(path("table")), before);
  EXPECT_EQ(text_of("table/table.csv"), table);
}

TEST_F(Reproducing, MakesARunAsLongAsTheLongestOfItsRowsNeedsIt) {
  const std::vector<paper::Run> runs =
      runs_of({&row_from("1a"), &row_from("1a-200")}, {.scale = Scale::kPaper});
  ASSERT_EQ(runs.size(), 10U);
  for (const paper::Run& one : runs) EXPECT_EQ(one.epochs, one.seed <= 3 ? 200 : 50) << one.seed;
}

TEST_F(Reproducing, RefusesAFolderOfOtherRunsAndNamesWhatDiffers) {
  ASSERT_TRUE(run("1a", "other"));
  plan_.made = {};
  const std::string error = error_of([&] { run("1a", "other"); });
  EXPECT_NE(error.find("data/made"), std::string::npos) << error;
  EXPECT_NE(error.find("lstm-t2v-64.s1.json"), std::string::npos) << error;
  fs::remove_all(path("other/runs"));
  const std::string of_table = error_of([&] { run("1a", "other"); });
  EXPECT_NE(of_table.find("runs.jsonl: event-mnist/lstm-t2v-64.s1"), std::string::npos) << of_table;
}

TEST_F(Reproducing, RefusesARecordThatIsDamagedAndNamesIt) {
  ASSERT_TRUE(run("1a", "damaged"));
  const std::string record = path("damaged/runs/event-mnist/lstm-t.s1.json");
  std::string text = text_of("damaged/runs/event-mnist/lstm-t.s1.json");
  const std::size_t digit = text.find("0.", text.find("\"accuracy\"")) + 2;
  text[digit] = text[digit] == '1' ? '2' : '1';
  std::ofstream(record) << text;
  const std::string error = error_of([&] { run("1a", "damaged"); });
  EXPECT_EQ(error, record + ": was changed since it was written; delete it to run that again");
}

TEST_F(Reproducing, WaitsForNoPipeAmongItsRuns) {
  ASSERT_TRUE(run("1a", "pipes"));
  ASSERT_EQ(::mkfifo(path("pipes/runs/event-mnist/lstm-t.s9.json").c_str(), 0600), 0);
  ASSERT_TRUE(run("1a", "pipes"));
  fs::remove(path("pipes/runs/event-mnist/lstm-t.s1.json"));
  ASSERT_EQ(::mkfifo(path("pipes/runs/event-mnist/lstm-t.s1.json").c_str(), 0600), 0);
  const std::string error = error_of([&] { run("1a", "pipes"); });
  EXPECT_NE(error.find("lstm-t.s1.json: is a pipe or a device"), std::string::npos) << error;
}

TEST_F(Reproducing, ClearsAwayWhatACrashLeftInItsFolderAndNothingElse) {
  ASSERT_TRUE(run("1a", "crash"));
  const std::string left[] = {"crash/results.json.t2v-unfinished",
                              "crash/runs/event-mnist/lstm-t2v-16.s1.json.t2v-unfinished"};
  for (const std::string& name : left) std::ofstream(path(name)) << "half";
  std::ofstream(path("crash/runs/notes.tmp")) << "mine";
  ASSERT_TRUE(run("1a", "crash"));
  for (const std::string& name : left) EXPECT_FALSE(fs::exists(path(name))) << name;
  EXPECT_EQ(text_of("crash/runs/notes.tmp"), "mine");
}

TEST_F(Reproducing, RecordsARunThatDivergesAndGoesOn) {
  TrainingSpec spec;
  spec.home = "event-mnist";
  spec.model = "steep";
  spec.data = {.set = "mnist", .train = 300, .test = 100, .made = true};
  spec.train = paper_training();
  spec.train.task = "classify";
  spec.train.hidden = 8;
  spec.train.time = "raw";
  spec.train.rate = 1e38;
  const paper::Run steep = training_run(spec, Scale::kSmoke, 4, 1, 0, 0);
  const RunFiles files(FileSystem::real(), path("steep"));
  create_folders(FileSystem::real(), path("steep/runs/event-mnist"));
  RunContext context{pool_,
                     data_,
                     FileSystem::real(),
                     files.stem(steep),
                     [] { return false; },
                     [](double) {},
                     [](int64_t, const Measures&) {}};
  const Json record = complete(steep, files, context).value();
  EXPECT_NE(record.at("stopped").get<std::string>().find("not finite"), std::string::npos) << record;
  for (const Json& curve : record.at("curve")) EXPECT_TRUE(curve.empty() || curve.back().is_null()) << curve;
  EXPECT_TRUE(files.read(steep)) << "it would diverge again";
  EXPECT_TRUE(std::isnan(value_of(record, "accuracy", 4)));
}

TEST_F(Reproducing, SplitsThePapersOwnUsersAsItsCodeDoes) {
  const auto users_tested = [&](int users) {
    std::string plays;
    for (int user = 0; user < users; ++user) {
      for (int i = 0; i < 3; ++i) {
        plays += "user_" + std::to_string(100000 + user) + "\t2009-01-0" + std::to_string(i + 1) +
                 "T00:00:00Z\t\tsomeone\t\tsong " + std::to_string(i) + "\n";
      }
    }
    const std::string name = "plays" + std::to_string(users) + ".tsv";
    DataShelf data(".", {{"lastfm", own_.write(name, plays)}});
    const paper::Run one = run_of("lastfm/lstm-t-paper", 1, 1, {.scale = Scale::kSmoke});
    const RunFiles files(FileSystem::real(), path("out" + std::to_string(users)));
    create_folders(FileSystem::real(), path("out" + std::to_string(users) + "/runs/lastfm"));
    RunContext context{pool_,
                       data,
                       FileSystem::real(),
                       files.stem(one),
                       [] { return false; },
                       [](double) {},
                       [](int64_t, const Measures&) {}};
    return complete(one, files, context).value().at("data").at("test_users").get<int64_t>();
  };
  EXPECT_EQ(users_tested(992), 192);
  EXPECT_EQ(users_tested(100), 20) << "a fifth of others";
}

}  // namespace
}  // namespace t2v::paper
