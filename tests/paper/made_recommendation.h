#pragma once

#include <string>
#include <vector>

#include "base/random.h"
#include "data/time_lstm_preparation.h"
#include "paper/recommendation_config.h"

namespace t2v::paper {

struct MadeRow {
  std::string user;
  std::string item;
  int64_t second;
};

inline data::ItemLog log_of(const std::vector<MadeRow>& rows) {
  data::ItemLog log;
  for (const MadeRow& row : rows) {
    log.user.push_back(log.users.add(row.user));
    log.item.push_back(log.items.add(row.item));
    log.ticks.push_back(row.second * 1'000'000'000);
  }
  return log;
}

/// Users of different lengths who take items in turn, from a random one on, and mostly the next.
inline data::ItemLog made_log(int users = 24, uint64_t items = 12, uint64_t seed = 5) {
  Random random(seed);
  std::vector<MadeRow> rows;
  for (int user = 0; user < users; ++user) {
    uint64_t item = random.below(items);
    int64_t second = 0;
    for (int i = 0; i < 4 + user; ++i) {
      rows.push_back({"u" + std::to_string(user), "i" + std::to_string(item), second});
      item = (item + (random.uniform() < 0.9 ? 1 : 5)) % items;
      second += 60 + static_cast<int64_t>(random.below(7200));
    }
  }
  return log_of(rows);
}

/// A model and a run that take milliseconds.
inline RecommendationConfig tiny(const std::string& protocol = "paper", const std::string& cell = "lstm") {
  RecommendationConfig config = recommendation_protocol(protocol);
  config.cell = cell;
  config.hidden = 4;
  config.k = 3;
  config.epochs = 3;
  config.first_stage = 1;
  config.max_len = 20;
  config.negatives = 5;
  config.time_unit = "h";
  return config;
}

}  // namespace t2v::paper
