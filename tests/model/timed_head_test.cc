#include "model/timed_head.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "compare.h"
#include "kernels/losses.h"
#include "made_batch.h"
#include "t2v/error.h"

namespace t2v {
namespace {

using namespace testing;

struct Made {
  ModelConfig config;
  std::unique_ptr<Model> model;
  nn::Parameters<float> parameters;

  explicit Made(const std::string& cell = "lstm") {
    config.cell = cell;
    config.t1_constraint = "none";
    config.event_types = 3;
    config.hidden = 5;
    config.times = all_time_configs().back();
    make_timed(config, all_time_configs().back());
    model = std::make_unique<Model>(config);
    parameters = nn::convert<float>(made_parameters(*model, 3));
  }
};

/// All outputs of both heads: [events, outputs].
std::vector<std::vector<float>> outputs_of(const Made& made, const SequenceBatch& batch, bool open,
                                           int threads = 1) {
  const int64_t widths[] = {made.model->outputs(0) + (open ? made.config.heads[0].units : 0),
                            made.model->outputs(1)};
  std::vector<std::vector<float>> all(2);
  for (std::size_t head = 0; head < 2; ++head) {
    all[head].resize(static_cast<std::size_t>(batch.event_count() * widths[head]));
  }
  Workspace<float> work;
  work.open = open;
  ThreadPool pool(threads);
  made.model->visit_outputs<float>(
      [&](std::size_t head, int64_t place, const float* outputs) {
        std::copy_n(outputs, widths[head], all[head].begin() + place * widths[head]);
      },
      made.parameters, batch, work, pool);
  return all;
}

TEST(TimedHead, SaysOfATimeWhatTheModelSaysWhereItIsInTheBatch) {
  for (const char* cell : {"lstm", "gru", "none"}) {
    const Made made(cell);
    const MadeBatch batch({4, 1, 7, 2}, made.config, 5, false);
    const auto known = outputs_of(made, batch.view(), false);
    SequenceBatch without = batch.view();
    without.times[static_cast<std::size_t>(TimeInput::kQuery)] = {};
    without.times[static_cast<std::size_t>(TimeInput::kUntil)] = {};
    const auto open = outputs_of(made, without, true, 2);
    EXPECT_EQ(known[1], open[1]) << cell;
    const TimedHead head(*made.model, made.parameters, 0);
    const int64_t width = made.model->outputs(0) + made.config.heads[0].units;
    std::vector<float> said;
    for (int64_t e = 0; e < batch.view().event_count(); ++e) {
      const auto at = static_cast<std::size_t>(e);
      std::vector<float> logits;
      const double gaps[] = {1e-3, batch.times[3][at], 5, batch.times[3][at]};
      head.logits(logits, open[0].data() + e * width, batch.times[0][at], gaps);
      ASSERT_EQ(logits.size(), 12U);
      said.insert(said.end(), logits.begin() + 3, logits.begin() + 6);
      EXPECT_NE(logits[0], logits[3]);
      for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(logits[3 + c], logits[9 + c]);
    }
    expect_close(said, known[0], 2e-6, cell);
  }
}

TEST(TimedHead, AveragesOverWhenTheEventMayCome) {
  const Made made;
  const MadeBatch batch({4, 3}, made.config, 5, false);
  const auto open = outputs_of(made, batch.view(), true);
  const TimedHead head(*made.model, made.parameters, 0);
  const int64_t width = made.model->outputs(0) + made.config.heads[0].units;
  for (int64_t e = 0; e < 7; ++e) {
    const float* said = open[0].data() + e * width;
    const double start = batch.times[0][static_cast<std::size_t>(e)];
    const nn::GapMixture when(open[1].data() + e * made.model->outputs(1), made.config.heads[1]);
    std::vector<double> probabilities(3);
    const double error = head.marginal(probabilities, said, start, when);
    EXPECT_NEAR(probabilities[0] + probabilities[1] + probabilities[2], 1, 1e-6);
    // The same with very many quantiles.
    std::vector<double> gaps = when.middles(4096);
    gaps.push_back(0);
    std::vector<float> logits;
    head.logits(logits, said, start, gaps);
    std::vector<double> exact(3);
    for (std::size_t i = 0; i < gaps.size(); ++i) {
      double row[3];
      std::copy_n(logits.begin() + static_cast<std::ptrdiff_t>(3 * i), 3, row);
      kernels::softmax(row, row, 3);
      for (std::size_t c = 0; c < 3; ++c) {
        exact[c] += row[c] * (i < 4096 ? (1 - when.atom()) / 4096 : when.atom());
      }
    }
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(probabilities[c], exact[c], 2 * error + 2e-3) << e;
    EXPECT_LT(error, 0.1);
  }
}

TEST(TimedHead, IsRefusedWhereTheCellWouldSeeTheNextTimeOrNobodyDoes) {
  ModelConfig config = Made().config;
  config.times[0].input = TimeInput::kQuery;
  EXPECT_THROW(Model{config}, Error);
  config = Made().config;
  config.heads[0].timed = false;
  EXPECT_THROW(Model{config}, Error);
  config = Made().config;
  config.next_times[0].input = TimeInput::kStart;
  EXPECT_THROW(Model{config}, Error);
}

}  // namespace
}  // namespace t2v
