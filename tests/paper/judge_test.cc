#include "paper/judge.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "build_paths.h"
#include "data/importer_files.h"
#include "paper/figures.h"
#include "paper/judged_text.h"
#include "paper/run_table.h"

namespace t2v::paper {
namespace {

using Json = nlohmann::json;

/// The record of a run of a made-up accuracy: `value` in the epochs that count, worse before.
Json made_run(const std::string& name, int64_t seed, double value, int64_t epochs,
              const std::string& measure) {
  Json curve = Json::array();
  for (int64_t epoch = 1; epoch <= epochs; ++epoch) {
    curve.push_back(epoch > epochs - epochs_that_count(epochs) ? value : 0.1);
  }
  const std::size_t slash = name.find('/');
  const std::string model = name.substr(slash + 1);
  return {{"experiment", name.substr(0, slash)},
          {"model", model},
          {"run", model + ".s" + std::to_string(seed)},
          {"seed", seed},
          {"scale", "paper"},
          {"epochs", epochs},
          {"config", Json::object()},
          {"curve", {{measure, curve}}},
          {"data", {{"name", "x"}, {"kind", "original"}, {"note", ""}}}};
}

class Judging : public ::testing::Test {
 protected:
  /// a and b of a row with these values, seed by seed.
  void add(const std::string& id, const std::vector<double>& a, const std::vector<double>& b) {
    const Row& row = row_from(id);
    for (std::size_t side = 0; side < row.runs.size(); ++side) {
      const std::vector<double>& values = side == 0 ? a : b;
      for (std::size_t i = 0; i < values.size(); ++i) {
        records_.push_back(made_run(std::string(row.runs[side]), static_cast<int64_t>(i) + 1, values[i],
                                    row.paper.epochs, std::string(row.measure)));
      }
    }
  }
  Judged judged(const std::string& id) {
    create_folders(FileSystem::real(), files_.path("out"));
    write_run_table(FileSystem::real(), files_.path("out"), records_);
    for (const Judged& one : judge_all(RunFiles(FileSystem::real(), files_.path("out")), Scale::kPaper)) {
      if (one.row->id == id) return one;
    }
    throw std::logic_error("no row " + id);
  }

  data::OwnFiles files_;
  std::vector<Json> records_;
};

TEST_F(Judging, TakesTheMeanOfTheLastTenEpochsPairedBySeed) {
  add("1a", {0.91, 0.92, 0.93, 0.92, 0.92}, {0.80, 0.81, 0.82, 0.81, 0.80});
  const Judged row = judged("1a");
  EXPECT_EQ(row.answer, Answer::kYes);
  EXPECT_NEAR(row.difference, 0.112, 1e-12);
  EXPECT_NEAR(row.a[0], 0.91, 1e-12);
  EXPECT_GT(row.seeds.low, 0.10);
  EXPECT_EQ(row.data, "original");
  EXPECT_EQ(row.note, "");
}

TEST_F(Judging, AsksForTheRunsThatLack) {
  EXPECT_EQ(judged("1b").note, "`t2v reproduce 1b --scale paper`");
  add("1a", {0.91, 0.92, 0.93, 0.92, 0.92}, {0.80, 0.81, 0.82});
  const Judged row = judged("1a");
  EXPECT_EQ(row.answer, Answer::kNotRun);
  EXPECT_EQ(row.note, "`t2v reproduce 1a --scale paper` (8 of 10 runs are there)");
}

TEST_F(Judging, LeavesOutSeedsBeyondThoseFixedBefore) {
  add("1a", {0.91, 0.92, 0.93, 0.92, 0.92, 0.1}, {0.80, 0.81, 0.82, 0.81, 0.80, 0.9});
  EXPECT_EQ(judged("1a").answer, Answer::kYes);
}

TEST_F(Judging, TakesTheFirstEpochsOfALongerRun) {
  add("1a", {0.91, 0.92, 0.93, 0.92, 0.92}, {0.80, 0.81, 0.82, 0.81, 0.80});
  for (Json& record : records_) {
    record["epochs"] = 200;
    for (int i = 0; i < 150; ++i) record["curve"]["accuracy"].push_back(0.5);
  }
  EXPECT_NEAR(judged("1a").difference, 0.112, 1e-12);
}

TEST_F(Judging, SaysHowManySeedsWouldDecide) {
  add("5a-mod", {0.95, 0.90, 0.85, 0.99, 0.80}, {0.80, 0.88, 0.86, 0.80, 0.79});
  const Judged row = judged("5a-mod");
  EXPECT_EQ(row.answer, Answer::kInconclusive);
  EXPECT_NE(row.note.find(" seeds would decide"), std::string::npos) << row.note;
}

TEST_F(Judging, IsInconclusiveWhereARunDiverged) {
  add("5a-mod", {0.95, 0.94, 0.95, 0.94, 0.95}, {0.80, 0.81, 0.80, 0.81, 0.80});
  records_[3]["curve"]["accuracy"][49] = nullptr;
  const Judged row = judged("5a-mod");
  EXPECT_EQ(row.answer, Answer::kInconclusive);
  EXPECT_EQ(row.note, "a run diverged");
}

TEST_F(Judging, CountsRunsOfTheSynthesisedData) {
  add("5.2-perfect", std::vector<double>(16, 1), {});
  EXPECT_EQ(judged("5.2-perfect").answer, Answer::kYes);
  EXPECT_EQ(judged("5.2-perfect").difference, 0.5);
  records_.clear();
  std::vector<double> some(16, 0);
  for (std::size_t i = 0; i < 3; ++i) some[i] = 1;
  add("5.2-perfect", some, {});
  EXPECT_EQ(judged("5.2-perfect").answer, Answer::kOpposite);
}

TEST_F(Judging, ResamplesUsersBesideTheSeeds) {
  const std::vector<double> a = {0.30, 0.31, 0.30, 0.31, 0.30, 0.31, 0.30, 0.31};
  const std::vector<double> b = {0.26, 0.27, 0.26, 0.28, 0.26, 0.27, 0.26, 0.27};
  add("1d", a, b);
  for (std::size_t i = 0; i < records_.size(); ++i) {
    const bool with = i < 8;
    for (int user = 0; user < 20; ++user) {  // one of them alone gains
      records_[i]["users"].push_back(with && user == 0 ? 1.0 : 0.25);
    }
  }
  const Judged row = judged("1d");
  ASSERT_TRUE(row.users);
  EXPECT_EQ(row.users->low, 0);
  EXPECT_GT(row.seeds.low, 0.02);
  EXPECT_EQ(row.answer, Answer::kInconclusive) << "by users it may be nothing";
}

TEST_F(Judging, DoesNotTestOnAStandInWhatThatCannotShow) {
  EXPECT_EQ(judged("citeulike").answer, Answer::kNotTestable);
  add("2d", std::vector<double>(8, 0.3), std::vector<double>(8, 0.2));
  EXPECT_EQ(judged("2d").answer, Answer::kLarger);
  for (Json& record : records_) record["data"]["kind"] = "stand-in";
  EXPECT_EQ(judged("2d").answer, Answer::kNotTestable);
}

TEST_F(Judging, WritesTheRowsForPeopleAndPrograms) {
  add("1a", {0.91, 0.92, 0.93, 0.92, 0.92}, {0.80, 0.81, 0.82, 0.81, 0.80});
  const std::vector<Judged> one = {judged("1a")};
  EXPECT_EQ(table_text(one),
            "  yes               Time2Vec beats raw time on Event-MNIST (Fig. 1a)\n"
            "                      paper +0.114; here +0.112 [+0.106, +0.118]\n");
  EXPECT_NE(
      table_markdown(one).find("| yes | Time2Vec beats raw time on Event-MNIST | Fig. 1a | +0.114 | "
                               "+0.112 [+0.106, +0.118] | yes | yes | no | mnist, original | 5 | 50 |\n"),
      std::string::npos)
      << table_markdown(one);
  EXPECT_NE(table_csv(one).find("\n1a,yes,\"Time2Vec beats"), std::string::npos) << table_csv(one);
  EXPECT_EQ(table_json(one, false).at("rows").size(), 1U);
  EXPECT_EQ(table_json(one, true).at("rows").size(), 0U);
}

TEST_F(Judging, DrawsTheMeansBesideWhatWasPublished) {
  add("1a", {0.91, 0.93}, {0.80, 0.82});
  judged("1a");
  const Json figures = figures_of(RunFiles(FileSystem::real(), files_.path("out")), Scale::kPaper);
  const Json& figure = figures.at(0);
  EXPECT_EQ(figure.at("id"), "event-mnist");
  EXPECT_EQ(figure.at("series").at(1).at("name"), "LSTM+T2V");
  EXPECT_NEAR(figure.at("series").at(1).at("y").back(), 0.92, 1e-12);
  EXPECT_EQ(figure.at("series").at(1).at("x").size(), 50U);
  EXPECT_EQ(figure.at("published").at(1).at("x"), Json({5.0, 10.0, 25.0, 50.0}));
}

/// The page shows what the runs that are committed say.
TEST(Reproduction, PageShowsTheTableOfItsRuns) {
  const RunFiles files(FileSystem::real(), source_path("docs/results"));
  std::ifstream file(source_path("docs/reproduction.md"));
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::string table = table_markdown(judge_all(files, Scale::kPaper));
  EXPECT_NE(page.find(table), std::string::npos) << "run scripts/verdicts; expected:\n" << table;
}

}  // namespace
}  // namespace t2v::paper
