#include <exception>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/version.h"
#include "core.h"
#include "t2v/error.h"

namespace t2v::python {
PYBIND11_MODULE(_core, module) {
  module.doc() = "The C++ part of time2vec: the layer, data, models, training and streams.";
  module.attr("version") = kVersion;
  static py::exception<Error> error(module, "Error", PyExc_ValueError);
  error.attr("__doc__") =
      "Something from outside (a value, a file, an option) cannot be used. The message says what is wrong, "
      "which value was seen and what to do.";
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& caught) {
      PyErr_SetString(error.ptr(), caught.what());
    } catch (const std::system_error& caught) {  // of files and threads
      PyErr_SetString(error.ptr(), caught.what());
    } catch (const nlohmann::json::exception& caught) {
      PyErr_SetString(error.ptr(), caught.what());
    }
  });
  bind_layer(module);
  bind_events(module);
  bind_model(module);
  bind_forecast(module);
  bind_training(module);
  bind_stream(module);
  bind_files(module);
}

}  // namespace t2v::python
