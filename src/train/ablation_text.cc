#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "data/doctor_text.h"
#include "data/human_time.h"
#include "train/ablation.h"
#include "train/evaluation.h"
#include "train/training.h"

// What an ablation came to, for people and for machines.
namespace t2v {
namespace {

using Cells = std::vector<std::string>;

/// Fewer seeds than this are few: what they cannot tell, more may.
constexpr int64_t kFewSeeds = 5;
/// Models with at least this share of the parameters of the largest count as of one size.
constexpr double kSameSize = 0.9;

/// Shares with four decimals, other measures with four digits.
std::string number(const Ablation& ablation, double value, bool with_sign = false) {
  if (std::isnan(value)) return "-";
  const bool share = ablation.higher_is_better;
  if (with_sign) return share ? fmt::format("{:+.4f}", value) : fmt::format("{:+.4g}", value);
  return share ? fmt::format("{:.4f}", value) : fmt::format("{:.4g}", value);
}

std::string with_interval(const Ablation& ablation, const Estimate& estimate) {
  std::string mean = number(ablation, estimate.mean);
  if (std::isnan(estimate.half_width)) return mean;
  return fmt::format("{} ± {}", mean,
                     ablation.higher_is_better ? fmt::format("{:.4f}", estimate.half_width)
                                               : fmt::format("{:.2g}", estimate.half_width));
}

std::string interval(const Ablation& ablation, const Estimate& estimate) {
  if (std::isnan(estimate.half_width)) return "-";
  return number(ablation, estimate.low(), true) + " to " + number(ablation, estimate.high(), true);
}

std::string chance(double p) {
  if (std::isnan(p)) return "-";
  return p < 1e-4 ? "< 0.0001" : fmt::format("{:.2g}", p);
}

/// "+0.0180, 95 % interval +0.0150 to +0.0210, p = 0.0004, 5 seeds".
std::string evidence(const Ablation& ablation, const PairedTest& test) {
  const Estimate& d = test.difference;
  const std::string mean = number(ablation, d.mean, true);
  const std::string seeds = data::counted(d.count, "seed");
  if (d.deviation == 0) return fmt::format("{} in each of {}", mean, seeds);
  return fmt::format("{}, 95 % interval {}, p {}{}, {}", mean, interval(ablation, d),
                     test.p < 1e-4 ? "" : "= ", chance(test.p), seeds);
}

/// Two variants over the seeds that both have.
struct Comparison {
  PairedTest test;
  double mean = 0;   // of the one
  double other = 0;  // of the other
  bool better = false;
  bool worse = false;
};

double mean_of_first(const AblationVariant& variant, int64_t count) {
  std::vector<double> values = variant.measures();
  values.resize(static_cast<std::size_t>(count));
  return estimate(values).mean;
}

Comparison compared(const Ablation& ablation, const AblationVariant& variant, const AblationVariant& other) {
  Comparison result{.test = compare(variant, other)};
  const Estimate& d = result.test.difference;
  result.mean = mean_of_first(variant, d.count);
  result.other = mean_of_first(other, d.count);
  const bool real = result.test.p < kSignificant;
  result.better = real && (d.mean > 0) == ablation.higher_is_better;
  result.worse = real && !result.better;
  return result;
}

/// "Time2Vec gets 0.4760 against 0.4580 without time (+0.0180, ...)".
std::string facts(const Ablation& ablation, const Comparison& c, std::string_view other) {
  return fmt::format("Time2Vec gets {} against {} {} ({})", number(ablation, c.mean),
                     number(ablation, c.other), other, evidence(ablation, c.test));
}

std::string more_seeds(const Comparison& c) {
  return c.test.difference.count < kFewSeeds ? "; more seeds can tell smaller differences" : "";
}

std::string main_sentence(const Ablation& ablation, const Comparison& c) {
  if (c.test.difference.count == 0) return "Nothing can be said yet: no seed has both Time2Vec and no time.";
  if (c.test.difference.count == 1) {
    return fmt::format(
        "One seed cannot tell a difference from chance: Time2Vec gets {} against {} without time; use 5 "
        "seeds "
        "or more.",
        number(ablation, c.mean), number(ablation, c.other));
  }
  if (std::isnan(c.test.p))
    return fmt::format("Nothing can be said: a run gave no finite {}.", ablation.measure);
  const std::string what = facts(ablation, c, "without time");
  if (c.better) return fmt::format("Time is worth it: {}.", what);
  if (c.worse) return fmt::format("Time does harm: {}.", what);
  return fmt::format("No difference was found: {}{}.", what, more_seeds(c));
}

/// If a difference of shares is no larger than what so few predictions leave to chance: 1.96 standard errors
/// of the difference of two shares, as if they were of different predictions. Empty if it is larger.
std::string small_test_sentence(const Ablation& ablation, const Comparison& c, int64_t predictions) {
  if (!ablation.higher_is_better) return "";
  const double variance = c.mean * (1 - c.mean) + c.other * (1 - c.other);
  const double left = 1.96 * std::sqrt(variance / static_cast<double>(predictions));
  if (std::abs(c.test.difference.mean) > left) return "";
  return fmt::format(
      "But the test part is small: {} leave about ± {} to such a difference, so another test part may say "
      "otherwise.",
      data::counted(predictions, "prediction"), number(ablation, left));
}

/// Probabilities may become better where what is most probable stays the same; empty if that is not so.
std::string loss_sentence(const Ablation& ablation, const AblationVariant& time2vec,
                          const AblationVariant& none) {
  const PairedTest test = compare_losses(time2vec, none);
  if (!ablation.higher_is_better || !(test.p < kSignificant)) return "";
  const Estimate& d = test.difference;
  return fmt::format(
      "But its log loss is {}: {:+.4f} nats (95 % interval {:+.4f} to {:+.4f}, p {}{}).",
      d.mean < 0 ? "lower, so its probabilities are better" : "higher, so its probabilities are worse",
      d.mean, d.low(), d.high(), test.p < 1e-4 ? "" : "= ", chance(test.p));
}

std::string shuffled_sentence(const Ablation& ablation, const AblationVariant& time2vec,
                              const AblationVariant& shuffled, const AblationVariant& none) {
  const Comparison c = compared(ablation, time2vec, shuffled);
  const std::string what = facts(ablation, c, "with shuffled gaps");
  if (c.better) {
    const bool rest = compared(ablation, shuffled, none).better;
    return fmt::format("{}: {}.",
                       rest ? "Part of it is which event comes when" : "What helps is which event comes when",
                       what);
  }
  return fmt::format(
      "Shuffling the gaps costs nothing that can be told, so what helps is not which event comes when, but "
      "the gaps "
      "taken together, the start of a sequence, or the extra inputs: {}.",
      what);
}

std::string raw_sentence(const Ablation& ablation, const Comparison& c) {
  const std::string what = facts(ablation, c, "with time as a plain number");
  if (c.better) return fmt::format("Time2Vec does better than time as a plain number: {}.", what);
  if (c.worse) return fmt::format("Time as a plain number does better than Time2Vec: {}.", what);
  return fmt::format("Between Time2Vec and time as a plain number no difference was found: {}{}.", what,
                     more_seeds(c));
}

/// What limits all that is said of the variants.
void add_limits(std::vector<std::string>& sentences, const Ablation& ablation) {
  if (ablation.find("shuffled") != nullptr && ablation.moved == 0) {
    sentences.emplace_back(
        "Shuffling changed no time, since the gaps within each sequence are equal, so it tells nothing "
        "here.");
  }
  const auto [least, most] = std::ranges::minmax(ablation.variants, {}, &AblationVariant::parameters);
  if (static_cast<double>(least.parameters) >= kSameSize * static_cast<double>(most.parameters)) return;
  sentences.push_back(fmt::format(
      "The models are not of one size ({} has {} parameters, {} {}), since {}: part of a difference may be "
      "that.",
      least.name, data::human_count(least.parameters), most.name, data::human_count(most.parameters),
      least.hidden == 0 || most.hidden == 0 ? "without a cell there are no hidden units to make up for it"
                                            : "no number of hidden units makes them equal"));
}

/// Characters, not bytes.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// Lines of cells in columns; the first column to the left, the others to the right.
std::string aligned(const std::vector<Cells>& lines) {
  std::vector<std::size_t> widths(lines.front().size());
  for (const Cells& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], width_of(line[i]));
  }
  std::string text;
  for (const Cells& line : lines) {
    std::string row;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string blanks(widths[i] - width_of(line[i]), ' ');
      row += i == 0 ? line[i] + blanks : "  " + blanks + line[i];
    }
    row.erase(row.find_last_not_of(' ') + 1);
    text += "  " + row + "\n";
  }
  return text;
}

Cells cells_of(const Ablation& ablation, const AblationVariant& variant, const AblationVariant* none) {
  Cells cells = {variant.name,
                 variant.hidden > 0 ? fmt::format("{}", variant.hidden) : "-",
                 data::human_count(variant.parameters),
                 fmt::format("{}", variant.runs.size()),
                 with_interval(ablation, estimate(variant.measures())),
                 variant.runs.empty() ? "-" : fmt::format("{:.4f}", estimate(variant.losses()).mean)};
  if (none == nullptr) return cells;
  if (none == &variant) {
    cells.insert(cells.end(), {"", "", ""});
    return cells;
  }
  const PairedTest test = compare(variant, *none);
  cells.insert(cells.end(), {number(ablation, test.difference.mean, true),
                             interval(ablation, test.difference), chance(test.p)});
  return cells;
}

nlohmann::json json_of(const Estimate& estimate) {
  return {{"count", estimate.count},
          {"mean", estimate.mean},
          {"deviation", estimate.deviation},
          {"low", estimate.low()},
          {"high", estimate.high()}};
}

nlohmann::json json_of(const PairedTest& test) {
  nlohmann::json json = json_of(test.difference);
  json["p"] = test.p;
  return json;
}

nlohmann::json json_of(const AblationVariant& variant) {
  nlohmann::json runs = nlohmann::json::array();
  for (const AblationRun& run : variant.runs) {
    runs.push_back({{"seed", run.seed},
                    {"measure", run.measure},
                    {"loss", run.loss},
                    {"predictions", run.predictions},
                    {"epochs", run.epochs},
                    {"seconds", run.seconds}});
  }
  return {{"name", variant.name},
          {"time", variant.time},
          {"shuffled", variant.shuffled},
          {"hidden", variant.hidden},
          {"parameters", variant.parameters},
          {"measure", json_of(estimate(variant.measures()))},
          {"loss", json_of(estimate(variant.losses()))},
          {"runs", runs}};
}

}  // namespace

std::vector<std::string> verdict(const Ablation& ablation) {
  const AblationVariant* none = ablation.find("none");
  const AblationVariant* time2vec = ablation.find("t2v");
  const AblationVariant* shuffled = ablation.find("shuffled");
  const AblationVariant* raw = ablation.find("raw");
  std::vector<std::string> sentences;
  if (time2vec == nullptr) {
    add_limits(sentences, ablation);
    return sentences;
  }
  const auto comparable = [&](const AblationVariant* other) {
    return other != nullptr && !std::isnan(compare(*time2vec, *other).p);
  };
  if (none != nullptr) {
    const Comparison c = compared(ablation, *time2vec, *none);
    sentences.push_back(main_sentence(ablation, c));
    const bool called = c.better || c.worse;
    const std::string but = called ? small_test_sentence(ablation, c, none->runs.front().predictions)
                                   : loss_sentence(ablation, *time2vec, *none);
    if (!but.empty()) sentences.push_back(but);
    if (c.better && comparable(shuffled) && ablation.moved > 0) {
      sentences.push_back(shuffled_sentence(ablation, *time2vec, *shuffled, *none));
    }
  }
  if (comparable(raw)) sentences.push_back(raw_sentence(ablation, compared(ablation, *time2vec, *raw)));
  add_limits(sentences, ablation);
  return sentences;
}

std::string describe(const Ablation& ablation) {
  const auto& first = ablation.variants.front().runs;
  std::string text = fmt::format(
      "task {}, test: {}{}\n", name_of(ablation.task), data::counted(ablation.test_sequences, "sequence"),
      first.empty() ? "" : ", " + data::counted(first.front().predictions, "prediction"));
  text += fmt::format("{}: {} is better; ± is the 95 % interval of the mean over the seeds\n",
                      ablation.measure, ablation.higher_is_better ? "higher" : "lower");
  const AblationVariant* none = ablation.find("none");
  Cells head = {"variant", "hidden", "parameters", "runs", ablation.measure, "loss"};
  if (none != nullptr) head.insert(head.end(), {"from none", "95 % interval", "p"});
  std::vector<Cells> lines = {head};
  for (const AblationVariant& variant : ablation.variants) lines.push_back(cells_of(ablation, variant, none));
  text += aligned(lines);
  if (ablation.find("shuffled") != nullptr && ablation.moved > 0) {
    text += fmt::format("Shuffling changed {} of the times.\n", data::percent(ablation.moved));
  }
  return text;
}

nlohmann::json to_json(const Ablation& ablation) {
  nlohmann::json json = {{"task", name_of(ablation.task)},
                         {"measure", ablation.measure},
                         {"higher_is_better", ablation.higher_is_better},
                         {"seeds", ablation.config.seeds},
                         {"complete", ablation.complete},
                         {"test_sequences", ablation.test_sequences},
                         {"times_moved", ablation.moved},
                         {"options", to_json(ablation.config.train)},
                         {"variants", nlohmann::json::array()},
                         {"verdict", verdict(ablation)}};
  for (const char* name : {"time", "seed", "when"}) json["options"].erase(name);
  const AblationVariant* none = ablation.find("none");
  const AblationVariant* time2vec = ablation.find("t2v");
  for (const AblationVariant& variant : ablation.variants) {
    nlohmann::json one = json_of(variant);
    if (none != nullptr && none != &variant) {
      one["minus_none"] = json_of(compare(variant, *none));
      one["loss_minus_none"] = json_of(compare_losses(variant, *none));
    }
    if (time2vec != nullptr && time2vec != &variant)
      one["t2v_minus_this"] = json_of(compare(*time2vec, variant));
    json["variants"].push_back(std::move(one));
  }
  return json;
}

}  // namespace t2v
