#include "data/hdf5_library.h"

#include <dlfcn.h>

#include "base/fail.h"

namespace t2v::data {
namespace {

/// The name of the library that was there when this was built.
constexpr const char* kLibrary = T2V_HDF5_LIBRARY;

void* symbol(void* library, const char* name) {
  void* found = dlsym(library, name);
  if (found == nullptr)
    fail("{} has no {}; install the HDF5 library that t2v was built with", kLibrary, name);
  return found;
}

template <class Function>
void load(Function& function, void* library, const char* name) {
  function = reinterpret_cast<Function>(symbol(library, name));
}

Hdf5 loaded() {
  void* library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    fail("HDF5 files need {}, which cannot be loaded; install it (Debian: libhdf5-dev)", kLibrary);
  }
  Hdf5 h{};
  load(h.open, library, "H5open");
  load(h.get_error_printer, library, "H5Eget_auto2");
  load(h.set_error_printer, library, "H5Eset_auto2");
  load(h.open_file, library, "H5Fopen");
  load(h.close_file, library, "H5Fclose");
  load(h.open_group, library, "H5Gopen2");
  load(h.close_group, library, "H5Gclose");
  load(h.open_dataset, library, "H5Dopen2");
  load(h.close_dataset, library, "H5Dclose");
  load(h.space_of, library, "H5Dget_space");
  load(h.type_of, library, "H5Dget_type");
  load(h.read, library, "H5Dread");
  load(h.reclaim, library, "H5Dvlen_reclaim");
  load(h.close_space, library, "H5Sclose");
  load(h.dimensions, library, "H5Sget_simple_extent_ndims");
  load(h.points, library, "H5Sget_simple_extent_npoints");
  load(h.close_type, library, "H5Tclose");
  load(h.class_of, library, "H5Tget_class");
  load(h.size_of, library, "H5Tget_size");
  load(h.is_variable_text, library, "H5Tis_variable_str");
  if (h.open() < 0) fail("{} cannot be started", kLibrary);
  // A program that is linked with HDF5 itself has a copy of the variable, and the library uses that one.
  const void* copy = dlsym(RTLD_DEFAULT, "H5T_NATIVE_DOUBLE_g");
  h.native_double =
      *static_cast<const hid_t*>(copy != nullptr ? copy : symbol(library, "H5T_NATIVE_DOUBLE_g"));
  return h;
}

}  // namespace

const Hdf5& hdf5() {
  static const Hdf5 library = loaded();
  return library;
}

}  // namespace t2v::data
