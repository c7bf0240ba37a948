#pragma once

/// oneDNN's shared library. Nothing of oneDNN may be called before it is there.

namespace backplane {
namespace cpuacc {

/// What is needed of the machine.
struct LibraryNeeds {
  /// Of this machine, as the backend is shipped.
  static LibraryNeeds OfThisMachine();

  const char* file_name;
  bool has_sse41;  // whether the processor has what oneDNN's slowest code needs
};

/// Opens the library and keeps it open until the process ends, because its threads do not end
/// before.
/// Errors: BackendUnavailableException, with what to do, when the library cannot be opened, is of a
/// version that CpuAcc does not know, or the processor cannot run it. Nothing is kept then.
void OpenLibrary(const LibraryNeeds& needs);

/// Opens the library of this machine, at the first call that succeeds.
///
/// Threads: any.
void RequireLibrary();

}  // namespace cpuacc
}  // namespace backplane
