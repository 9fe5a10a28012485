#include <exception>
#include <string>
#include <string_view>

#include "base/version.h"
#include "core.h"
#include "t2v/error.h"

namespace t2v::python {
namespace {

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

/// Messages name options as the command has them: "--query-time" is query_time here.
std::string with_parameter_names(std::string_view message) {
  std::string result;
  for (std::size_t i = 0; i < message.size(); ++i) {
    const bool option = message.substr(i, 2) == "--" && i + 2 < message.size() && is_word(message[i + 2]);
    if (!option) {
      result += message[i];
      continue;
    }
    for (i += 2; i < message.size(); ++i) {
      const bool hyphen = message[i] == '-' && i + 1 < message.size() && is_word(message[i + 1]);
      if (!hyphen && !is_word(message[i])) break;
      result += hyphen ? '_' : message[i];
    }
    --i;
  }
  return result;
}

}  // namespace

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
      PyErr_SetString(error.ptr(), with_parameter_names(caught.what()).c_str());
    }
  });
  bind_layer(module);
  bind_events(module);
  bind_model(module);
  bind_training(module);
  bind_stream(module);
  bind_files(module);
}

}  // namespace t2v::python
