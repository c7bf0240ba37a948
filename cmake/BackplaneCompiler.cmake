# How everything is compiled.

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(BACKPLANE_CCACHE ccache)
  mark_as_advanced(BACKPLANE_CCACHE)
  if(BACKPLANE_CCACHE)
    # The same file compiled in two build directories is compiled once, and so are joined sources,
    # which lie there. What a source includes is known from the compiler's list: preprocessed text
    # does not show that a macro in a precompiled header has another value.
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
      "CCACHE_BASEDIR=${PROJECT_BINARY_DIR}")
    if(BACKPLANE_PRECOMPILE_HEADERS)
      # Without it, ccache passes on whatever precompiled headers take part in.
      list(APPEND CMAKE_CXX_COMPILER_LAUNCHER CCACHE_SLOPPINESS=pch_defines,time_macros)
    endif()
    list(APPEND CMAKE_CXX_COMPILER_LAUNCHER "${BACKPLANE_CCACHE}")
  endif()
endif()

# Turns on the project's warnings for one target. Presets make them errors.
function(backplane_set_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast)
  # g++ 12 with -O3 takes the strings of temporary aggregates for uninitialised when they are
  # destroyed. The sanitizers, and clang's analyzer, watch for real cases.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
  endif()
endfunction()

# What BACKPLANE_SANITIZE_CORE watches over: libraries and programs of the core. Whatever links a
# library of these gets the sanitizers' runtime. Backends and tests are compiled as without it, and so
# come out of the compiler cache when another build has compiled them.
function(backplane_sanitize_core target)
  if(BACKPLANE_SANITIZE_CORE)
    set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all)
    # The address sanitizer finds null too, and -Og compiles in less than two thirds of the time.
    target_compile_options(${target} PRIVATE ${sanitizers} -fno-sanitize=null -Og
      -fno-omit-frame-pointer -UNDEBUG)
    target_link_options(${target} PUBLIC ${sanitizers})
  endif()
endfunction()

# How a program of tests is compiled: with the warnings, and without optimisation unless
# BACKPLANE_OPTIMISE_TESTS says otherwise. What it tests keeps its own options.
function(backplane_set_test_options target)
  backplane_set_warnings(${target})
  if(NOT BACKPLANE_OPTIMISE_TESTS)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

# Headers that all sources of a target spend their time with: backplane_precompile(target header...),
# or backplane_precompile(target REUSE_FROM other) for those of another one with the same options.
function(backplane_precompile target)
  if(NOT BACKPLANE_PRECOMPILE_HEADERS)
    return()
  endif()
  if("${ARGV1}" STREQUAL "REUSE_FROM")
    target_precompile_headers(${target} ${ARGN})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
  # ccache asks for it.
  target_compile_options(${target} PRIVATE "$<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>")
endfunction()

# Compiles several sources of a target as one, which takes a fifth of the time: what no two of them
# may name alike is all that they define, in unnamed namespaces too.
function(backplane_join_sources target)
  if(BACKPLANE_JOIN_SOURCES)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 24)
  endif()
endfunction()

# Makes a shared library of the project export the symbols of a linker script and nothing else. Each
# minor version has a SONAME and a version node of its own: a program never meets another minor.
function(backplane_set_library_properties target script)
  set(minor "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
  set(exports "${CMAKE_CURRENT_BINARY_DIR}/exports.map")
  configure_file("${script}" "${exports}" @ONLY)
  set_target_properties(${target} PROPERTIES LINK_DEPENDS "${exports}"
    VERSION ${PROJECT_VERSION} SOVERSION ${minor})
  target_link_options(${target} PRIVATE "LINKER:--version-script=${exports}")
endfunction()
