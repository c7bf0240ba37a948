# Makes headers of the next minor version of the Backend API from today's: there are one operator,
# one data type, and one field and one value of a descriptor more.
#
# backplane_make_newer_headers(folder) writes those that change below `folder`.

# Writes a header or table with a text in place of another one, which it must have.
function(write_newer folder name before after)
  file(READ "${api_folder}/${name}" text)
  string(REPLACE "${before}" "${after}" newer "${text}")
  if(newer STREQUAL text)
    message(FATAL_ERROR "newer headers: there is no ${before} in ${name}")
  endif()
  file(CONFIGURE OUTPUT "${folder}/backplane/api/${name}" CONTENT "${newer}" @ONLY)
endfunction()

# What layers can be made of.
function(write_newer_layers folder minor)
  set(row "BACKPLANE_DATA_TYPE(Bool, ")
  write_newer("${folder}" data_types.def "${row}"
    "BACKPLANE_DATA_TYPE(Added, 999, 1, \"added\", 1, ${minor})\n${row}")
  set(row "BACKPLANE_OPERATOR(Activation, ")
  write_newer("${folder}" layers.def "${row}"
    "BACKPLANE_OPERATOR(Added, 999, 1, ${minor}, 1, 1, 1, 1, ActivationDescriptor, kNone, \"\")\n${row}")
  set(row "// There are none yet.")
  write_newer("${folder}" additions.def "${row}"
    "BACKPLANE_ADDED_FIELD(ActivationDescriptor, gamma, 1, ${minor})
BACKPLANE_ADDED_VALUE(ActivationDescriptor, function, ActivationFunction::kAdded, 1, ${minor})\n")
  write_newer("${folder}" descriptors/activation.hpp "(ActivationDescriptor, beta)"
    "(ActivationDescriptor, gamma)")
  file(READ "${folder}/backplane/api/descriptors/activation.hpp" text)
  string(REPLACE "  float beta = 1.0F;" "  float beta = 1.0F;\n  float gamma = 1.0F;" text "${text}")
  string(REPLACE "  kLinear = 19," "  kLinear = 19,\n  kAdded = 999," text "${text}")
  file(CONFIGURE OUTPUT "${folder}/backplane/api/descriptors/activation.hpp" CONTENT "${text}" @ONLY)
endfunction()

function(backplane_make_newer_headers folder)
  set(api_folder "${PROJECT_SOURCE_DIR}/plugin-api/include/backplane/api")
  file(GLOB changing "${api_folder}/*.hpp" "${api_folder}/*.def" "${api_folder}/descriptors/*.hpp")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${changing})
  file(READ "${api_folder}/../c/note.h" note)
  string(REGEX MATCH "#define BP_API_MINOR ([0-9]+)\n" line "${note}")
  math(EXPR minor "${CMAKE_MATCH_1} + 1")
  string(REPLACE "${line}" "#define BP_API_MINOR ${minor}\n" note "${note}")
  file(CONFIGURE OUTPUT "${folder}/backplane/c/note.h" CONTENT "${note}" @ONLY)

  write_newer_layers("${folder}" ${minor})
endfunction()
