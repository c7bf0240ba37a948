# Expects that a source file does not compile, and that the compiler says why.
#
#   cmake -D COMPILER=g++ -D SOURCE=<file> -D HEADERS=<plugin-api/include> -D EXPECT=<reg. expression>
#         [-D FLAGS=<options of the compiler>] -P check_entry_point.cmake

execute_process(COMMAND "${COMPILER}" --version RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
if(NOT result EQUAL 0)
  message(STATUS "SKIPPED: there is no ${COMPILER} here")
  return()
endif()
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
execute_process(COMMAND "${COMPILER}" -std=c++17 ${flags} -fsyntax-only "-I${HEADERS}" "${SOURCE}"
  RESULT_VARIABLE result ERROR_VARIABLE output)
if(result EQUAL 0)
  message(FATAL_ERROR "${SOURCE} compiles")
endif()
if(NOT output MATCHES "${EXPECT}")
  message(FATAL_ERROR "it does not compile, but not for the reason expected:\n${output}")
endif()
