# Makes headers of the next minor version of the Backend API from today's: every interface of a
# backend has two functions more, a struct that backends fill has one field more, and there are one
# operator, one data type, and one field and one value of a descriptor more.
#
# backplane_make_newer_headers(folder interface...) writes those that change below `folder`.

# Adds text before the closing brace of a class or struct.
function(append_to_class text_variable class addition)
  set(text "${${text_variable}}")
  string(FIND "${text}" "${class} {" begin)
  if(begin EQUAL -1)
    message(FATAL_ERROR "newer headers: there is no ${class}")
  endif()
  string(SUBSTRING "${text}" 0 ${begin} before)
  string(SUBSTRING "${text}" ${begin} -1 rest)
  string(FIND "${rest}" "\n};" end)
  string(SUBSTRING "${rest}" 0 ${end} body)
  string(SUBSTRING "${rest}" ${end} -1 after)
  set(${text_variable} "${before}${body}\n${addition}${after}" PARENT_SCOPE)
endfunction()

# The header of an interface, and the slot behind its last function.
function(find_interface interface header_variable slot_variable)
  file(GLOB headers "${api_folder}/*.hpp")
  foreach(header IN LISTS headers)
    file(READ "${header}" text)
    string(FIND "${text}" "class BACKPLANE_INTERFACE ${interface} {" position)
    if(NOT position EQUAL -1)
      get_filename_component(name "${header}" NAME)
      set(${header_variable} "${name}" PARENT_SCOPE)
    endif()
  endforeach()
  file(STRINGS "${api_folder}/functions.def" rows REGEX "^BACKPLANE_FUNCTION\\(${interface}, ")
  list(LENGTH rows count)
  math(EXPR slot "${count} + 2")
  set(${slot_variable} ${slot} PARENT_SCOPE)
endfunction()

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
  # The fields lie where today's do, and there are more.
  file(CONFIGURE OUTPUT "${folder}/backplane/api/layout.def" CONTENT "" @ONLY)
endfunction()

function(backplane_make_newer_headers folder)
  set(api_folder "${PROJECT_SOURCE_DIR}/plugin-api/include/backplane/api")
  file(GLOB changing "${api_folder}/*.hpp" "${api_folder}/*.def" "${api_folder}/descriptors/*.hpp")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${changing})
  file(READ "${api_folder}/functions.def" table)
  file(READ "${api_folder}/abi_note.hpp" note)
  string(REGEX MATCH "#define BACKPLANE_BACKEND_API_MINOR ([0-9]+)\n" line "${note}")
  math(EXPR minor "${CMAKE_MATCH_1} + 1")
  string(REPLACE "${line}" "#define BACKPLANE_BACKEND_API_MINOR ${minor}\n" note "${note}")
  file(CONFIGURE OUTPUT "${folder}/backplane/api/abi_note.hpp" CONTENT "${note}" @ONLY)

  foreach(interface IN LISTS ARGN)
    find_interface(${interface} header slot)
    if(NOT DEFINED text_of_${header})
      file(READ "${api_folder}/${header}" text_of_${header})
      list(APPEND changed ${header})
    endif()
    append_to_class("text_of_${header}" "class BACKPLANE_INTERFACE ${interface}"
      "  virtual int AddedFirst(int value) const { return value; }\n  virtual int AddedSecond(int value) const { return value; }")
    math(EXPR next_slot "${slot} + 1")
    string(APPEND table "BACKPLANE_FUNCTION(${interface}, AddedFirst, ${slot}, 1, ${minor})\n"
      "BACKPLANE_FUNCTION(${interface}, AddedSecond, ${next_slot}, 1, ${minor})\n")
  endforeach()
  append_to_class("text_of_i_tensor_handle_factory.hpp" "struct TensorHandleFactoryProperties"
    "  std::uint32_t added = 7;")
  foreach(header IN LISTS changed)
    file(CONFIGURE OUTPUT "${folder}/backplane/api/${header}" CONTENT "${text_of_${header}}" @ONLY)
  endforeach()
  file(CONFIGURE OUTPUT "${folder}/backplane/api/functions.def" CONTENT "${table}" @ONLY)
  write_newer_layers("${folder}" ${minor})
endfunction()
