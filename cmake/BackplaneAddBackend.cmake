# backplane_add_backend(NAME <vendor>_<name> SOURCES file... [TESTS file...] [STATIC] [NO_INSTALL]
#                       [OUTPUT_DIRECTORY dir]
#                       [MANIFEST ID id VENDOR vendor VERSION x.y.z LICENSE licence
#                         [CPU_FEATURES name...] [RANK number] [PERMISSIONS permission...]
#                         [OPERATORS domain/type/versions...]]
#                       [DLOPEN [REQUIRED library...] [RECOMMENDED library...] [SUGGESTED library...]
#                         [FEATURE text]]
#                       [CHECK [argument...]])
#
# Builds <vendor>_<name>_backend.so from SOURCES in C++ or C, as the Backend API wants it: it exports
# the three entry points and nothing else, leaves no symbol undefined, and can be unloaded. A project
# in C alone needs no C++ compiler; only STATIC and TESTS do.
#
#   target <vendor>_<name>_backend   the shared object; add libraries and include directories to it
#   target <vendor>_<name>_static    with STATIC: the same sources as a static library, whose entry
#                                    points are named by BACKPLANE_STATIC_ENTRY_POINTS(<vendor>_<name>)
#   target <vendor>_<name>_test      with TESTS, when the project has include(CTest): a GoogleTest
#                                    program of TESTS and SOURCES, whose tests ctest finds
#
# MANIFEST writes the note <backplane/api/manifest.hpp> into the shared object: who made it and what
# it needs, so that it can be listed, and registered, without being opened. ID is what GetBackendId
# returns, RANK that of the capabilities (0 when they have none). CPU_FEATURES are names such as avx2
# and fma, as in /proc/cpuinfo: on a processor without them the file is never opened. PERMISSIONS are
# what the backend needs beyond computing when it runs in a sandbox, such as devices:/dev/acme0; see
# <backplane/api/permissions.def>. OPERATORS are those of its own that the code declares, such as
# com.acme/Gelu/1-2.
#
# DLOPEN writes the note .note.dlopen, which names libraries (by SONAME, as libcuda.so.1) that the
# backend opens by itself when it runs. The host says before that one of them is missing, and
# package builders read the same note. FEATURE says what they are for.
#
# CHECK adds a test <vendor>_<name>_check, when the project has include(CTest): check-backend holds
# the shared object against the contract between backends and hosts, with the arguments given here,
# such as --quick or --for debian:11. Without any, all of it is done.
#
# NO_INSTALL leaves the shared object out of `cmake --install`.

include_guard(GLOBAL)
set(BACKPLANE_EXPORTS_FILE "${CMAKE_CURRENT_LIST_DIR}/backend_exports.map")

function(backplane_add_backend)
  cmake_parse_arguments(PARSE_ARGV 0 arg "STATIC;NO_INSTALL" "NAME;OUTPUT_DIRECTORY"
    "SOURCES;TESTS;MANIFEST;DLOPEN;CHECK")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "backplane_add_backend: unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_NAME MATCHES "^[A-Za-z0-9]+_[A-Za-z0-9]+$")
    message(FATAL_ERROR "backplane_add_backend: NAME is '${arg_NAME}', but must be <vendor>_<name> "
      "with letters and digits only")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "backplane_add_backend(${arg_NAME}): SOURCES is missing")
  endif()

  set(target ${arg_NAME}_backend)
  add_library(${target} MODULE ${arg_SOURCES})
  backplane_set_backend_properties(${target})
  # The manifest of a backend in C may be compiled as C++, which alone needs no library of it.
  set(sources_in_cxx ${arg_SOURCES})
  list(FILTER sources_in_cxx EXCLUDE REGEX "\\.c$")
  if(NOT sources_in_cxx)
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
  endif()
  if(arg_MANIFEST)
    backplane_add_manifest(${target} ${arg_MANIFEST})
  endif()
  if(arg_DLOPEN)
    backplane_add_dlopen_note(${target} ${arg_DLOPEN})
  endif()
  if(arg_OUTPUT_DIRECTORY)
    set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${arg_OUTPUT_DIRECTORY}")
  elseif(BACKPLANE_BUILD_BACKENDS_DIR)
    set_target_properties(${target} PROPERTIES
      LIBRARY_OUTPUT_DIRECTORY "${BACKPLANE_BUILD_BACKENDS_DIR}")
  endif()
  if(NOT arg_NO_INSTALL)
    install(TARGETS ${target} LIBRARY DESTINATION "${BACKPLANE_BACKENDS_DIR}")
  endif()

  # Named without arguments, it is among the keywords that have no values.
  if(BUILD_TESTING AND (arg_CHECK OR "CHECK" IN_LIST arg_KEYWORDS_MISSING_VALUES))
    if(TARGET check-backend)
      set(command check-backend)
    elseif(TARGET Backplane::check-backend)
      set(command Backplane::check-backend)
    else()
      set(command "")
      message(WARNING "${arg_NAME}: this installation of Backplane has no check-backend, as those "
        "under sanitizers; the test ${arg_NAME}_check is left out")
    endif()
    if(command)
      add_test(NAME ${arg_NAME}_check COMMAND ${command} "$<TARGET_FILE:${target}>" ${arg_CHECK})
    endif()
  endif()

  if(arg_STATIC OR arg_TESTS)
    set(static ${arg_NAME}_static)
    add_library(${static} STATIC ${arg_SOURCES})
    target_link_libraries(${static} PUBLIC Backplane::plugin-api)
    target_compile_features(${static} PUBLIC cxx_std_17)
    target_compile_definitions(${static} PRIVATE BACKPLANE_STATIC_BACKEND=${arg_NAME})
    set_target_properties(${static} PROPERTIES POSITION_INDEPENDENT_CODE ON
      C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  endif()
  if(arg_TESTS AND NOT BUILD_TESTING)
    message(STATUS "${arg_NAME}: tests are not built; include(CTest) turns them on")
  endif()
  if(arg_TESTS AND BUILD_TESTING)
    find_package(GTest REQUIRED)
    include(GoogleTest)
    add_executable(${arg_NAME}_test ${arg_TESTS})
    target_link_libraries(${arg_NAME}_test PRIVATE ${static} GTest::gtest_main)
    target_include_directories(${arg_NAME}_test PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
    gtest_discover_tests(${arg_NAME}_test DISCOVERY_MODE PRE_TEST NO_PRETTY_VALUES)
  endif()
endfunction()

# Adds the manifest note to a shared object: backplane_add_manifest(target ID ... VENDOR ...), with
# the arguments of MANIFEST above. For targets that are not made by backplane_add_backend.
function(backplane_add_manifest target)
  cmake_parse_arguments(PARSE_ARGV 1 manifest "" "ID;VENDOR;VERSION;LICENSE;RANK"
    "CPU_FEATURES;PERMISSIONS;OPERATORS")
  if(manifest_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "MANIFEST of ${target}: unknown arguments ${manifest_UNPARSED_ARGUMENTS}")
  endif()
  list(JOIN manifest_CPU_FEATURES " " manifest_CPU_FEATURES)
  list(JOIN manifest_PERMISSIONS " " manifest_PERMISSIONS)
  list(JOIN manifest_OPERATORS " " manifest_OPERATORS)
  if(NOT DEFINED manifest_RANK)
    set(manifest_RANK 0)
  endif()
  # In C++ the manifest is checked when it is compiled.
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(macro BP_MANIFEST)
  set(header c/note.h)
  set(suffix c)
  set(more yes)
  if("CXX" IN_LIST languages)
    set(macro BACKPLANE_MANIFEST)
    set(header api/manifest.hpp)
    set(suffix cpp)
    set(more "${manifest_PERMISSIONS}${manifest_OPERATORS}")
    if(more)
      set(macro BACKPLANE_MANIFEST_WITH)
      set(header api/permissions.hpp)
    endif()
  endif()
  set(text "/* Written by backplane_add_backend. */\n#include <backplane/${header}>\n\n")
  string(APPEND text "${macro}(")
  foreach(key IN ITEMS ID VENDOR VERSION LICENSE CPU_FEATURES)
    if(NOT key STREQUAL "CPU_FEATURES" AND "${manifest_${key}}" STREQUAL "")
      message(FATAL_ERROR "MANIFEST of ${target}: ${key} is missing")
    endif()
    # The text stands between quotes in C++ and in the assembler.
    if("${manifest_${key}}" MATCHES "[\"\\;\n\r\t]")
      message(FATAL_ERROR "MANIFEST of ${target}: ${key} is '${manifest_${key}}', but must have no "
        "quotes, backslashes, semicolons, tabs or line ends")
    endif()
    string(APPEND text "\"${manifest_${key}}\", ")
  endforeach()
  if(NOT manifest_RANK MATCHES "^-?[0-9]+$")
    message(FATAL_ERROR "MANIFEST of ${target}: RANK is '${manifest_RANK}', but must be a number")
  endif()
  string(APPEND text "${manifest_RANK}")
  if(more)
    foreach(key IN ITEMS PERMISSIONS OPERATORS)
      if(NOT manifest_${key} MATCHES "^[]!#-[^-~ ]*$")
        message(FATAL_ERROR "MANIFEST of ${target}: ${key} is '${manifest_${key}}', but must have no "
          "quotes, backslashes, tabs or line ends")
      endif()
      string(APPEND text ", \"${manifest_${key}}\"")
    endforeach()
  endif()
  string(APPEND text ");\n")
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${target}_manifest.${suffix}")
  file(CONFIGURE OUTPUT "${source}" CONTENT "@text@" @ONLY)
  target_sources(${target} PRIVATE "${source}")
endfunction()

# Adds the note .note.dlopen to a shared object, with the arguments of DLOPEN above. For targets that
# are not made by backplane_add_backend.
function(backplane_add_dlopen_note target)
  cmake_parse_arguments(PARSE_ARGV 1 dlopen "" "FEATURE" "REQUIRED;RECOMMENDED;SUGGESTED")
  if(dlopen_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "DLOPEN of ${target}: unknown arguments ${dlopen_UNPARSED_ARGUMENTS}; name "
      "libraries behind REQUIRED, RECOMMENDED or SUGGESTED")
  endif()
  if("${dlopen_FEATURE}" MATCHES "[\"\\;\n\r\t]")
    message(FATAL_ERROR "DLOPEN of ${target}: FEATURE is '${dlopen_FEATURE}', but must have no "
      "quotes, backslashes, semicolons, tabs or line ends")
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "CXX" IN_LIST languages)
    message(FATAL_ERROR "DLOPEN of ${target}: the note is written in C++; enable CXX in project()")
  endif()
  set(text "// Written by backplane_add_backend.\n#include <backplane/api/dlopen_note.hpp>\n\n")
  foreach(priority IN ITEMS REQUIRED RECOMMENDED SUGGESTED)
    string(TOLOWER ${priority} priority_text)
    foreach(library IN LISTS dlopen_${priority})
      if(NOT library MATCHES "^[A-Za-z0-9_.+/@$-]+$")
        message(FATAL_ERROR "DLOPEN of ${target}: '${library}' is no name of a library")
      endif()
      string(APPEND text
        "BACKPLANE_DLOPEN(\"${library}\", \"${dlopen_FEATURE}\", \"${priority_text}\");\n")
    endforeach()
  endforeach()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${target}_dlopen.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "@text@" @ONLY)
  target_sources(${target} PRIVATE "${source}")
endfunction()

# What makes a module a backend. For targets that are not made by backplane_add_backend.
function(backplane_set_backend_properties target)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if("CXX" IN_LIST languages)
    target_link_libraries(${target} PRIVATE Backplane::plugin-api)
    target_compile_features(${target} PRIVATE cxx_std_17)
  else()
    target_include_directories(${target} SYSTEM PRIVATE
      "$<TARGET_PROPERTY:Backplane::plugin-api,INTERFACE_INCLUDE_DIRECTORIES>")
    target_compile_features(${target} PRIVATE c_std_11)
  endif()
  set_target_properties(${target} PROPERTIES PREFIX "" SUFFIX ".so"
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    BUILD_RPATH "" INSTALL_RPATH ""
    LINK_DEPENDS "${BACKPLANE_EXPORTS_FILE}")
  target_link_options(${target} PRIVATE
    "LINKER:--version-script=${BACKPLANE_EXPORTS_FILE}" "LINKER:-z,noexecstack")
  # Unique symbols would keep the library in memory and share its state with other plugins.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-fno-gnu-unique>")
  endif()
  # Under clang the sanitizer runtime is in the program, so its symbols stay undefined.
  if(NOT (CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CMAKE_CXX_FLAGS MATCHES "-fsanitize"))
    target_link_options(${target} PRIVATE "LINKER:-z,defs")
  endif()
endfunction()
