# What is installed beside the tool: the library, its headers, and what find_package and pkg-config need.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/time2vec)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/t2v ${PROJECT_BINARY_DIR}/include/t2v
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library FILES_MATCHING PATTERN "*.h")

# Each variant is a file of its own, since the static one asks for all that the shared one is linked with.
foreach(variant static shared)
  set(target time2vec)
  if(variant STREQUAL shared)
    set(target time2vec_shared)
  endif()
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${variant})
  install(TARGETS ${target} EXPORT time2vec-${variant}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
  install(EXPORT time2vec-${variant} FILE time2vec-${variant}-targets.cmake NAMESPACE time2vec::
    DESTINATION ${config_folder} COMPONENT library)
endforeach()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/time2vec-config.cmake.in
  ${PROJECT_BINARY_DIR}/time2vec-config.cmake INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/time2vec-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/time2vec-config.cmake ${PROJECT_BINARY_DIR}/time2vec-config-version.cmake
  DESTINATION ${config_folder} COMPONENT library)

# The prefix is found from where the file is, so that a tree can be moved.
file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${CMAKE_CURRENT_LIST_DIR}/time2vec.pc.in ${PROJECT_BINARY_DIR}/time2vec.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/time2vec.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT library)
