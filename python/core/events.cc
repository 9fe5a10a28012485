#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "arrow.h"
#include "base/fail.h"
#include "base/json_text.h"
#include "base/text_check.h"
#include "core.h"
#include "data/event_store.h"
#include "event_set.h"
#include "model/model_data.h"
#include "signals.h"
#include "trained.h"

namespace t2v::python {
namespace {

using Kind = Column::Kind;
template <class T>
using Cast = py::array_t<T, py::array::c_style | py::array::forcecast>;

Column whole_column(const std::string& name, const py::array& array) {
  Column column{.name = name, .kind = Kind::kWhole};
  if (array.dtype().kind() == 'u' && array.itemsize() == 8) {
    const Cast<uint64_t> numbers(array);
    for (py::ssize_t i = 0; i < numbers.size(); ++i) {
      if (numbers.data()[i] > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
        fail("the column '{}' has {}, beyond the largest whole number of 64 bits with a sign", shown(name),
             numbers.data()[i]);
      }
    }
  }
  const Cast<int64_t> numbers(array);
  column.wholes.assign(numbers.data(), numbers.data() + numbers.size());
  return column;
}

void add_array(Table& table, const std::string& name, const py::array& array) {
  if (array.ndim() != 1) fail("the column '{}' has {} dimensions, not one", shown(name), array.ndim());
  const char kind = array.dtype().kind();
  const auto type = py::cast<std::string>(array.dtype().attr("str"));
  if (kind == 'b' || kind == 'i' || kind == 'u') {
    Column column = whole_column(name, array);
    column.type = type;
    table.add(std::move(column));
  } else if (kind == 'f') {
    const Cast<double> numbers(array);
    Column column{.name = name, .kind = Kind::kNumber, .type = type, .single = array.itemsize() <= 4};
    column.numbers.assign(numbers.data(), numbers.data() + numbers.size());
    table.add(std::move(column));
  } else {
    fail("the column '{}' has a type of numbers '{}' that has no use here", shown(name), kind);
  }
}

/// NumPy's "not a time".
constexpr int64_t kNat = std::numeric_limits<int64_t>::min();

void add_instants(Table& table, const std::string& name, const Cast<int64_t>& array, int64_t nanoseconds) {
  Column column{.name = name, .kind = Kind::kInstant};
  column.wholes.resize(static_cast<std::size_t>(array.size()));
  for (std::size_t i = 0; i < column.wholes.size(); ++i) {
    const int64_t count = array.data()[i];
    if (count == kNat) {
      column.add_absent(i);
    } else if (__builtin_mul_overflow(count, nanoseconds, &column.wholes[i])) {
      fail("a time in column '{}' is outside of the years 1677 to 2262", shown(name));
    }
  }
  table.add(std::move(column));
}

/// How many cells are read before Python is asked for signals.
constexpr std::size_t kCellsBetweenSignals = 100'000;

/// None and NaN have the empty name; what is no text is written as such.
std::string name_of(const py::handle& object) {
  if (object.is_none()) return "";
  if (PyFloat_Check(object.ptr()) && std::isnan(PyFloat_AsDouble(object.ptr()))) return "";
  return py::cast<std::string>(py::str(object));
}

Column name_column(const std::string& name, const py::iterable& cells) {
  Column column{.name = name, .kind = Kind::kName};
  for (const py::handle cell : cells) {
    if (column.codes.size() % kCellsBetweenSignals == 0 && PyErr_CheckSignals() != 0) {
      throw py::error_already_set();
    }
    if (PyUnicode_Check(cell.ptr())) {
      Py_ssize_t size = 0;
      const char* text = PyUnicode_AsUTF8AndSize(cell.ptr(), &size);
      if (text == nullptr) throw py::error_already_set();
      column.codes.push_back(column.names.add({text, static_cast<std::size_t>(size)}));
    } else {
      column.codes.push_back(column.names.add(name_of(cell)));
    }
  }
  return column;
}

void add_names(Table& table, const std::string& name, const py::iterable& cells) {
  table.add(name_column(name, cells));
}

/// Dates as text in nanoseconds since 1970; without an offset they are taken for UTC.
Array<int64_t> read_dates(const py::iterable& cells) {
  data::EventTable table;
  set_times(table, name_column("time", cells), data::TableOptions());
  if (!table.scale.instants) fail("the times are numbers that are text; make them numbers or dates");
  return array_of(std::move(table.ticks));
}

/// A code below 0 has the empty name.
void add_coded(Table& table, const std::string& name, const Cast<int32_t>& codes,
               const std::vector<std::string>& names) {
  Column column{.name = name, .kind = Kind::kName};
  for (py::ssize_t i = 0; i < codes.size(); ++i) {
    const int32_t code = codes.data()[i];
    if (code >= static_cast<int64_t>(names.size()))
      fail("the column '{}' has code {}, without a name", shown(name), code);
    column.codes.push_back(column.names.add(code < 0 ? "" : names[static_cast<std::size_t>(code)]));
  }
  table.add(std::move(column));
}

void add_other(Table& table, const std::string& name, const std::string& what, int64_t rows) {
  Column column{.name = name, .kind = Kind::kOther};
  column.other = what;
  column.other_rows = rows;
  table.add(std::move(column));
}

/// Options by name, completed by what a model knows of its data.
data::LoadOptions options_of(const py::dict& given, const Trained* model, bool targets) {
  data::LoadOptions options;
  const py::object text = py::module_::import("time2vec._estimator").attr("option_text")(given);
  data::options_of(options).read(parse_json_text(py::cast<std::string>(text)));
  return model == nullptr ? options : options_for_model(std::move(options), model->model(), targets);
}

/// From (names, codes).
data::Categories label_of(const py::tuple& given) {
  data::Categories label{"y", {}, {}};
  for (const auto& name : py::cast<std::vector<std::string>>(given[0])) label.names.add(name);
  const auto codes = py::cast<Cast<int32_t>>(given[1]);
  label.codes.assign(codes.data(), codes.data() + codes.size());
  for (const int32_t code : label.codes) {
    if (code < 0 || code >= label.names.size()) fail("a label has code {}, without a name", code);
  }
  return label;
}

GivenTargets targets_of(const std::optional<py::tuple>& label, const std::optional<Cast<double>>& target) {
  GivenTargets targets;
  if (label) targets.label = label_of(*label);
  if (target) {
    targets.target = data::Numbers{"y", {target->data(), target->data() + target->size()}};
  }
  return targets;
}

EventSet make_event_set(const Table& table, const py::dict& given, const std::optional<py::tuple>& label,
                        const std::optional<Cast<double>>& target, const Trained* model, bool targets) {
  const data::LoadOptions options = options_of(given, model, targets);
  GivenTargets beside = targets_of(label, target);
  const py::gil_scoped_release release;
  return event_set(table, options, std::move(beside));
}

EventSet read_file(const std::string& path, const py::dict& given, const std::optional<py::tuple>& label,
                   const Trained* model, bool targets) {
  const data::LoadOptions options = options_of(given, model, targets);
  GivenTargets beside = targets_of(label, {});
  EventSet set;
  Signals signals;
  signals.without_lock(
      [&] { set = read_event_set(path, options, std::move(beside), [&] { signals.check(); }); });
  return set;
}

std::vector<std::string> strings_of(const data::Strings& strings) {
  std::vector<std::string> list;
  for (int64_t i = 0; i < strings.size(); ++i) list.emplace_back(strings[i]);
  return list;
}

template <class T>
Array<T> copy_of(std::span<const T> numbers) {
  return Array<T>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}

/// The values of events, or the targets of sequences; nothing if there are none.
py::object values_of(const EventSet& set) {
  if (set.events().target) return copy_of(set.events().target->values);
  if (set.events().value) return copy_of(set.events().value->values);
  return py::none();
}

/// Whether some event has the empty type.
bool lacks_events(const EventSet& set) {
  if (!set.events().event) return false;
  const data::Strings& names = set.events().event->names;
  for (int64_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) return true;
  }
  return false;
}

py::object label_names(const EventSet& set) {
  if (!set.events().label) return py::none();
  return py::cast(strings_of(set.events().label->names));
}

py::object label_codes(const EventSet& set) {
  if (!set.events().label) return py::none();
  return copy_of(set.events().label->codes);
}

}  // namespace

void bind_events(py::module_& module) {
  using py::arg;
  module.def("read_dates", &read_dates, arg("cells"), "Dates as text, in nanoseconds since 1970.");
  py::class_<Table>(module, "Table", "Columns of equally many rows, copied from the caller's memory.")
      .def(py::init<>())
      .def_static("from_arrow", &read_arrow_stream, arg("stream"),
                  "All columns of a capsule that __arrow_c_stream__() gave.")
      .def("add", &add_array, arg("name"), arg("numbers"), "Whole numbers, floats or bools.")
      .def("add_instants", &add_instants, arg("name"), arg("counts"), arg("nanoseconds"),
           "Instants as counts of so many nanoseconds since 1970.")
      .def("add_names", &add_names, arg("name"), arg("cells"), "Texts; None and NaN are empty ones.")
      .def("add_coded", &add_coded, arg("name"), arg("codes"), arg("names"),
           "Categories as codes into names; a code below 0 is the empty name.")
      .def("add_other", &add_other, arg("name"), arg("what"), arg("rows"),
           "A column that is an error once it is asked for.")
      .def_property_readonly("names", &Table::names)
      .def_property_readonly("rows", &Table::rows);
  py::class_<EventSet>(module, "EventSet", "Events sorted into sequences and by time.")
      .def(py::init(&make_event_set), arg("table"), arg("options"), arg("label") = py::none(),
           arg("target") = py::none(), arg("model") = py::none(), arg("targets") = false)
      .def_static("read", &read_file, arg("path"), arg("options"), arg("label") = py::none(),
                  arg("model") = py::none(), arg("targets") = false,
                  "The events of a table (CSV, JSON lines; plain, gzip or zstd) or an event store.")
      .def_property_readonly("event_type", [](const EventSet& set) { return set.event_type; })
      .def_property_readonly("lacks_events", &lacks_events)
      .def_property_readonly("sequences", [](const EventSet& set) { return set.events().sequences(); })
      .def_property_readonly("size", [](const EventSet& set) { return set.events().size(); })
      .def_property_readonly("ids", [](const EventSet& set) { return strings_of(set.events().ids); })
      .def_property_readonly("offsets", [](const EventSet& set) { return copy_of(set.events().offsets); })
      .def_property_readonly("ticks", [](const EventSet& set) { return copy_of(set.events().ticks); })
      .def_property_readonly(
          "row_of", [](const EventSet& set) { return copy_of(std::span<const int64_t>(set.row_of)); })
      .def_property_readonly("columns", [](const EventSet& set) { return set.columns; })
      .def_property_readonly("values", &values_of)
      .def_property_readonly("label_names", &label_names)
      .def_property_readonly("label_codes", &label_codes)
      .def(
          "save",
          [](const EventSet& set, const std::string& path) {
            const py::gil_scoped_release release;
            data::write_store(FileSystem::real(), path, set.data.store);
          },
          arg("path"), "Writes it as an event store, which the command t2v reads.");
}

}  // namespace t2v::python
