#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "paper/verdict.h"

namespace t2v::paper {

/// How many claims are counted among each tally, run or not.
struct TallySizes {
  int64_t time = 0;
  int64_t sines = 0;
  int64_t time_gates = 0;
};

/// What the paper says of all its comparisons (Sections 5.1 and 6, Appendix B): that Time2Vec improves most
/// and worsens none, with an LSTM is ahead all along in many, and that in most 64 sines are best or on par.
/// `verdicts`: as results.json has them, of one protocol. A claim is undecided while what was not run may
/// turn it. Nothing if no comparison was run.
std::vector<Verdict> judge_tallies(const std::vector<nlohmann::json>& verdicts, const TallySizes& sizes);

}  // namespace t2v::paper
