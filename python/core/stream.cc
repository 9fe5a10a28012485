#include "stream/stream.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "api/time_model.h"
#include "base/fail.h"
#include "core.h"
#include "trained.h"

namespace t2v::python {
namespace {

/// A time of a stream: whole ticks of the model's scale, or text as it stands in tables.
using GivenTime = std::variant<int64_t, std::string>;
using Cell = std::variant<double, std::string>;

/// Keeps Python's lock: a step takes microseconds, and a stream is for one thread at a time.
class PythonStream {
 public:
  PythonStream(const Trained& trained, int64_t max_sequences, int64_t top, bool keep_late)
      : trained_(trained),
        reader_(api::time_reader(trained.model())),
        stream_(trained.model(), {.max_sequences = max_sequences,
                                  .top = top,
                                  .late = keep_late ? LateEvents::kKeep : LateEvents::kDrop}) {}

  std::optional<std::string> push(const std::string& id, const GivenTime& time, const std::string& event,
                                  const std::map<std::string, Cell>& features,
                                  const std::optional<GivenTime>& at) {
    take_cells(features);
    StreamEvent one{.id = id, .tick = tick_of(time), .event = event, .features = cells_};
    if (at) one.at = tick_of(*at);
    return text_of(stream_.push(one));
  }
  std::optional<std::string> ask(const std::string& id, const GivenTime& at) {
    return text_of(stream_.ask(id, tick_of(at)));
  }

  int64_t sequences() const { return stream_.sequences(); }
  std::vector<std::string> columns() const {
    std::vector<std::string> names;
    for (const FeatureColumn& column : stream_.columns()) names.push_back(column.name);
    return names;
  }
  py::dict counts() const {
    const StreamCounts counts = stream_.counts();
    py::dict dict;
    dict["events"] = counts.events;
    dict["predictions"] = counts.predictions;
    dict["late_dropped"] = counts.late_dropped;
    dict["late_kept"] = counts.late_kept;
    dict["unknown"] = counts.unknown;
    dict["refused"] = counts.refused;
    dict["evicted"] = counts.evicted;
    dict["returned"] = counts.returned;
    return dict;
  }
  void save(const std::string& path) const { stream_.save(FileSystem::real(), path); }
  void restore(const std::string& path) { stream_.restore(path); }

 private:
  int64_t tick_of(const GivenTime& time) const {
    if (const auto* tick = std::get_if<int64_t>(&time)) return *tick;
    return reader_.tick_of(std::get<std::string>(time));
  }

  void take_cells(const std::map<std::string, Cell>& features) {
    const auto& columns = stream_.columns();
    cells_.assign(columns.size(), {});
    std::size_t found = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto given = features.find(columns[i].name);
      if (given == features.end()) continue;
      ++found;
      const auto* number = std::get_if<double>(&given->second);
      if (columns[i].number != (number != nullptr)) {
        fail("the feature '{}' is a {}", columns[i].name, columns[i].number ? "number" : "name");
      }
      if (number != nullptr) {
        cells_[i].number = *number;
      } else {
        cells_[i].name = std::get<std::string>(given->second);
      }
    }
    if (found < features.size()) {
      for (const auto& [name, cell] : features) {
        if (std::ranges::find(columns, name, &FeatureColumn::name) != columns.end()) continue;
        fail("the model has no feature '{}'", name);
      }
    }
  }

  std::optional<std::string> text_of(const StreamAnswer& answer) const {
    if (answer.prediction == nullptr) return std::nullopt;
    return python::text_of(to_json(*answer.prediction, trained_.model()));
  }

  const Trained& trained_;
  data::TimeReader reader_;
  Stream stream_;
  std::vector<FeatureCell> cells_;
};

}  // namespace

void bind_stream(py::module_& module) {
  using py::arg;
  py::class_<PythonStream>(module, "Stream", "Predicts from events as they come.")
      .def(py::init<const Trained&, int64_t, int64_t, bool>(), arg("model"), arg("max_sequences"), arg("top"),
           arg("keep_late"), py::keep_alive<1, 2>())
      .def("push", &PythonStream::push, arg("id"), arg("time"), arg("event"), arg("features"), arg("at"),
           "Takes an event; returns a prediction as JSON, or None.")
      .def("ask", &PythonStream::ask, arg("id"), arg("at"), "What comes at a time, as JSON.")
      .def_property_readonly("sequences", &PythonStream::sequences)
      .def_property_readonly("columns", &PythonStream::columns)
      .def("counts", &PythonStream::counts)
      .def("save", &PythonStream::save, arg("path"))
      .def("restore", &PythonStream::restore, arg("path"));
}

}  // namespace t2v::python
