# Builds a backend of two source files in one way and expects what the host reads from it.
#
#   cmake -D COMPILER=g++ -D FLAGS="-O2 -flto" -D WAY=direct -D EXPECT=<regular expression>
#         -D READER=<abi_inspect_note> -D HEADERS=<plugin-api/include> -D SOURCES=<note_sources>
#         -D FOLDER=<where to build> -P check_note.cmake
#
# WAY: direct; strip (all symbols stripped afterwards); archive (from a static library, of which the
# linker takes what it needs); whole-archive; mixed (the second source with headers of a later draft).

file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
set(compile "${COMPILER}" -std=c++17 -fPIC -fvisibility=hidden ${flags})

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${FOLDER}" RESULT_VARIABLE result
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    string(JOIN " " command ${ARGN})
    message(FATAL_ERROR "${command}\n${output}")
  endif()
endfunction()

# A compiler that is not here, or cannot do this here at all, says nothing about notes.
file(WRITE "${FOLDER}/empty.cpp" "int Empty() { return 0; }\n")
execute_process(COMMAND ${compile} -shared empty.cpp -o empty.so WORKING_DIRECTORY "${FOLDER}"
  RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
if(NOT result EQUAL 0)
  message(STATUS "SKIPPED: ${COMPILER} ${FLAGS} cannot build a shared object here")
  return()
endif()

set(second_headers "${HEADERS}")
if(WAY STREQUAL "mixed")
  set(second_headers "${FOLDER}/later")
  file(COPY "${HEADERS}/" DESTINATION "${second_headers}")
  set(file "${second_headers}/backplane/c/note.h")
  file(READ "${file}" text)
  string(REGEX REPLACE "(#define BP_API_DRAFT) [0-9]+" "\\1 4711" text "${text}")
  file(WRITE "${file}" "${text}")
endif()

run(${compile} "-I${HEADERS}" -c "${SOURCES}/backend.cpp" -o backend.o)
run(${compile} "-I${second_headers}" -c "${SOURCES}/second.cpp" -o second.o)
set(objects backend.o second.o)
if(WAY MATCHES "archive")
  run(ar rcs libbackend.a ${objects})
  set(objects -Wl,-u,GetBackendId libbackend.a)
endif()
if(WAY STREQUAL "whole-archive")
  set(objects -Wl,--whole-archive libbackend.a -Wl,--no-whole-archive)
endif()
run(${compile} -shared ${objects} -o backend.so)
if(WAY STREQUAL "strip")
  run(strip --strip-all backend.so)
endif()

execute_process(COMMAND "${READER}" "${FOLDER}/backend.so" OUTPUT_VARIABLE output
  OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT output MATCHES "${EXPECT}")
  message(FATAL_ERROR "read:     ${output}\nexpected: ${EXPECT}")
endif()
message(STATUS "${output}")
