#pragma once

#include "sandbox/path_rules.hpp"

#include <string>
#include <vector>

namespace backplane::sandbox {

/// The first version of Landlock by which nothing can be written that no rule allows: those before
/// it let files be cut.
constexpr int kLeastLandlockVersion = 3;

/// 0: this kernel has none, or does not use it.
int GetLandlockVersion();

/// Whether programs may be told by their names in memory (abstract sockets) and by signals.
enum class Outside {
  kReachable,
  kCutOff,  // as far as the kernel goes
};

/// Makes this thread, and all that it starts, subject to the rules for ever: what none of them
/// allows cannot be opened. Rules for what is not there are left out.
/// Returns "", or which step failed and why.
/// The process must have given up new privileges.
std::string RestrictPaths(const std::vector<PathRule>& rules, Outside outside);

/// Says what this kernel lacks of the sandbox; "": nothing.
std::string FindLackOfKernel();

}  // namespace backplane::sandbox
