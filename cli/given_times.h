#pragma once

#include <string>
#include <vector>

#include "base/packed_batch.h"
#include "data/time_zone.h"
#include "model/trained_model.h"

namespace t2v::cli {

/// A time that a person gave.
struct GivenTime {
  std::string text;
  double tau = 0;     // as a model sees it
  std::string where;  // "file:line" if it is from a file
};

/// The texts behind arguments: each a time, a file with one a line, or - for standard input. A number is
/// always a time. Blanks around a text, and empty lines, are left out.
std::vector<GivenTime> given_times(const std::vector<std::string>& arguments);

/// A time as a model sees it, from a text:
///   a number, in the model's unit. Where times count from an instant or from the start of the data set, a
///   plain number is one of the data, from which the origin is subtracted
///   '3 d', '1 h 30 min': of models of dates; ns, us, ms, s, min, h, d, w, y (365.25 d)
///   a date, where it has a place: not for gaps, and not where each sequence has an origin of its own.
///   Without an offset it is of the time zone
/// Throws t2v::Error that says what fits.
double tau_of(const std::string& text, const ModelTimes& times, TimeInput input, const data::TimeZone& zone);

}  // namespace t2v::cli
