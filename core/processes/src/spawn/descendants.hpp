#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace backplane::spawn {

/// The text of /proc/<process>/stat behind the process's name, which may contain anything; it
/// begins with state and parent. "" when the process is gone.
std::string ReadStatBehindName(pid_t process);

/// The children of its first thread. None where this kernel does not list them.
std::vector<pid_t> ListChildren(pid_t process);

/// Ends every process below this one, also those that left the process group of `leader`; this
/// process must be their reaper (PR_SET_CHILD_SUBREAPER). Returns how many there were.
std::uint32_t EndDescendants(pid_t leader);

}  // namespace backplane::spawn
