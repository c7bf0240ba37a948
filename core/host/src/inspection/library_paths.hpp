#pragma once

#include <string>
#include <vector>

namespace backplane::inspection {

/// Where the loader of this process will find every library that a file needs, and theirs, and
/// those that the file says it opens when it runs. What is not found is left out; so is all of a
/// file that is no shared object.
/// `descriptor` stays the caller's; `canonical_path` is what the loader will be given.
std::vector<std::string> FindLibraryPaths(int descriptor, const std::string& canonical_path);

}  // namespace backplane::inspection
