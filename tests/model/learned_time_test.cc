#include "model/learned_time.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>

#include "made_model.h"

namespace t2v {
namespace {

using namespace testing;
using std::numbers::pi;

/// The encoder's frequencies, phases and, of all weights that leave it, term by term the same number.
void set_terms(TrainedModel& trained, std::size_t encoder, const std::vector<double>& omega,
               const std::vector<double>& phi, const std::vector<float>& weight) {
  const Model model(trained.config);
  const nn::TimeEncoder& at = model.times().encoders()[encoder];
  std::ranges::copy(omega, trained.parameters.wide_data(model.layout()[at.omega()]));
  std::ranges::copy(phi, trained.parameters.wide_data(model.layout()[at.phi()]));
  for (const Model::TimeWeight& time : model.time_weights()) {
    if (time.encoder != encoder) continue;
    const nn::Tensor& tensor = model.layout()[time.tensor];
    for (int64_t i = 0; i < tensor.size(); ++i) {
      trained.parameters.data(tensor)[i] = weight[static_cast<std::size_t>(i / tensor.cols)];
    }
  }
}

/// Days on a grid of half a day: a week, a day seen as such, and a day that is 2π/grid above.
TrainedModel weekly() {
  TrainedModel model = made_model();
  model.times.grid = 0.5;
  set_terms(model, 0, {0.25, 2 * pi, -2 * pi / 7, 4 * pi + 2 * pi / 7}, {0, 0.5, 1, 2}, {1, -2, 3, 0.5});
  return model;
}

TEST(LearnedTime, ListsTheTermsOfEachEncoderTheMostImportantFirst) {
  const LearnedTime learned = learned_time(weekly());
  ASSERT_EQ(learned.encoders.size(), 2);
  EXPECT_EQ(learned.encoders[0].input, TimeInput::kStart);
  EXPECT_EQ(learned.encoders[1].input, TimeInput::kGap);
  const auto& terms = learned.encoders[0].terms;
  ASSERT_EQ(terms.size(), 3);
  EXPECT_EQ(terms[0].entry, 2);
  EXPECT_EQ(terms[1].entry, 1);
  EXPECT_EQ(terms[2].entry, 3);
  const double columns = 4 * 5;  // gates of all units
  EXPECT_NEAR(terms[0].importance, 3 * std::sqrt(columns), 1e-6);
  EXPECT_NEAR(terms[1].importance, 2 * std::sqrt(columns), 1e-6);
  ASSERT_TRUE(learned.encoders[0].line);
  EXPECT_EQ(learned.encoders[0].line->slope, 0.25);
  EXPECT_NEAR(learned.encoders[0].line->importance, std::sqrt(columns), 1e-6);
}

TEST(LearnedTime, CountsTheWeightsOfAllLayersAndOfTheHeads) {
  for (const auto& [cell, layers, skip, columns] :
       {std::tuple("tlstm1", 2, false, 2 * 2 * 5), std::tuple("lstm", 2, true, 4 * 5 + 4),
        std::tuple("none", 1, false, 4)}) {
    TrainedModel model = made_model(cell);
    model.config.layers = layers;
    model.config.skip = skip;
    model.parameters = nn::convert<float>(made_parameters(Model(model.config), 1));
    set_terms(model, 1, {0.25, 1, 2}, {0, 0, 0}, {1, 2, 1});
    const auto terms = learned_time(model).encoders[1].terms;
    EXPECT_NEAR(terms[0].importance, 2 * std::sqrt(columns), 1e-6) << cell;
  }
}

TEST(LearnedTime, KnowsPeriodsOnlyAsFarAsTheGridTellsThemApart) {
  const auto terms = learned_time(weekly()).encoders[0].terms;
  EXPECT_NEAR(terms[0].period, 7, 1e-12);
  EXPECT_NEAR(terms[0].folded_period, 7, 1e-12);
  EXPECT_NEAR(terms[0].phase, pi - 1, 1e-12);  // of a sine with the sign of ω turned
  EXPECT_NEAR(terms[1].folded_period, 1, 1e-12);
  EXPECT_NEAR(terms[2].period, 1 / (2 + 1 / 7.0), 1e-12);
  EXPECT_NEAR(terms[2].folded_period, 7, 1e-9);
  TrainedModel model = weekly();
  model.times.grid = 0;
  EXPECT_NEAR(learned_time(model).encoders[0].terms[2].folded_period, 1 / (2 + 1 / 7.0), 1e-12);
}

TEST(LearnedTime, FoldedTermsAreTheSameFunctionAtAllTimesOfTheGrid) {
  for (const nn::Activation activation :
       {nn::Activation::kSin, nn::Activation::kCos, nn::Activation::kTriangle, nn::Activation::kMod}) {
    TrainedModel model = made_model();
    model.config.times[0].activation = activation;
    model.times.grid = 0.75;
    set_terms(model, 0, {0, -3, 11.5, -20.3}, {0, 0.4, -1, 2.5}, {1, 3, 2, 1});
    const LearnedTime learned_of = learned_time(model);
    for (const LearnedTerm& term : learned_of.encoders[0].terms) {
      EXPECT_GE(term.folded_omega, 0);
      EXPECT_LE(term.folded_omega, pi / 0.75);
      const bool turned = activation == nn::Activation::kMod && std::remainder(term.omega, 2 * pi / 0.75) < 0;
      for (int n = 1; n < 40; ++n) {
        const double tau = 0.75 * n;
        const double learned = kernels::activate(activation, term.omega * tau + term.phi).value;
        const double folded = kernels::activate(activation, term.folded_omega * tau + term.phase).value;
        EXPECT_NEAR(turned ? -folded : folded, learned, 1e-9) << nn::name_of(activation) << " " << n;
      }
    }
  }
}

TEST(LearnedTime, WithoutAPeriodHasAScale) {
  TrainedModel model = made_model();
  model.config.times[0].activation = nn::Activation::kSigmoid;
  model.times.grid = 0.5;
  set_terms(model, 0, {0, -100, 0.5, 0.25}, {0, 40, 0, 0}, {1, 3, 2, 1});
  const LearnedTime learned = learned_time(model);
  EXPECT_FALSE(learned.encoders[0].periodic);
  EXPECT_EQ(learned.encoders[0].terms[0].period, 0.01);
  EXPECT_EQ(learned.encoders[0].terms[0].folded_period, 0.01);
  EXPECT_EQ(learned.encoders[0].terms[0].phase, 40);
  EXPECT_EQ(to_json(learned).at("encoders")[0].at("terms")[1].at("scale"), 2);
  const std::string text = describe(learned, 10);
  EXPECT_NE(text.find("scale"), std::string::npos);
  EXPECT_NE(text.find("2.00 d"), std::string::npos) << text;
}

TEST(LearnedTime, LeavesOutEncodersThatLearnNothing) {
  TrainedModel model = made_model();
  model.config.times[0].kind = "calendar";
  model.parameters = nn::convert<float>(made_parameters(Model(model.config), 1));
  const LearnedTime learned = learned_time(model);
  ASSERT_EQ(learned.encoders.size(), 1);
  EXPECT_EQ(learned.encoders[0].encoder, 1);
  model.config.times.clear();
  model.parameters = nn::convert<float>(made_parameters(Model(model.config), 1));
  EXPECT_EQ(describe(learned_time(model), 10), "");
}

TEST(LearnedTimeText, HasPeriodsInUnitsThatPeopleUse) {
  LearnedTime days;
  days.seconds_per_unit = 86400;
  EXPECT_EQ(period_text(7, days), "7.00 d");
  EXPECT_EQ(period_text(29.53, days), "29.5 d");
  EXPECT_EQ(period_text(182.6, days), "183 d");
  EXPECT_EQ(period_text(365.25, days), "1.0 y");
  EXPECT_EQ(period_text(23.93 / 24, days), "23.9 h");
  EXPECT_EQ(period_text(5.5 / 1440, days), "5.50 min");
  EXPECT_EQ(period_text(1.5 / 86400, days), "1.5 s");
  EXPECT_EQ(period_text(INFINITY, days), "for ever");
  const LearnedTime numbers;
  EXPECT_EQ(period_text(12.3, numbers), "12.3");
  EXPECT_EQ(period_text(INFINITY, numbers), "for ever");
}

TEST(LearnedTimeText, ShowsTheMostImportantTermsAndHowFrequenciesAreSpread) {
  const std::string text = describe(learned_time(weekly()), 2);
  for (const char* part :
       {"time input 0 (start), 3 terms sin\n", "linear term: slope 0.25 per d, importance 4.47\n",
        "      13.4  7.00 d                  2.14  7.00 d\n",
        "      8.94  1.00 d                  0.50  1.00 d\n", "  and 1 more\n",
        "frequencies, in periods per d\n", "        0 to 0.3333    ## 2\n", "   0.3333 to 0.6667     0\n",
        "   0.6667 to 1         # 1\n", "grid of 12.0 h; periods under 1.00 d"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  EXPECT_NE(describe(learned_time(weekly()), 10).find("11.2 h"), std::string::npos);  // as it was learned
  EXPECT_EQ(text.find("11.2 h"), std::string::npos);
}

TEST(LearnedTime, TellsWhichPeriodsStandOutFromTheOthers) {
  TrainedModel model = weekly();
  const auto count = [&](const std::vector<float>& weights) {
    set_terms(model, 0, {0.25, 1, 2, 3}, {0, 0, 0, 0}, weights);
    return standing_out(learned_time(model).encoders[0]);
  };
  EXPECT_EQ(count({9, 2, 2.9F, 2}), 0U);
  EXPECT_EQ(count({9, 2, 3.1F, 2}), 1U);
  EXPECT_EQ(count({9, 0, 3, 0}), 1U);
  EXPECT_EQ(count({9, 0, 0, 0}), 0U);
  std::vector<LearnedTerm> faint(5);
  faint[0].importance = 1;
  faint[1].importance = 0.01;
  LearnedEncoder encoder{0, TimeInput::kStart, nn::Activation::kSin, true, {}, faint};
  EXPECT_EQ(standing_out(encoder), 1U);
  encoder.periodic = false;
  EXPECT_EQ(standing_out(encoder), 0U);
}

TEST(LearnedTimeText, SaysWhetherAPeriodStandsOut) {
  TrainedModel model = weekly();
  set_terms(model, 0, {0.25, 1, 2, 3}, {0, 0, 0, 0}, {1, 2, 9, 2});
  const LearnedTime learned = learned_time(model);
  EXPECT_NE(
      describe(learned, 3).find("one period stands out, at least 1.5 times as important as the median: "),
      std::string::npos)
      << describe(learned, 3);
  EXPECT_EQ(to_json(learned).at("encoders")[0].at("standing_out").size(), 1U);
  set_terms(model, 0, {0.25, 1, 2, 3}, {0, 0, 0, 0}, {1, 2, 2, 2});
  EXPECT_NE(describe(learned_time(model), 3).find("no period stands out"), std::string::npos);
}

TEST(LearnedTimeText, OfAModelWithoutAnEpochSaysThatNothingWasLearned) {
  TrainedModel model = weekly();
  set_terms(model, 0, {0.25, 1, 2, 3}, {0, 0, 0, 0}, {1, 2, 9, 2});
  model.training["best_epoch"] = 0;
  const LearnedTime learned = learned_time(model);
  EXPECT_NE(describe(learned, 3).find("nothing was learned yet"), std::string::npos);
  EXPECT_EQ(describe(learned, 3).find("stands out"), std::string::npos);
  EXPECT_EQ(to_json(learned).at("trained"), false);
  EXPECT_TRUE(to_json(learned).at("encoders")[0].at("standing_out").empty());
}

TEST(LearnedTimeText, SaysWhichPeriodsAreLongerThanTheDataIfTheirSpanIsKnown) {
  TrainedModel model = weekly();
  EXPECT_EQ(describe(learned_time(model), 10).find("longer than the data"), std::string::npos);
  model.training["span"] = 6.5;
  const std::string text = describe(learned_time(model), 10);
  EXPECT_NE(text.find("longer than the data  "), std::string::npos) << text;
  EXPECT_NE(text.find("1.00 d  "), std::string::npos) << text;
  set_terms(model, 0, {0.25, 0, 0, 0}, {0, 0, 0, 0}, {1, 1, 1, 1});
  model.training->erase("span");
  EXPECT_NE(describe(learned_time(model), 10).find("for ever"), std::string::npos);
}

TEST(LearnedTimeText, IsTheSameAsCsvAndJson) {
  TrainedModel model = weekly();
  set_terms(model, 1, {0.5, 0, 3}, {0, 0, 0}, {1, 2, 1});
  const LearnedTime learned = learned_time(model);
  std::istringstream csv(to_csv(learned));
  std::vector<std::string> lines;
  for (std::string line; std::getline(csv, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 1 + 4 + 3);
  for (const std::string& line : lines) EXPECT_EQ(std::ranges::count(line, ','), 10) << line;
  EXPECT_TRUE(lines[1].starts_with("0,start,linear,0,")) << lines[1];
  EXPECT_TRUE(lines[2].starts_with("0,start,sin,2,")) << lines[2];
  EXPECT_NE(lines[6].find(",0,0,,0,,0"), std::string::npos) << lines[6];  // no period
  const auto json = to_json(learned);
  EXPECT_EQ(json.at("unit"), "d");
  EXPECT_EQ(json.at("grid"), 0.5);
  const auto& encoders = json.at("encoders");
  EXPECT_EQ(encoders[0].at("linear").at("slope"), 0.25);
  EXPECT_NEAR(encoders[0].at("terms")[0].at("folded_period").get<double>(), 7, 1e-9);
  EXPECT_TRUE(encoders[1].at("terms")[0].at("period").is_null());
}

}  // namespace
}  // namespace t2v
