#include "model/rules.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numeric>

#include "compare.h"
#include "data/importer_files.h"
#include "kernels/losses.h"
#include "made_batch.h"
#include "model/model.h"

namespace t2v {
namespace {

using namespace testing;
using data::complaint;
using data::says;

constexpr double kStep = 1e-40;

/// Counts of what follows in a batch, as baselines have them.
Baselines counted(const SequenceBatch& batch, int64_t types) {
  std::vector<std::vector<double>> after(static_cast<std::size_t>(types),
                                         std::vector<double>(static_cast<std::size_t>(types)));
  std::vector<double> counts(static_cast<std::size_t>(types), 1);
  for (std::size_t e = 0; e < batch.events.size(); ++e) {
    const int32_t next = batch.next_events[e];
    if (next < 0) continue;
    ++counts[static_cast<std::size_t>(next)];
    ++after[static_cast<std::size_t>(batch.events[e])][static_cast<std::size_t>(next)];
  }
  Baselines out;
  const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
  for (const double count : counts) out.popularity.push_back(count / all);
  out.markov_offsets = {0};
  for (const auto& row : after) {
    for (std::size_t v = 0; v < row.size(); ++v) {
      if (row[v] == 0) continue;
      out.markov_types.push_back(static_cast<int32_t>(v));
      out.markov_counts.push_back(row[v]);
    }
    out.markov_offsets.push_back(static_cast<int64_t>(out.markov_types.size()));
  }
  return out;
}

ModelConfig config_with_rules(const std::string& cell) {
  ModelConfig config;
  config.event_types = 5;
  config.cell = cell;
  config.hidden = 3;
  config.heads[0].classes = 5;
  config.heads[0].each_step = true;
  config.heads[0].rules = true;
  return config;
}

struct Case {
  Model model;
  MadeBatch batch;
  Baselines baselines;

  explicit Case(const ModelConfig& config, LeftOut left_out = LeftOut::kNothing, int32_t unknown = -1)
      : model(config),
        batch({6, 1, 4, 9}, config, 3, false),
        baselines(counted(batch.view(), config.event_types)) {
    model.set_rules(std::make_shared<const Rules>(baselines, unknown, left_out));
  }
};

/// Of all events; those of a model whose weights are zero but for the rules'.
std::vector<double> outputs_by_rules(const Case& made, const std::vector<double>& weights) {
  nn::Parameters<double> parameters;
  parameters.assign_zeros(made.model.layout());
  std::copy(weights.begin(), weights.end(),
            parameters.data(made.model.layout()[made.model.head_place(0).rules]));
  std::vector<double> outputs(made.batch.events.size() * 5);
  Workspace<double> work;
  ThreadPool pool(1);
  made.model.outputs_of<double>(outputs, 0, parameters, made.batch.view(), work, pool);
  return outputs;
}

TEST(RecentTypes, CountsTypesAndForgetsTheOneNotSeenForLongest) {
  RecentTypes past;
  for (int32_t type = 0; type < RecentTypes::kMostPastTypes; ++type) past.add(type);
  past.add(0);
  past.add(5000);
  EXPECT_EQ(past.last(), 5000);
  EXPECT_EQ(static_cast<int64_t>(past.types().size()), RecentTypes::kMostPastTypes);
  EXPECT_EQ(past.types().front(), 2);  // 1 was not seen for longest
  EXPECT_EQ(past.counts()[past.counts().size() - 2], 2);
  past.clear();
  EXPECT_EQ(past.last(), -1);
}

TEST(RecentTypes, RefusesWhatNoSequenceLeadsTo) {
  using Ints = std::vector<int32_t>;
  RecentTypes past;
  const auto message = [&](const Ints& types, const Ints& counts) {
    return complaint([&] { past.restore(types, counts, 5); });
  };
  EXPECT_EQ(message({3, 1}, {1, 7}), "");
  EXPECT_EQ(past.last(), 1);
  for (const auto& [types, counts] :
       {std::pair<Ints, Ints>{{3, 3}, {1, 1}}, {{5}, {1}}, {{-1}, {1}}, {{1}, {0}}, {{1, 2}, {1}}}) {
    EXPECT_SAYS(message(types, counts), "impossible");
  }
}

TEST(Rules, AloneAreTheBaselines) {
  const Case made(config_with_rules("gru"));
  const TypeRanking ranking(made.baselines);
  const std::vector<double> own = outputs_by_rules(made, {1, 1, 0, 0});
  const std::vector<double> markov = outputs_by_rules(made, {1, 0, 1, 0});
  const std::vector<double> popular = outputs_by_rules(made, {1, 0, 0, 0});
  const SequenceBatch batch = made.batch.view();
  TypePast past(5);
  for (std::size_t e = 0; e < batch.events.size(); ++e) {
    if (std::ranges::find(batch.offsets, static_cast<int64_t>(e)) != batch.offsets.end()) past.clear();
    past.add(batch.events[e]);
    for (int32_t v = 0; v < 5; ++v) {
      const auto loss = [&](const std::vector<double>& outputs) {
        return kernels::softmax_loss<double>(nullptr, outputs.data() + e * 5, 5, v, 1);
      };
      EXPECT_NEAR(loss(own), ranking.by_past(v, past.counts()).loss, 1e-5);
      EXPECT_NEAR(loss(markov), ranking.by_markov(v, batch.events[e]).loss, 1e-5);
      EXPECT_NEAR(loss(popular), ranking.by_popularity(v).loss, 1e-5);
    }
  }
}

TEST(Rules, SayTheSameInChunksAndAtTheLastEventAlone) {
  ModelConfig config = config_with_rules("lstm");
  const std::vector<double> weights = {0.7, 1.2, -0.4, 0.9};
  const Case whole(config);
  const std::vector<double> expected = outputs_by_rules(whole, weights);
  config.chunk = 2;
  EXPECT_EQ(outputs_by_rules(Case(config), weights), expected);
  Case last(config_with_rules("lstm"));
  config.heads[0].each_step = false;
  last.model = Model(config);
  last.model.set_rules(std::make_shared<const Rules>(last.baselines, -1));
  nn::Parameters<double> parameters;
  parameters.assign_zeros(last.model.layout());
  std::copy(weights.begin(), weights.end(),
            parameters.data(last.model.layout()[last.model.head_place(0).rules]));
  std::vector<double> outputs(4 * 5);
  Workspace<double> work;
  ThreadPool pool(1);
  last.model.outputs_of<double>(outputs, 0, parameters, last.batch.view(), work, pool);
  for (std::size_t b = 0; b < 4; ++b) {
    const auto e = static_cast<std::size_t>(last.batch.offsets[b + 1] - 1);
    for (std::size_t v = 0; v < 5; ++v) EXPECT_DOUBLE_EQ(outputs[b * 5 + v], expected[e * 5 + v]);
  }
}

TEST(Rules, HaveTheGradientOfTheComplexStep) {
  for (const LeftOut left_out : {LeftOut::kNothing, LeftOut::kLater, LeftOut::kSequence}) {
    for (const char* cell : {"none", "gru"}) {
      ModelConfig config = config_with_rules(cell);
      config.chunk = 4;
      const Case made(config, left_out, 4);
      const nn::Parameters<double> parameters = made_parameters(made.model, 2);
      const nn::Tensor& rules = made.model.layout()[made.model.head_place(0).rules];
      ThreadPool pool(1);
      Workspace<double> work;
      work.dropout_key = 1;
      made.model.gradient(parameters, made.batch.view(), work, pool);
      Workspace<Complex> complex_work;
      complex_work.dropout_key = 1;
      nn::Parameters<Complex> shifted = nn::convert<Complex>(parameters);
      for (int64_t i = 0; i < rules.size(); ++i) {
        const Complex value = shifted.get(rules, i);
        shifted.set(rules, i, value + Complex(0, kStep));
        const double slope = made.model.loss(shifted, made.batch.view(), complex_work, pool).imag() / kStep;
        EXPECT_NEAR(work.gradient.get(rules, i), slope, 1e-12) << cell << " " << i;
        shifted.set(rules, i, value);
      }
    }
  }
}

TEST(Rules, DoNotKnowTheEventThatIsToBeLearned) {
  // One sequence, and so all of the chain is from it.
  const std::vector<int32_t> events = {0, 1, 0, 1};
  const std::vector<int32_t> next = {1, 0, 1, -1};
  const std::vector<int64_t> offsets = {0, 4};
  SequenceBatch batch;
  batch.offsets = offsets;
  batch.events = events;
  batch.next_events = next;
  const Rules rules(counted(batch, 2), -1);
  const auto chain_knows = [&](const OwnTransitions& own) {
    RecentTypes past;
    past.add(0);
    std::vector<RuleTerm> terms;
    rules.append_terms(terms, past, &own);
    return std::ranges::count(terms, int32_t{Rules::kMarkov}, &RuleTerm::weight);
  };
  OwnTransitions own(events, next);
  EXPECT_EQ(chain_knows(own), 0);
  own.pass(0, 1);  // the first is past, and so may be known of the second
  EXPECT_EQ(chain_knows(own), 1);
}

TEST(Rules, SayNothingOfTheUnknownType) {
  const Case made(config_with_rules("gru"), LeftOut::kNothing, 2);
  const std::vector<double> outputs = outputs_by_rules(made, {0, 1, 0, 1});
  for (std::size_t e = 0; e < made.batch.events.size(); ++e) EXPECT_EQ(outputs[e * 5 + 2], 0);
}

TEST(Rules, AreRefusedWhereTheyAreMissingOrOfOtherTypes) {
  Case made(config_with_rules("gru"));
  EXPECT_SAYS(complaint([&] { Rules(Baselines{}, -1); }), "train the model again");
  ModelConfig config = config_with_rules("gru");
  config.event_types = config.heads[0].classes = 6;
  Model other(config);
  EXPECT_SAYS(complaint([&] { other.set_rules(std::make_shared<const Rules>(made.baselines, -1)); }),
              "rules are of 5 types");
  const Model none(config_with_rules("gru"));
  Workspace<double> work;
  ThreadPool pool(1);
  EXPECT_SAYS(complaint([&] { none.loss(made_parameters(none, 1), made.batch.view(), work, pool); }),
              "was given none");
}

}  // namespace
}  // namespace t2v
