#include "train/time_layout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "data/batches.h"
#include "data/importer_files.h"
#include "data/made_events.h"

namespace t2v {
namespace {

using data::complaint;
using data::MadeEvents;
using data::says;
using data::ValueTarget;

TrainConfig settled_config() {
  TrainConfig config;
  config.omega_init = "span";
  config.l1 = 0;
  return config;
}

struct LaidOut {
  std::vector<nn::TimeEncoderConfig> encoders;
  std::vector<std::string> choices;
  std::string inputs;
};

LaidOut laid_out(const TrainConfig& config, data::Events& events, Task task = Task::kNext,
                 ValueTarget values = ValueTarget::kNone) {
  LaidOut out;
  out.encoders = time_layout(config, task, values, events, out.choices);
  for (const auto& encoder : out.encoders) {
    out.inputs += (out.inputs.empty() ? "" : ",") + std::string(nn::name_of(encoder.input));
  }
  return out;
}

data::Events plain_times() { return MadeEvents({{0, 2, 5}, {1, 4}}).events(); }

/// What is said about options for plain times.
std::string complaint_of(const TrainConfig& config, Task task = Task::kNext) {
  data::Events events = plain_times();
  return complaint([&] { laid_out(config, events, task); });
}

TEST(TimeLayout, TakesTheTimesThatATaskHas) {
  data::Events events = plain_times();
  TrainConfig config = settled_config();
  EXPECT_EQ(laid_out(config, events, Task::kNext).inputs, "start,gap");
  EXPECT_EQ(laid_out(config, events, Task::kClassify).inputs, "start,gap");
  EXPECT_EQ(laid_out(config, events, Task::kRegress, ValueTarget::kOfSequence).inputs, "start,gap");
  EXPECT_EQ(laid_out(config, events, Task::kRegress, ValueTarget::kOfEvent).inputs, "start");
  EXPECT_EQ(laid_out(config, events, Task::kForecast, ValueTarget::kOfNextEvent).inputs, "start,query");
  config.query_time = true;
  EXPECT_EQ(laid_out(config, events, Task::kNext).inputs, "query,until,gap");
  config.query_time = false;
  config.time_input = "gap,start";
  EXPECT_EQ(laid_out(config, events, Task::kNext).inputs, "gap,start");
}

TEST(TimeLayout, HandsOnWhatTheOptionsSay) {
  data::Events events = plain_times();
  TrainConfig config = settled_config();
  EXPECT_EQ(laid_out(config, events).encoders[0].k, 32);
  config.time = "t2v:7";
  config.activation = "triangle";
  config.omega_init = "u01";
  config.no_linear = true;
  config.freeze = true;
  config.l1 = 0.25;
  for (const auto& encoder : laid_out(config, events).encoders) {
    EXPECT_EQ(encoder.kind, "t2v");
    EXPECT_EQ(encoder.k, 7);
    EXPECT_EQ(nn::name_of(encoder.activation), "triangle");
    EXPECT_EQ(nn::name_of(encoder.start), "u01");
    EXPECT_FALSE(encoder.linear);
    EXPECT_TRUE(encoder.frozen);
    EXPECT_EQ(encoder.l1, 0.25);
  }
  config = {};
  config.time = "none";
  EXPECT_TRUE(laid_out(config, events).encoders.empty());
}

TEST(TimeLayout, RefusesWhatItDoesNotKnowAndListsTheNames) {
  const auto refused = [](auto change, const char* why) {
    TrainConfig config = settled_config();
    change(config);
    EXPECT_SAYS(complaint_of(config), why);
  };
  const char* const kTimes = "use none, raw, log, calendar, t2v or t2v:k";
  for (const char* time : {"t2v:0", "t2v:x", "t2v:", "t2v:3.5", "t2v:-1", "t2v:999999999", "raw:3"}) {
    refused([&](TrainConfig& config) { config.time = time; }, kTimes);
  }
  refused([](TrainConfig& config) { config.activation = "tan"; }, "sin, cos, triangle");
  refused([](TrainConfig& config) { config.omega_init = "n2"; }, "u11, u01, n1");
  refused([](TrainConfig& config) { config.time_input = "star"; }, "start, gap, query, until");
  refused([](TrainConfig& config) { config.time_input = ""; }, "start, gap, query, until");
  refused([](TrainConfig& config) { config.time_input = "gap,,start"; }, "start, gap, query, until");
  refused([](TrainConfig& config) { config.time_input = "gap,start,gap"; }, "'gap' is named twice");
  refused([](TrainConfig& config) { config.time_input = "query"; }, "say `query_time` if it is known");
  refused([](TrainConfig& config) { config.time_input = "start,until"; }, "say `query_time`");
  refused([](TrainConfig& config) { config.time = "calendar"; },
          "needs dates, but the times are plain numbers");
  refused(
      [](TrainConfig& config) {
        config.time = "none";
        config.query_time = true;
      },
      "`time` none takes away");
  refused(
      [](TrainConfig& config) {
        config.time_input = "start,gap";
        config.query_time = true;
      },
      "add query or until");
}

TEST(TimeLayout, OfACalendarCountsFrom1970) {
  constexpr int64_t kHour = 3'600'000'000'000;
  data::Events events = MadeEvents({{5 * kHour, 6 * kHour}}).instants().events();
  data::set_unit(events, "h");
  TrainConfig config = settled_config();
  config.time = "calendar";
  const LaidOut out = laid_out(config, events);
  EXPECT_EQ(out.inputs, "start");  // a gap has no date
  EXPECT_EQ(out.encoders[0].unit, 3600);
  EXPECT_EQ(out.encoders[0].origin, 0);
  EXPECT_EQ(events.view.origin, data::OriginKind::kInstant);
  EXPECT_EQ(events.time(0, 0), 5);
}

TEST(TimeLayout, LeavesOutTimesThatNeverDiffer) {
  data::Events events = MadeEvents({{3, 3}, {8, 8, 8}}).events();
  TrainConfig config = settled_config();
  const LaidOut none = laid_out(config, events);
  EXPECT_TRUE(none.encoders.empty());
  EXPECT_SAYS(none.choices.at(0), "never differ");
  // From a common origin sequences differ.
  data::set_origin(events, data::OriginKind::kDataSet);
  EXPECT_EQ(laid_out(config, events).inputs, "start");
  config.query_time = true;
  EXPECT_EQ(laid_out(config, events).inputs, "query");
  data::Events same = MadeEvents({{3, 3}, {3}}).events();
  data::set_origin(same, data::OriginKind::kDataSet);
  EXPECT_TRUE(laid_out(settled_config(), same).encoders.empty());
}

TEST(TimeLayout, IsSaidInALine) {
  data::Events events = plain_times();
  EXPECT_EQ(laid_out(settled_config(), events).choices,
            (std::vector<std::string>{
                "time: t2v of start, gap, in the unit of the data from the first event of each sequence"}));
}

TEST(TimeScales, KnowTheStrongestPeriodOfWhatIsPredicted) {
  std::vector<int64_t> ticks;
  std::vector<double> values;
  constexpr double kPeriod = 12;
  for (int64_t t = 0; t < 240; ++t) {
    ticks.push_back(t);
    values.push_back(0.05 * static_cast<double>(t) +
                     std::sin(2 * std::numbers::pi * static_cast<double>(t) / kPeriod));
  }
  data::Events events = MadeEvents({ticks}).value(values).events();
  TrainConfig config = settled_config();
  config.omega_init = "periodogram";
  ModelConfig model;
  model.times = laid_out(config, events, Task::kRegress, ValueTarget::kOfEvent).encoders;
  model.heads[0].kind = "mse";
  model.heads[0].each_step = true;
  const std::vector<data::Piece> pieces = {{0, 0, 240, 0}};
  data::EncodingConfig encoding;
  encoding.value = false;
  data::Batches batches(events, pieces, data::learn_encoding(events, pieces, encoding),
                        batch_config(model, Task::kRegress, ValueTarget::kOfEvent, true));
  const std::vector<nn::TimeScale> scales = time_scales(model, batches.make(0).view());
  ASSERT_EQ(scales.size(), 1U);
  EXPECT_EQ(scales[0].span, 239);
  EXPECT_EQ(scales[0].median_gap, 1);
  ASSERT_FALSE(scales[0].periods.empty());
  EXPECT_NEAR(2 * std::numbers::pi / scales[0].periods[0].omega, kPeriod, 0.1);
  model.times[0].start = nn::OmegaStart::kSpan;  // which needs none
  EXPECT_TRUE(time_scales(model, batches.make(0).view())[0].periods.empty());
}

}  // namespace
}  // namespace t2v
