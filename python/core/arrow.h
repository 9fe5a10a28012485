#pragma once

#include <pybind11/pybind11.h>

#include "column.h"

namespace t2v::python {

/// Reads all columns of a table that comes through the Arrow C stream interface, in batches: a capsule named
/// "arrow_array_stream", which is used up. No Arrow library is needed. Columns of whole numbers, floats,
/// bools, texts (in any of the three layouts), dictionaries of such, timestamps and dates; others are kept as
/// what has no use. Throws t2v::Error if it is no stream of a table, or the producer reports an error.
Table read_arrow_stream(const pybind11::capsule& stream);

}  // namespace t2v::python
