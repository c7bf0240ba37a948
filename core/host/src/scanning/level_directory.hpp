#pragma once

#include <backplane/host/diagnostic.hpp>

#include <optional>
#include <string>

namespace backplane::scanning {

/// A directory in a search path whose files are for processors that have some level.
struct LevelDirectory {
  std::string path;
  unsigned level = 0;                      // N of x86-64-vN; 0 for other architectures
  std::optional<Diagnostic> why_left_out;  // a note, when this processor is none of them
};

/// Whether an entry of a search path is such a directory, by the names that the loader's own
/// directory glibc-hwcaps knows: x86-64-vN, powerN, zN. Nothing: it is none, or no directory.
std::optional<LevelDirectory> FindLevelDirectory(const std::string& path,
                                                 const std::string& file_name);

}  // namespace backplane::scanning
