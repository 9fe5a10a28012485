#include "nn/time_encoder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>
#include <string>

#include "base/random.h"
#include "t2v/error.h"

namespace t2v::nn {
namespace {

using std::numbers::pi;

std::vector<float> encode(const TimeEncoderConfig& config, const std::vector<double>& tau,
                          const std::vector<double>& omega = {}, const std::vector<double>& phi = {}) {
  Layout layout;
  const TimeEncoder encoder(layout, "time0", config);
  Parameters<float> parameters;
  parameters.assign_zeros(layout);
  if (encoder.learned()) {
    std::copy(omega.begin(), omega.end(), parameters.wide.begin());
    std::copy(phi.begin(), phi.end(), parameters.wide.begin() + encoder.width());
  }
  std::vector<float> value(tau.size() * static_cast<std::size_t>(encoder.width()));
  encoder.forward(value.data(), static_cast<float*>(nullptr), layout, parameters, tau);
  return value;
}

TimeEncoderConfig kind(const std::string& name) {
  TimeEncoderConfig config;
  config.kind = name;
  return config;
}

std::string error_of(const TimeEncoderConfig& config, const std::vector<double>& tau,
                     const std::vector<double>& omega = {}, const std::vector<double>& phi = {}) {
  try {
    encode(config, tau, omega, phi);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(TimeEncoders, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const TimeEncoderKind& entry : time_encoders()) EXPECT_TRUE(names.insert(entry.name).second);
  EXPECT_EQ(names, (std::set<std::string_view>{"raw", "log", "week", "calendar", "t2v"}));
}

TEST(TimeEncoders, NameTheirOptionsBothWays) {
  for (const char* name : {"sin", "cos", "triangle", "mod", "sigmoid", "tanh", "relu"}) {
    EXPECT_EQ(name_of(activation_from(name)), name);
  }
  for (const char* name :
       {"u11", "u01", "n1", "n01", "geometric", "equal", "positional", "span", "periodogram"}) {
    EXPECT_EQ(name_of(omega_start_from(name)), name);
  }
  for (const char* name : {"start", "gap", "query"}) EXPECT_EQ(name_of(time_input_from(name)), name);
  EXPECT_THROW(activation_from("sine"), Error);
  EXPECT_THROW(omega_start_from(""), Error);
  EXPECT_THROW(time_input_from("Start"), Error);
}

TEST(TimeEncoders, GiveTheTimeItselfOrItsLogarithm) {
  EXPECT_EQ(encode(kind("raw"), {1.5, -2, 0}), (std::vector<float>{1.5F, -2, 0}));
  const auto log = encode(kind("log"), {0, 1, -1, 99});
  EXPECT_EQ(log[0], 0);
  EXPECT_FLOAT_EQ(log[1], static_cast<float>(std::log(2)));
  EXPECT_FLOAT_EQ(log[2], -static_cast<float>(std::log(2)));
  EXPECT_FLOAT_EQ(log[3], static_cast<float>(std::log(100)));
}

struct Moment {
  double seconds;  // since 1970
  double of_day;   // share of the day
  double of_week;  // from Monday
  double of_year;
};

void expect_calendar(const std::vector<float>& value, const Moment& moment) {
  const double phases[] = {moment.of_day, moment.of_week, moment.of_year};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(value[2 * i], std::sin(2 * pi * phases[i]), 1e-6) << moment.seconds << " phase " << i;
    EXPECT_NEAR(value[2 * i + 1], std::cos(2 * pi * phases[i]), 1e-6) << moment.seconds << " phase " << i;
  }
}

TEST(Calendar, KnowsHourWeekdayAndDayOfTheYear) {
  const Moment moments[] = {
      {0, 0, 3.0 / 7, 0},                           // Thursday 1970-01-01 00:00
      {951825600, 12.0 / 24, 1.5 / 7, 59.5 / 366},  // Tuesday 2000-02-29 12:00
      {1709164800, 0, 3.0 / 7, 59.0 / 366},         // Thursday 2024-02-29 00:00
      {1704067199, 86399.0 / 86400, (6 + 86399.0 / 86400) / 7,
       (364 + 86399.0 / 86400) / 365},        // 2023-12-31 23:59:59
      {1704067200, 0, 0, 0},                  // Monday 2024-01-01
      {4107542400, 0, 0, 59.0 / 365},         // Monday 2100-03-01, no leap year
      {-86400, 0, 2.0 / 7, 364.0 / 365},      // Wednesday 1969-12-31
      {-2203891200, 0, 3.0 / 7, 59.0 / 365},  // Thursday 1900-03-01
  };
  TimeEncoderConfig config = kind("calendar");
  for (const Moment& moment : moments) {
    config.unit = 1;
    config.origin = 0;
    expect_calendar(encode(config, {moment.seconds}), moment);
    config.unit = 3600;
    expect_calendar(encode(config, {moment.seconds / 3600}), moment);
    config.origin = moment.seconds - 7200;
    expect_calendar(encode(config, {2}), moment);
  }
}

TEST(Calendar, CountsTheDaysOfEveryYearFor800Years) {
  TimeEncoderConfig config = kind("calendar");
  double day = -135140;  // 1600-01-01
  for (int year = 1600; year < 2400; ++year) {
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    const auto first = encode(config, {day});
    EXPECT_NEAR(first[4], 0, 1e-6) << year;
    EXPECT_NEAR(first[5], 1, 1e-6) << year;
    day += leap ? 366 : 365;
    EXPECT_LT(encode(config, {day - 1})[4], 0) << year;
  }
}

TEST(Week, IsTheCalendarWithoutTheYear) {
  TimeEncoderConfig week = kind("week");
  TimeEncoderConfig calendar = kind("calendar");
  week.unit = calendar.unit = 3600;
  week.origin = calendar.origin = 1.7e9;
  for (const double hours : {-1e5, -0.5, 0.0, 30.25, 2e6}) {
    const auto all = encode(calendar, {hours});
    EXPECT_EQ(encode(week, {hours}), (std::vector<float>{all[0], all[1], all[2], all[3]})) << hours;
  }
}

TEST(RawAndLog, AreMeasuredByScaleCentreAndSpread) {
  TimeEncoderConfig raw = kind("raw");
  raw.scale = 4;
  raw.centre = 10;
  EXPECT_EQ(encode(raw, {10, 12, -2}), (std::vector<float>{0, 0.5, -3}));
  TimeEncoderConfig log = kind("log");
  log.scale = 2;
  log.centre = 1;
  log.spread = 0.5;
  const auto value = encode(log, {0, 6, -6});
  EXPECT_NEAR(value[0], -2, 1e-6);
  EXPECT_NEAR(value[1], 2 * (std::log(4) - 1), 1e-6);
  EXPECT_NEAR(value[2], 2 * (-std::log(4) - 1), 1e-6);
}

TEST(TimeEncoder, RefusesAScaleThatIsNone) {
  for (const double scale : {0.0, -1.0, std::nan(""), double{INFINITY}}) {
    TimeEncoderConfig config = kind("log");
    config.scale = scale;
    EXPECT_THROW(encode(config, {1}), Error) << scale;
    config.scale = 1;
    config.spread = scale;
    EXPECT_THROW(encode(config, {1}), Error) << scale;
  }
}

TEST(Time2Vec, IsExactForUnixTimesInSecondsWhereFloatsStepBy128) {
  TimeEncoderConfig config;
  config.k = 1;
  config.linear = false;
  const double omega = 2 * pi / 7;
  const std::vector<double> tau = {1700000000, 1700000001, 1700000001.5};
  const auto value = encode(config, tau, {omega}, {0.25});
  for (std::size_t i = 0; i < tau.size(); ++i) {
    const long double phase =
        std::fmod(static_cast<long double>(omega) * tau[i] + 0.25L, 2 * std::numbers::pi_v<long double>);
    EXPECT_NEAR(value[i], static_cast<double>(std::sin(phase)), 1e-6);
  }
}

TEST(Time2Vec, OfACosineIsThatOfASineAQuarterTurnAhead) {
  TimeEncoderConfig sine;
  sine.k = 3;
  TimeEncoderConfig cosine = sine;
  cosine.activation = Activation::kCos;
  const std::vector<double> tau = {0, 1.5, -3, 1e6};
  const std::vector<double> omega = {1, 0.7, -2, 5};
  const auto a = encode(cosine, tau, omega, {0, 0.1, 0.2, 0.3});
  const auto b = encode(sine, tau, omega, {0, 0.1 + pi / 2, 0.2 + pi / 2, 0.3 + pi / 2});
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 2e-7);
}

TEST(Time2Vec, NeverSquashesItsLinearTerm) {
  TimeEncoderConfig config;
  config.k = 1;
  for (const char* name : {"sin", "cos", "triangle", "mod", "sigmoid", "tanh", "relu"}) {
    config.activation = activation_from(name);
    EXPECT_EQ(encode(config, {-1000}, {2, 1}, {0.5, 0})[0], -1999.5F) << name;
  }
}

TEST(Time2Vec, RefusesWhatItCannotEncodeExactly) {
  TimeEncoderConfig config;
  config.k = 1;
  const double huge = 1e31;
  const double infinite = INFINITY;
  for (const char* name : {"raw", "log", "week", "calendar", "t2v"}) {
    config.kind = name;
    for (const double bad : {std::nan(""), infinite, -infinite, huge}) {
      EXPECT_NE(error_of(config, {0, bad}, {1, 1}, {0, 0}).find("times must be finite"), std::string::npos)
          << name;
    }
  }
  config.kind = "t2v";
  EXPECT_EQ(error_of(config, {1e12}, {1, 1}, {0, 0}), "no error");
  const std::string far = error_of(config, {1e12, 5}, {0, 1.001}, {0, 0});
  EXPECT_NE(far.find("time0.omega[1]: frequency 1.001"), std::string::npos) << far;
  EXPECT_NE(far.find("use a larger time unit"), std::string::npos) << far;
  EXPECT_NE(error_of(config, {1}, {1, infinite}, {0, 0}).find("range"), std::string::npos);
  EXPECT_NE(error_of(config, {1}, {1, 1}, {0, std::nan("")}).find("range"), std::string::npos);
  EXPECT_NE(error_of(config, {1}, {1, 1}, {2e12, 0}).find("time0.omega[0]"), std::string::npos);
  config.kind = "calendar";
  EXPECT_NE(error_of(config, {1e12}).find("too far from 1970"), std::string::npos);
  config.kind = "t2v";
  config.k = -1;
  EXPECT_NE(error_of(config, {1}).find("k must not be negative; it is -1"), std::string::npos);
  config.k = INT64_MAX;
  EXPECT_NE(error_of(config, {1}).find("k must be at most 16777216; it is 9223"), std::string::npos);
}

}  // namespace
}  // namespace t2v::nn
