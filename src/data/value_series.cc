#include "data/value_series.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace t2v::data {
namespace {

/// A variance below this share of the sum of squares is what rounding makes of equal values.
constexpr double kRounding = 1e-24;

/// Numbers of the events of a sequence that have a value.
std::vector<int64_t> measured(const Events& events, std::span<const double> values, int64_t sequence) {
  std::vector<int64_t> numbers;
  for (int64_t e = events.begin(sequence); e < events.end(sequence); ++e) {
    if (!std::isnan(values[static_cast<std::size_t>(e)])) numbers.push_back(e);
  }
  return numbers;
}

/// A series with times and values from their means.
struct Centred {
  std::vector<int64_t> events;
  std::vector<double> times;  // in ticks
  std::vector<double> values;
};

void centre(std::vector<double>& x) {
  const double mean = std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
  for (double& value : x) value -= mean;
}

Centred centred(const Events& events, std::span<const double> values, int64_t sequence) {
  Centred series{measured(events, values, sequence), {}, {}};
  for (const int64_t e : series.events) {
    series.times.push_back(TimeView{}.at(events.tick(e), events.tick(events.begin(sequence))));
    series.values.push_back(values[static_cast<std::size_t>(e)]);
  }
  centre(series.times);
  centre(series.values);
  return series;
}

double product(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double median_of(std::span<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// How far each value is from the median of the four nearest to it; of at least five.
std::vector<double> jumps_of(std::span<const int64_t> events, std::span<const double> values) {
  const auto n = static_cast<int64_t>(events.size());
  const auto value = [&](int64_t i) {
    return values[static_cast<std::size_t>(events[static_cast<std::size_t>(i)])];
  };
  std::vector<double> jumps;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t from = std::clamp<int64_t>(i - 2, 0, n - 5);
    std::array<double, 4> near = {};
    for (int64_t j = 0; j < 4; ++j)
      near[static_cast<std::size_t>(j)] = value(from + j + (from + j >= i ? 1 : 0));
    std::ranges::sort(near);
    jumps.push_back(std::abs(value(i) - (near[1] + near[2]) / 2));
  }
  return jumps;
}

/// Medians of runs of neighbours, as many as there are points for, and sums of them from the first on.
class Blocks {
 public:
  static constexpr int64_t kFewest = 16;
  static constexpr int64_t kMost = 200;
  static constexpr int64_t kLeastSize = 8;

  Blocks(std::vector<int64_t> events, std::span<const double> values) : events_(std::move(events)) {
    const auto n = static_cast<int64_t>(events_.size());
    const int64_t count = std::min(kMost, n / kLeastSize);
    if (count < kFewest) return;
    std::vector<double> block;
    for (int64_t b = 0; b <= count; ++b) begins_.push_back(b * n / count);
    for (int64_t b = 0; b < count; ++b) {
      block.clear();
      for (int64_t i = begin(b); i < begin(b + 1); ++i)
        block.push_back(values[static_cast<std::size_t>(event(i))]);
      add(median_of(block));
    }
  }

  int64_t size() const { return static_cast<int64_t>(medians_.size()); }
  int64_t event(int64_t i) const { return events_[static_cast<std::size_t>(i)]; }
  int64_t begin(int64_t block) const { return begins_[static_cast<std::size_t>(block)]; }
  double mean(int64_t from, int64_t to) const {
    return (sum(to) - sum(from)) / static_cast<double>(to - from);
  }
  /// Σ (x - mean)² of blocks [from, to).
  double scatter(int64_t from, int64_t to) const {
    double total = 0;
    const double middle = mean(from, to);
    for (int64_t b = from; b < to; ++b) total += square(median(b) - middle);
    return total;
  }
  /// The same around the straight line that fits best.
  double scatter_around_line(int64_t from, int64_t to) const {
    double across = 0;
    double along = 0;
    const double middle = static_cast<double>(from + to - 1) / 2;
    for (int64_t b = from; b < to; ++b) {
      across += (static_cast<double>(b) - middle) * median(b);
      along += square(static_cast<double>(b) - middle);
    }
    return scatter(from, to) - square(across) / along;
  }

 private:
  static double square(double x) { return x * x; }
  double median(int64_t b) const { return medians_[static_cast<std::size_t>(b)]; }
  double sum(int64_t b) const { return sums_[static_cast<std::size_t>(b)]; }
  void add(double median) {
    medians_.push_back(median);
    sums_.push_back(sums_.back() + median);
  }

  std::vector<int64_t> events_;
  std::vector<int64_t> begins_;
  std::vector<double> medians_;
  std::vector<double> sums_ = {0};
};

/// Where two levels explain blocks [from, to) best; with each at least a tenth of all blocks.
int64_t best_split(const Blocks& blocks, int64_t from, int64_t to) {
  const int64_t least = std::max<int64_t>(4, blocks.size() / 10);
  int64_t best = -1;
  double most = 0;
  for (int64_t at = from + least; at <= to - least; ++at) {
    const double jump = blocks.mean(at, to) - blocks.mean(from, at);
    const double between = jump * jump * static_cast<double>(at - from) * static_cast<double>(to - at);
    if (between <= most) continue;
    most = between;
    best = at;
  }
  return best;
}

/// Two levels explain far more than one, or a line, and most of the way is made at once.
bool is_jump(const Blocks& blocks, int64_t from, int64_t at, int64_t to) {
  constexpr int64_t kNear = 3;
  const double jump = blocks.mean(at, to) - blocks.mean(from, at);
  const double within = blocks.scatter(from, at) + blocks.scatter(at, to);
  const double near = blocks.mean(at, at + kNear) - blocks.mean(at - kNear, at);
  const double deviation = std::sqrt(within / static_cast<double>(to - from));
  return std::abs(jump) > 2.5 * deviation && within < 0.6 * blocks.scatter_around_line(from, to) &&
         near / jump > 0.7;
}

/// Splits in two, and the parts again.
void add_splits(std::vector<int64_t>& splits, const Blocks& blocks, int64_t from, int64_t to, int depth) {
  const int64_t at = depth > 0 ? best_split(blocks, from, to) : -1;
  if (at < 0) return;
  splits.push_back(at);
  add_splits(splits, blocks, from, at, depth - 1);
  add_splits(splits, blocks, at, to, depth - 1);
}

/// Of these splits those that are jumps between their neighbours, without the least at a time.
std::vector<int64_t> jumps_among(std::vector<int64_t> splits, const Blocks& blocks) {
  const auto end_of = [&](std::size_t i) { return i + 1 < splits.size() ? splits[i + 1] : blocks.size(); };
  while (true) {
    std::size_t least = splits.size();
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < splits.size(); ++i) {
      const int64_t from = i > 0 ? splits[i - 1] : 0;
      const double jump = std::abs(blocks.mean(splits[i], end_of(i)) - blocks.mean(from, splits[i]));
      if (jump >= smallest || is_jump(blocks, from, splits[i], end_of(i))) continue;
      smallest = jump;
      least = i;
    }
    if (least == splits.size()) return splits;
    splits.erase(splits.begin() + static_cast<std::ptrdiff_t>(least));
  }
}

void add_jumps(std::vector<LevelChange>& changes, const Blocks& blocks) {
  constexpr int kDepth = 2;
  std::vector<int64_t> splits;
  add_splits(splits, blocks, 0, blocks.size(), kDepth);
  std::ranges::sort(splits);
  splits = jumps_among(std::move(splits), blocks);
  for (std::size_t i = 0; i < splits.size(); ++i) {
    const int64_t from = i > 0 ? splits[i - 1] : 0;
    const int64_t to = i + 1 < splits.size() ? splits[i + 1] : blocks.size();
    changes.push_back(
        {blocks.event(blocks.begin(splits[i])), blocks.mean(from, splits[i]), blocks.mean(splits[i], to)});
  }
}

}  // namespace

Trend trend_of(const Events& events, std::span<const double> values) {
  double along = 0;
  double across = 0;
  double all = 0;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    const Centred series = centred(events, values, s);
    along += product(series.times, series.times);
    across += product(series.times, series.values);
    all += product(series.values, series.values);
  }
  if (!(along > 0) || !(all > 0)) return {};
  return {across / along, across * across / along / all};
}

std::vector<double> without_trend(const Events& events, std::span<const double> values, const Trend& trend) {
  std::vector<double> rest(values.begin(), values.end());
  for (int64_t s = 0; s < events.sequences(); ++s) {
    Centred series = centred(events, values, s);
    double total = 0;
    for (const int64_t e : series.events) {
      total += values[static_cast<std::size_t>(e)] * values[static_cast<std::size_t>(e)];
    }
    for (std::size_t i = 0; i < series.values.size(); ++i) series.values[i] -= trend.slope * series.times[i];
    const double variance =
        product(series.values, series.values) / std::max(1.0, static_cast<double>(series.values.size()));
    const double scale = variance > kRounding * total ? 1 / std::sqrt(variance) : 0;
    for (std::size_t i = 0; i < series.values.size(); ++i) {
      rest[static_cast<std::size_t>(series.events[i])] = scale * series.values[i];
    }
  }
  return rest;
}

Outliers outliers_of(const Events& events, std::span<const double> values) {
  constexpr std::size_t kFewest = 30;
  Outliers outliers;
  double most = 0;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    const std::vector<int64_t> numbers = measured(events, values, s);
    if (numbers.size() < kFewest) continue;
    const std::vector<double> jumps = jumps_of(numbers, values);
    std::vector<double> sorted = jumps;
    const double usual = 1.4826 * median_of(sorted);  // the deviation, were they normally distributed
    for (std::size_t i = 0; usual > 0 && i < jumps.size(); ++i) {
      if (jumps[i] <= kFar * usual) continue;
      ++outliers.count;
      if (jumps[i] / usual <= most) continue;
      most = jumps[i] / usual;
      outliers.farthest = numbers[i];
    }
  }
  return outliers;
}

std::vector<LevelChange> level_changes(const Events& events, std::span<const double> values) {
  std::vector<LevelChange> all;
  for (int64_t s = 0; s < events.sequences(); ++s) {
    const Blocks blocks(measured(events, values, s), values);
    if (blocks.size() > 0) add_jumps(all, blocks);
  }
  return all;
}

}  // namespace t2v::data
