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

/// The title of an experiment, with its protocol if that is not the paper's: no two on a page are the same.
std::string heading_of(const Experiment& experiment);

/// The paper's questions and their answers; nothing without questions.
std::string question_section(const Results& results);

/// Whether a verdict is one of an experiment.
bool belongs(const Verdict& verdict, const Experiment& experiment);

}  // namespace t2v::report
