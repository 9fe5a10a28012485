#include "model/rescale.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "compare.h"
#include "data/batches.h"
#include "data/duration.h"
#include "data/iso_time.h"
#include "data/made_events.h"
#include "made_model.h"
#include "model/config_json.h"
#include "nn/when.h"

namespace t2v {
namespace {

using namespace testing;

constexpr double kFactors[] = {86400, 1 / 60.0};

/// A model of plain numbers with this configuration.
TrainedModel plain_model(const ModelConfig& config, uint64_t seed = 1) {
  TrainedModel model;
  model.config = config;
  model.times.scale = {false, 0};
  model.times.grid = 0.5;
  model.times.least_gap = 0.25;
  model.parameters = nn::convert<float>(made_parameters(Model(config), seed));
  return model;
}

MadeBatch scaled(MadeBatch batch, double factor) {
  for (auto& times : batch.times) {
    for (double& time : times) time *= factor;
  }
  return batch;
}

/// The outputs of a head, computed in T.
template <class T>
std::vector<double> outputs(const TrainedModel& trained, const SequenceBatch& batch, std::size_t head = 0) {
  const Model model(trained.config);
  ThreadPool pool(1);
  Workspace<T> work;
  const bool each = trained.config.heads[head].each_step;
  std::vector<T> result(
      static_cast<std::size_t>((each ? batch.event_count() : batch.sequences()) * model.outputs(head)));
  model.outputs_of<T>(result, head, nn::convert<T>(trained.parameters), batch, work, pool);
  return {result.begin(), result.end()};
}

/// Outputs of before, with what the means of a `when` head say about gaps in the new units.
std::vector<double> in_new_units(std::vector<double> outputs, const nn::HeadConfig& head, double factor) {
  if (head.kind != "when") return outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto k = static_cast<int64_t>(i) % (3 * head.components);
    if (k >= head.components && k < 2 * head.components) outputs[i] += std::log(factor);
  }
  return outputs;
}

std::string message_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Rescale, KeepsTheOutputsOfEveryCellWithEveryEncoderAndHead) {
  int compared = 0;
  for (const ModelConfig& config : all_model_configs(3)) {
    const MadeBatch batch({3, 6, 2}, config, 4, false);
    const TrainedModel before = plain_model(config);
    const auto expected = outputs<double>(before, batch.view());
    for (const double factor : kFactors) {
      TrainedModel after = before;
      rescale(after, factor);
      const auto actual = outputs<double>(after, scaled(batch, factor).view());
      expect_close(actual, in_new_units(expected, config.heads[0], factor), 1e-6, describe(config), true);
      ASSERT_FALSE(HasFailure());
      ++compared;
    }
  }
  EXPECT_GT(compared, 1000);
}

TEST(Rescale, KeepsTheOutputsInFloatsThroughSeveralLayers) {
  for (const ModelConfig& cell : all_cell_configs()) {
    ModelConfig config = cell;
    config.event_types = 3;
    config.hidden = 6;
    config.layers = cell.cell == "none" ? 1 : 2;
    config.skip = true;
    config.times.resize(3);
    config.times[1].kind = "calendar";
    config.times[1].origin = 1.7e9;
    config.times[2].kind = "raw";
    config.times[2].input = TimeInput::kGap;
    config.heads.resize(2);
    config.heads[1].kind = "when";
    config.heads[1].each_step = true;
    const MadeBatch batch({3, 6, 2}, config, 4, false);
    const TrainedModel before = plain_model(config);
    for (const double factor : kFactors) {
      TrainedModel after = before;
      rescale(after, factor);
      const MadeBatch later = scaled(batch, factor);
      for (std::size_t head = 0; head < 2; ++head) {
        const auto actual = outputs<float>(after, later.view(), head);
        const auto expected = outputs<float>(before, batch.view(), head);
        expect_close(actual, in_new_units(expected, config.heads[head], factor), 1e-6, describe(config),
                     true);
      }
      EXPECT_NE(outputs<float>(before, later.view()), outputs<float>(before, batch.view()));
    }
  }
}

TEST(Rescale, KeepsPhasesOfAMillionRadians) {
  ModelConfig config;
  config.event_types = 2;
  config.times.resize(1);
  const TrainedModel before = plain_model(config);
  MadeBatch batch({40, 20, 30}, config, 4, false);
  for (double& time : batch.times[0]) time *= 1e4;  // at frequencies up to 1.5
  for (const double factor : {86400.0, 1 / 60.0, 0.3}) {
    TrainedModel after = before;
    rescale(after, factor);
    expect_close(outputs<float>(after, scaled(batch, factor).view()), outputs<float>(before, batch.view()),
                 1e-6, "far from the origin");
  }
}

TEST(Rescale, MultipliesWhatTheModelSaysAboutGaps) {
  ModelConfig config;
  config.event_types = 2;
  config.times.resize(1);
  config.heads[0].kind = "when";
  config.heads[0].each_step = true;
  for (const char* cell : {"none", "gru"}) {
    config.cell = cell;
    const TrainedModel before = plain_model(config);
    const MadeBatch batch({3, 2}, config, 4, false);
    for (const double factor : kFactors) {
      TrainedModel after = before;
      rescale(after, factor);
      const auto old_outputs = outputs<float>(before, batch.view());
      const auto new_outputs = outputs<float>(after, scaled(batch, factor).view());
      const std::vector<float> was(old_outputs.begin(), old_outputs.end());
      const std::vector<float> is(new_outputs.begin(), new_outputs.end());
      for (std::size_t e = 0; e < 5; ++e) {
        const double median = nn::GapMixture(was.data() + 9 * e, nn::HeadConfig{}).median();
        EXPECT_NEAR(nn::GapMixture(is.data() + 9 * e, nn::HeadConfig{}).median(), median * factor,
                    1e-5 * median * factor);
      }
    }
  }
}

TEST(Rescale, ChangesWhatTimesAreMeasuredByAndNoWeights) {
  ModelConfig config;
  config.event_types = 3;
  config.cell = "tlstm2";
  config.layers = 2;
  config.t1_constraint = "floor";
  config.t1_floor = -0.125;
  config.times.resize(3);
  config.times[0].kind = "raw";
  config.times[1].kind = "log";
  for (auto& time : config.times) time.scale = 3, time.centre = 0.5, time.spread = 2;
  const MadeBatch batch({3, 6, 2}, config, 4, false);
  const TrainedModel before = plain_model(config);
  for (const double factor : kFactors) {
    TrainedModel after = before;
    rescale(after, factor);
    expect_close(outputs<double>(after, scaled(batch, factor).view()), outputs<double>(before, batch.view()),
                 1e-6, "measured times");
    for (int64_t i = 0; i < before.parameters.dense.size(); ++i) {
      ASSERT_EQ(after.parameters.dense[i], before.parameters.dense[i]);
    }
    EXPECT_EQ(after.config.times[0].centre, 0.5 * factor);
    EXPECT_EQ(after.config.times[1].centre, 0.5);  // of logarithms, which have no unit
    EXPECT_EQ(after.config.times[2].scale, 3 * factor);
  }
}

TEST(Rescale, ThereAndBackIsTheModelAsItWas) {
  const TrainedModel before = made_model("phased");
  TrainedModel after = before;
  rescale_to_unit(after, "s");
  rescale_to_unit(after, "d");
  EXPECT_EQ(after.times.view.unit, "d");
  EXPECT_EQ(after.times.view.ticks_per_unit, 86400e9);
  EXPECT_NEAR(after.times.grid, before.times.grid, 1e-18);
  EXPECT_NEAR(after.training->at("rescaled").get<double>(), 1, 1e-15);
  const Model model(before.config);
  for (const nn::Tensor& tensor : model.layout().tensors()) {
    for (int64_t i = 0; i < tensor.size(); ++i) {
      const double was = before.parameters.get(tensor, i);
      EXPECT_NEAR(after.parameters.get(tensor, i), was, 1e-15 * std::abs(was)) << tensor.name;
    }
  }
}

TEST(Rescale, ScalesWhatIsKnownAboutTheTimes) {
  TrainedModel model = plain_model(made_model().config);
  model.training["span"] = 10;
  rescale(model, 86400);
  EXPECT_EQ(model.times.view.unit, "1");
  EXPECT_EQ(model.times.view.ticks_per_unit, 1);
  EXPECT_EQ(model.times.grid, 43200);
  EXPECT_EQ(model.times.least_gap, 21600);
  EXPECT_EQ(model.training->at("span"), 864000);
  model.times.view.origin = data::OriginKind::kDataSet;
  model.times.view.origin_tick = 3;
  rescale(model, 1 / 3.0);
  EXPECT_EQ(model.times.view.origin_tick, 1);
}

/// Events a, b, c, d of two users, with instants that no unit divides.
data::Events dates() {
  const int64_t start = 1'700'000'000'123'456'789;
  const int64_t hour = 3600 * data::kNanosecondsPerSecond;
  data::Events events = data::MadeEvents({{start, start + 5 * hour + 17, start + 100 * hour},
                                          {start + 31 * hour + 5, start + 33 * hour}})
                            .types({"a", "b", "c", "d", "a"})
                            .number("price", {1, 2, 3, 4, 5})
                            .events();
  events.scale = {true, 9};
  return events;
}

std::vector<double> predictions(const TrainedModel& model, std::size_t head) {
  data::Events events = dates();
  fit_to_model(events, model);
  std::vector<data::Piece> pieces;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    pieces.push_back({s, events.begin(s), events.end(s), events.begin(s)});
  }
  data::Batches batches(events, pieces, model.encoding, model.batches(false));
  return outputs<float>(model, batches.make(0).view(), head);
}

TEST(RescaleToUnit, GivesTheSamePredictionsForTheSameFile) {
  for (const auto origin :
       {data::OriginKind::kSequence, data::OriginKind::kDataSet, data::OriginKind::kInstant}) {
    for (const ModelConfig& cell : all_cell_configs()) {
      TrainedModel before = made_model(cell.cell);
      before.config.times.resize(4);
      before.config.times[2].kind = "calendar";
      before.config.times[3].kind = "raw";
      before.config.heads.resize(2);
      before.config.heads[1].kind = "when";
      before.config.heads[1].each_step = true;
      before.parameters = nn::convert<float>(made_parameters(Model(before.config), 1));
      before.times.view.origin = origin;
      before.times.view.origin_tick = 1'699'999'000'000'000'000;
      for (const char* unit : {"s", "min", "h", "d", "w"}) {
        TrainedModel after = before;
        rescale_to_unit(after, unit);
        EXPECT_EQ(after.times.view.unit, unit);
        const double factor = before.times.view.ticks_per_unit / after.times.view.ticks_per_unit;
        for (std::size_t head = 0; head < 2; ++head) {
          expect_close(predictions(after, head),
                       in_new_units(predictions(before, head), before.config.heads[head], factor), 1e-6,
                       cell.cell + " in " + unit);
          ASSERT_FALSE(HasFailure());
        }
      }
    }
  }
}

TEST(RescaleToUnit, IsThatByTheFactorOfTheUnit) {
  TrainedModel by_unit = made_model();
  TrainedModel by_factor = made_model();
  rescale_to_unit(by_unit, "min");
  rescale(by_factor, 1440);
  EXPECT_EQ(by_factor.times.view.unit, "min");
  EXPECT_EQ(by_factor.times.view.ticks_per_unit, 60e9);
  EXPECT_EQ(by_factor.times.view.origin_tick, by_unit.times.view.origin_tick);
  for (int64_t i = 0; i < by_unit.parameters.wide.size(); ++i) {
    EXPECT_EQ(by_factor.parameters.wide[i], by_unit.parameters.wide[i]);
  }
}

TEST(Rescale, RefusesWhatItCannotDoAndLeavesTheModelAsItIs) {
  TrainedModel model = made_model();
  const auto refusal = [&](double factor) { return message_of([&] { rescale(model, factor); }); };
  for (const double factor : {0.0, -1.0, 1e19, 1e-19, std::nan(""), double{INFINITY}}) {
    EXPECT_NE(refusal(factor).find("from 1e-18 to 1e+18"), std::string::npos) << factor;
  }
  EXPECT_EQ(refusal(100),
            "times in d multiplied by 100 are in no unit that has a name; these factors lead to one: 86400 "
            "(s), 1440 (min), 24 (h), 1 (d), 0.14285714285714285 (w)");
  EXPECT_NE(message_of([&] { rescale_to_unit(model, "y"); }).find("s, min, h, d, w"), std::string::npos);
  EXPECT_EQ(model.times.view.unit, "d");
  EXPECT_EQ(model.parameters.wide[0], made_model().parameters.wide[0]);

  TrainedModel plain = plain_model(made_model().config);
  EXPECT_NE(message_of([&] { rescale_to_unit(plain, "s"); }).find("plain numbers"), std::string::npos);
  plain.times.view.origin = data::OriginKind::kInstant;
  plain.times.view.origin_tick = 5;
  EXPECT_NE(message_of([&] { rescale(plain, 0.5); }).find("origin"), std::string::npos);
  EXPECT_EQ(plain.times.view.origin_tick, 5);

  plain.times.view.origin = data::OriginKind::kSequence;
  plain.parameters.wide[0] = 1e300;
  EXPECT_NE(message_of([&] { rescale(plain, 1e-10); }).find("beyond the range"), std::string::npos);
  EXPECT_EQ(plain.times.grid, 0.5);
}

TEST(Rescale, TakesTheBaselinesAlong) {
  TrainedModel model = testing::made_model();
  model.baselines.gap = {0.5, 2};
  model.baselines.value = {7, 3};
  rescale_to_unit(model, "s");
  EXPECT_NEAR(model.baselines.gap[0], 0.5 + std::log(86400), 1e-12);
  EXPECT_EQ(model.baselines.gap[1], 2);
  EXPECT_EQ(model.baselines.value, (std::vector<double>{7, 3 * 86400.0}));
}

TEST(Rescale, RecordsTheUnitAndTheOriginThatTheModelThenHas) {
  ModelConfig config;
  config.event_types = 2;
  TrainedModel model = plain_model(config);
  model.times.scale = {true, 0};
  model.times.view = {"h", 3600e9, data::OriginKind::kInstant, 0};
  model.options = {{"unit", "h"}, {"origin", "1970-01-01T00:00:00Z"}, {"hidden", 3}};
  rescale_to_unit(model, "d");
  EXPECT_EQ(*model.options,
            (nlohmann::json{{"unit", "d"}, {"origin", "1970-01-01T00:00:00Z"}, {"hidden", 3}}));
  model = plain_model(config);
  model.times.scale.decimals = 1;
  model.times.view = {"1", 10, data::OriginKind::kInstant, 25};
  model.options = {{"origin", "2.5"}};
  rescale(model, 10);
  EXPECT_EQ(*model.options, (nlohmann::json{{"origin", "25.0"}}));
}

}  // namespace
}  // namespace t2v
