#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace backplane::spawn {

/// What the kernel says of a process behind its name, which may contain anything: "<state> <parent>
/// ...". "" when the process is gone.
std::string ReadStatBehindName(pid_t process);

/// A line of /proc/<process>/status, without its name: "4 kB" of "VmData". `process` is a number,
/// or "self". "" when there is none.
std::string ReadStatusLine(const std::string& process, const std::string& name);

/// As far as this kernel tells.
std::vector<pid_t> ListChildren(pid_t process);

}  // namespace backplane::spawn
