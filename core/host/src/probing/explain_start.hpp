#pragma once

#include <string>

namespace backplane::probing {

/// What to do when no process could be started to check backends in. `error` is errno; `program` is
/// what was to be run in it, or "" when only a copy of a process was to be made.
std::string AdviseOnStart(int error, const std::string& program);

}  // namespace backplane::probing
