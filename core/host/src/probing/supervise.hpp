#pragma once

#include "probing/probe_request.hpp"

namespace backplane::probing {

/// Runs a plugin in a process of its own, watches it, ends it and all that it started, and writes
/// the account into `pipe`. For a process that does nothing else: it becomes the reaper of its
/// descendants and ends when its host does.
/// Returns the process's exit code.
int Supervise(const ProbeRequest& request, int pipe);

}  // namespace backplane::probing
