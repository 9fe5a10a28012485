#include "train/time_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
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
  config.time = "t2v";
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
  const char* const kTimes = "use auto, plain, none, raw, log, week, calendar, t2v or t2v:k";
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

/// "gap:log gap:t2v query:week".
std::string views_of(const std::vector<nn::TimeEncoderConfig>& encoders) {
  std::string text;
  for (const auto& encoder : encoders) {
    text += (text.empty() ? "" : " ") + std::string(nn::name_of(encoder.input)) + ":" + encoder.kind;
  }
  return text;
}

TEST(TimeLayout, GivesPlainTimesLogarithmsAndTime2Vec) {
  data::Events events = plain_times();
  TrainConfig config;
  config.omega_init = "cycles";
  config.l1 = 0.25;
  const LaidOut out = laid_out(config, events);
  EXPECT_EQ(views_of(out.encoders), "gap:log gap:t2v start:log start:t2v");
  for (const auto& encoder : out.encoders) EXPECT_EQ(encoder.l1, encoder.kind == "t2v" ? 0.25 : 0);
  EXPECT_EQ(
      out.choices.at(0),
      "time: gap as log and t2v:16, start as log and t2v:32, in the unit of the data from the first event "
      "of each sequence");
  config.query_time = true;
  EXPECT_EQ(views_of(laid_out(config, events).encoders),
            "gap:log gap:t2v until:log until:t2v query:log query:t2v");
}

TEST(TimeLayout, GivesDatesOfOneOriginTheirClockAndCalendar) {
  constexpr int64_t kHour = 3'600'000'000'000;
  constexpr int64_t kYears = 8766 * kHour;
  const auto views = [&](int64_t span, bool common, bool query) {
    data::Events events = MadeEvents({{kHour, 3 * kHour}, {5 * kHour, span}}).instants().events();
    data::set_unit(events, "h");
    if (common) data::set_origin(events, data::OriginKind::kDataSet);
    TrainConfig config;
    config.omega_init = "cycles";
    config.l1 = 0;
    config.query_time = query;
    const LaidOut out = laid_out(config, events);
    for (const auto& encoder : out.encoders) {
      EXPECT_EQ(encoder.unit, 3600);
      EXPECT_EQ(encoder.origin, common ? 3600 : 0);  // seconds since 1970
    }
    return views_of(out.encoders);
  };
  EXPECT_EQ(views(kYears, true, false), "since:log gap:log gap:t2v start:week start:t2v");
  EXPECT_EQ(views(kYears, true, true), "since:log gap:log gap:t2v until:log until:t2v query:week query:t2v");
  EXPECT_EQ(views(7 * kYears, true, false), "since:log gap:log gap:t2v start:calendar start:t2v");
  EXPECT_EQ(views(kYears, false, false), "gap:log gap:t2v start:log start:t2v");
}

TEST(TimeLayout, KeepsToOneViewOfValuesOverTime) {
  data::Events events = plain_times();
  TrainConfig config;
  config.omega_init = "periodogram";
  config.l1 = 0;
  EXPECT_EQ(views_of(laid_out(config, events, Task::kRegress, ValueTarget::kOfEvent).encoders), "start:t2v");
  config.time_input = "gap";  // nor where the times are named
  EXPECT_EQ(views_of(laid_out(config, events).encoders), "gap:t2v");
}

TEST(TimeLayout, NamesTheOptionsThatAskForIt) {
  data::Events events = plain_times();
  ModelConfig model;
  TrainConfig config;
  config.omega_init = "cycles";
  config.l1 = 0;
  model.times = laid_out(config, events).encoders;
  EXPECT_EQ(time_option(model), "auto");
  EXPECT_EQ(time_input_option(model), "auto");
  model.times = laid_out(settled_config(), events).encoders;
  EXPECT_EQ(time_option(model), "t2v:32");
  EXPECT_EQ(time_input_option(model), "start,gap");
}

/// Types that follow the hour, in h; of 40 days.
data::Events daily_types() {
  std::vector<int64_t> ticks;
  std::vector<std::string> types;
  constexpr int64_t kHour = 3'600'000'000'000;
  for (int64_t i = 0; i < 160; ++i) {
    const int64_t hour = 6 * i + i * i % 5;
    ticks.push_back(hour * kHour);
    types.emplace_back(hour % 24 < 12 ? "am" : "pm");
  }
  data::Events events = MadeEvents({ticks}).types(types).instants().events();
  data::set_unit(events, "h");
  return events;
}

TEST(TimeScales, StartAtTheCyclesThatTheDataShowOften) {
  const data::Events events = daily_types();
  ModelConfig model;
  model.event_types = 2;
  model.heads[0].classes = 2;
  model.heads[0].each_step = true;
  model.times.resize(1);
  model.times[0].input = TimeInput::kQuery;
  model.times[0].start = nn::OmegaStart::kCycles;
  const std::vector<data::Piece> pieces = {{0, 0, 160, 0}};
  data::Batches batches(events, pieces, data::learn_encoding(events, pieces, {}),
                        batch_config(model, Task::kNext, ValueTarget::kNone, true));
  ModelTimes times{events.scale, events.view, 1, 0};
  const auto periods = time_scales(model, times, batches.make(0).view())[0].periods;
  ASSERT_GE(periods.size(), 4U);
  std::vector<double> hours;
  for (const Period& period : periods) hours.push_back(2 * std::numbers::pi / period.omega);
  EXPECT_NEAR(hours[0], 24, 0.05);  // what is predicted shows it best
  EXPECT_EQ(hours[0], hours[1]);    // as a sine and as a cosine
  EXPECT_NEAR(periods[1].phi - periods[0].phi, std::numbers::pi / 2, 1e-12);
  for (const double period : hours) EXPECT_LE(period, 40 * 24 / nn::kSeenCycles);  // no week, no year
  EXPECT_EQ(std::ranges::count(hours, 24.0) > 0, true);
  times.grid = 24;  // days alone have no hours
  for (const Period& period : time_scales(model, times, batches.make(0).view())[0].periods) {
    EXPECT_GE(2 * std::numbers::pi / period.omega, 48 * (1 - 1e-12));
  }
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
  const std::vector<nn::TimeScale> scales = time_scales(model, {}, batches.make(0).view());
  ASSERT_EQ(scales.size(), 1U);
  EXPECT_EQ(scales[0].span, 239);
  EXPECT_EQ(scales[0].median_gap, 1);
  ASSERT_FALSE(scales[0].periods.empty());
  EXPECT_NEAR(2 * std::numbers::pi / scales[0].periods[0].omega, kPeriod, 0.1);
  model.times[0].start = nn::OmegaStart::kSpan;  // which needs none
  EXPECT_TRUE(time_scales(model, {}, batches.make(0).view())[0].periods.empty());
}

}  // namespace
}  // namespace t2v
