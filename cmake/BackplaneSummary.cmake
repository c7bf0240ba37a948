# What will be built, and what to install for the rest. Parts add themselves with
# backplane_report_part, so this file knows none of them.

get_property(parts GLOBAL PROPERTY BACKPLANE_PARTS)
message(STATUS "")
message(STATUS "Backplane ${PROJECT_VERSION}, ${CMAKE_BUILD_TYPE}:")
foreach(part IN LISTS parts)
  message(STATUS "  ${part}")
endforeach()
message(STATUS "")
