# Expects that every public header below FOLDER compiles alone, or, without COMPILER, that none
# shows Boost.
#
#   cmake -D FOLDER=<include folder> -D INCLUDES=<folder,folder,...> -D COMPILER=g++
#         [-D TOGETHER=ON] -P check_headers.cmake
#
# TOGETHER: all of them in one source. What a header lacks, one compiler finds out for all.

file(GLOB_RECURSE headers RELATIVE "${FOLDER}" "${FOLDER}/*.hpp")
if(NOT headers)
  message(FATAL_ERROR "no headers below ${FOLDER}")
endif()
set(failures "")

if(NOT COMPILER)
  foreach(header IN LISTS headers)
    file(STRINGS "${FOLDER}/${header}" lines REGEX "[Bb]oost[/:]|BOOST_")
    if(lines)
      string(APPEND failures "${header}: ${lines}\n")
    endif()
  endforeach()
else()
  execute_process(COMMAND "${COMPILER}" --version RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
  if(NOT result EQUAL 0)
    message(STATUS "SKIPPED: there is no ${COMPILER} here")
    return()
  endif()
  string(REPLACE "," ";-I" includes "-I${INCLUDES}")
  list(TRANSFORM headers REPLACE "(.+)" "#include <\\1>")
  if(TOGETHER)
    list(JOIN headers "\n" headers)
  endif()
  foreach(header IN LISTS headers)
    # Included, not compiled itself, because #pragma once in a main file is a warning.
    execute_process(
      COMMAND "${CMAKE_COMMAND}" -E echo "${header}"
      COMMAND "${COMPILER}" -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Werror
        ${includes} -x c++ -
      RESULTS_VARIABLE results ERROR_VARIABLE output)
    if(NOT results STREQUAL "0;0")
      string(APPEND failures "${header}:\n${output}\n")
    endif()
  endforeach()
endif()

if(failures)
  message(FATAL_ERROR "${failures}")
endif()
