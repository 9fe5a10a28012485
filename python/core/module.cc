#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <string>
#include <string_view>

#include "base/version.h"
#include "core.h"
#include "t2v/error.h"

namespace t2v::python {
namespace {

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

constexpr std::array<std::string_view, 9> kColumns = {
    "id", "event", "value", "label", "target", "features", "sequence_features", "categories", "timezone"};

/// The name of an option at the start of a text: query-time is query_time.
std::string parameter_at(std::string_view text) {
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool hyphen = text[i] == '-' && i + 1 < text.size() && is_word(text[i + 1]);
    if (!hyphen && !is_word(text[i])) break;
    name += hyphen ? '_' : text[i];
  }
  return name;
}

}  // namespace

std::string with_parameter_names(std::string_view message) {
  std::string result;
  for (std::size_t i = 0; i < message.size(); ++i) {
    const std::string name = message.substr(i, 2) == "--" ? parameter_at(message.substr(i + 2)) : "";
    if (name.empty()) {
      result += message[i];
      continue;
    }
    i += 2 + name.size();  // behind the name
    if (std::ranges::find(kColumns, name) == kColumns.end()) {
      result += name;
    } else {
      // "(--event tea)" shows what was given, "by --event" what to give.
      const bool shown = result.ends_with('(') && message.substr(i, 1) == " ";
      const std::size_t end = shown ? std::min(message.find(')', i), message.size()) : i;
      result += fmt::format("columns={{'{}': {}}}", name,
                            shown ? fmt::format("'{}'", message.substr(i + 1, end - i - 1)) : "...");
      i = end;
    }
    --i;
  }
  return result;
}

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
