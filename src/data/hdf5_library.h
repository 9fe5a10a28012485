#pragma once

#include <hdf5.h>

namespace t2v::data {

/// What is used of the HDF5 library. It brings some twenty other libraries along, which would double the time
/// that every start takes: so it is loaded when it is first needed.
struct Hdf5 {
  decltype(&H5open) open;
  decltype(&H5Eget_auto2) get_error_printer;
  decltype(&H5Eset_auto2) set_error_printer;
  decltype(&H5Fopen) open_file;
  decltype(&H5Fclose) close_file;
  decltype(&H5Gopen2) open_group;
  decltype(&H5Gclose) close_group;
  decltype(&H5Dopen2) open_dataset;
  decltype(&H5Dclose) close_dataset;
  decltype(&H5Dget_space) space_of;
  decltype(&H5Dget_type) type_of;
  decltype(&H5Dread) read;
  decltype(&H5Dvlen_reclaim) reclaim;
  decltype(&H5Sclose) close_space;
  decltype(&H5Sget_simple_extent_ndims) dimensions;
  decltype(&H5Sget_simple_extent_npoints) points;
  decltype(&H5Tclose) close_type;
  decltype(&H5Tget_class) class_of;
  decltype(&H5Tget_size) size_of;
  decltype(&H5Tis_variable_str) is_variable_text;
  hid_t native_double;
};

/// Loads it if need be. Throws t2v::Error if it is not installed.
const Hdf5& hdf5();

}  // namespace t2v::data
