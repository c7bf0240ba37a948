#pragma once

/// The three functions that a backend exports.
///
/// A plain definition in a source file that includes this header is right; one with another type
/// does not compile. BACKPLANE_BACKEND writes all three.
///
/// When the sources of a backend are built to be linked statically, BACKPLANE_STATIC_BACKEND is
/// defined as the backend's name (backplane_add_backend does it) and the linker sees the three with
/// that prefix, so that several backends can be linked into one program.

#include <backplane/api/i_backend_internal.hpp>
#include <backplane/api/layout.hpp>

#include <cstdint>

#if defined(BACKPLANE_STATIC_BACKEND)
#define BACKPLANE_TEXT_OF(text) #text
#define BACKPLANE_TEXT(text) BACKPLANE_TEXT_OF(text)
#define BACKPLANE_ENTRY_POINT(name) __asm__(BACKPLANE_TEXT(BACKPLANE_STATIC_BACKEND) "_" name)
#else
#define BACKPLANE_ENTRY_POINT(name) __attribute__((visibility("default")))
#endif

extern "C" {

/// The id under which the backend is registered: unique, not empty, not "Unknown", at most 64
/// letters, digits and the characters ".", "_", "+" and "-".
/// Ownership: static storage of the backend; the host copies it.
/// Null: refused.
/// [any thread]
const char* GetBackendId() BACKPLANE_ENTRY_POINT("GetBackendId");

/// The version of the Backend API the backend was built with: IBackendInternal::GetApiVersion().
/// Null: the host passes none.
/// [any thread]
void GetVersion(std::uint32_t* outMajor, std::uint32_t* outMinor)
    BACKPLANE_ENTRY_POINT("GetVersion");

/// Makes a backend.
/// Ownership: the caller's; an IBackendInternal*, converted to void* from exactly that type.
/// Null: refused; throw with a reason instead. BackendUnavailableException says that the backend
/// cannot work on this machine now.
/// [any thread]
void* BackendFactory() BACKPLANE_ENTRY_POINT("BackendFactory");

}  // extern "C"

/// Writes the three entry points of the class `backend_class`, whose id is `backend_id` (a string).
#define BACKPLANE_BACKEND(backend_class, backend_id)                                           \
  const char* GetBackendId() {                                                                 \
    return backend_id;                                                                         \
  }                                                                                            \
  void GetVersion(std::uint32_t* outMajor, std::uint32_t* outMinor) {                          \
    *outMajor = backplane::IBackendInternal::GetApiVersion().major;                            \
    *outMinor = backplane::IBackendInternal::GetApiVersion().minor;                            \
  }                                                                                            \
  void* BackendFactory() {                                                                     \
    return static_cast<void*>(static_cast<backplane::IBackendInternal*>(new backend_class())); \
  }                                                                                            \
  static_assert(true, "a semicolon follows")
