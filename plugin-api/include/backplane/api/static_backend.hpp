#pragma once

/// How a program names a backend that is linked into it.

#include <cstdint>

namespace backplane {

/// The entry points of a backend linked statically. BACKPLANE_STATIC_ENTRY_POINTS gives one.
struct StaticEntryPoints {
  const char* (*get_backend_id)();
  void (*get_version)(std::uint32_t*, std::uint32_t*);
  void* (*backend_factory)();
};

}  // namespace backplane

/// Declares, at namespace scope, the backend built by backplane_add_backend(NAME name ... STATIC).
#define BACKPLANE_DECLARE_STATIC_BACKEND(name)                       \
  extern "C" const char* name##_GetBackendId();                      \
  extern "C" void name##_GetVersion(std::uint32_t*, std::uint32_t*); \
  extern "C" void* name##_BackendFactory()

/// The entry points of a backend declared so.
#define BACKPLANE_STATIC_ENTRY_POINTS(name)                          \
  backplane::StaticEntryPoints {                                     \
    &name##_GetBackendId, &name##_GetVersion, &name##_BackendFactory \
  }
