#pragma once

/// Libraries that a file says it opens when it runs: the note .note.dlopen of the FDO packaging
/// metadata, a JSON text.

#include "libraries/dependency_closure.hpp"

#include <backplane/host/diagnostic.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace backplane::libraries {

/// What its absence means.
enum class LatePriority {
  kRequired,     // the file does not work without it
  kRecommended,  // what most users want does not work
  kSuggested,    // what some users want does not work
};

struct LateLibrary {
  std::vector<std::string> sonames;  // any of them will do; at least one
  std::string feature;               // what it is for; may be empty
  LatePriority priority = LatePriority::kRecommended;
};

struct LateLibraries {
  std::vector<LateLibrary> libraries;
  std::vector<std::string> faults;  // why others cannot be read
};

/// `notes` are the descriptions of the notes.
LateLibraries ReadLateLibraries(const std::vector<std::string_view>& notes);

/// Looks up each that a file names, as the loader will when the file opens it. What is missing is
/// no error: the file itself knows what to do without. `path` is for words only.
std::vector<Diagnostic> CheckLateLibraries(const elf::File& elf,
                                           const elf::LibraryRequester& requester,
                                           const LibrarySearch& search, SharedObjects& objects,
                                           const std::string& path);

}  // namespace backplane::libraries
