# One function for each kind of test program. Arguments: SOURCES files of the calling folder, USES layers,
# LINK further targets. A layer that this build leaves out leaves its tests out, with a line that says so.

# Sets OUT to a reason when a layer of the list is not part of this build; a layer that does not exist is an error.
function(viaduct_test_missing_layer out)
  set(reason "")
  foreach(layer IN LISTS ARGN)
    if(TARGET viaduct_${layer})
      continue()
    endif()
    if(NOT IS_DIRECTORY ${PROJECT_SOURCE_DIR}/src/${layer} AND
       NOT IS_DIRECTORY ${PROJECT_SOURCE_DIR}/${layer})
      message(FATAL_ERROR "tests: no layer '${layer}'; the layers are listed in src/CMakeLists.txt")
    endif()
    set(reason "layer ${layer} is not part of this build")
  endforeach()
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()

function(viaduct_test_program target)
  cmake_parse_arguments(TEST "" "" "SOURCES;USES;LINK" ${ARGN})
  add_executable(${target} ${TEST_SOURCES})
  target_include_directories(${target} PRIVATE
    ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${target} PRIVATE
    VIADUCT_SOURCE_DIR="${PROJECT_SOURCE_DIR}" VIADUCT_BIN_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  foreach(layer IN LISTS TEST_USES)
    target_link_libraries(${target} PRIVATE viaduct_${layer})
  endforeach()
  if(TARGET viaduct_test_support)
    target_link_libraries(${target} PRIVATE viaduct_test_support)
  endif()
  target_link_libraries(${target} PRIVATE viaduct_options ${TEST_LINK} Threads::Threads)
endfunction()

# viaduct_unit_test(LAYER SOURCES ... [USES ...] [LINK ...]): the program test_LAYER, its cases as LAYER.Suite.Name.
function(viaduct_unit_test layer)
  cmake_parse_arguments(UNIT "" "" "SOURCES;USES;LINK" ${ARGN})
  viaduct_test_missing_layer(missing ${layer} ${UNIT_USES})
  if(missing)
    message(STATUS "test_${layer}: left out; ${missing}")
    return()
  endif()
  viaduct_test_program(test_${layer} SOURCES ${UNIT_SOURCES} USES ${layer} ${UNIT_USES}
    LINK ${UNIT_LINK} GTest::gtest GTest::gtest_main)
  gtest_discover_tests(test_${layer} TEST_PREFIX "${layer}." DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60 WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
    PROPERTIES LABELS unit TIMEOUT 60)
endfunction()

# Options that only some launchers know, for more ranks than cores and for containers that run as root.
function(viaduct_mpi_launch_options out)
  execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version
    OUTPUT_VARIABLE version ERROR_VARIABLE version TIMEOUT 20)
  if(version MATCHES "Open MPI|OpenRTE|PRRTE")
    set(${out} --oversubscribe PARENT_SCOPE)
  else()
    set(${out} "" PARENT_SCOPE)
  endif()
endfunction()

# viaduct_mpi_test(NAME SOURCES ... [USES ...] [LINK ...] RANKS 1 2 4): the program test_NAME with its own main, which
# returns 0, 1, or 77 when every case was skipped. One ctest entry for each number of ranks: NAME.ranks_4.
function(viaduct_mpi_test name)
  cmake_parse_arguments(MPI_TEST "" "" "SOURCES;USES;LINK;RANKS" ${ARGN})
  viaduct_test_missing_layer(missing ${MPI_TEST_USES})
  if(missing)
    message(STATUS "test_${name}: left out; ${missing}")
    return()
  endif()
  viaduct_test_program(test_${name} SOURCES ${MPI_TEST_SOURCES} USES ${MPI_TEST_USES}
    LINK ${MPI_TEST_LINK} GTest::gtest MPI::MPI_CXX)
  viaduct_mpi_launch_options(launch_options)
  # Root is allowed by variables, which do nothing for other users: configure and test may be run by two of them.
  # Single-copy transfers need a permission that containers often lack; these tests are not about them.
  set(environment
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_btl_vader_single_copy_mechanism=none)
  if(VIADUCT_SANITIZE MATCHES "address")
    # Open MPI keeps memory until the process ends.
    list(APPEND environment ASAN_OPTIONS=detect_leaks=0)
  endif()
  foreach(ranks IN LISTS MPI_TEST_RANKS)
    add_test(NAME ${name}.ranks_${ranks}
      COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${launch_options}
              ${MPIEXEC_PREFLAGS} $<TARGET_FILE:test_${name}> ${MPIEXEC_POSTFLAGS})
    set_tests_properties(${name}.ranks_${ranks} PROPERTIES
      LABELS mpi TIMEOUT 120 PROCESSORS ${ranks} RESOURCE_LOCK mpi SKIP_RETURN_CODE 77
      ENVIRONMENT "${environment}")
  endforeach()
endfunction()

# viaduct_gpu_test(NAME SOURCES ... [USES ...] [LINK ...]): the program test_NAME; its cases run alone.
function(viaduct_gpu_test name)
  cmake_parse_arguments(GPU "" "" "SOURCES;USES;LINK" ${ARGN})
  viaduct_test_missing_layer(missing ${GPU_USES})
  if(missing)
    message(STATUS "test_${name}: left out; ${missing}")
    return()
  endif()
  viaduct_test_program(test_${name} SOURCES ${GPU_SOURCES} USES ${GPU_USES}
    LINK ${GPU_LINK} GTest::gtest GTest::gtest_main)
  gtest_discover_tests(test_${name} TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60 WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
    PROPERTIES LABELS gpu TIMEOUT 300 RUN_SERIAL ON RESOURCE_LOCK gpu)
endfunction()
