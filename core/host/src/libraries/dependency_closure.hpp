#pragma once

#include "elf/limits.hpp"
#include "libraries/library_search.hpp"
#include "libraries/shared_object.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace backplane::libraries {

/// A library that another one needs, or the file from which everything starts.
struct Library {
  std::string name;      // as it is needed
  std::string found_in;  // the kind of place, "RUNPATH", ...
  elf::LibraryRequester requester;
  const Library* needed_by = nullptr;          // null: the file from which everything starts
  std::shared_ptr<const SharedObject> object;  // never null
  bool is_from_library_path = false;           // found through LD_LIBRARY_PATH
};

/// A library that the loader would not find, or not take.
struct MissingLibrary {
  std::string chain;      // "libmid.so.1 -> libdep.so.1"
  std::string searched;   // where
  std::string not_taken;  // what was found instead, and what is wrong with it; may be empty
  std::string name;       // the last of the chain
  bool is_of_other_machine = false;  // what was found is
  int refusal = 0;                   // FoundFile::refusal
};

/// A library of this process that the loader will take, because it has the same name.
struct ReplacedLibrary {
  const Library* library = nullptr;
  std::string replacement;  // the path of the one that is taken
};

struct DependencyClosure {
  std::vector<std::unique_ptr<Library>> libraries;  // each once, without the file itself
  std::vector<MissingLibrary> missing;
  std::vector<ReplacedLibrary> replaced;  // of `libraries`
  std::uint64_t num_places = 0;           // where libraries were looked for
  /// Why not all was looked for; then the rest is as if nothing were needed.
  std::optional<elf::Limit> exceeded;

  bool IsReplaced(const Library& library) const;
};

/// What was found for one name.
struct FoundLibrary {
  std::shared_ptr<const SharedObject> object;  // null: nothing that the loader would take
  LibrarySearchResult place;
  std::string not_taken;             // what was found instead, and what is wrong with it
  bool is_of_other_machine = false;  // what was found instead is
  int refusal = 0;                   // FoundFile::refusal
};

/// Finds what the loader takes for a name. Counts the places in `num_places`, and looks no further
/// than the limit of them.
FoundLibrary FindLibrary(const std::string& name, const elf::LibraryRequester& requester,
                         const LibrarySearch& search, SharedObjects& objects,
                         std::uint64_t& num_places);

/// Finds everything that `file` needs, directly or not. `file` must outlive the result.
DependencyClosure FindDependencies(const Library& file, const LibrarySearch& search,
                                   SharedObjects& objects);

}  // namespace backplane::libraries
