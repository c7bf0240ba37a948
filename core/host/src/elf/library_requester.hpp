#pragma once

/// The libraries that an object needs, and where it makes the loader look for them.

#include "elf/file.hpp"

#include <string>
#include <vector>

namespace backplane::elf {

/// Where one object makes the loader look for what it needs.
struct LibraryRequester {
  std::string origin;  // the directory that $ORIGIN stands for
  std::string rpath;   // DT_RPATH; the loader ignores it beside a DT_RUNPATH
  std::string runpath;
  bool has_runpath = false;
  bool uses_default_directories = true;         // false: linked with -z nodefaultlib
  const LibraryRequester* needed_by = nullptr;  // whose DT_RPATH counts too
};

/// The name under which other files need this one; may be empty.
std::string ReadSoname(const File& elf);

/// The libraries that a file needs directly.
std::vector<std::string> ReadNeeded(const File& elf);

/// Reads where an object makes the loader look. $ORIGIN stands for the directory of `path`.
LibraryRequester ReadRequester(const File& elf, const std::string& path);

/// Where the loader of this processor looks for a library that nothing says more of.
const std::vector<std::string>& GetDefaultDirectories();

/// The parts between any of the separators, empty ones among them; none of an empty list.
std::vector<std::string> SplitList(std::string_view list, std::string_view separators);

/// The elements of a DT_RPATH or DT_RUNPATH, empty ones among them.
std::vector<std::string> SplitRunPath(const std::string& list);

/// Replaces $ORIGIN, $LIB and $PLATFORM.
std::string ExpandLoaderTokens(const std::string& text, const std::string& origin);

}  // namespace backplane::elf
