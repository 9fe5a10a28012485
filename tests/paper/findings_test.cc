#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <numbers>

#include "data/importer_files.h"
#include "paper/reproduction.h"
#include "paper/toy.h"
#include "t2v/error.h"

// What experiments say of records that a test makes up.
namespace t2v::paper {
namespace {

using Json = nlohmann::json;
using std::numbers::pi;

class Finding : public ::testing::Test {
 protected:
  /// Writes a record for each run of an experiment, and its results.
  void write(const std::string& experiment, const std::function<Json(const paper::Run&)>& record) {
    const Experiment& of = experiment_from(experiment);
    for (const paper::Run& run : of.runs(plan_)) {
      std::filesystem::create_directories(std::filesystem::path(files_.stem(run)).parent_path());
      files_.write(run, record(run));
    }
    write_results(FileSystem::real(), of, plan_, files_, {});
  }
  Json results() const { return Json::parse(std::ifstream(files_.folder() + "/results.json")); }
  /// 'reproduces: in 2 of 2 runs; ...'.
  std::string verdict(const std::string& claim) const {
    const Json all = results();
    for (const Json& one : all.at("verdicts")) {
      if (one.at("claim") != claim) continue;
      return one.at("verdict").get<std::string>() + ": " + one.at("ours").get<std::string>();
    }
    return "no such claim";
  }

  data::OwnFiles folder_;
  Plan plan_{.scale = Scale::kSmoke};
  RunFiles files_{FileSystem::real(), folder_.path("out")};
};

Json sine(double omega, double phi, double weight, int harmonic) {
  return {{"omega", omega}, {"phi", phi}, {"weight", weight}, {"harmonic", harmonic}};
}

/// A toy run with these sines, the largest first.
Json toy_record(const std::vector<Json>& sines) {
  return {{"curve", {{"accuracy", {1.0}}, {"train_accuracy", {1.0}}}},
          {"seconds", 1.0},
          {"omega", sines[0].at("omega")},
          {"phi", sines[0].at("phi")},
          {"period", 2 * pi / sines[0].at("omega").get<double>()},
          {"harmonic", sines[0].at("harmonic")},
          {"start", sines},
          {"learned", sines},
          {"test_times", {280.0, 281.0, 560.0, 562.0}},
          {"test_sums", {1.0, -1.0, 1.0, -1.0}}};
}

TEST_F(Finding, OfTheToyDataTellsTheWholePeriodFromItsOvertones) {
  plan_.seeds = 6;
  const Json whole = sine(0.898, 1.56, 3, 1);
  const Json overtone = sine(1.795, 1.57, 2, 2);
  write("toy", [&](const paper::Run&) { return toy_record({overtone, whole}); });
  const std::string reading = " (batches of 16)";
  EXPECT_TRUE(verdict("the largest sine has the period of 7 days or an overtone of it" + reading)
                  .starts_with("reproduces: in 6 of 6 runs: 3.50 d, phase +1.57 (6x)"));
  EXPECT_EQ(verdict("a main sine has the frequency 2π/7" + reading), "reproduces: in 6 of 6 runs");
  EXPECT_EQ(verdict("a main sine has that frequency and multiples of 7 at its peaks" + reading),
            "reproduces: in 6 of 6 runs");
  EXPECT_EQ(verdict("only the frequency 2π/7 keeps a high weight" + reading), "does not: in 0 of 6 runs");
}

TEST_F(Finding, OfTheToyDataTakesNoConstantForTheRightFrequency) {
  plan_.seeds = 2;
  write("toy", [&](const paper::Run&) { return toy_record({sine(0.001, 0, 3, 0)}); });
  EXPECT_EQ(verdict("only the frequency 2π/7 keeps a high weight (batches of 16)"),
            "does not: in 0 of 2 runs");
}

TEST_F(Finding, OfTheToyDataHoldsNoiseAndFewSinesAgainstTheSameSeedsWithout) {
  plan_.seeds = 6;
  const double day = 1.0 / static_cast<double>(toy_test_days());
  write("toy", [&](const paper::Run& run) {
    Json record = toy_record({sine(0.898, 1.56, 3, 1)});
    double wrong = 10 + static_cast<double>(run.seed);  // days
    if (run.model == "paper-5-noise") wrong += run.seed == 1 ? 2 : 1;
    if (run.model == "paper-4-sines") wrong += 5 + 0.1 * static_cast<double>(run.seed);
    if (run.model == "paper-64-sines") wrong += 5;
    record["curve"]["accuracy"] = {1 - wrong * day};
    return record;
  });
  EXPECT_TRUE(verdict("5 % of flipped labels cost at most one test day (batches of 16)")
                  .starts_with("undecided: in 5 of 6 runs; 0.841 of the days right, without noise 0.853"));
  EXPECT_TRUE(verdict("31 sines are trained better than 4 (batches of 16)").starts_with("reproduces"));
  EXPECT_TRUE(verdict("64 sines are trained better than 4 (batches of 16)").starts_with("reproduces"));
  EXPECT_FALSE(verdict("31 sines are trained better than 4 (batches of 32)").starts_with("reproduces"));
}

TEST_F(Finding, OfTheToyDataLooksAtTheMainSinesAloneAndAtTheirPhases) {
  plan_.seeds = 16;
  const Json off_its_peak = sine(0.898, 0.5, 3, 1);
  const Json small = sine(2.5, 0, 1, 0);
  const Json constant = sine(0.001, 0, 3, 0);
  write("toy", [&](const paper::Run&) { return toy_record({off_its_peak, small, constant}); });
  const std::string reading = " (batches of 16)";
  EXPECT_EQ(verdict("only the frequency 2π/7 keeps a high weight" + reading), "reproduces: in 16 of 16 runs");
  EXPECT_EQ(verdict("a main sine has that frequency and multiples of 7 at its peaks" + reading),
            "does not: in 0 of 16 runs");
}

Json mnist_record(double accuracy, const std::vector<double>& frequencies = {}) {
  Json record = {{"curve", {{"accuracy", {accuracy, accuracy}}, {"log_loss", {1.0, 1.0}}}},
                 {"seconds", 1.0},
                 {"parameters", 10},
                 {"hidden", 5},
                 {"data", {{"name", "Event-MNIST"}, {"kind", "made"}, {"note", ""}}}};
  if (!frequencies.empty()) record["frequencies"] = frequencies;
  return record;
}

TEST_F(Finding, IsUndecidedIfItWouldBeAnotherAfterMostOfTheLastEpochs) {
  plan_.epochs = 12;
  plan_.seeds = 2;
  // Time2Vec is ahead after epochs 1 and 2 and from one on that is told, and behind after the others.
  int ahead_again = 0;
  const auto ahead_from = [&](const paper::Run& run) {
    Json record = mnist_record(0.5);
    Json& curve = record["curve"]["accuracy"];
    curve = Json::array();
    for (int epoch = 1; epoch <= 12; ++epoch) {
      const bool ahead = epoch < 3 || epoch >= ahead_again;
      const double own = run.model == "lstm-t" ? 0 : ahead ? 0.3 : -0.3;
      curve.push_back(0.5 + own + (own != 0 ? 0.002 : 0.004) * static_cast<double>(run.seed));
    }
    record["curve"]["log_loss"] = curve;
    return record;
  };
  ahead_again = 10;
  write("event-mnist", ahead_from);
  EXPECT_EQ(verdict("Time2Vec beats raw time on Event-MNIST"),
            "reproduces: 0.803 against 0.506 after 12 epochs; the same verdict after 3 of the last 6 epochs");
  ahead_again = 11;
  write("event-mnist", ahead_from);
  EXPECT_EQ(
      verdict("Time2Vec beats raw time on Event-MNIST"),
      "undecided: 0.803 against 0.506 after 12 epochs; reproduces by the last epoch, but only after 2 of "
      "the last 6");
  const Json first = results().at("verdicts").at(0);
  EXPECT_EQ(first.at("steady"), Json({{"same", 2}, {"of", 6}}));
}

TEST_F(Finding, OfRescalingWantsEachImageToKeepItsClass) {
  int64_t other_classes = 0;
  const auto with_classes = [&](const paper::Run& run) {
    Json record = mnist_record(0.5);
    if (run.model == "lstm-t2v-64") {
      record["rescaled"] = {{"largest_difference", 1e-7},
                            {"other_classes", run.seed == 1 ? other_classes : 0}};
    }
    return record;
  };
  write("event-mnist", with_classes);
  EXPECT_TRUE(verdict("Time2Vec is invariant to time rescaling").starts_with("reproduces: times x "));
  other_classes = 1;
  write("event-mnist", with_classes);
  EXPECT_TRUE(verdict("Time2Vec is invariant to time rescaling").starts_with("does not: times x "));
}

TEST_F(Finding, OfFrequenciesLooksAtEachRun) {
  write("frequencies", [](const paper::Run& run) {
    const bool first = run.seed == 1;
    return mnist_record(0.9, {first ? 0.029 : 0.009, 0.35, 0.36, 0.85, first ? 0.86 : 1.2});
  });
  const std::string range = "; from 0.009, 1.1 periods, to 1.200";
  EXPECT_EQ(verdict("every sine finishes a full period within an image"),
            "reproduces: in 2 of 2 runs" + range);
  EXPECT_EQ(verdict("all learned frequencies are below 1"), "undecided: in 1 of 2 runs" + range);
  EXPECT_EQ(verdict("the learned frequencies have peaks at 0.35 and 0.85"),
            "reproduces: in 2 of 2 runs" + range);
  const Json figure = results().at("experiments").at(0).at("figures").back();
  EXPECT_EQ(figure.at("title"), "Learned frequencies on Event-MNIST, k = 64, after 2 epochs");
}

TEST_F(Finding, OfFrequenciesSeesWhereTheyFail) {
  write("frequencies", [](const paper::Run&) { return mnist_record(0.9, {0.007, 0.31, 0.45, 0.46, 2}); });
  EXPECT_TRUE(verdict("every sine finishes a full period within an image").starts_with("does not"));
  EXPECT_TRUE(verdict("all learned frequencies are below 1").starts_with("does not"));
  EXPECT_TRUE(verdict("the learned frequencies have peaks at 0.35 and 0.85").starts_with("does not"));
}

TEST_F(Finding, OfAllComparisonsLeavesOutWhatWasSetOtherwise) {
  const std::string most = "replacing time by Time2Vec improves results in most comparisons";
  plan_.seeds = 3;
  const auto record = [](const paper::Run& run) {
    const double better = run.model == "lstm-t" ? 0 : 0.1;
    return mnist_record(0.8 + better + 0.001 * static_cast<double>(run.seed * run.model.size() % 3));
  };
  write("event-mnist", record);
  EXPECT_EQ(verdict(most), "undecided: reproduces in 1 and does not in 0 of 10 comparisons, 1 of them run");
  const Json all = results();
  for (const Json& one : all.at("verdicts")) {
    const bool against_time = one.at("claim") == "Time2Vec beats raw time on Event-MNIST";
    EXPECT_EQ(one.value("tally", "") == "time", against_time) << one;
    EXPECT_EQ(one.value("ahead", 0.0), against_time ? 1 : 0) << one;
  }
  EXPECT_EQ(all.at("questions").at(0).at("answer"), "yes");
  std::filesystem::remove_all(files_.folder());
  plan_.settings = {{"rate", "0.002"}};
  write("event-mnist", record);
  EXPECT_EQ(verdict(most), "no such claim");
}

TEST_F(Finding, OfTheMajorityClassLooksAtEveryDayNotAtTheAccuracy) {
  plan_.seeds = 2;
  const std::string claim = "with tanh for the sine the majority class is predicted (batches of 16)";
  Json record = toy_record({sine(0.898, 1.56, 3, 1)});
  record["test_sums"] = {-1.0, -2.0, -0.1, -3.0};
  write("toy", [&](const paper::Run&) { return record; });
  EXPECT_EQ(verdict(claim), "reproduces: in 2 of 2 runs");
  std::filesystem::remove_all(files_.folder());
  write("toy", [&](const paper::Run& run) {
    Json one = record;
    if (run.seed == 2) one["test_sums"][2] = 0.1;  // a day of the other class
    return one;
  });
  EXPECT_EQ(verdict(claim), "does not: in 1 of 2 runs") << "it is said to be so always";
}

TEST_F(Finding, OfARunThatDivergedIsANoteAndNoNumber) {
  plan_.seeds = 3;
  write("event-mnist", [](const paper::Run& run) {
    Json record = mnist_record(0.8 + 0.01 * static_cast<double>(run.seed));
    if (run.model != "lstm-t" || run.seed != 2) return record;
    record["curve"]["accuracy"] = {0.9, nullptr};
    record["stopped"] = "step 7: the loss is not finite";
    return record;
  });
  const Json section = results().at("experiments").at(0);
  EXPECT_EQ(section.at("notes").back(),
            "lstm-t, seed 2, ended early and is left out: step 7: the loss is not finite.");
  const Json all = results();
  EXPECT_EQ(all.at("verdicts").at(0).at("effect").at("n"), 2) << all.at("verdicts").at(0);
  EXPECT_EQ(all.at("verdicts").at(0).at("ours"),
            "0.820 against 0.820 after 2 epochs; 1 of 3 seeds of lstm-t diverged");
  const Json& curve = section.at("figures").at(0).at("series").at(0);
  EXPECT_EQ(curve.at("n"), 2);
  EXPECT_NEAR(curve.at("y").at(0), 0.82, 1e-12) << "nothing of it, not even its first epoch";
  EXPECT_EQ(section.at("command"), "t2v reproduce event-mnist --seeds 3");
}

TEST_F(Finding, OfAModelThatDivergesIsNoneInItsFavour) {
  plan_.seeds = 4;
  write("event-mnist", [](const paper::Run& run) {
    const bool t2v = run.model == "lstm-t2v-64";
    Json record =
        mnist_record((t2v ? 0.9 : 0.8) + 0.001 * static_cast<double>(run.seed * run.model.size() % 3));
    if (!t2v || run.seed != 2) return record;
    record["curve"]["accuracy"] = {0.9, nullptr};
    record["stopped"] = "step 7: the loss is not finite";
    return record;
  });
  EXPECT_TRUE(verdict("Time2Vec beats raw time on Event-MNIST").starts_with("undecided: 0.9"))
      << verdict("Time2Vec beats raw time on Event-MNIST");
  const std::string on_par = "64 sines are better than 16 on Event-MNIST, or on par";
  EXPECT_TRUE(verdict(on_par).starts_with("undecided: 0.9")) << verdict(on_par);
  plan_.epochs = 1;
  write_results(FileSystem::real(), experiment_from("event-mnist"), plan_, files_, {});
  EXPECT_TRUE(verdict("Time2Vec beats raw time on Event-MNIST").starts_with("reproduces: 0.9"))
      << "up to its first epoch it is a run like others";
  EXPECT_TRUE(verdict(on_par).starts_with("reproduces: 0.9")) << verdict(on_par);
}

TEST_F(Finding, OfFewRunsThatAreLeftIsNoneOfTheirSpreadNorOfAllTheirFrequencies) {
  plan_.seeds = 5;
  const std::string spread = "Time2Vec varies less from run to run on spikes";
  const std::string below_one = "all learned frequencies are below 1";
  for (const bool diverges : {false, true}) {
    const auto record = [&](const paper::Run& run) {
      const bool t2v = run.model.starts_with("lstm-t2v-64");
      Json one = mnist_record(0.8 + (t2v ? 0.0001 : 0.01) * static_cast<double>(run.seed), {0.02, 0.9});
      if (!diverges || !t2v || run.seed != 2) return one;
      one["curve"]["accuracy"] = {0.9, nullptr};
      one["stopped"] = "step 7: the loss is not finite";
      return one;
    };
    const std::string expected = diverges ? "undecided" : "reproduces";
    for (const char* experiment : {"spikes", "frequencies"}) {
      std::filesystem::remove_all(files_.folder());
      write(experiment, record);
      const std::string found = verdict(std::string_view(experiment) == "spikes" ? spread : below_one);
      EXPECT_TRUE(found.starts_with(expected)) << found;
    }
  }
}

TEST_F(Finding, OfFrequenciesSaysAfterHowManyEpochsTheyAre) {
  write("frequencies", [](const paper::Run&) { return mnist_record(0.9, {0.029, 0.35}); });
  const auto notes = [&] { return results().at("experiments").at(0).at("notes").size(); };
  const std::size_t before = notes();
  plan_.epochs = 1;
  write_results(FileSystem::real(), experiment_from("frequencies"), plan_, files_, {});
  EXPECT_EQ(notes(), before + 1);
  EXPECT_EQ(
      results().at("experiments").at(0).at("notes").back(),
      "Frequencies with k = 64 are those after 2 epochs, where their runs end; the accuracies are those "
      "after 1. `epochs` 2 makes such runs.");
}

TEST_F(Finding, OfTimesOfFramesTakesFiveTimesTheEpochsThatAreAskedFor) {
  plan_.epochs = 4;
  for (const paper::Run& run : experiment_from("spikes").runs(plan_)) {
    EXPECT_EQ(run.epochs, run.model.ends_with("-times") ? 20 : 4) << run.model;
  }
}

TEST_F(Finding, OfTwoModelsThatAreTheSameIsNoneWhereOneOfThemDiverges) {
  plan_.seeds = 4;
  const std::string claim = "sine and cosine are interchangeable";
  for (const std::string_view diverges : {"", "lstm-t2v-64", "lstm-t2v-64-cos"}) {
    std::filesystem::remove_all(files_.folder());
    write("activations", [&](const paper::Run& run) {
      Json record = mnist_record(0.9 + 0.001 * static_cast<double>(run.seed * run.model.size() % 3));
      if (run.model != diverges || run.seed != 2) return record;
      record["curve"]["accuracy"] = {0.9, nullptr};
      record["stopped"] = "step 7: the loss is not finite";
      return record;
    });
    const std::string expected = diverges.empty() ? "reproduces: 0.90" : "undecided: 0.90";
    EXPECT_TRUE(verdict(claim).starts_with(expected)) << diverges << ": " << verdict(claim);
  }
}

TEST_F(Finding, ComparesTheSeedsThatBothModelsHave) {
  plan_.seeds = 3;
  write("event-mnist", [](const paper::Run& run) {
    return mnist_record(0.7 + (run.model == "lstm-t" ? 0 : 0.1) + (run.seed == 3 ? 0.15 : 0));
  });
  for (const paper::Run& run : experiment_from("event-mnist").runs(plan_)) {
    if (run.model == "lstm-t" && run.seed == 3) std::filesystem::remove(files_.stem(run) + ".json");
  }
  write_results(FileSystem::real(), experiment_from("event-mnist"), plan_, files_, {});
  EXPECT_TRUE(verdict("Time2Vec beats raw time on Event-MNIST")
                  .starts_with("undecided: 0.800 against 0.700 after 2 epochs"));
}

TEST_F(Finding, NamesAStandInInTheTitlesOfItsPictures) {
  const auto title = [&](const char* kind) {
    write("linear-term", [&](const paper::Run&) {
      Json record = mnist_record(0.9);
      record["data"]["kind"] = kind;
      return record;
    });
    return results().at("experiments").at(0).at("figures").at(0).at("title").get<std::string>();
  };
  EXPECT_EQ(title("original"), "Test accuracy on Event-MNIST, k = 64");
  EXPECT_EQ(title("stand-in"), "Test accuracy on Event-MNIST, k = 64: stand-in data");
  EXPECT_TRUE(results()
                  .at("experiments")
                  .at(0)
                  .at("figures")
                  .at(0)
                  .at("alt")
                  .get<std::string>()
                  .ends_with("The data are a stand-in, not the paper's."));
}

TEST_F(Finding, SaysByWhichCommandsItsRunsAreMade) {
  plan_.seeds = 2;
  write("linear-term", [](const paper::Run&) { return mnist_record(0.9); });
  EXPECT_EQ(results().at("experiments").at(0).at("command"), "t2v reproduce linear-term --seeds 2");
  for (const paper::Run& run : experiment_from("linear-term").runs(plan_)) {
    if (run.model == "lstm-t2v-64" && run.seed == 2) std::filesystem::remove(files_.stem(run) + ".json");
  }
  write_results(FileSystem::real(), experiment_from("linear-term"), plan_, files_, {});
  EXPECT_EQ(results().at("experiments").at(0).at("command"),
            "t2v reproduce linear-term --seeds 2 --models lstm-t2v-64-no-linear\n"
            "t2v reproduce linear-term --seeds 1 --models lstm-t2v-64");
}

TEST_F(Finding, RefusesToAddARunOnOtherDataToTheOthers) {
  const paper::Run run = experiment_from("linear-term").runs(plan_).front();
  write("linear-term", [](const paper::Run&) {
    Json record = mnist_record(0.9);
    record["data"]["train_events"] = 1000;
    record["data"]["train_sequences"] = 5;
    return record;
  });
  paper::Run other_view = run;
  other_view.config["data"]["form"] = "binned";
  EXPECT_NO_THROW(files_.refuse_other_data(other_view, {{"train_events", 10}, {"train_sequences", 5}}));
  EXPECT_NO_THROW(files_.refuse_other_data(run, {{"train_events", 1000}, {"name", "another name"}}));
  EXPECT_NO_THROW(
      files_.refuse_other_data(experiment_from("stackoverflow").runs(plan_).front(), {{"train_events", 999}}))
      << "another set";
  EXPECT_THROW(files_.refuse_other_data(other_view, {{"train_sequences", 6}}), Error);
  try {
    files_.refuse_other_data(run, {{"train_events", 999}});
    FAIL() << "runs on other data were mixed";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("was run on other data (train_events: 1000, now 999)"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace t2v::paper
