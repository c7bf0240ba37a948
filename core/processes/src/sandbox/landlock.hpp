#pragma once

/// Rules for the files that a process may open, and Landlock, which holds it to them.

#include "sandbox/permissions.hpp"

#include <string>
#include <vector>

namespace backplane::sandbox {

/// The access to the files at a path, and below it when it is a folder.
enum class PathAccess {
  kRead,
  kReadAndRun,    // also as programs
  kReadAndWrite,  // of what is there
  kChange,        // and make and remove
  kUseDevice,     // read, write and control
};

struct PathRule {
  std::string path;
  PathAccess access = PathAccess::kRead;
};

/// All that a backend may open: what path_rules.def says, its file and not the folder of it, the
/// libraries that it needs, and what its permissions add.
std::vector<PathRule> MakePathRules(const std::string& plugin,
                                    const std::vector<std::string>& libraries,
                                    const std::vector<Permission>& permissions);

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
