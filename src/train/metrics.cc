#include "train/metrics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/random.h"

namespace t2v {
namespace {

double ratio(double sum, std::size_t count) { return sum / static_cast<double>(count); }
double ratio(double sum, int64_t count) { return sum / static_cast<double>(count); }

/// The mean of a function of the records, in their order.
template <class Record, class Function>
double mean_of(std::span<const Record> records, Function function) {
  double sum = 0;
  for (const Record& record : records) sum += function(record);
  return ratio(sum, records.size());
}

std::vector<Confusion> confusion_of(std::span<const ClassRecord> records) {
  std::map<std::pair<int32_t, int32_t>, int64_t> counts;
  for (const ClassRecord& record : records) ++counts[{record.target, record.predicted}];
  std::vector<Confusion> cells;
  cells.reserve(counts.size());
  for (const auto& [pair, count] : counts) cells.push_back({pair.first, pair.second, count});
  return cells;
}

/// The mean of the F1 of all classes that occur, as targets or as predictions.
double macro_f1_of(std::span<const Confusion> cells) {
  struct OfClass {
    int64_t hits = 0;
    int64_t targets = 0;
    int64_t predictions = 0;
  };
  std::map<int32_t, OfClass> classes;
  for (const Confusion& cell : cells) {
    classes[cell.target].targets += cell.count;
    classes[cell.predicted].predictions += cell.count;
    if (cell.target == cell.predicted) classes[cell.target].hits += cell.count;
  }
  double sum = 0;
  for (const auto& [name, of] : classes) {
    sum += ratio(2.0 * static_cast<double>(of.hits), of.targets + of.predictions);
  }
  return ratio(sum, classes.size());
}

double calibration_error_of(std::span<const ClassRecord> records) {
  double difference[kCalibrationBins] = {};  // confidence - hits, summed
  for (const ClassRecord& record : records) {
    const double bin = std::floor(record.confidence * kCalibrationBins);
    const double last = kCalibrationBins - 1;
    const auto at = static_cast<std::size_t>(bin >= 0 ? std::min(bin, last) : 0);
    difference[at] += record.confidence - (record.predicted == record.target ? 1 : 0);
  }
  double sum = 0;
  for (const double d : difference) sum += std::abs(d);
  return ratio(sum, records.size());
}

/// Of two classes: the scores of class `of`, highest first, and whether each is of it.
struct Scored {
  double score;
  bool hit;
};
std::vector<Scored> scored(std::span<const ClassRecord> records, int32_t of) {
  std::vector<Scored> all;
  for (const ClassRecord& r : records) {
    if (r.second < 0) return {};
    all.push_back({of == 1 ? r.second : 1 - r.second, r.target == of});
  }
  std::ranges::sort(all, std::ranges::greater(), &Scored::score);
  return all;
}

/// Calls visit(hits, others) with the counts of each group of equal scores, highest first.
template <class Visit>
void over_groups(const std::vector<Scored>& all, const Visit& visit) {
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin;
    double hits = 0;
    for (; end < all.size() && all[end].score == all[begin].score; ++end) hits += all[end].hit ? 1 : 0;
    visit(hits, static_cast<double>(end - begin) - hits);
    begin = end;
  }
}

/// Area under the ROC curve: the share of pairs that are in order, ties counted half.
double auc_of(const std::vector<Scored>& all) {
  double hits = 0;
  double others = 0;
  double ordered = 0;
  over_groups(all, [&](double group_hits, double group_others) {
    ordered += group_others * (hits + group_hits / 2);
    hits += group_hits;
    others += group_others;
  });
  return ordered / (hits * others);
}

double average_precision_of(const std::vector<Scored>& all) {
  double hits = 0;
  double others = 0;
  double sum = 0;
  over_groups(all, [&](double group_hits, double group_others) {
    hits += group_hits;
    others += group_others;
    sum += group_hits * hits / (hits + others);
  });
  return sum / hits;
}

int32_t rarer_class(std::span<const ClassRecord> records) {
  const auto ones = std::ranges::count(records, 1, &ClassRecord::target);
  return 2 * ones <= std::ssize(records) ? 1 : 0;
}

double f1(double hits, double targets, double predictions) {
  return targets + predictions > 0 ? 2 * hits / (targets + predictions) : 0;
}

/// log(n!) for n = 0..most.
std::vector<double> log_factorials(int64_t most) {
  std::vector<double> logs = {0};
  logs.reserve(static_cast<std::size_t>(most) + 1);
  for (int64_t n = 1; n <= most; ++n) logs.push_back(logs.back() + std::log(static_cast<double>(n)));
  return logs;
}

/// How many of the types that are not the target there are, how many are better, how many are drawn.
struct Draw {
  int64_t others;
  int64_t better;
  int64_t drawn;
};

Draw draw_of(const RankRecord& record, const CandidateConfig& config) {
  const int64_t others = config.types - 1;
  return {others, record.rank - 1, std::min(config.negatives, others)};
}

/// How many better ones are among those drawn, drawn one after another; `enough` if that many or more are.
int64_t draw_better(Draw draw, int64_t enough, Random& random) {
  int64_t found = 0;
  for (int64_t i = 0; i < draw.drawn && draw.better > 0 && found < enough; ++i) {
    if (random.below(static_cast<uint64_t>(draw.others--)) >= static_cast<uint64_t>(draw.better)) continue;
    --draw.better;
    ++found;
  }
  return found;
}

/// The probability of x better ones among those drawn (hypergeometric).
double probability_of(int64_t x, const Draw& draw, std::span<const double> logs) {
  const int64_t worse = draw.others - draw.better;
  if (x > draw.better || x > draw.drawn || draw.drawn - x > worse) return 0;
  const auto log_choose = [&](int64_t n, int64_t k) {
    return logs[static_cast<std::size_t>(n)] - logs[static_cast<std::size_t>(k)] -
           logs[static_cast<std::size_t>(n - k)];
  };
  return std::exp(log_choose(draw.better, x) + log_choose(worse, draw.drawn - x) -
                  log_choose(draw.others, draw.drawn));
}

/// Adds what a rank among candidates, with some weight, counts for each q.
void add_rank(std::span<double> recall, std::span<double> mrr_at, std::span<const int64_t> at, int64_t rank,
              double weight) {
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (rank > at[i]) continue;
    recall[i] += weight;
    mrr_at[i] += weight / static_cast<double>(rank);
  }
}

/// So many better candidates, or more, count for nothing, or are more than are drawn.
int64_t most_better(std::span<const int64_t> at, const CandidateConfig& config) {
  const int64_t longest = at.empty() ? 0 : *std::ranges::max_element(at);
  return std::clamp<int64_t>(longest, 0, std::min(config.negatives, config.types - 1) + 1);
}

CandidateMeasures divided(CandidateMeasures sums, double count) {
  for (double& recall : sums.recall) recall /= count;
  for (double& mrr : sums.mrr_at) mrr /= count;
  return sums;
}

}  // namespace

ClassMeasures class_measures(std::span<const ClassRecord> records) {
  ClassMeasures measures;
  measures.count = static_cast<int64_t>(records.size());
  measures.accuracy = mean_of(records, [](const ClassRecord& r) { return r.predicted == r.target ? 1 : 0; });
  measures.log_loss = mean_of(records, [](const ClassRecord& r) { return r.loss; });
  measures.calibration_error = calibration_error_of(records);
  measures.brier = mean_of(records, [](const ClassRecord& r) { return r.brier; });
  const std::vector<Scored> rarer = scored(records, rarer_class(records));
  const auto hits = std::ranges::count(rarer, true, &Scored::hit);
  const bool both = hits > 0 && hits < std::ssize(rarer);
  measures.auc = both ? auc_of(rarer) : std::nan("");
  measures.average_precision = both ? average_precision_of(rarer) : std::nan("");
  measures.confusion = confusion_of(records);
  measures.macro_f1 = macro_f1_of(measures.confusion);
  return measures;
}

double best_threshold(std::span<const ClassRecord> records) {
  const std::vector<Scored> all = scored(records, 1);
  const auto ones = static_cast<double>(std::ranges::count(all, true, &Scored::hit));
  const double zeros = static_cast<double>(all.size()) - ones;
  if (ones == 0 || zeros == 0) return 0.5;
  double best = -1;
  double threshold = 0.5;
  double hits = 0;    // ones among those predicted to be
  double others = 0;  // zeros among them
  const auto judge = [&](double low, double high) {
    const double middle = high < 0.5 ? (low + high) / 2 : std::clamp(0.5, low, high);
    const double predicted = hits + others;
    const double score =
        f1(hits, ones, predicted) + f1(zeros - others, zeros, static_cast<double>(all.size()) - predicted);
    const bool nearer = score == best && std::abs(middle - 0.5) < std::abs(threshold - 0.5);
    if (score < best || (score == best && !nearer)) return;
    best = score;
    threshold = middle;
  };
  for (std::size_t i = 0; i <= all.size(); ++i) {
    const double high = i == 0 ? 1 : all[i - 1].score;
    const double low = i == all.size() ? 0 : all[i].score;
    if (high > low) judge(low, high);
    if (i == all.size()) break;
    (all[i].hit ? hits : others) += 1;
  }
  return threshold;
}

RankRecord rank_of(std::span<const float> scores, int64_t target) {
  const float own = scores[static_cast<std::size_t>(target)];
  RankRecord record;
  record.rank = 0;  // the target itself is not lower either
  for (const float score : scores) {
    record.rank += score < own ? 0 : 1;
    record.ties += score == own ? 1 : 0;
  }
  record.ties = std::max<int64_t>(record.ties - 1, 0);
  return record;
}

RankMeasures rank_measures(std::span<const RankRecord> records, std::span<const int64_t> at) {
  RankMeasures measures;
  measures.count = static_cast<int64_t>(records.size());
  measures.recall.resize(at.size());
  measures.mrr_at.resize(at.size());
  for (const RankRecord& record : records) {
    add_rank(measures.recall, measures.mrr_at, at, record.rank, 1);
    measures.tied += record.ties > 0 ? 1 : 0;
  }
  for (double& recall : measures.recall) recall = ratio(recall, records.size());
  for (double& mrr : measures.mrr_at) mrr = ratio(mrr, records.size());
  measures.mrr = mean_of(records, [](const RankRecord& r) { return 1 / static_cast<double>(r.rank); });
  measures.log_loss = mean_of(records, [](const RankRecord& r) { return r.loss; });
  return measures;
}

CandidateMeasures sampled_measures(std::span<const RankRecord> records, std::span<const int64_t> at,
                                   const CandidateConfig& config, ThreadPool& pool) {
  // For each record how often each number of better candidates was drawn: whole numbers, whose sum has no
  // order. Blocks of records go to threads.
  constexpr int64_t kBlock = 256;
  const int64_t most = most_better(at, config);
  const auto count = static_cast<int64_t>(records.size());
  const int64_t blocks = (count + kBlock - 1) / kBlock;
  const auto width = static_cast<std::size_t>(most) + 1;
  std::vector<int64_t> found(static_cast<std::size_t>(blocks) * width);
  pool.run(blocks, [&](int64_t block) {
    int64_t* own = found.data() + static_cast<std::size_t>(block) * width;
    for (int64_t i = block * kBlock; i < std::min(count, (block + 1) * kBlock); ++i) {
      Random random(config.seed, static_cast<uint64_t>(i));
      const Draw draw = draw_of(records[static_cast<std::size_t>(i)], config);
      for (int64_t d = 0; d < config.draws; ++d) ++own[draw_better(draw, most, random)];
    }
  });
  CandidateMeasures sums{std::vector<double>(at.size()), std::vector<double>(at.size())};
  for (std::size_t better = 0; better < width; ++better) {
    int64_t times = 0;
    for (std::size_t i = better; i < found.size(); i += width) times += found[i];
    add_rank(sums.recall, sums.mrr_at, at, static_cast<int64_t>(better) + 1, static_cast<double>(times));
  }
  return divided(std::move(sums), static_cast<double>(count * config.draws));
}

CandidateMeasures expected_measures(std::span<const RankRecord> records, std::span<const int64_t> at,
                                    const CandidateConfig& config) {
  const std::vector<double> logs = log_factorials(config.types);
  std::map<int64_t, int64_t> ranks;  // all that the expectation depends on
  for (const RankRecord& record : records) ++ranks[record.rank];
  CandidateMeasures sums{std::vector<double>(at.size()), std::vector<double>(at.size())};
  for (const auto& [rank, times] : ranks) {
    const Draw draw = draw_of({.rank = rank}, config);
    for (int64_t x = 0; x < most_better(at, config); ++x) {
      const double weight = static_cast<double>(times) * probability_of(x, draw, logs);
      add_rank(sums.recall, sums.mrr_at, at, x + 1, weight);
    }
  }
  return divided(std::move(sums), static_cast<double>(records.size()));
}

ValueMeasures value_measures(std::span<const ValueRecord> records) {
  ValueMeasures measures;
  measures.count = static_cast<int64_t>(records.size());
  const auto square = [](double x) { return x * x; };
  const double mse = mean_of(records, [&](const ValueRecord& r) { return square(r.predicted - r.target); });
  measures.rmse = std::sqrt(mse);
  measures.mae = mean_of(records, [](const ValueRecord& r) { return std::abs(r.predicted - r.target); });
  const double mean = mean_of(records, [](const ValueRecord& r) { return r.target; });
  const double variance = mean_of(records, [&](const ValueRecord& r) { return square(r.target - mean); });
  const bool varies = variance > square(1e-12 * mean);  // more than the rounding of the mean
  measures.variance_left = varies ? mse / variance : std::nan("");
  return measures;
}

double crps_of(std::span<const double> quantiles, double gap) {
  double sum = 0;
  for (std::size_t i = 0; i < quantiles.size(); ++i) {
    const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(quantiles.size());
    const double off = gap - quantiles[i];
    sum += off > 0 ? share * off : (share - 1) * off;
  }
  return 2 * ratio(sum, quantiles.size());
}

namespace {

/// Shares below that are uniform lie, sorted, in the middle of parts of equal size.
double pit_error_of(std::span<const GapRecord> records) {
  std::vector<double> shares;
  for (const GapRecord& record : records) {
    if (std::isnan(record.share_below)) return record.share_below;  // a single number is no distribution
    shares.push_back(record.share_below);
  }
  std::ranges::sort(shares);
  double sum = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    sum += std::abs(shares[i] - ratio(static_cast<double>(i) + 0.5, shares.size()));
  }
  return ratio(sum, shares.size());
}

}  // namespace

GapMeasures gap_measures(std::span<const GapRecord> records) {
  GapMeasures measures;
  measures.count = static_cast<int64_t>(records.size());
  measures.nll = mean_of(records, [](const GapRecord& r) { return r.loss; });
  measures.cell_nll = mean_of(records, [](const GapRecord& r) { return r.cell_loss; });
  measures.mae_of_median = mean_of(records, [](const GapRecord& r) { return std::abs(r.median - r.gap); });
  const auto square = [](const GapRecord& r) { return (r.mean - r.gap) * (r.mean - r.gap); };
  measures.rmse_of_mean = std::sqrt(mean_of(records, square));
  measures.crps = mean_of(records, [](const GapRecord& r) { return r.crps; });
  measures.pit_error = pit_error_of(records);
  for (std::size_t i = 0; i < std::size(kQuantiles); ++i) {
    const double p = kQuantiles[i];
    measures.below[i] = mean_of(records, [p](const GapRecord& r) {
      return std::isnan(r.share_below) ? r.share_below : r.share_below < p ? 1 : 0;
    });
  }
  return measures;
}

}  // namespace t2v
