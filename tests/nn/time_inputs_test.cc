#include "nn/time_inputs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "t2v/error.h"

namespace t2v::nn {
namespace {

std::vector<TimeEncoderConfig> two_inputs() {
  std::vector<TimeEncoderConfig> configs(2);
  configs[0].k = 1;
  configs[0].linear = false;
  configs[1].kind = "raw";
  configs[1].input = TimeInput::kGap;
  return configs;
}

TEST(TimeInputs, EncodeTimesThatOccurOftenOnceEach) {
  Layout layout;
  const TimeInputs inputs(layout, two_inputs());
  Parameters<double> parameters;
  parameters.assign_zeros(layout);
  parameters.wide[0] = 0.5;  // ω
  const std::vector<int64_t> offsets = {0, 6};
  const std::vector<double> start = {0, 1, 1, 1, 0, 2};
  const std::vector<double> gap = {0, 1, 2, 3, 4, 5};
  const std::vector<int32_t> source = {5, 1, 2, 3, 0, 4};
  TimeInputs::State<double> state;
  inputs.forward(state, {.offsets = offsets, .times = {start, gap}}, source, layout, parameters);
  ASSERT_TRUE(state[0].shared);
  EXPECT_EQ(state[0].tau, (std::vector<double>{2, 1, 0}));
  EXPECT_EQ(state[0].distinct.index()[4], 2);
  EXPECT_NEAR(state[0].value[1], std::sin(0.5), 1e-15);
  EXPECT_FALSE(state[1].shared);
  EXPECT_EQ(state[1].tau, (std::vector<double>{5, 1, 2, 3, 0, 4}));
  EXPECT_EQ(state[1].value[0], 5);
}

TEST(TimeInputs, NameTheirTensorsByTheirNumber) {
  Layout layout;
  std::vector<TimeEncoderConfig> configs(3);
  configs[1].kind = "log";
  const TimeInputs inputs(layout, configs);
  EXPECT_GE(layout.find("time0.omega"), 0);
  EXPECT_EQ(layout.find("time1.omega"), -1);
  EXPECT_GE(layout.find("time2.phi"), 0);
  EXPECT_EQ(inputs.encoders().size(), 3U);
}

TEST(CheckTimes, NamesTheSequenceAndTheEventOfATimeThatIsNotFinite) {
  const std::vector<int64_t> offsets = {0, 2, 5};
  const std::vector<double> start = {0, 1, 0, NAN, 2};
  const SequenceBatch batch{.offsets = offsets, .times = {start}};
  try {
    check_times(batch, TimeInput::kStart);
    FAIL() << "not a number was taken for a time";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'start': event 1 of sequence 1 is at nan"), std::string::npos)
        << error.what();
  }
  EXPECT_THROW(check_times(batch, TimeInput::kGap), Error);
}

}  // namespace
}  // namespace t2v::nn
