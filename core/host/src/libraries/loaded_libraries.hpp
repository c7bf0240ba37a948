#pragma once

#include "libraries/dependency_closure.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace backplane::libraries {

/// A library that this process already has.
struct LoadedLibrary {
  std::string soname;  // may be empty
  std::string path;
};

/// Those that have a path.
std::vector<LoadedLibrary> ListLoadedLibraries();

/// The library that has this address, and all that it needs, directly or not. Null: the program.
std::vector<LoadedLibrary> ListLoadedNeeds(const void* address);

/// The thread-local storage that this process took when it started, and its libraries since.
struct LoadedTls {
  struct Block {
    std::uint64_t size_bytes = 0;
    std::uint64_t alignment = 1;
  };
  std::uint64_t most_static_bytes = 0;  // that a thread has
  std::uint64_t static_bytes = 0;       // up to the end of the last block that is known; 0: none is
  std::vector<Block> later;             // static too, behind that one, in the order of opening
};

/// As far as the loader tells it. A thread has `most_static_bytes` of static blocks.
LoadedTls ReadLoadedTls(std::uint64_t most_static_bytes);

/// The loaded library that the loader will take instead of `library`, because it has the same
/// SONAME and is another file. Null: none.
const LoadedLibrary* FindReplacement(const Library& library,
                                     const std::vector<LoadedLibrary>& loaded);

}  // namespace backplane::libraries
