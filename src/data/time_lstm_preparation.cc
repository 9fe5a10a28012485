#include "data/time_lstm_preparation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "base/fail.h"
#include "base/random.h"
#include "data/parts.h"

namespace t2v::data {
namespace {

std::size_t index(int64_t i) { return static_cast<std::size_t>(i); }

/// Items, most frequent first.
std::vector<int32_t> by_frequency(const ItemLog& log) {
  std::vector<int64_t> count(index(log.items.size()));
  for (const int32_t item : log.item) {
    if (item != ItemLog::kNoItem) ++count[index(item)];
  }
  std::vector<int32_t> order(count.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return count[index(a)] > count[index(b)]; });
  return order;
}

std::vector<int32_t> places_in(const std::vector<int32_t>& order) {
  std::vector<int32_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[index(order[i])] = static_cast<int32_t>(i);
  return place;
}

/// The rows of each user, sorted by time; rows without a time come last.
class UserRows {
 public:
  explicit UserRows(const ItemLog& log) : offsets_(index(log.users.size()) + 1), rows_(log.rows()) {
    for (const int32_t user : log.user) ++offsets_[index(user) + 1];
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
    for (std::size_t row = 0; row < log.rows(); ++row) rows_[next[index(log.user[row])]++] = row;
    const auto late = [&](std::size_t row) { return log.ticks[row] == ItemLog::kNoTime; };
    for (int32_t user = 0; user < log.users.size(); ++user) {
      const auto begin = rows_.begin() + static_cast<std::ptrdiff_t>(offsets_[index(user)]);
      const auto end = rows_.begin() + static_cast<std::ptrdiff_t>(offsets_[index(user) + 1]);
      std::stable_sort(begin, end, [&](std::size_t a, std::size_t b) {
        return late(a) != late(b) ? late(b) : log.ticks[a] < log.ticks[b];
      });
    }
  }
  std::span<const std::size_t> operator[](int32_t user) const {
    return std::span(rows_).subspan(offsets_[index(user)], count(user));
  }
  std::size_t count(int32_t user) const { return offsets_[index(user) + 1] - offsets_[index(user)]; }
  std::vector<int32_t> fewest_first() const {
    std::vector<int32_t> order(offsets_.size() - 1);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return count(a) < count(b); });
    return order;
  }

 private:
  std::vector<std::size_t> offsets_;  // [users + 1]
  std::vector<std::size_t> rows_;
};

/// The events of one user; `value` is the stored time in seconds, as coded.
struct UserEvents {
  std::vector<int32_t> rank;
  std::vector<int64_t> ticks;
  std::vector<int64_t> value;
};

/// Whole seconds from one tick to a later one.
int64_t whole_seconds(int64_t from, int64_t to) {
  return static_cast<int64_t>((static_cast<uint64_t>(to) - static_cast<uint64_t>(from)) / 1'000'000'000U);
}

void set_stored_times(UserEvents& events, StoredTime stored) {
  const std::size_t n = events.ticks.size();
  events.value.assign(n, 0);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const int64_t delta = whole_seconds(events.ticks[i], events.ticks[i + 1]);
    if (stored == StoredTime::kDelta) events.value[i] = delta;
    if (stored == StoredTime::kAccumulated) events.value[i + 1] = events.value[i] + delta;
  }
}

/// Leaves out events beyond the vocabulary; their stored times go to the carry, and from there to the next
/// event that is kept.
void keep_vocabulary(UserEvents& events, int64_t vocabulary, int64_t& carry) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < events.rank.size(); ++i) {
    carry += events.value[i];
    if (events.rank[i] >= vocabulary) continue;
    events.rank[kept] = events.rank[i];
    events.ticks[kept] = events.ticks[i];
    events.value[kept] = carry;
    carry = 0;
    ++kept;
  }
  events.rank.resize(kept);
  events.ticks.resize(kept);
  events.value.resize(kept);
}

struct Heads {
  std::size_t train;
  std::size_t test;
};

Heads heads_of(const TimeLstmOptions& options, std::size_t users) {
  if (options.train_share > 0) {
    const auto train =
        static_cast<std::size_t>(std::lround(options.train_share * static_cast<double>(users)));
    return {train, users - train};
  }
  const Heads heads = {index(options.train_users), index(options.test_users)};
  if (heads.train + heads.test > users) {
    fail("{} users for training and {} for test, but there are only {}; set other numbers, or a share",
         heads.train, heads.test, users);
  }
  return heads;
}

/// Puts those drawn for training first and those drawn for test last, each in the order that they had.
void draw_parts(std::vector<int32_t>& users, const Heads& heads, uint64_t seed) {
  std::vector<int64_t> place(users.size());
  std::iota(place.begin(), place.end(), int64_t{0});
  Random(seed).shuffle(place);
  std::sort(place.begin(), place.begin() + static_cast<std::ptrdiff_t>(heads.train));
  std::sort(place.end() - static_cast<std::ptrdiff_t>(heads.test), place.end());
  const std::vector<int32_t> before = users;
  for (std::size_t i = 0; i < users.size(); ++i) users[i] = before[index(place[i])];
}

void check(const TimeLstmOptions& options) {
  if (options.vocabulary < 1) {
    fail("vocabulary '{}' leaves no item; set it to at least 1", options.vocabulary);
  }
  if (options.longest < 0) {
    fail("longest '{}' is negative; set it to a number of events, or 0 for all", options.longest);
  }
  if (!(options.train_share >= 0 && options.train_share <= 1)) {
    fail("train_share '{}' is no share; set it from 0 to 1", options.train_share);
  }
  if (options.train_users < 0 || options.test_users < 0) {
    fail("train_users '{}' or test_users '{}' is negative; set them to numbers of users", options.train_users,
         options.test_users);
  }
}

class Preparer {
 public:
  Preparer(const ItemLog& log, const TimeLstmOptions& options, std::string_view item_name)
      : log_(log), options_(options), users_(log) {
    const std::vector<int32_t> order = by_frequency(log);
    rank_ = places_in(order);
    table_.scale = {true, 9};
    table_.event = Categories{std::string(item_name), {}, {}};
    for (std::size_t i = 0; i < std::min(order.size(), index(options.vocabulary)); ++i) {
      table_.event->names.add(log.items[order[i]]);
    }
    if (as_coded()) table_.interval = Numbers{"stored_time", {}};
  }

  EventTable run() {
    std::vector<int32_t> order = users_.fewest_first();
    const Heads heads = heads_of(options_, order.size());
    if (options_.drawn_by) draw_parts(order, heads, *options_.drawn_by);
    add_part(std::span(order).first(heads.train), Part::kTrain, 2);
    add_part(std::span(order).last(heads.test), Part::kTest, 3);
    add_notes(order.size() - heads.train - heads.test);
    return std::move(table_);
  }

 private:
  bool as_coded() const { return options_.preparation == Preparation::kAsCoded; }

  UserEvents events_of(int32_t user) const {
    UserEvents events;
    for (const std::size_t row : users_[user]) {
      const bool has_item = log_.item[row] != ItemLog::kNoItem;
      const bool has_time = log_.ticks[row] != ItemLog::kNoTime;
      if (!as_coded() && !(has_item && has_time)) continue;
      if (has_item) events.rank.push_back(rank_[index(log_.item[row])]);
      if (has_time) events.ticks.push_back(log_.ticks[row]);
    }
    return events;
  }

  void add_part(std::span<const int32_t> users, Part part, std::size_t fewest) {
    int64_t carry = 0;
    for (const int32_t user : users) {
      if (!options_.carry_across_users) carry = 0;
      UserEvents events = events_of(user);
      if (events.rank.size() != events.ticks.size()) {
        ++unequal_;
        continue;
      }
      set_stored_times(events, options_.stored);
      const std::size_t before = events.rank.size();
      keep_vocabulary(events, options_.vocabulary, carry);
      beyond_ += before - events.rank.size();
      if (events.rank.size() < fewest) {
        ++short_;
        continue;
      }
      add_user(user, part, events);
    }
  }

  void add_user(int32_t user, Part part, const UserEvents& events) {
    add_sequence(table_, log_.users[user], part, "users");
    const std::size_t n =
        options_.longest > 0 ? std::min(events.rank.size(), index(options_.longest)) : events.rank.size();
    for (std::size_t i = 0; i < n; ++i) {
      table_.sequence.push_back(table_.ids.size() - 1);
      table_.ticks.push_back(events.ticks[i]);
      table_.event->codes.push_back(events.rank[i]);
      if (as_coded()) table_.interval->values.push_back(static_cast<double>(events.value[i]));
    }
  }

  void add_notes(std::size_t between) {
    std::vector<std::string>& notes = table_.notes;
    notes.push_back(fmt::format("{} rows of {} users and {} items were read.", log_.rows(), log_.users.size(),
                                log_.items.size()));
    notes.emplace_back(
        "Equally frequent items, and users with equally many rows, are in order of appearance.");
    if (beyond_ > 0) notes.push_back(fmt::format("{} events beyond the vocabulary are left out.", beyond_));
    if (short_ > 0) notes.push_back(fmt::format("{} users with too few events are left out.", short_));
    if (unequal_ > 0) {
      notes.push_back(
          fmt::format("{} users have more items than times or fewer and are left out.", unequal_));
    }
    if (between > 0) {
      notes.push_back(fmt::format("{} users are between those for training and those for test.", between));
    }
  }

  const ItemLog& log_;
  const TimeLstmOptions& options_;
  UserRows users_;
  std::vector<int32_t> rank_;  // of each item
  EventTable table_;
  std::size_t beyond_ = 0;
  std::size_t short_ = 0;
  std::size_t unequal_ = 0;
};

}  // namespace

EventTable prepare_time_lstm(const ItemLog& log, const TimeLstmOptions& options, std::string_view item_name) {
  check(options);
  return Preparer(log, options, item_name).run();
}

ItemLog frequent_rows(const ItemLog& log, int64_t vocabulary, int64_t fewest) {
  const std::vector<int32_t> rank = places_in(by_frequency(log));
  const auto frequent = [&](std::size_t row) {
    return log.item[row] != ItemLog::kNoItem && rank[index(log.item[row])] < vocabulary;
  };
  std::vector<int64_t> posts(index(log.users.size()));
  for (std::size_t row = 0; row < log.rows(); ++row) {
    if (frequent(row)) ++posts[index(log.user[row])];
  }
  ItemLog kept;
  for (std::size_t row = 0; row < log.rows(); ++row) {
    if (!frequent(row) || posts[index(log.user[row])] < fewest) continue;
    kept.user.push_back(kept.users.add(log.users[log.user[row]]));
    kept.item.push_back(kept.items.add(log.items[log.item[row]]));
    kept.ticks.push_back(log.ticks[row]);
  }
  return kept;
}

}  // namespace t2v::data
