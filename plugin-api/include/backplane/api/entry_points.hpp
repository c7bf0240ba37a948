#pragma once

/// The three functions that a backend exports.
///
/// A plain definition in a source file that includes this header is right; one with another type
/// does not compile. BACKPLANE_BACKEND writes all three.
///
/// When the sources of a backend are built to be linked statically, BACKPLANE_STATIC_BACKEND is
/// defined as the backend's name (backplane_add_backend does it) and the linker sees the three with
/// that prefix, so that several backends can be linked into one program.

#include <backplane/c/backend.h>
#include <backplane/api/c_table.hpp>
#include <backplane/api/i_backend_internal.hpp>

/// Writes the three entry points of the class `backend_class`, whose id is `backend_id` (a string).
#define BACKPLANE_BACKEND(backend_class, backend_id)                                      \
  const char* GetBackendId() {                                                            \
    return backend_id;                                                                    \
  }                                                                                       \
  void GetVersion(std::uint32_t* outMajor, std::uint32_t* outMinor) {                     \
    *outMajor = BP_API_MAJOR;                                                             \
    *outMinor = BP_NEEDS_MINOR;                                                           \
  }                                                                                       \
  void* BackendFactory() {                                                                \
    return backplane::GetBackendTable<backplane::MakeBackend<backend_class>>(backend_id); \
  }                                                                                       \
  static_assert(true, "a semicolon follows")
