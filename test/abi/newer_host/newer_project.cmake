# Makes this project one of the next minor version: as CMAKE_PROJECT_INCLUDE, with the folder of its
# headers as BACKPLANE_NEWER_HEADERS. Adds the operator that they have more, and run_newer.
include_directories("${BACKPLANE_NEWER_HEADERS}")
set(newer_host_folder "${CMAKE_CURRENT_LIST_DIR}")

function(backplane_add_newer)
  target_sources(backplane_core_objects PRIVATE "${newer_host_folder}/added_operator.cpp")
  add_executable(run_newer "${newer_host_folder}/run_newer.cpp")
  target_compile_definitions(run_newer PRIVATE BACKPLANE_IS_NEWER)
  target_link_libraries(run_newer PRIVATE Backplane::core Backplane::host)
endfunction()
cmake_language(DEFER CALL backplane_add_newer)
