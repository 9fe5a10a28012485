# 'cpack' in the build folder makes a package for Debian: the tool with its manual page and completions, the
# library in both variants, its headers, and what find_package and pkg-config need.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME time2vec)
set(CPACK_PACKAGE_VENDOR time2vec)
set(CPACK_PACKAGE_CONTACT "The authors of time2vec")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
# HDF5 is loaded when a file of it is read; the zones of times are files.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "tzdata, libhdf5-103-1")
# To link the static library.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
  "libdnnl-dev, ocl-icd-opencl-dev, libhwy-dev, libfmt-dev, libxxhash-dev, zlib1g-dev, libzstd-dev")
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian-paths.cmake)
include(CPack)
