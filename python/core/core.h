#pragma once

#include <pybind11/pybind11.h>

namespace t2v::python {

namespace py = pybind11;

// The parts of the module, each in the file of its name.
void bind_layer(py::module_& module);
void bind_events(py::module_& module);
void bind_model(py::module_& module);
void bind_forecast(py::module_& module);
void bind_training(py::module_& module);
void bind_stream(py::module_& module);
void bind_files(py::module_& module);

}  // namespace t2v::python
