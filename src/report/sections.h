#pragma once

#include <string>

#include "report/results.h"

/// The parts of the page, as HTML.
namespace t2v::report {

/// The verdict as colour, symbol and word.
std::string outcome_html(Verdict::Outcome outcome);
std::string_view outcome_name(Verdict::Outcome outcome);

/// All claims with what the paper published, what came out here, and the verdict.
std::string verdict_section(const Results& results);
std::string experiment_section(const Experiment& experiment, const std::vector<Verdict>& verdicts);
/// What it ran on, and how to run it again.
std::string machine_section(const Results& results);

/// A chart with its legend, its alternative text and its values as a table.
std::string figure_html(const Figure& figure);
std::string table_html(const Table& table);

/// Whether a verdict is one of an experiment.
bool belongs(const Verdict& verdict, const Experiment& experiment);

}  // namespace t2v::report
