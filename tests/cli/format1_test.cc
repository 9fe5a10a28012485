#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tool.h"

// Files of format 1, as 0.1.0 wrote them (tests/golden/format1), in the hands of today's tool.
namespace t2v {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// Predictions are written with 6 digits.
constexpr double kTolerance = 2e-6;

/// Whether all that stands in `before` also does in `now`, numbers within the tolerance.
bool has_all_of(const json& now, const json& before) {
  if (before.is_number() && now.is_number()) {
    const auto was = before.get<double>();
    return std::abs(now.get<double>() - was) <= kTolerance * std::max(1.0, std::abs(was));
  }
  if (before.is_object()) {
    return now.is_object() && std::ranges::all_of(before.items(), [&](const auto& item) {
             return now.contains(item.key()) && has_all_of(now.at(item.key()), item.value());
           });
  }
  if (before.is_array()) {
    return now.is_array() && now.size() == before.size() &&
           std::equal(now.begin(), now.end(), before.begin(), has_all_of);
  }
  return now == before;
}

struct Old {
  const char* name;
  const char* table;
  const char* predict = "";
};
constexpr Old kModels[] = {
    {"next", "dates.csv", "--every-event"},
    {"query", "dates.csv", "--every-event"},
    {"when", "dates.csv", "--every-event"},
    {"calendar", "dates.csv"},
    {"target", "dates.csv"},
    {"recommend", "dates.csv"},
    {"log", "numbers.csv"},
    {"raw", "numbers.csv", "--every-event"},
    {"nothing", "numbers.csv", "--every-event"},
    {"values", "values.csv", "--every-event"},
    {"trend", "values.csv", "--every-event"},
};

class Format1 : public Tool {
 protected:
  void SetUp() override {
    Tool::SetUp();
    for (const auto& file : fs::directory_iterator(source_path("tests/golden/format1"))) {
      fs::copy(file.path(), path(file.path().filename().string()));
    }
  }
  void expect_lines(const std::string& now, const std::string& before, const std::string& what) const {
    std::istringstream lines(now);
    std::istringstream old_lines(get(before));
    int64_t compared = 0;
    std::string line;
    for (std::string old; std::getline(old_lines, old); ++compared) {
      ASSERT_TRUE(std::getline(lines, line)) << what;
      ASSERT_TRUE(has_all_of(json::parse(line), json::parse(old))) << what << "\n" << line << "\n" << old;
    }
    EXPECT_FALSE(std::getline(lines, line)) << what;
    EXPECT_GT(compared, 0) << what;
  }
  void expect_same_predictions(const Old& old, const std::string& model, const std::string& table) const {
    const Ran ran = run("predict " + model + " " + table + " " + old.predict);
    ASSERT_EQ(ran.code, 0) << ran.err;
    expect_lines(ran.out, std::string(old.name) + ".predicted.jsonl", model);
  }
};

TEST_F(Format1, ModelsPredictAsTheyDid) {
  for (const Old& old : kModels) {
    EXPECT_HAS(get(std::string(old.name) + ".t2v"), R"("t2v.format":"1")");
    expect_same_predictions(old, std::string(old.name) + ".t2v", old.table);
  }
}

TEST_F(Format1, StoresAreRead) { expect_same_predictions(kModels[0], "next.t2v", "dates.events"); }

TEST_F(Format1, ModelsAreRescaled) {
  for (const char* name : {"next", "query", "calendar", "target", "trend"}) {
    const std::string rescaled = std::string(name) + "-in-w.t2v";
    const Ran ran = run("rescale " + std::string(name) + ".t2v --unit w -o " + rescaled);
    ASSERT_EQ(ran.code, 0) << ran.err;
    const auto old = std::ranges::find(kModels, std::string_view(name), &Old::name);
    expect_same_predictions(*old, rescaled, old->table);
  }
}

TEST_F(Format1, ModelsAreTakenUpByTraining) {
  const Ran ran = run("train dates.csv --init next.t2v --features size --epochs 1 --seed 3 -o more.t2v");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(exists("more.t2v"));
}

TEST_F(Format1, SnapshotsOfStreamsGoOn) {
  const Ran ran = bash("$T stream next.t2v --snapshot next.snapshot < rest.jsonl");
  ASSERT_EQ(ran.code, 0) << ran.err;
  expect_lines(ran.out, "rest.predicted.jsonl", "rest of the stream");
  EXPECT_HAS(ran.err, "108 events");
}

TEST_F(Format1, CheckpointsGoOn) {
  const Ran ran =
      run("train dates.csv -o stopped.t2v --task next --time t2v:4 --hidden 4 --threads 1 --features size "
          "--epochs 31 --patience 0 --resume");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_HAS(ran.err, "epoch  31");
}

}  // namespace
}  // namespace t2v
