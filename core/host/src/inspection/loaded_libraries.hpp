#pragma once

#include "inspection/dependency_closure.hpp"

#include <string>
#include <vector>

namespace backplane::inspection {

/// A library that this process already has.
struct LoadedLibrary {
  std::string soname;
  std::string path;
};

/// Those that have a SONAME.
std::vector<LoadedLibrary> ListLoadedLibraries();

/// The loaded library that the loader will take instead of `library`, because it has the same
/// SONAME and is another file. Null: none.
const LoadedLibrary* FindReplacement(const Library& library,
                                     const std::vector<LoadedLibrary>& loaded);

}  // namespace backplane::inspection
