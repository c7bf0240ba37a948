#pragma once

#include "thread_places/place_text.hpp"

#include <string>

namespace backplane::crash_notes {

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

/// Writes to standard error and to all files, to each once. [async-signal-safe]
void WriteToOutputs(const thread_places::SmallText& text);

}  // namespace backplane::crash_notes
