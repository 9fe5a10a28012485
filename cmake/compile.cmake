# How sources are compiled: ccache, groups of sources, precompiled headers.

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  configure_file(cmake/ccache.in ${PROJECT_BINARY_DIR}/ccache @ONLY
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${PROJECT_BINARY_DIR}/ccache)
endif()

# t2v_together(TARGET GROUP SIZE SOURCE...): compiles these sources of a target as one, up to SIZE at a time, which
# reads their headers once. Their local names must differ, so one whose names clash is left out. Sources with options
# of their own are compiled alone.
function(t2v_together target group size)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${T2V_UNITY} UNITY_BUILD_MODE GROUP)
  set(number 0)
  foreach(source ${ARGN})
    math(EXPR part "${number} / ${size}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}_${part})
    math(EXPR number "${number} + 1")
  endforeach()
endfunction()

# t2v_no_arithmetic(TARGET...): nothing in these is worth more than -O1.
function(t2v_no_arithmetic)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endforeach()
endfunction()
