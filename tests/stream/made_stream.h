#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "data/made_events.h"
#include "model/made_model.h"
#include "stream/stream.h"

namespace t2v::testing {

/// Random sequences of 1 to 12 events at whole seconds, with types a, b, c, ..., a price that some lack, a
/// shop, and the age and town of the sequence.
struct MadeSequences {
  std::vector<std::vector<int64_t>> ticks;
  std::vector<std::string> types;
  std::vector<double> prices;
  std::vector<std::string> shops;
  std::vector<double> ages;
  std::vector<std::string> towns;

  MadeSequences(int64_t sequences, int64_t type_count, uint64_t seed) {
    Random random(seed);
    const auto name = [&](uint64_t count) {
      return std::string(1, static_cast<char>('a' + random.below(count)));
    };
    for (int64_t s = 0; s < sequences; ++s) {
      int64_t tick = 1'700'000'000'000'000'000 + static_cast<int64_t>(random.below(1000)) * 1'000'000'000;
      ticks.emplace_back();
      const uint64_t length = 1 + random.below(12);
      for (uint64_t i = 0; i < length; ++i) {
        tick += static_cast<int64_t>(random.below(3)) * 40'000'000'000'000;
        ticks.back().push_back(tick);
        types.push_back(name(static_cast<uint64_t>(type_count)));
        prices.push_back(random.below(4) == 0 ? NAN : random.uniform(0, 4));
        shops.push_back(name(3));
      }
      ages.push_back(random.below(5) == 0 ? NAN : random.uniform(20, 60));
      towns.push_back(name(2));
    }
  }

  data::Events events() const {
    data::MadeEvents made(ticks);
    made.instants().types(types).number("price", prices).category("shop", shops);
    made.sequence_number("age", ages).sequence_category("town", towns);
    return made.events();
  }
};

/// A model of such sequences, in days; of type c and the shop c it knows nothing.
inline TrainedModel made_stream_model(const std::string& cell, bool query,
                                      data::OriginKind origin = data::OriginKind::kSequence) {
  TrainedModel model;
  model.encoding.event = data::Vocabulary{{"b", "a"}, true, 0, 0};
  model.encoding.numbers.push_back({"price", 2, 0.5, true, 3});
  model.encoding.categories.push_back({"shop", {{"a", "b"}, true, 0, 0}});
  model.encoding.sequence_numbers.push_back({"age", 40, 10, false, 0});
  model.encoding.sequence_categories.push_back({"town", {{"b", "a"}, false, 0, 0}});
  model.config.cell = cell;
  model.config.hidden = 6;
  model.config.layers = 2;
  model.config.skip = true;
  model.config.t1_constraint = "none";
  model.config.event_types = model.encoding.event_types();
  model.config.features = model.encoding.features();
  model.config.times.resize(query ? 4 : 3);
  for (auto& time : model.config.times) time.k = 3;
  model.config.times[1].input = TimeInput::kGap;
  model.config.times[2].input = TimeInput::kSince;
  if (query) model.config.times[3].input = TimeInput::kQuery;
  model.config.heads[0].classes = model.config.event_types;
  model.config.heads[0].each_step = true;
  model.times.scale = {true, 9};
  model.times.view = {"d", 86400e9, origin, 1'699'999'000'000'000'000};
  model.parameters = nn::convert<float>(made_parameters(Model(model.config), 5));
  return model;
}

/// The same with rules of made counts.
inline TrainedModel made_stream_model_with_rules(const std::string& cell, bool query) {
  TrainedModel model = made_stream_model(cell, query);
  model.config.heads[0].rules = true;
  model.baselines.popularity = {0.5, 0.3, 0.2};
  model.baselines.markov_offsets = {0, 2, 3, 4};
  model.baselines.markov_types = {0, 1, 0, 1};
  model.baselines.markov_counts = {3, 1, 2, 5};
  model.parameters = nn::convert<float>(made_parameters(Model(model.config), 5));
  return model;
}

/// Event e of sequence s of a data set, as it is pushed.
struct Pushed {
  std::string id;
  std::vector<FeatureCell> cells;
  StreamEvent event;

  Pushed(const data::Events& data, int64_t s, int64_t e) : id(data.ids[s]) {
    const auto at = static_cast<std::size_t>(e);
    const auto row = static_cast<std::size_t>(s);
    const auto name = [](const data::CategoryColumn& column, std::size_t i) {
      return column.names[column.codes[i]];
    };
    for (const auto& column : data.numbers) cells.push_back({column.values[at], {}});
    for (const auto& column : data.categories) cells.push_back({NAN, name(column, at)});
    for (const auto& column : data.sequence_numbers) cells.push_back({column.values[row], {}});
    for (const auto& column : data.sequence_categories) cells.push_back({NAN, name(column, row)});
    event = {id, data.tick(e), name(*data.event, at), cells, {}};
  }
  Pushed(const Pushed&) = delete;
  Pushed& operator=(const Pushed&) = delete;
};

/// A mixture of the events of all sequences: numbers of sequences, each as often as it has events.
inline std::vector<int64_t> mixture_of(const data::Events& events, uint64_t seed) {
  std::vector<int64_t> order;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    order.insert(order.end(), static_cast<std::size_t>(events.length(s)), s);
  }
  Random(seed).shuffle(order);
  return order;
}

}  // namespace t2v::testing
