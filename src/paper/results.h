#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "paper/experiment.h"
#include "paper/run_files.h"

namespace t2v::paper {

/// How the results came about, for people.
struct Origin {
  std::string command;  // by which all of it was asked for
  std::string options;  // of it, but without experiments, models, seeds and the folder
  int threads = 1;
};

/// What an experiment found, from its finished runs.
nlohmann::json section_of(const Experiment& experiment, const Plan& plan, const RunFiles& files,
                          const Origin& origin);
/// What data its runs were made of: name, kind and note.
nlohmann::json data_of(const Experiment& experiment, const Plan& plan, const RunFiles& files);
/// Its verdicts, likewise.
std::vector<Verdict> verdicts_of(const Experiment& experiment, const Plan& plan, const RunFiles& files);

/// Puts what an experiment found into FOLDER/results.json, in place of what it found before with the same
/// protocol, if any of its runs is finished, and writes all runs to FOLDER/results.csv, all verdicts to
/// FOLDER/verdicts.csv.
void write_results(FileSystem& disk, const Experiment& experiment, const Plan& plan, const RunFiles& files,
                   const Origin& origin);

/// One row for each run, epoch and measure: experiment,model,seed,protocol,scale,epoch,metric,value.
std::string results_csv(const RunFiles& files);
/// One row for each verdict of results.json, texts in quotes.
std::string verdicts_csv(const nlohmann::json& verdicts);

}  // namespace t2v::paper
