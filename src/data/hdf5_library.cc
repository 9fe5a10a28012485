#include "data/hdf5_library.h"

#include <dlfcn.h>

#include "base/fail.h"
#include "base/shared_library.h"

namespace t2v::data {
namespace {

Hdf5 loaded() {
  const SharedLibrary library(T2V_HDF5_LIBRARY, SharedLibrary::Symbols::kOwn, "HDF5 files need",
                              "install the one that t2v was built with (Debian: libhdf5-dev)");
  Hdf5 h{};
  library.load(h.open, "H5open");
  library.load(h.get_error_printer, "H5Eget_auto2");
  library.load(h.set_error_printer, "H5Eset_auto2");
  library.load(h.open_file, "H5Fopen");
  library.load(h.close_file, "H5Fclose");
  library.load(h.open_group, "H5Gopen2");
  library.load(h.close_group, "H5Gclose");
  library.load(h.open_dataset, "H5Dopen2");
  library.load(h.close_dataset, "H5Dclose");
  library.load(h.space_of, "H5Dget_space");
  library.load(h.type_of, "H5Dget_type");
  library.load(h.read, "H5Dread");
  library.load(h.reclaim, "H5Dvlen_reclaim");
  library.load(h.close_space, "H5Sclose");
  library.load(h.dimensions, "H5Sget_simple_extent_ndims");
  library.load(h.points, "H5Sget_simple_extent_npoints");
  library.load(h.close_type, "H5Tclose");
  library.load(h.class_of, "H5Tget_class");
  library.load(h.size_of, "H5Tget_size");
  library.load(h.is_variable_text, "H5Tis_variable_str");
  if (h.open() < 0) fail("{} cannot be started", library.file());
  // A program that is linked with HDF5 itself has a copy of the variable, and the library uses that one.
  const void* copy = dlsym(RTLD_DEFAULT, "H5T_NATIVE_DOUBLE_g");
  h.native_double =
      *static_cast<const hid_t*>(copy != nullptr ? copy : library.symbol("H5T_NATIVE_DOUBLE_g"));
  return h;
}

}  // namespace

const Hdf5& hdf5() {
  static const Hdf5 library = loaded();
  return library;
}

}  // namespace t2v::data
