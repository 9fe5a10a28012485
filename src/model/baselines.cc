#include "model/baselines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "base/fail.h"
#include "base/periodogram.h"
#include "model/typed_gaps.h"

namespace t2v {
namespace {

using data::Piece;
using data::ValueTarget;

constexpr double kFewestTurns = 3;         // of a season within the span of the data
constexpr std::size_t kFewestValues = 30;  // to look for a season in
constexpr double kLeastSpread = 1e-3;      // of log(gap): equal gaps would have an infinite density

std::size_t at_of(int64_t i) { return static_cast<std::size_t>(i); }

void fit_classes(Baselines& out, const data::Events& events, std::span<const Piece> train,
                 const data::Encoding& encoding) {
  data::check_labels(encoding, events, train);
  const std::vector<int32_t> map = data::codes_of(*encoding.label, events.label->names);
  out.classes.resize(at_of(encoding.classes()));
  for (const Piece& piece : train) {
    out.classes[at_of(map[at_of(events.label->codes[at_of(piece.sequence)])])] += 1;
  }
  for (double& share : out.classes) share /= static_cast<double>(train.size());
}

/// How often one type follows another. Holds what is distinct, and at most about as much again.
class TransitionCounts {
 public:
  void add(int32_t from, int32_t to) {
    fresh_.emplace_back(from, to);
    if (fresh_.size() >= std::max(kFewest, counted_.size())) merge();
  }

  /// Stores them in the order of first type, second type.
  void store(Baselines& out, int64_t types) {
    merge();
    out.markov_offsets.assign(at_of(types + 1), 0);
    for (const auto& [pair, count] : counted_) {
      out.markov_types.push_back(pair.second);
      out.markov_counts.push_back(count);
      ++out.markov_offsets[at_of(pair.first) + 1];
    }
    std::partial_sum(out.markov_offsets.begin(), out.markov_offsets.end(), out.markov_offsets.begin());
  }

 private:
  using Pair = std::pair<int32_t, int32_t>;
  static constexpr std::size_t kFewest = 1 << 18;  // that are worth a merge

  void merge() {
    std::ranges::sort(fresh_);
    std::vector<std::pair<Pair, double>> all;
    auto old = counted_.begin();
    for (const Pair& pair : fresh_) {
      if (!all.empty() && all.back().first == pair) {
        all.back().second += 1;
        continue;
      }
      while (old != counted_.end() && old->first < pair) all.push_back(*old++);
      const bool known = old != counted_.end() && old->first == pair;
      all.emplace_back(pair, known ? old++->second + 1 : 1);
    }
    all.insert(all.end(), old, counted_.end());
    counted_ = std::move(all);
    fresh_.clear();
  }

  std::vector<Pair> fresh_;
  std::vector<std::pair<Pair, double>> counted_;  // in order
};

void fit_types(Baselines& out, const data::Events& events, std::span<const Piece> train,
               const data::Encoding& encoding) {
  const std::vector<int32_t> map = data::codes_of(*encoding.event, events.event->names);
  const auto code_of = [&](int64_t e) { return map[at_of(events.event->codes[at_of(e)])]; };
  const int64_t types = encoding.event_types();
  std::vector<double> counts(at_of(types), 1);
  TransitionCounts transitions;
  for (const Piece& piece : train) {
    for (int64_t e = piece.first_target; e < piece.end; ++e) {
      const int32_t code = code_of(e);
      if (code < 0 || code == encoding.event->unknown_code()) continue;
      counts[at_of(code)] += 1;
      if (e > piece.begin && code_of(e - 1) >= 0) transitions.add(code_of(e - 1), code);
    }
  }
  double sum = 0;
  for (const double count : counts) sum += count;
  for (const double count : counts) out.popularity.push_back(count / sum);
  transitions.store(out, types);
}

/// Values with their times, on one clock for all sequences.
struct Series {
  std::vector<double> times;
  std::vector<double> values;
};

/// The values that are to be predicted, each piece's from their mean.
Series series_of(const data::Events& events, std::span<const Piece> train) {
  Series series;
  for (const Piece& piece : train) {
    const std::size_t first = series.values.size();
    double sum = 0;
    for (int64_t e = piece.first_target; e < piece.end; ++e) {
      const double value = events.value->values[at_of(e)];
      if (std::isnan(value)) continue;
      series.times.push_back(events.view.at(events.tick(e), events.tick(0)));
      series.values.push_back(value);
      sum += value;
    }
    const double mean = sum / static_cast<double>(series.values.size() - first);
    for (std::size_t i = first; i < series.values.size(); ++i) series.values[i] -= mean;
  }
  return series;
}

/// The median of the positive differences of sorted times; 0 if there is none.
double median_step(std::vector<double> times) {
  std::ranges::sort(times);
  std::vector<double> steps;
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (times[i] > times[i - 1]) steps.push_back(times[i] - times[i - 1]);
  }
  if (steps.empty()) return 0;
  const auto middle = steps.begin() + static_cast<int64_t>(steps.size() / 2);
  std::ranges::nth_element(steps, middle);
  return *middle;
}

double season_of(const Series& series) {
  if (series.values.size() < kFewestValues) return 0;
  const auto [low, high] = std::ranges::minmax(series.times);
  const double step = median_step(series.times);
  const FrequencyRange range{2 * std::numbers::pi * kFewestTurns / (high - low), std::numbers::pi / step};
  if (!(step > 0) || !(range.low < range.high)) return 0;
  if (std::ranges::all_of(series.values, [](double x) { return x == 0; })) return 0;
  const std::vector<Period> periods = strongest_periods(series.times, series.values, 1, range);
  if (periods.empty() || !(periods[0].power >= kLeastSeasonShare)) return 0;
  return 2 * std::numbers::pi / periods[0].omega;
}

void fit_values(Baselines& out, const data::Events& events, std::span<const Piece> train,
                ValueTarget target) {
  double sum = 0;
  double count = 0;
  const auto add = [&](double value) {
    if (std::isnan(value)) return;
    sum += value;
    count += 1;
  };
  const bool of_sequence = target == ValueTarget::kOfSequence;
  for (const Piece& piece : train) {
    if (of_sequence) add(events.target->values[at_of(piece.sequence)]);
    for (int64_t e = piece.first_target; !of_sequence && e < piece.end; ++e) {
      add(events.value->values[at_of(e)]);
    }
  }
  out.value = {count > 0 ? sum / count : 0, of_sequence ? 0 : season_of(series_of(events, train))};
}

/// Calls visit(gap, event after it) for every gap that is to be predicted.
template <class Visit>
void over_gaps(const data::Events& events, std::span<const Piece> train, double least_gap, Visit visit) {
  for (const Piece& piece : train) {
    for (int64_t e = std::max(piece.first_target, piece.begin + 1); e < piece.end; ++e) {
      visit(std::max(events.view.at(events.tick(e), events.tick(e - 1)), least_gap), e);
    }
  }
}

/// Mean and spread of the logarithms of gaps, and how many are zero.
struct Gaps {
  double count = 0;  // above zero
  double mean = 0;
  double squares = 0;  // Σ (log - mean)²
  double zeros = 0;

  void add(double gap) {
    if (!(gap > 0)) {
      zeros += 1;
      return;
    }
    const double off = std::log(gap) - mean;
    count += 1;
    mean += off / count;
    squares += off * (std::log(gap) - mean);
  }
};

/// Mean, deviation and share of zeros.
std::array<double, 3> fitted(const Gaps& gaps) {
  return {gaps.mean, std::max(std::sqrt(gaps.squares / gaps.count), kLeastSpread),
          (gaps.zeros + 0.5) / (gaps.zeros + gaps.count + 1)};
}

/// The same with kGapPrior more gaps as those of all types have them.
std::array<double, 3> fitted(const Gaps& gaps, std::span<const double> all) {
  const double count = gaps.count + kGapPrior;
  const double mean = (gaps.count * gaps.mean + kGapPrior * all[0]) / count;
  const auto moved = [&](double n, double from) { return n * (from - mean) * (from - mean); };
  const double squares =
      gaps.squares + moved(gaps.count, gaps.mean) + kGapPrior * all[1] * all[1] + moved(kGapPrior, all[0]);
  return {mean, std::max(std::sqrt(squares / count), kLeastSpread),
          (gaps.zeros + kGapPrior * all[2]) / (gaps.zeros + count)};
}

void fit_gaps(Baselines& out, const data::Events& events, std::span<const Piece> train, double least_gap,
              bool zeros) {
  Gaps all;
  over_gaps(events, train, least_gap, [&](double gap, int64_t) { all.add(gap); });
  if (all.count == 0) return;
  const std::array<double, 3> of = fitted(all);
  out.gap.assign(of.begin(), of.begin() + (zeros ? 3 : 2));
}

void fit_type_gaps(Baselines& out, const data::Events& events, std::span<const Piece> train,
                   const data::Encoding& encoding, double least_gap) {
  if (out.gap.size() != 3) return;
  const std::vector<int32_t> map = data::codes_of(*encoding.event, events.event->names);
  std::vector<Gaps> of_type(at_of(encoding.event_types()));
  over_gaps(events, train, least_gap, [&](double gap, int64_t e) {
    const int32_t code = map[at_of(events.event->codes[at_of(e)])];
    if (code >= 0) of_type[at_of(code)].add(gap);
  });
  for (const Gaps& gaps : of_type) {
    const std::array<double, 3> of = fitted(gaps, out.gap);
    out.type_gaps.insert(out.type_gaps.end(), of.begin(), of.end());
  }
}

bool all_in(std::span<const double> values, double low, double high) {
  return std::ranges::all_of(values, [&](double x) { return x >= low && x <= high; });
}

/// Whether a row's types ascend and are below `types`.
bool ascending(std::span<const int32_t> row, int64_t types) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] < 0 || row[i] >= types || (i > 0 && row[i] <= row[i - 1])) return false;
  }
  return true;
}

bool good_transitions(const Baselines& read, int64_t types) {
  const auto entries = static_cast<int64_t>(read.markov_types.size());
  const std::vector<int64_t>& offsets = read.markov_offsets;
  if (static_cast<int64_t>(offsets.size()) != types + 1 || read.markov_counts.size() != at_of(entries)) {
    return false;
  }
  if (offsets.front() != 0 || offsets.back() != entries || !std::ranges::is_sorted(offsets)) return false;
  for (std::size_t u = 0; u + 1 < offsets.size(); ++u) {
    const auto row =
        std::span(read.markov_types).subspan(at_of(offsets[u]), at_of(offsets[u + 1] - offsets[u]));
    if (!ascending(row, types)) return false;
  }
  constexpr double kMostEvents = 1e15;
  return all_in(read.markov_counts, 1, kMostEvents);
}

bool good_sizes(const Baselines& read, const data::Encoding& encoding) {
  const auto fits = [](const std::vector<double>& values, int64_t size) {
    return values.empty() || static_cast<int64_t>(values.size()) == size;
  };
  return fits(read.classes, encoding.classes()) && fits(read.popularity, encoding.event_types()) &&
         fits(read.value, 2) && (fits(read.gap, 2) || fits(read.gap, 3)) &&
         fits(read.type_gaps, 3 * encoding.event_types()) &&
         read.popularity.empty() == read.markov_offsets.empty();
}

/// Mean, deviation and, of three, the share of zeros.
bool good_gaps(std::span<const double> gaps, std::size_t numbers) {
  for (std::size_t i = 0; i + numbers <= gaps.size(); i += numbers) {
    const bool share = numbers < 3 || (gaps[i + 2] >= 0 && gaps[i + 2] < 1);
    if (!all_in(gaps.subspan(i, 2), -1e3, 1e3) || !(gaps[i + 1] >= kLeastSpread) || !share) return false;
  }
  return true;
}

bool good_numbers(const Baselines& read) {
  constexpr double kLargest = 1e300;
  constexpr double kLeastPopularity = 1e-18;
  return all_in(read.classes, 0, 1) && all_in(read.popularity, kLeastPopularity, 1) &&
         all_in(read.value, -kLargest, kLargest) && (read.value.empty() || read.season() >= 0) &&
         good_gaps(read.gap, std::max<std::size_t>(read.gap.size(), 2)) && good_gaps(read.type_gaps, 3);
}

template <class T>
void read_tensor(std::vector<T>& out, const Container& file, const char* name) {
  if (!file.has(name)) return;
  const std::span<const T> values = file.tensor<T>(name);
  out.assign(values.begin(), values.end());
}

}  // namespace

Baselines Baselines::fit(const data::Events& events, std::span<const Piece> train,
                         const data::Encoding& encoding, Task task, ValueTarget values, double least_gap,
                         bool type_gaps) {
  if (train.empty()) fail("there is nothing to learn the baselines from");
  for (const Piece& piece : train) events.check(piece.begin, piece.end);
  Baselines out;
  if (task == Task::kClassify) fit_classes(out, events, train, encoding);
  if (task == Task::kNext || task == Task::kRecommend) {
    if (encoding.event && events.event) fit_types(out, events, train, encoding);
    fit_gaps(out, events, train, least_gap, type_gaps);
    if (type_gaps && encoding.event) fit_type_gaps(out, events, train, encoding, least_gap);
  }
  if (values != ValueTarget::kNone) fit_values(out, events, train, values);
  return out;
}

void Baselines::add_to(ContainerWriter& writer) const {
  const auto add = [&](const char* name, const auto& values) { writer.add(name, std::span(values)); };
  if (!classes.empty()) add("baseline.classes", classes);
  if (!popularity.empty()) {
    add("baseline.popularity", popularity);
    add("baseline.markov.offsets", markov_offsets);
    add("baseline.markov.types", markov_types);
    add("baseline.markov.counts", markov_counts);
  }
  if (!value.empty()) add("baseline.value", value);
  if (!gap.empty()) add("baseline.gap", gap);
  if (!type_gaps.empty()) add("baseline.type_gaps", type_gaps);
}

Baselines Baselines::read_from(const Container& file, const data::Encoding& encoding) {
  Baselines read;
  read_tensor(read.classes, file, "baseline.classes");
  read_tensor(read.popularity, file, "baseline.popularity");
  read_tensor(read.markov_offsets, file, "baseline.markov.offsets");
  read_tensor(read.markov_types, file, "baseline.markov.types");
  read_tensor(read.markov_counts, file, "baseline.markov.counts");
  read_tensor(read.value, file, "baseline.value");
  read_tensor(read.gap, file, "baseline.gap");
  read_tensor(read.type_gaps, file, "baseline.type_gaps");
  if (!good_sizes(read, encoding) || !good_numbers(read)) {
    fail("{}: the numbers in 'baseline.*' are not of this model; train it again", file.path());
  }
  if (!read.popularity.empty() && !good_transitions(read, encoding.event_types())) {
    fail("{}: the tables in 'baseline.markov.*' are not of this model; train it again", file.path());
  }
  return read;
}

TypeRanking::TypeRanking(const Baselines& baselines)
    : baselines_(baselines), order_(baselines.popularity.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  std::ranges::stable_sort(order_, std::greater(),
                           [&](int32_t type) { return baselines.popularity[at_of(type)]; });
}

TypeRank TypeRanking::by_markov(int32_t target, int32_t before) const {
  const auto begin = at_of(baselines_.markov_offsets[at_of(before)]);
  const auto count = at_of(baselines_.markov_offsets[at_of(before) + 1]) - begin;
  return rank(target,
              {std::span(baselines_.markov_types).subspan(begin, count),
               std::span(baselines_.markov_counts).subspan(begin, count)},
              kMarkovPrior);
}

TypeRank TypeRanking::rank(int32_t target, const TypeCounts& counts, double prior) const {
  const auto base = [&](int32_t type) { return prior * baselines_.popularity[at_of(type)]; };
  double own = base(target);
  double sum = prior;
  for (std::size_t i = 0; i < counts.types.size(); ++i) {
    if (counts.types[i] == target) own = counts.counts[i] + base(target);
    sum += counts.counts[i];
  }
  // First as if all types had their prior alone; then those that were counted move.
  const auto above = std::ranges::partition_point(order_, [&](int32_t type) { return base(type) > own; });
  const auto below =
      std::partition_point(above, order_.end(), [&](int32_t type) { return base(type) >= own; });
  const auto before = [&](double score, int32_t type) {
    return score > own || (score == own && type < target) ? 1 : 0;
  };
  int64_t ahead = std::lower_bound(above, below, target) - order_.begin();
  for (std::size_t i = 0; i < counts.types.size(); ++i) {
    const int32_t type = counts.types[i];
    ahead += before(counts.counts[i] + base(type), type) - before(base(type), type);
  }
  return {ahead + 1, -std::log(own / sum)};
}

void TypePast::clear() {
  for (const int32_t type : types_) place_[at_of(type)] = -1;
  types_.clear();
  counts_.clear();
}

void TypePast::add(int32_t type) {
  int32_t& place = place_[at_of(type)];
  if (place < 0) {
    place = static_cast<int32_t>(types_.size());
    types_.push_back(type);
    counts_.push_back(0);
  }
  counts_[at_of(place)] += 1;
}

void ValuePast::clear() {
  times_.clear();
  values_.clear();
}

void ValuePast::add(double time, double value) {
  if (std::isnan(value)) return;
  times_.push_back(time);
  values_.push_back(value);
}

double ValuePast::one_season_before(double time) const {
  const double wanted = time - season_;
  if (times_.empty() || times_.front() > wanted) return last();
  auto after = std::ranges::lower_bound(times_, wanted);
  if (after == times_.end() || (after != times_.begin() && wanted - *(after - 1) <= *after - wanted)) --after;
  return values_[at_of(after - times_.begin())];
}

GapPrediction predict_gap(const Baselines& baselines, double gap) {
  const double mean = baselines.gap[0];
  const double spread = baselines.gap[1];
  const double zeros = baselines.gap.size() == 3 ? baselines.gap[2] : 0;
  const double of[] = {mean, spread, zeros};
  const double below =
      gap > 0 ? 0.5 * std::erfc(-(std::log(gap) - mean) / (spread * std::numbers::sqrt2)) : 0;
  return {log_normal_loss(of, gap), std::exp(mean), zeros + (1 - zeros) * below,
          (1 - zeros) * std::exp(mean + 0.5 * spread * spread)};
}

}  // namespace t2v
