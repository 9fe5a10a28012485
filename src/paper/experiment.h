#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "paper/finished_runs.h"
#include "paper/plan.h"
#include "paper/run.h"
#include "paper/verdict.h"

namespace t2v::paper {

/// What an experiment found: figures and tables as results.json has them.
struct Findings {
  std::vector<nlohmann::json> figures = {};
  std::vector<nlohmann::json> tables = {};
  std::vector<Verdict> verdicts = {};
  std::vector<std::string> notes = {};
};

/// An experiment of the paper: which runs it takes, and what they say. Experiments may share runs.
struct Experiment {
  std::string_view name;
  std::string_view title;
  std::string_view shows;                      // which figures of the paper
  std::vector<std::string_view> needs;         // data sets
  std::vector<Protocol> protocols;             // that it knows
  std::vector<Run> (*runs)(const Plan& plan);  // for all its seeds, those of one seed together
  Findings (*findings)(const Plan& plan, const FinishedRuns& runs);
};

/// The one table.
const std::vector<Experiment>& experiments();
/// By name; throws t2v::Error that lists the names.
const Experiment& experiment_from(std::string_view name);

// One file each.
Experiment toy();
Experiment event_mnist();
Experiment spikes();
Experiment stack_overflow();
Experiment activations();
Experiment frequencies();
Experiment linear_term();
Experiment shift();

}  // namespace t2v::paper
