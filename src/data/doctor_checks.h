#pragma once

#include <cstdint>
#include <vector>

#include "data/doctor.h"
#include "data/events.h"

/// The checks of the doctor, each of which adds what it finds.
namespace t2v::data {

using Findings = std::vector<Finding>;

// Times: doctor_times.cc.
void check_order(Findings& findings, const GroupCounts& counts);
void check_ties(Findings& findings, const Events& events);
void check_gaps(Findings& findings, const Events& events);
void check_units(Findings& findings, const Events& events);
void check_future(Findings& findings, const Events& events, int64_t now);
void check_grid(Findings& findings, const Events& events);
void check_cycles(Findings& findings, const Events& events);

// Sequences and columns: doctor_columns.cc.
void check_lengths(Findings& findings, const Events& events);
void check_label(Findings& findings, const Events& events);
void check_types(Findings& findings, const Events& events);
void check_columns(Findings& findings, const Events& events);

}  // namespace t2v::data
