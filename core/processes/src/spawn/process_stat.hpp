#pragma once

#include <sys/types.h>

#include <string>

namespace backplane::spawn {

/// What the kernel says of a process behind its name, which may contain anything: "<state> <parent>
/// ...". "" when the process is gone.
std::string ReadStatBehindName(pid_t process);

}  // namespace backplane::spawn
