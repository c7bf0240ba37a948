#pragma once

#include "sandbox/permissions.hpp"

#include <string>
#include <vector>

namespace backplane::sandbox {

/// What may be done with the files at a path, and below it when it is a folder.
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

}  // namespace backplane::sandbox
