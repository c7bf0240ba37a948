#pragma once

/// Where every field lies that host and backends share, stated for the compiler: what packs structs
/// in another way, or has other types behind their names, does not compile.
///
/// layout.def is written from the record of the ABI, by test/abi/record_abi.py --record.

#include <backplane/api/abi_note.hpp>
#include <backplane/api/descriptors.hpp>
#include <backplane/api/i_backend_internal.hpp>

// A host refuses backends with another standard library, other strings or checked containers, from
// their note; it says so in words.
#if BACKPLANE_NOTE_POINTER_BITS == 64 && BACKPLANE_NOTE_STANDARD_LIBRARY == 1 && \
    BACKPLANE_NOTE_CXX11_ABI == 1 && BACKPLANE_NOTE_DEBUG_CONTAINERS == 0

#define BACKPLANE_STRUCT(type, size, alignment)                                               \
  static_assert(sizeof(backplane::type) == (size) && alignof(backplane::type) == (alignment), \
                #type                                                                         \
                " is laid out differently here than in the host; options such as "            \
                "-fpack-struct are not for these headers");
#define BACKPLANE_FIELD(type, field, offset)                            \
  static_assert(__builtin_offsetof(backplane::type, field) == (offset), \
                #type "::" #field                                       \
                      " lies elsewhere here than in the host; options " \
                      "such as -fpack-struct are not for these headers");

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
#include <backplane/api/layout.def>
#pragma GCC diagnostic pop

#undef BACKPLANE_FIELD
#undef BACKPLANE_STRUCT

#endif
