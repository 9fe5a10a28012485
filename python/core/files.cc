#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <map>
#include <string>

#include "arrays.h"
#include "base/container.h"
#include "base/container_writer.h"
#include "core.h"
#include "data/duckdb_library.h"

namespace t2v::python {
namespace {

using Doubles = std::map<std::string, Array<double>>;
using Texts = std::map<std::string, std::string>;

/// Tensors of doubles and texts as a file of ours (docs/file-format.md).
void write_tensors(const std::string& path, const std::string& kind, const Texts& texts,
                   const Doubles& tensors) {
  ContainerWriter writer(kind);
  for (const auto& [key, text] : texts) writer.set(key, text);
  for (const auto& [name, array] : tensors) {
    writer.add(name, span_of(array), std::vector<int64_t>(array.shape(), array.shape() + array.ndim()));
  }
  writer.write(FileSystem::real(), path);
}

py::tuple read_tensors(const std::string& path, const std::string& kind) {
  const Container file = Container::open(path, kind);
  Texts texts(file.metadata().begin(), file.metadata().end());
  Doubles tensors;
  for (const std::string& name : file.names()) {
    const auto& shape = file.shape(name);
    tensors.emplace(name, Array<double>(std::vector<py::ssize_t>(shape.begin(), shape.end()),
                                        file.tensor<double>(name).data()));
  }
  file.check_intact();
  return py::make_tuple(texts, tensors);
}

}  // namespace

void bind_files(py::module_& module) {
  using py::arg;
  module.def("write_tensors", &write_tensors, arg("path"), arg("kind"), arg("texts"), arg("tensors"),
             "Writes doubles and texts as a checksummed file of this kind.");
  module.def("offer_duckdb", &data::offer_duckdb, arg("file"),
             "A library of DuckDB that reads Parquet and databases where no other is found.");
  module.def("read_tensors", &read_tensors, arg("path"), arg("kind"), "Reads them back: (texts, tensors).");
}

}  // namespace t2v::python
