#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "data/doctor.h"
#include "data/doctor_periods.h"
#include "data/events.h"

/// The checks of the doctor, each of which adds what it finds.
namespace t2v::data {

using Findings = std::vector<Finding>;

/// Whether the rows are values that were measured over time, rather than things that happened. Values of
/// several types are of several measures, which are no one series.
inline bool holds_series(const Events& events) {
  if (events.event && events.event->names.size() > 1) return false;
  return events.value.has_value() || !events.numbers.empty();
}
/// "1.0 d (12 %), 12 h (3.1 %, 1/2 of 1.0 d)".
std::string list_text(const Cycles& cycles, const Events& events);
nlohmann::json json_of(const Cycles& cycles);

// Times: doctor_times.cc.
void check_order(Findings& findings, const GroupCounts& counts);
void check_ties(Findings& findings, const Events& events);
void check_gaps(Findings& findings, const Events& events);
void check_units(Findings& findings, const Events& events);
void check_future(Findings& findings, const Events& events, int64_t now);
void check_grid(Findings& findings, const Events& events);
void check_cycles(Findings& findings, const Events& events);

// Values over time: doctor_values.cc.
void check_values(Findings& findings, const Events& events);

// Sequences and columns: doctor_columns.cc.
void check_lengths(Findings& findings, const Events& events);
void check_label(Findings& findings, const Events& events);
void check_types(Findings& findings, const Events& events);
void check_columns(Findings& findings, const Events& events);

}  // namespace t2v::data
