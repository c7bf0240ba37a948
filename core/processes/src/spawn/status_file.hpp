#pragma once

/// Files of /proc about this process and others.

#include "wire/file_descriptor.hpp"

#include <sys/types.h>

#include <string>
#include <vector>

namespace backplane::spawn {

/// /proc/self/status, held open, so that it can still be read when the process may open no file any
/// more or has another root directory.
class StatusFile {
 public:
  StatusFile();

  /// Reads the file anew.
  void Refresh();

  /// The value behind "name:", without spaces around it; "" when there is none.
  std::string Get(const std::string& name) const;

  int GetDescriptor() const { return file_.Get(); }

 private:
  wire::FileDescriptor file_;
  std::string text_;  // begins with a line feed
};

/// The value of a line of /proc/<process>/status: "4 kB" for "VmData". `process` is a number, or
/// "self". "" when there is no such line or process.
std::string ReadStatusLine(const std::string& process, const std::string& name);

/// The text of /proc/<process>/stat behind the process's name, which may contain anything; it
/// begins with state and parent. "" when the process is gone.
std::string ReadStatBehindName(pid_t process);

/// The children of a process's first thread. None where this kernel does not list them.
std::vector<pid_t> ListChildren(pid_t process);

}  // namespace backplane::spawn
