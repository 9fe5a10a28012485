#pragma once

#include <string>

#include "paper/finished_runs.h"
#include "paper/verdict.h"

namespace t2v::paper {

// Claims about two models, judged by a measure of their runs after the last epoch, paired over seeds.

/// 'a is better than b'. `worth`: the least difference that counts.
Verdict better(const Claim& claim, const ModelRuns& a, const ModelRuns& b, const std::string& measure,
               double worth = kOnPar);
/// 'a is better than b, or on par'.
Verdict better_or_on_par(const Claim& claim, const ModelRuns& a, const ModelRuns& b,
                         const std::string& measure, double margin = kOnPar);
/// 'a and b are the same'.
Verdict same(const Claim& claim, const ModelRuns& a, const ModelRuns& b, const std::string& measure,
             double margin = kOnPar);
/// 'a varies less from run to run than b'.
Verdict less_spread(const Claim& claim, const ModelRuns& a, const ModelRuns& b, const std::string& measure);

}  // namespace t2v::paper
