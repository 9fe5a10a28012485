#include "model/targets.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "t2v/error.h"

namespace t2v {
namespace {

const std::vector<int64_t> kOffsets = {0, 2, 3};  // two sequences, of two events and of one

nn::HeadConfig head(const std::string& kind, bool each_step) {
  nn::HeadConfig config;
  config.kind = kind;
  config.each_step = each_step;
  config.classes = 3;
  return config;
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// The weight of all targets of a batch of both sequences.
double weight(const nn::HeadConfig& config, const SequenceBatch& batch) {
  const Targets targets(config);
  std::vector<int64_t> counts(targets.kinds());
  const std::vector<int32_t> both = {1, 0};
  targets.count(counts, batch, both);
  return targets.weight_of(counts);
}

TEST(Targets, AreCountedByTheirWeightsAndNotWhereThereIsNone) {
  const std::vector<int32_t> next = {1, -1, -1};
  const std::vector<int32_t> labels = {2, 0};
  const std::vector<float> values = {1, NAN, 3};
  const std::vector<double> gaps = {0.5, NAN, NAN};
  const SequenceBatch batch{
      .offsets = kOffsets, .labels = labels, .next_events = next, .next_gaps = gaps, .values = values};
  EXPECT_EQ(weight(head("softmax", false), batch), 2);
  EXPECT_EQ(weight(head("softmax", true), batch), 1);
  EXPECT_EQ(weight(head("mse", true), batch), 2);
  EXPECT_EQ(weight(head("when", false), batch), 1);  // always at each event
  nn::HeadConfig weighted = head("softmax", false);
  weighted.class_weights = {0.25, 7, 4};
  EXPECT_EQ(weight(weighted, batch), 4.25);
}

TEST(Targets, ThatMakeNoSenseAreNamed) {
  const auto labelled = [](std::vector<int32_t> labels) {
    return error_of([&] { weight(head("softmax", false), {.offsets = kOffsets, .labels = labels}); });
  };
  EXPECT_EQ(labelled({0, 3}), "the label of sequence 1 is 3, not one of 0..2");
  EXPECT_EQ(labelled({-1, 0}), "the label of sequence 0 is -1, not one of 0..2");
  EXPECT_EQ(labelled({0}), "the batch has 1 labels for 2 sequences");
  const auto followed = [](std::vector<int32_t> next) {
    return error_of([&] { weight(head("softmax", true), {.offsets = kOffsets, .next_events = next}); });
  };
  EXPECT_EQ(followed({5, -1, -1}), "the label of event 0 is 5, not one of 0..2");
  EXPECT_EQ(followed({-1, -1, -1}), "the batch has nothing to predict for the head 'softmax'");
  EXPECT_EQ(followed({1, 2}), "the batch has 2 next events for 3 events");
  const auto timed = [](std::vector<double> gaps) {
    return error_of([&] { weight(head("when", true), {.offsets = kOffsets, .next_gaps = gaps}); });
  };
  EXPECT_EQ(timed({0, NAN, NAN}), "the gap after event 0 is 0; it must be positive");
  EXPECT_EQ(timed({-1, NAN, NAN}), "the gap after event 0 is -1; it must be positive");
  EXPECT_EQ(timed({INFINITY, NAN, NAN}), "the gap after event 0 is inf; it must be positive");
  const auto valued = [](std::vector<float> values) {
    return error_of([&] { weight(head("mae", false), {.offsets = kOffsets, .values = values}); });
  };
  EXPECT_EQ(valued({1, INFINITY}), "the value of sequence 1 is inf");
  EXPECT_EQ(valued({1, 2, 3}), "the batch has 3 values for 2 sequences");
}

}  // namespace
}  // namespace t2v
