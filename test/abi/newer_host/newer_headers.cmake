# Makes headers of the next minor version of the Backend API from today's: every interface of a
# backend has two functions more, and a struct that backends fill has one field more.
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
    string(FIND "${text}" "class ${interface} {" position)
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

function(backplane_make_newer_headers folder)
  set(api_folder "${PROJECT_SOURCE_DIR}/plugin-api/include/backplane/api")
  file(GLOB changing "${api_folder}/*.hpp" "${api_folder}/functions.def")
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
    append_to_class("text_of_${header}" "class ${interface}"
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
endfunction()
