#include "paper/recommendation_config.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "model/model.h"
#include "t2v/error.h"

namespace t2v::paper {
namespace {

TEST(RecommendationConfig, AsWrittenTakesItsEquationsFromThePapersAndTheRestFromTheCode) {
  const RecommendationConfig config = recommendation_protocol("paper");
  EXPECT_EQ(config.inner, "sigmoid");
  EXPECT_EQ(config.t1_constraint, "nonpositive");
  EXPECT_EQ(config.delta, "backward");
  EXPECT_FALSE(config.carry_across_users);
  EXPECT_EQ(config.tail, "clean");
  EXPECT_EQ(config.order, "file");
  EXPECT_EQ(config.batch, 5);
  EXPECT_EQ(config.vocabulary, 5000);
  EXPECT_EQ(config.max_len, 200);
  EXPECT_EQ(config.epochs, 50);
  EXPECT_EQ(config.draws, 20);
  EXPECT_EQ(config.learning_rate, 0.01);
}

TEST(RecommendationConfig, AsCodedDiffersWhereTheCodeDoes) {
  const nlohmann::json written = to_json(recommendation_protocol("paper"));
  const nlohmann::json coded = to_json(recommendation_protocol("as-coded"));
  nlohmann::json differs = nlohmann::json::object();
  for (const auto& item : coded.items()) {
    if (written.at(item.key()) != item.value()) differs[item.key()] = item.value();
  }
  EXPECT_EQ(differs, (nlohmann::json{{"protocol", "as-coded"},
                                     {"inner", "tanh"},
                                     {"omega_init", "n01"},
                                     {"t1_constraint", "floor"},
                                     {"delta", "as_coded"},
                                     {"carry_across_users", true},
                                     {"tail", "as_coded"}}));
}

TEST(RecommendationConfig, GoesThroughJson) {
  RecommendationConfig config = recommendation_protocol("as-coded");
  config.cell = "tlstm3";
  config.linear_scale = 1e-5;
  config.seed = 7;
  EXPECT_EQ(to_json(recommendation_config_from(to_json(config))), to_json(config));
  EXPECT_EQ(recommendation_config_from({{"k", 16}}).k, 16);
  EXPECT_THROW(recommendation_protocol("worst"), Error);
  EXPECT_THROW(recommendation_config_from({{"sines", 16}}), Error);
  EXPECT_THROW(recommendation_config_from({{"k", "many"}}), Error);
  EXPECT_THROW(recommendation_config_from({{"cell", "gru"}}), Error);
}

TEST(RecommendationConfig, RefusesWhatMakesNoSense) {
  for (const nlohmann::json& wrong : std::vector<nlohmann::json>{{{"t1_constraint", "ceiling"}},
                                                                 {{"inner", "relu"}},
                                                                 {{"delta", "both"}},
                                                                 {{"time_unit", "y"}},
                                                                 {{"tail", "long"}},
                                                                 {{"order", "random"}},
                                                                 {{"split", "shortest"}},
                                                                 {{"omega_init", "periodogram"}},
                                                                 {{"batch", 0}},
                                                                 {{"peephole", false}, {"cell", "tlstm1"}}}) {
    EXPECT_THROW(recommendation_config_from(wrong), Error) << wrong;
  }
}

// V = 5000, H = 128: 4(V+d)H + 4H² + 7H + V(H+1) for an LSTM with peepholes and time of d numbers, and so on;
// a Time2Vec of k sines has d = k+1 and 2(k+1) parameters of its own.
TEST(RecommendationConfig, MakesModelsOfTheKnownSizes) {
  const auto count = [](const char* cell, bool time2vec, int64_t k) {
    RecommendationConfig config;
    config.cell = cell;
    config.time2vec = time2vec;
    config.k = k;
    return Model(model_config(config, 5000)).layout().parameter_count();
  };
  EXPECT_EQ(count("lstm", false, 64), 3271944);
  EXPECT_EQ(count("tlstm1", false, 64), 3911816);
  EXPECT_EQ(count("tlstm3", false, 64), 3895432);
  EXPECT_EQ(count("tlstm3", true, 16), 3895432 + 3 * 16 * 128 + 2 * 17);
}

TEST(RecommendationConfig, ScalesTime) {
  EXPECT_EQ(in_unit(7200, "s"), 7200);
  EXPECT_EQ(in_unit(7200, "min"), 120);
  EXPECT_EQ(in_unit(7200, "h"), 2);
  EXPECT_EQ(in_unit(43200, "d"), 0.5);
  EXPECT_EQ(in_unit(0, "log"), 0);
  EXPECT_NEAR(in_unit(std::exp(3) - 1, "log"), 3, 1e-12);
}

}  // namespace
}  // namespace t2v::paper
