# Writes what the recorded ABI says of the fields of descriptors and of the enumerations that they
# have: cmake -DRECORD=file -DOUTPUT=file -P WriteDescriptorFields.cmake
file(STRINGS "${RECORD}" fields REGEX "^field [A-Za-z]+Descriptor::")
file(STRINGS "${RECORD}" numbers REGEX "^number [A-Za-z]+::k")
set(text "// Written by WriteDescriptorFields.cmake.\n")
foreach(line IN LISTS fields)
  if(line MATCHES "^field ([A-Za-z]+)::([a-z0-9_]+) at ([0-9]+), ([0-9]+) bytes, ([A-Za-z0-9_]+)")
    string(APPEND text "BACKPLANE_FIELD(\"${CMAKE_MATCH_1}\", \"${CMAKE_MATCH_2}\", "
      "${CMAKE_MATCH_3}, ${CMAKE_MATCH_4}, \"${CMAKE_MATCH_5}\")\n")
  endif()
endforeach()
foreach(line IN LISTS numbers)
  if(line MATCHES "^number ([A-Za-z]+)::(k[A-Za-z0-9]+) = ([0-9]+)$")
    string(APPEND text
      "BACKPLANE_NUMBER(\"${CMAKE_MATCH_1}\", \"${CMAKE_MATCH_2}\", ${CMAKE_MATCH_3})\n")
  endif()
endforeach()
file(WRITE "${OUTPUT}" "${text}")
