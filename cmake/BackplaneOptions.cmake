# What is built, and where it goes. Optional parts are built when their packages are found.

option(BACKPLANE_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(BACKPLANE_BUILD_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(BACKPLANE_BUILD_ONNX "Build the ONNX importer and execute-network" ON)
option(BACKPLANE_BUILD_CPUACC "Build CpuAcc, the fast CPU backend on oneDNN" ON)
set(BACKPLANE_OPENCL_MORE_IDS "" CACHE STRING
  "Ids of further OpenCl backends, a list: each uses one device of a runtime")
option(BACKPLANE_BUILD_OPENCL "Build OpenCl, the backend for devices with OpenCL, where its headers are" ON)
option(BACKPLANE_OPTIMISE_TESTS "Optimise the tests as what they test; compiling takes twice as long" ON)
option(BACKPLANE_SANITIZE_CORE "Build the core and its commands, and nothing else, under the address and undefined-behaviour sanitizers" OFF)
option(BACKPLANE_BUILD_BACKEND_TESTS "Build the tests of the backends of this project" ON)
option(BACKPLANE_BUILD_RUNTIME_TESTS "Build the unit tests of the runtime, its operators among them" ON)
option(BACKPLANE_PRECOMPILE_HEADERS "Compile what tests and the importer include once for all; not for clang-tidy" OFF)
option(BACKPLANE_JOIN_SOURCES "Compile several sources of a library as one; not for clang-tidy" OFF)
option(BACKPLANE_BUILD_FUZZERS "Build the fuzzers; needs clang and the tests" OFF)
option(BACKPLANE_BUILD_BENCH "Build the benchmarks" ${PROJECT_IS_TOP_LEVEL})

# What backplane_add_backend goes by, in this project as in a vendor's.
set(BUILD_TESTING ${BACKPLANE_BUILD_TESTS})

set(BACKPLANE_BACKENDS_DIR "${CMAKE_INSTALL_LIBDIR}/backplane/backends" CACHE STRING
  "Where backends are installed, below the prefix")
# $ORIGIN is the directory of libbackplane-host.so, so that the default holds in the build tree and
# after installing to any prefix.
file(RELATIVE_PATH BACKPLANE_BACKENDS_FROM_LIB
  "/${CMAKE_INSTALL_LIBDIR}" "/${BACKPLANE_BACKENDS_DIR}")
set(DYNAMIC_BACKEND_PATHS "$ORIGIN/${BACKPLANE_BACKENDS_FROM_LIB}" CACHE STRING
  "Colon-separated directories that are scanned for backends; empty turns dynamic loading off")

# Absolute wherever Backplane is installed, so that packages of backends know where to put theirs.
set(default_configuration_dir "/etc/backplane/backends.d")
if(IS_ABSOLUTE "${CMAKE_INSTALL_SYSCONFDIR}")
  set(default_configuration_dir "${CMAKE_INSTALL_SYSCONFDIR}/backplane/backends.d")
endif()
set(BACKPLANE_CONFIGURATION_DIR "${default_configuration_dir}" CACHE STRING
  "Where operators and packages put drop-in files, *.conf, about backends; an absolute path")

# The program in which backends run for the first time stands beside the library, too.
set(BACKPLANE_PROBE_FROM_LIB "backplane/backplane-probe")
get_filename_component(BACKPLANE_PROBE_DIR
  "${CMAKE_INSTALL_LIBDIR}/${BACKPLANE_PROBE_FROM_LIB}" DIRECTORY)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()

# The build tree is laid out like the installed tree, so that what works in one works in the other.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_BINDIR}")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}")
set(BACKPLANE_BUILD_BACKENDS_DIR "${PROJECT_BINARY_DIR}/${BACKPLANE_BACKENDS_DIR}")

# Messages name the documents; the build tree has those of the sources in their place.
file(RELATIVE_PATH BACKPLANE_DOCUMENTS_FROM_LIB
  "/${CMAKE_INSTALL_LIBDIR}" "/${CMAKE_INSTALL_DOCDIR}")
get_filename_component(documents_parent "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_DOCDIR}" DIRECTORY)
file(MAKE_DIRECTORY "${documents_parent}")
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/docs" "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_DOCDIR}" SYMBOLIC)

file(RELATIVE_PATH BACKPLANE_LIB_FROM_BIN
  "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")
set(CMAKE_INSTALL_RPATH "$ORIGIN;$ORIGIN/${BACKPLANE_LIB_FROM_BIN}")
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)

# Adds a line to the table with which configuring ends.
function(backplane_report_part name state)
  string(SUBSTRING "${name}                        " 0 24 column)
  set_property(GLOBAL APPEND PROPERTY BACKPLANE_PARTS "${column}${state}")
endfunction()
