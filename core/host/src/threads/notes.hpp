#pragma once

/// Shared by the sources of this room: when a note is written, its words, and where it goes.

#include "threads/place_table.hpp"

#include <csignal>
#include <cstdint>
#include <string>

namespace backplane::threads {

/// Installs handlers that write a note and then do as the former ones would, on the stack for
/// handlers of the thread. Those that are installed stay as they are. [one at a time]
void InstallHandlers();

/// Puts the former handlers back, where no others came since; those that came may call ours, which
/// then only calls the former ones. [one at a time]
void RestoreHandlers();

/// Where a thread was when a signal interrupted it. Zeros: not known for this processor.
struct MachineContext {
  std::uint64_t code = 0;
  std::uint64_t stack = 0;
};

/// Writes which signal came, and where each thread was; the thread that got it, first.
/// [async-signal-safe] [one at a time]
void WriteSignalNote(const char* signal_name, const siginfo_t& info, const MachineContext& context);

/// Writes that the process ends by exit when a thread is in a backend and notes are on.
/// [async-signal-safe]
void WriteExitNote();

/// A file to which notes are written, for the life of the object.
class NoteFile {
 public:
  /// "": none.
  /// Errors: DiagnosticException with kCrashFileUnwritable.
  explicit NoteFile(const std::string& path);
  ~NoteFile();
  NoteFile(const NoteFile&) = delete;
  NoteFile& operator=(const NoteFile&) = delete;

 private:
  int place_ = -1;  // among the files of the process; -1: none
};

/// Remembers standard error, for when a backend closes it. [one at a time]
void KeepStandardError();

/// Writes a line, which it ends, to standard error and to all files, to each once.
/// [async-signal-safe]
void WriteLine(SmallText& line);

}  // namespace backplane::threads
