#pragma once

/// Notes on how the process died: which thread was in which backend and layer.

#include <backplane/host/export.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace backplane {

/// What a note says is written by the handler of the signal that ends the process, or when it ends
/// by exit: to standard error, and to a file.
struct CrashNotes {
  /// An absolute path. The file is opened now, made when it is not there, and written at its end.
  /// "": standard error alone.
  std::string file;
};

/// Turns the notes on until what it returns is released. Installs handlers for SIGSEGV, SIGBUS,
/// SIGILL, SIGFPE, SIGABRT, SIGTRAP and SIGSYS where they are not installed, or were replaced by
/// the default; they call the former ones after the note. The last release puts the former ones
/// back where no others came since.
/// Ownership: the caller's.
/// Null: never.
/// Errors: DiagnosticException with kCrashFileUnwritable; kOutOfMemory when there is no room for
/// the places of threads.
/// [any thread]
BACKPLANE_HOST_API std::shared_ptr<void> TurnOnCrashNotes(const CrashNotes& notes);

/// Has the places of threads lie in memory that processes share which are forked from this one
/// later, so that this one can tell where they were, however they ended.
/// Errors: false when there is no memory, or when notes were on before; then nothing changes.
/// [one at a time]
BACKPLANE_HOST_API bool ShareThreadPlaces();

/// One thread that is in a backend, or was when its process ended.
struct ThreadPlace {
  std::int64_t thread = 0;   // its id in the system
  bool has_written = false;  // its signal or its exit is what the note is about
  std::string place;         // `in layer "a" (Activation) of network "n" on backend "X"`
};

/// The places of all threads that are in one; first the one that a note is about. Takes nothing for
/// granted of memory that a backend may have overwritten.
/// [any thread]
BACKPLANE_HOST_API std::vector<ThreadPlace> GetThreadPlaces();

}  // namespace backplane
