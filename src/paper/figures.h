#pragma once

#include <nlohmann/json_fwd.hpp>

#include "paper/plan.h"
#include "paper/run_files.h"

namespace t2v::paper {

/// The figures of the paper as results.json has them (docs/report.md), of the finished runs of a scale: means
/// over the seeds after each epoch with their 95 % intervals, and the published curves. Fig. 1a comes first;
/// one without runs is left out.
nlohmann::json figures_of(const RunFiles& files, Scale scale);

}  // namespace t2v::paper
