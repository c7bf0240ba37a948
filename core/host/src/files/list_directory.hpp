#pragma once

#include "files/backend_file_name.hpp"

#include <backplane/host/diagnostic.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace backplane::files {

/// One entry of a directory.
struct DirectoryEntry {
  std::string path;  // the directory as given, and the file name
  std::string file_name;
  std::string direct_path;              // canonical, unless the entry is a link
  std::optional<BackendFileName> name;  // nothing when it is not the name of a backend
};

struct DirectoryListing {
  std::vector<DirectoryEntry>
      entries;                        // backends in the order in which they are tried, then others
  std::optional<Diagnostic> failure;  // what could not be read, or was left out
};

/// More backends than any directory has.
constexpr std::size_t kMostEntries = 20000;

/// Lists a directory, up to `most_entries` names of backends and as many others; does not look into
/// files or folders in it.
DirectoryListing ListDirectory(const std::string& directory,
                               std::size_t most_entries = kMostEntries);

}  // namespace backplane::files
