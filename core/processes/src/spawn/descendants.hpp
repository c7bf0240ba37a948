#pragma once

#include <cstdint>

#include <sys/types.h>

namespace backplane::spawn {

/// Ends every process below this one, also those that left the process group of `leader`; this
/// process must be their reaper (PR_SET_CHILD_SUBREAPER). Returns how many there were.
std::uint32_t EndDescendants(pid_t leader);

}  // namespace backplane::spawn
