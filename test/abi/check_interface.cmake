# Builds a backend as a whole with clang, whose compiler then knows all classes in it, and expects
# that it calls handles of a host all the same.
#
#   cmake -D FLAGS=<options> -D HEADERS=<plugin-api/include> -D SOURCES=<folder> -D FOLDER=<folder>
#         -P check_interface.cmake

execute_process(COMMAND clang++ --version RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
if(NOT result EQUAL 0)
  message(STATUS "SKIPPED: there is no clang++ here")
  return()
endif()
file(MAKE_DIRECTORY "${FOLDER}")
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
set(common -std=c++17 -O2 "-I${HEADERS}")
execute_process(COMMAND clang++ ${common} -fPIC -shared -fvisibility=hidden -flto -fuse-ld=lld ${flags}
  "${SOURCES}/plugin.cpp" -o "${FOLDER}/libplugin.so" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND clang++ ${common} "${SOURCES}/host.cpp" "${FOLDER}/libplugin.so"
  "-Wl,-rpath,${FOLDER}" -o "${FOLDER}/host" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${FOLDER}/host" COMMAND_ERROR_IS_FATAL ANY)
