#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "paper/rows.h"

namespace t2v::paper {

// What intervals say of a claim, by docs/verdict-rules.md. Nothing here knows what was run.

enum class Answer : uint8_t {
  kYes,
  kSmaller,
  kLarger,
  kNoEffect,
  kOpposite,
  kInconclusive,
  kNotTestable,
  kNotRun
};
std::string_view name_of(Answer answer);

struct Interval {
  double low = 0;
  double high = 0;
};

/// What is asked of a difference.
struct Asked {
  Kind kind = Kind::kDifference;
  std::optional<double> published = std::nullopt;
};

/// By one interval or several, all of which have to agree. NaN in one of them: inconclusive.
Answer answer_of(const Asked& asked, std::span<const Interval> intervals);

/// The 95 % t interval of the mean of paired differences; NaN of fewer than two.
Interval t_interval(std::span<const double> differences);

/// The 95 % interval of a share by Clopper and Pearson.
Interval share_interval(int64_t agreeing, int64_t runs);

/// The fewest seeds with which an interval of the same mean and spread would decide; nothing if a thousand
/// would not.
std::optional<int64_t> deciding_seeds(const Asked& asked, double mean, double deviation);
/// The same of a share, up to 200 runs.
std::optional<int64_t> deciding_runs(const Asked& asked, double share);

}  // namespace t2v::paper
