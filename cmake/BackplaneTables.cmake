# Tables (*.def) name things once; the build takes its source lists from them.

# Sets `output` to the names in the first column of the rows `macro(name, ...)` of a table.
function(backplane_read_table output table macro)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${table}")
  file(STRINGS "${table}" rows REGEX "^${macro}\\(")
  set(names)
  foreach(row IN LISTS rows)
    string(REGEX REPLACE "^${macro}\\( *([A-Za-z0-9_]+).*" "\\1" name "${row}")
    list(APPEND names "${name}")
  endforeach()
  set(${output} "${names}" PARENT_SCOPE)
endfunction()

# Sets `output` to snake_case of a PascalCase name: BatchMatMul -> batch_mat_mul.
function(backplane_snake_case output name)
  string(REGEX REPLACE "([a-z0-9])([A-Z])" "\\1_\\2" words "${name}")
  string(TOLOWER "${words}" words)
  set(${output} "${words}" PARENT_SCOPE)
endfunction()

# Sets `output` to one source file for each row of a table: <folder>/<snake_case name>.cpp. A row
# without its file is an error that names the file.
function(backplane_table_sources output table macro folder)
  backplane_read_table(names "${table}" "${macro}")
  set(sources)
  foreach(name IN LISTS names)
    backplane_snake_case(file "${name}")
    set(source "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/${file}.cpp")
    if(NOT EXISTS "${source}")
      message(FATAL_ERROR "${table} has a row ${name}, but there is no ${source}")
    endif()
    list(APPEND sources "${source}")
  endforeach()
  set(${output} "${sources}" PARENT_SCOPE)
endfunction()
