#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>

namespace t2v::python {

namespace py = pybind11;

/// A message for people who write Python: "--query-time" is query_time, and columns, which are "--value" and
/// so on for the command, are columns={'value': ...}.
std::string with_parameter_names(std::string_view message);

// The parts of the module, each in the file of its name.
void bind_layer(py::module_& module);
void bind_events(py::module_& module);
void bind_model(py::module_& module);
void bind_training(py::module_& module);
void bind_stream(py::module_& module);
void bind_files(py::module_& module);

}  // namespace t2v::python
