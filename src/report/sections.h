#pragma once

#include <string>

#include "report/results.h"

/// The parts of the page, as HTML.
namespace t2v::report {

/// A chart with its legend, its alternative text and its values as a table.
std::string figure_html(const Figure& figure);

/// Claims with their answers: cards where there is little room.
std::string table_html(const Table& table);

}  // namespace t2v::report
