#include "train/evaluation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "build_paths.h"
#include "data/importer_files.h"
#include "data/made_events.h"
#include "data/rmtpp_twins.h"
#include "data/splits.h"
#include "model/made_batch.h"
#include "model/typed_gaps.h"

namespace t2v {
namespace {

using data::MadeEvents;
using data::Piece;
using data::says;
using data::ValueTarget;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<Piece> pieces_of(const data::Events& events) {
  std::vector<Piece> pieces;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    pieces.push_back({s, events.begin(s), events.end(s), events.begin(s)});
  }
  return pieces;
}

/// A model without a cell, whose parameters are all 0: outputs are what a test sets.
struct PlainModel {
  PlainModel(const data::Events& events, Task task, std::vector<nn::HeadConfig> heads) {
    trained.task = task;
    trained.values = value_target(task, events);
    data::EncodingConfig encoding;
    encoding.value = trained.values != ValueTarget::kOfEvent;
    trained.encoding = data::learn_encoding(events, pieces_of(events), encoding);
    trained.config.cell = "none";
    trained.config.event_types = trained.encoding.event_types();
    trained.config.features = trained.encoding.features();
    trained.config.times = {nn::TimeEncoderConfig{}};
    trained.config.heads = std::move(heads);
    trained.times.view = events.view;
    const Model model(trained.config);
    trained.parameters.assign_zeros(model.layout());
    baselines = Baselines::fit(events, pieces_of(events), trained.encoding, task, trained.values, 1e-3);
  }

  void set(nn::Role role, const std::vector<float>& numbers, int which = 0) {
    const Model model(trained.config);
    for (const nn::Tensor& tensor : model.layout().tensors()) {
      if (tensor.role != role || which-- != 0) continue;
      ASSERT_EQ(tensor.size(), static_cast<int64_t>(numbers.size())) << tensor.name;
      std::copy(numbers.begin(), numbers.end(), trained.parameters.data(tensor));
      return;
    }
    FAIL() << "no such tensor";
  }

  Evaluation measured(const data::Events& events, const std::vector<Piece>& pieces, int threads = 1,
                      const EvaluationConfig& config = {}) const {
    ThreadPool pool(threads);
    return evaluate(trained, Model(trained.config), baselines, events, pieces, config, pool);
  }

  TrainedModel trained;
  Baselines baselines;
};

nn::HeadConfig softmax(int64_t classes, bool each_step) {
  nn::HeadConfig head;
  head.classes = classes;
  head.each_step = each_step;
  return head;
}

nn::HeadConfig head_of(const std::string& kind, bool each_step) {
  nn::HeadConfig head;
  head.kind = kind;
  head.each_step = each_step;
  head.components = 1;
  return head;
}

/// Types a, b, c have the codes 0, 1, 2. Transitions: ab ba ab, aa ac.
data::Events three_types() {
  return MadeEvents({{0, 1, 2, 3}, {0, 2, 4}}).types({"a", "b", "a", "b", "a", "a", "c"}).events();
}

TEST(Evaluation, OfNextTypesIsWhatIsCountedByHand) {
  const data::Events events = three_types();
  PlainModel model(events, Task::kNext, {softmax(3, true)});
  // After a: b, then c, then a. After b: c, and a and b alike.
  model.set(nn::Role::kTable, {0, 2, 1, 0, 0, 3, 0, 0, 0});
  const Evaluation evaluation = model.measured(events, pieces_of(events));
  const MeasureTable& table = evaluation.table("types");
  EXPECT_EQ(table.predictions, 5);
  // Ranks: ab 1, ba 3 (tied), ab 1, aa 3, ac 2.
  EXPECT_DOUBLE_EQ(table.at("model", "recall@1"), 2.0 / 5);
  EXPECT_DOUBLE_EQ(table.at("model", "recall@3"), 1);
  EXPECT_DOUBLE_EQ(table.at("model", "MRR@1"), 2.0 / 5);
  EXPECT_DOUBLE_EQ(table.at("model", "MRR"), (1 + 1.0 / 3 + 1 + 1.0 / 3 + 0.5) / 5);
  EXPECT_EQ(table.at("model", "tied"), 1);
  const double after_a = std::log(1 + std::exp(1.0) + std::exp(2.0));
  const double after_b = std::log(2 + std::exp(3.0));
  EXPECT_NEAR(table.at("model", "log loss"), (4 * after_a - 2 - 2 - 0 - 1 + after_b) / 5, 1e-6);
  // Popularity ranks a, b, c: ab 2, ba 1, ab 2, aa 1, ac 3.
  EXPECT_DOUBLE_EQ(table.at("popularity", "recall@1"), 2.0 / 5);
  EXPECT_DOUBLE_EQ(table.at("popularity", "MRR"), (0.5 + 1 + 0.5 + 1 + 1.0 / 3) / 5);
  // Markov: after a: b 2, a 1, c 1 (a is the more popular); after b: a.
  EXPECT_DOUBLE_EQ(table.at("Markov chain", "recall@1"), 3.0 / 5);
  EXPECT_DOUBLE_EQ(table.at("Markov chain", "MRR"), (1 + 1 + 1 + 0.5 + 1.0 / 3) / 5);
  // Own past, with 3 · (0.5, 0.3, 0.2) before: (a) b: 2, (ab) a: 1, (aba) b: 2, (a) a: 1, (aa) c: 3.
  EXPECT_DOUBLE_EQ(table.at("own frequencies", "recall@1"), 2.0 / 5);
  EXPECT_EQ(evaluation.sequences, 2);
  EXPECT_EQ(evaluation.events, 7);
}

TEST(Evaluation, LeavesOutContextButLetsBaselinesSeeIt) {
  const data::Events events = three_types();
  const PlainModel model(events, Task::kNext, {softmax(3, true)});
  const Evaluation evaluation = model.measured(events, {{0, 0, 4, 3}});
  const MeasureTable& table = evaluation.table("types");
  EXPECT_EQ(table.predictions, 1);  // b after aba: (2 + 1.5, 1 + 0.9, 0.6) of 6
  EXPECT_NEAR(table.at("own frequencies", "log loss"), -std::log(1.9 / 6), 1e-12);
  EXPECT_EQ(table.at("model", "tied"), 1);
  EXPECT_EQ(table.at("model", "MRR"), 1.0 / 3);
}

TEST(Evaluation, DoesNotPredictUnknownTypes) {
  const data::Events events = three_types();
  PlainModel model(events, Task::kNext, {softmax(3, true)});
  model.trained.encoding.event->names.resize(2);
  model.trained.encoding.event->unknown = true;  // in the place of c
  model.baselines =
      Baselines::fit(events, pieces_of(events), model.trained.encoding, Task::kNext, ValueTarget::kNone);
  EXPECT_EQ(model.measured(events, pieces_of(events)).table("types").predictions, 4);
  model.trained.encoding.event->unknown = false;
  EXPECT_TRUE(
      says(data::complaint([&] { model.measured(events, pieces_of(events)); }), "unknown to the model"));
}

TEST(Evaluation, OfRecommendationsHasDrawnAndExactCandidates) {
  const data::Events events = three_types();
  PlainModel model(events, Task::kRecommend, {softmax(3, true)});
  model.set(nn::Role::kTable, {0, 2, 1, 0, 0, 3, 0, 0, 0});
  EvaluationConfig config;
  config.at = {1, 2};
  config.negatives = 1;
  config.draws = 4000;
  const Evaluation evaluation = model.measured(events, pieces_of(events), 2, config);
  const MeasureTable& table = evaluation.table("candidates");
  // Ranks 1 3 1 3 2 of 3: one of the two others is drawn, better with chances 0, 1, 0, 1, 1/2.
  EXPECT_NEAR(table.at("model", "recall@1 exact"), 2.5 / 5, 1e-12);
  EXPECT_NEAR(table.at("model", "MRR@2 exact"), (2 + 2 * 0.5 + 0.75) / 5, 1e-12);
  EXPECT_NEAR(table.at("model", "recall@1 drawn"), 2.5 / 5, 0.01);
  EXPECT_NEAR(table.at("model", "MRR@2 drawn"), (2 + 2 * 0.5 + 0.75) / 5, 0.01);
  EXPECT_EQ(evaluation.table("types").at("model", "recall@2"), 3.0 / 5);
  EXPECT_EQ(to_json(evaluation)["candidates"]["draws"], 4000);
}

TEST(Evaluation, OfClassesHasAConfusionTable) {
  const data::Events events =
      MadeEvents({{0}, {0}, {0}}).types({"a", "a", "b"}).label({"x", "y", "y"}).events();
  PlainModel model(events, Task::kClassify, {softmax(2, false)});
  model.set(nn::Role::kTable, {1, 0, 0, 0});  // a: x; b: x as well, by the order
  const Evaluation evaluation = model.measured(events, pieces_of(events));
  const MeasureTable& table = evaluation.table("classes");
  EXPECT_DOUBLE_EQ(table.at("model", "accuracy"), 1.0 / 3);
  EXPECT_DOUBLE_EQ(table.at("majority class", "accuracy"), 2.0 / 3);
  EXPECT_NEAR(table.at("majority class", "log loss"), -(2 * std::log(2.0 / 3) + std::log(1.0 / 3)) / 3,
              1e-12);
  EXPECT_NEAR(table.at("model", "log loss"), (2 * std::log(1 + std::exp(1.0)) - 1 + std::log(2.0)) / 3, 1e-6);
  EXPECT_EQ(evaluation.confusion, (std::vector<Confusion>{{0, 0, 1}, {1, 0, 2}}));
  const nlohmann::json json = to_json(evaluation);
  EXPECT_EQ(json["confusion"][1]["target"], "y");
  EXPECT_EQ(json["confusion"][1]["count"], 2);
  EXPECT_TRUE(says(describe(evaluation), "is \\ taken for  x  y"));
}

TEST(Evaluation, OfForecastsIsInTheUnitOfTheData) {
  const data::Events events = MadeEvents({{0, 1, 2, 3}}).value({10, 20, kNan, 40}).events();
  PlainModel model(events, Task::kForecast, {head_of("mse", true)});
  model.set(nn::Role::kBias, {1});  // one deviation above the mean
  const double mean = 70.0 / 3;
  const double std = std::sqrt((100 + 400 + 1600) / 3.0 - mean * mean);
  const Evaluation evaluation = model.measured(events, pieces_of(events));
  const MeasureTable& table = evaluation.table("values");
  EXPECT_EQ(table.predictions, 2);  // 20 and 40
  EXPECT_NEAR(table.at("model", "MAE"), (std::abs(mean + std - 20) + std::abs(mean + std - 40)) / 2, 1e-5);
  EXPECT_NEAR(table.at("mean", "RMSE"),
              std::sqrt(((mean - 20) * (mean - 20) + (mean - 40) * (mean - 40)) / 2), 1e-12);
  EXPECT_NEAR(table.at("last value", "MAE"), 15, 1e-12);  // 10 for 20, 20 for 40
  EXPECT_NEAR(table.at("last value", "variance left"), 250.0 / 100, 1e-12);
  EXPECT_TRUE(says(describe(evaluation), "of value"));
}

TEST(Evaluation, KnowsTheValueOfASeasonAgo) {
  std::vector<int64_t> ticks;
  std::vector<double> values;
  for (int64_t t = 0; t < 120; ++t) {
    ticks.push_back(t);
    values.push_back(t % 6 == 0 ? 10.0 : 0.0);
  }
  const data::Events events = MadeEvents({ticks}).value(values).events();
  PlainModel model(events, Task::kForecast, {head_of("mse", true)});
  EXPECT_GT(model.baselines.season(), 0);
  model.baselines.value[1] = 6;  // exactly
  const MeasureTable next = model.measured(events, {{0, 0, 120, 6}}).table("values");
  EXPECT_EQ(next.predictions, 114);
  EXPECT_EQ(next.at("one season ago", "RMSE"), 0);
  EXPECT_GT(next.at("last value", "RMSE"), 1);
}

TEST(Evaluation, OfTheValueOfAnEventGivesBaselinesTheValuesBefore) {
  const data::Events events = MadeEvents({{0, 1, 2}}).value({1, 2, 4}).events();
  const PlainModel model(events, Task::kRegress, {head_of("mse", true)});
  const Evaluation evaluation = model.measured(events, pieces_of(events));
  const MeasureTable& table = evaluation.table("values");
  EXPECT_EQ(table.predictions, 3);
  const double mean = 7.0 / 3;
  EXPECT_NEAR(table.at("last value (sees values)", "MAE"), (mean - 1 + 1 + 2) / 3, 1e-12);
  EXPECT_NEAR(table.at("model", "RMSE"), table.at("mean", "RMSE"), 1e-6);
  EXPECT_NEAR(table.at("mean", "variance left"), 1, 1e-12);
}

TEST(Evaluation, OfTheNumberOfASequenceLeavesOutThoseWithout) {
  const data::Events events = MadeEvents({{0}, {0}, {0, 1}}).target({1, kNan, 3}).events();
  const PlainModel model(events, Task::kRegress, {head_of("mae", false)});
  const Evaluation evaluation = model.measured(events, pieces_of(events));
  const MeasureTable& table = evaluation.table("values");
  EXPECT_EQ(table.predictions, 2);
  EXPECT_EQ(table.rows.size(), 2U);
  EXPECT_NEAR(table.at("model", "MAE"), 1, 1e-6);
  EXPECT_NEAR(table.at("mean", "MAE"), 1, 1e-12);
}

TEST(Evaluation, OfGapsIsThatOfTheDistribution) {
  const data::Events events = three_types();  // gaps 1 1 1, 2 2
  PlainModel model(events, Task::kNext, {softmax(3, true), head_of("when", true)});
  const auto half = static_cast<float>(std::log(0.5));
  model.set(nn::Role::kBias, {0, 0.25F, half}, 1);
  const Evaluation evaluation = model.measured(events, pieces_of(events));
  const MeasureTable& table = evaluation.table("gaps");
  EXPECT_EQ(table.predictions, 5);
  const double median = std::exp(0.25);
  EXPECT_NEAR(table.at("model", "MAE of median"), (3 * (median - 1) + 2 * (2 - median)) / 5, 1e-6);
  const auto nll = [](double gap) {
    const double z = (std::log(gap) - 0.25) / 0.5;
    return std::log(gap * 0.5 * std::sqrt(2 * std::numbers::pi)) + 0.5 * z * z;
  };
  EXPECT_NEAR(table.at("model", "NLL"), (3 * nll(1) + 2 * nll(2)) / 5, 1e-6);
  // 1 is at z = -0.5, 2 at z = 0.886: between the quantiles.
  EXPECT_DOUBLE_EQ(table.at("model", "below 10 %"), 0);
  EXPECT_DOUBLE_EQ(table.at("model", "below 50 %"), 3.0 / 5);
  EXPECT_DOUBLE_EQ(table.at("model", "below 90 %"), 1);
  EXPECT_NEAR(table.at("log-normal", "MAE of median"),
              (3 * (std::exp(0.4 * std::log(2)) - 1) + 2 * (2 - std::exp(0.4 * std::log(2)))) / 5, 1e-12);
  EXPECT_LE(table.at("log-normal", "NLL"), table.at("model", "NLL"));
  EXPECT_TRUE(says(describe(evaluation), "units of time"));
}

TEST(Evaluation, OfWhatAndWhenTogetherIsTheSumOfBothAndHasARuleBeside) {
  const data::Events events = three_types();
  PlainModel model(events, Task::kNext, {softmax(3, true), head_of("when", true)});
  testing::make_timed(model.trained.config, {nn::TimeEncoderConfig{}});
  model.trained.parameters = nn::convert<float>(testing::made_parameters(Model(model.trained.config), 3));
  model.baselines = Baselines::fit(events, pieces_of(events), model.trained.encoding, Task::kNext,
                                   ValueTarget::kNone, 0, true);
  const Evaluation evaluation = model.measured(events, pieces_of(events), 2);
  const MeasureTable& joint = evaluation.table("joint");
  EXPECT_EQ(joint.predictions, 5);
  const double types = evaluation.table("types").at("model", "log loss");
  const double gaps = evaluation.table("gaps").at("model", "NLL");
  EXPECT_NEAR(joint.at("model", "joint NLL"), types + gaps, 1e-5);
  EXPECT_EQ(joint.at("model", "accuracy given time"), evaluation.table("types").at("model", "recall@1"));
  EXPECT_GT(joint.at("model", "quadrature error"), 0);
  EXPECT_LT(joint.at("model", "quadrature error"), 0.5);
  // Gaps before b: 1 1, before a: 1 2, before c: 2; each with three gaps of all (mean log 0.4 ln 2) more, and
  // the chain: after a came b twice, a and c once, after b a once.
  const double mean = 0.4 * std::log(2);
  const double spread = std::log(2) * std::sqrt(0.24);
  const double zero = 0.5 / 6;
  const auto loss = [&](double before_mean, double variance, double n, double gap) {
    const double share = zero * 3 / (n + 3);
    const double z = std::log(gap) - before_mean;
    return std::log(gap) + 0.5 * std::log(2 * std::numbers::pi * variance) + 0.5 * z * z / variance -
           std::log(1 - share);
  };
  const double mean_b = 3 * mean / 5;
  const double variance_b =
      (2 * mean_b * mean_b + 3 * (spread * spread + (mean - mean_b) * (mean - mean_b))) / 5;
  const TypedGaps rule(model.baselines);
  const double p_b = (2 + model.baselines.popularity[1]) / 5;
  EXPECT_NEAR(rule.after(0, 1, 1).loss, loss(mean_b, variance_b, 2, 1) - std::log(p_b), 1e-12);
  double sum = 0;
  for (const auto& [before, type, gap] :
       std::vector<std::tuple<int, int, double>>{{0, 1, 1}, {1, 0, 1}, {0, 1, 1}, {0, 0, 2}, {0, 2, 2}}) {
    sum += rule.after(before, type, gap).loss / 5;
  }
  EXPECT_NEAR(joint.at("Markov chain, log-normal a type", "joint NLL"), sum, 1e-12);
  EXPECT_EQ(joint.at("Markov chain, log-normal a type", "accuracy"), 3.0 / 5);
  EXPECT_EQ(model.measured(events, pieces_of(events), 1, {.distributions = false}).tables.size(), 2U);
}

TEST(Evaluation, OfGapsHasTheLastGapAndTheOwnMedianBeside) {
  const data::Events events = three_types();  // gaps 1 1 1, 2 2
  const PlainModel model(events, Task::kNext, {softmax(3, true), head_of("when", true)});
  const MeasureTable table = model.measured(events, pieces_of(events)).table("gaps");
  const double usual = std::exp(0.4 * std::log(2));
  EXPECT_NEAR(table.at("last gap", "MAE of median"), (usual - 1 + 2 - usual) / 5, 1e-6);
  EXPECT_NEAR(table.at("own median", "RMSE of mean"),
              std::sqrt(((usual - 1) * (usual - 1) + (2 - usual) * (2 - usual)) / 5), 1e-6);
  EXPECT_TRUE(std::isnan(table.at("last gap", "NLL")));
  EXPECT_TRUE(std::isnan(table.at("last gap", "PIT error")));
}

/// A recurrent model of types and gaps, on random sequences.
struct RecurrentModel {
  RecurrentModel() {
    Random random(4);
    std::vector<std::vector<int64_t>> ticks(150);
    std::vector<std::string> types;
    for (auto& sequence : ticks) {
      int64_t t = 0;
      for (uint64_t i = 0; i < 2 + random.below(30); ++i) {
        sequence.push_back(t += 1 + static_cast<int64_t>(random.below(9)));
        types.emplace_back(1, static_cast<char>('a' + random.below(7)));
      }
    }
    events = MadeEvents(ticks).types(types).events();
    TrainedModel& trained = model.trained;
    trained.task = Task::kRecommend;
    trained.encoding = data::learn_encoding(events, pieces_of(events), {});
    trained.config.event_types = 7;
    trained.config.hidden = 11;
    trained.config.times = {nn::TimeEncoderConfig{}};
    trained.config.heads = {softmax(7, true), head_of("when", true)};
    trained.config.heads[1].weight = 0.5;
    trained.config.heads[1].components = 3;
    trained.config.heads[0].class_weights = {1, 2, 1, 1, 0.5, 1, 1};
    trained.parameters = nn::convert<float>(testing::made_parameters(Model(trained.config), 3));
    model.baselines =
        Baselines::fit(events, pieces_of(events), trained.encoding, trained.task, trained.values);
  }
  data::Events events;
  PlainModel model{three_types(), Task::kNext, {softmax(3, true)}};
};

TEST(Evaluation, IsEqualOnAnyNumberOfThreads) {
  const RecurrentModel made;
  const std::string one = to_json(made.model.measured(made.events, pieces_of(made.events), 1)).dump();
  for (const int threads : {2, 3}) {
    EXPECT_EQ(to_json(made.model.measured(made.events, pieces_of(made.events), threads)).dump(), one);
  }
}

TEST(Evaluation, DependsOnBatchesByRoundingAlone) {
  const RecurrentModel made;
  EvaluationConfig config;
  config.batch = 17;
  const Evaluation small = made.model.measured(made.events, pieces_of(made.events), 2, config);
  const Evaluation large = made.model.measured(made.events, pieces_of(made.events), 2);
  for (std::size_t t = 0; t < small.tables.size(); ++t) {
    for (std::size_t r = 0; r < small.tables[t].rows.size(); ++r) {
      for (std::size_t i = 0; i < small.tables[t].columns.size(); ++i) {
        const double expected = large.tables[t].rows[r].values[i];
        const double value = small.tables[t].rows[r].values[i];
        if (value == expected || (std::isnan(value) && std::isnan(expected))) continue;
        EXPECT_NEAR(value, expected, 1e-4 + 1e-5 * std::abs(expected))
            << small.tables[t].name << " " << small.tables[t].columns[i].name;
      }
    }
  }
}

TEST(Evaluation, HasTheLossesOfTheModelItself) {
  const RecurrentModel made;
  const Model model(made.model.trained.config);
  ThreadPool pool(2);
  Workspace<float> work;
  const data::Batches batches(made.events, pieces_of(made.events), made.model.trained.encoding,
                              measuring_batches(made.model.trained, 1000));
  const Score score =
      *validation_score(made.model.trained, model, made.model.trained.parameters, batches, work, pool);
  data::Batch batch;
  batches.make(0, batch);
  const double loss = model.loss(made.model.trained.parameters, batch.view(), work, pool);
  EXPECT_NEAR(score.loss, loss, 1e-6 * loss);
  const Evaluation evaluation = made.model.measured(made.events, pieces_of(made.events));
  EXPECT_EQ(score.predictions, evaluation.table("types").predictions);
  EXPECT_NEAR(score.measure, evaluation.table("types").at("model", "recall@10"), 1e-4);
}

TEST(Evaluation, RefusesWhatCannotBeMeasured) {
  const data::Events events = three_types();
  PlainModel model(events, Task::kNext, {softmax(3, true)});
  const auto complaint_of = [&](const std::vector<Piece>& pieces, const EvaluationConfig& config) {
    return data::complaint([&] { model.measured(events, pieces, 1, config); });
  };
  EvaluationConfig config;
  EXPECT_TRUE(says(complaint_of({}, config), "no sequence"));
  EXPECT_TRUE(says(complaint_of({{0, 0, 1, 0}}, config), "nothing to predict"));
  config.at = {3, 0};
  EXPECT_TRUE(says(complaint_of(pieces_of(events), config), "cannot have 0 types"));
  model.trained.config.heads[0].each_step = false;
  EXPECT_TRUE(says(complaint_of(pieces_of(events), {}), "but its task has 0"));
  model.trained.config.heads = {softmax(2, true)};
  model.trained.parameters.assign_zeros(Model(model.trained.config).layout());
  EXPECT_TRUE(says(complaint_of(pieces_of(events), {}), "a class to be predicted is 2"));
}

TEST(Evaluation, IsATableOfTheModelBesideTheBaselines) {
  const data::Events events = three_types();
  const PlainModel model(events, Task::kNext, {softmax(3, true)});
  const Evaluation evaluation = model.measured(events, pieces_of(events));
  const std::string text = describe(evaluation);
  EXPECT_TRUE(says(text, "task next, 2 sequences, 7 events\ntypes (5 predictions)\n"));
  EXPECT_TRUE(says(text, "recall@1  recall@3  recall@5   MRR@1   MRR@3   MRR@5     MRR  log loss  tied\n"));
  EXPECT_TRUE(says(text, "model              0.0000    1.0000"));
  const nlohmann::json json = to_json(evaluation);
  EXPECT_EQ(json["types"]["predictions"], 5);
  EXPECT_EQ(json["types"]["model"]["recall@3"], 1);
  EXPECT_EQ(json["types"]["baselines"]["popularity"]["recall@1"], 0.4);
  EXPECT_TRUE(json["types"]["baselines"].contains("markov_chain"));
  EXPECT_EQ(json["types"]["units"]["log_loss"], "nats");
}

TEST(Evaluation, DoesWithoutBaselines) {
  const data::Events events = three_types();
  PlainModel model(events, Task::kNext, {softmax(3, true), head_of("when", true)});
  model.baselines = {};
  const Evaluation evaluation = model.measured(events, pieces_of(events));
  EXPECT_EQ(evaluation.table("types").rows.size(), 1U);
  EXPECT_EQ(evaluation.table("gaps").rows.size(), 1U);
}

TEST(Evaluation, OfStackOverflowHasTheBaselinesThatAreKnown) {
  const std::string folder = test_data("stackoverflow");
  if (folder.empty()) GTEST_SKIP() << no_test_data("stackoverflow");
  using data::Part;
  data::EventTable read =
      data::import_rmtpp({{folder + "/event-1-train.txt", folder + "/time-1-train.txt", Part::kTrain},
                          {folder + "/event-1-test.txt", folder + "/time-1-test.txt", Part::kTest}});
  data::GroupCounts grouped;
  const data::Events events = data::group(std::move(read), data::Order::kSort, grouped);
  data::SplitCounts counts;
  const data::Split split = data::make_split(events, {.kind = "given"}, counts);
  PlainModel model(events, Task::kNext, {softmax(22, true)});
  model.baselines =
      Baselines::fit(events, split.train, model.trained.encoding, Task::kNext, ValueTarget::kNone);
  const Evaluation evaluation = model.measured(events, split.test, 2);
  const MeasureTable& table = evaluation.table("types");
  EXPECT_EQ(table.predictions, 95'907);
  const auto expect = [&](const char* row, double first, double third, double mrr) {
    EXPECT_NEAR(table.at(row, "recall@1"), first, 0.001) << row;
    EXPECT_NEAR(table.at(row, "recall@3"), third, 0.001) << row;
    EXPECT_NEAR(table.at(row, "MRR"), mrr, 0.001) << row;
  };
  expect("popularity", 0.429, 0.7215, 0.6105);
  expect("own frequencies", 0.442, 0.761, 0.627);
  expect("Markov chain", 0.445, 0.7677, 0.634);
  EXPECT_EQ(table.at("model", "recall@5"), 0);  // a model that tells nothing apart
  EXPECT_EQ(table.at("model", "tied"), 95'907);
}

}  // namespace
}  // namespace t2v
