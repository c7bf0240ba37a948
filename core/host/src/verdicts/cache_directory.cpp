#include "verdicts/cache_directory.hpp"

#include "discovery/user_directory.hpp"

#include <backplane/host/own_files.hpp>

#include <cstdlib>

namespace backplane::verdicts {

std::string FindCacheDirectory() {
  constexpr char kVariable[] = "XDG_CACHE_HOME";
  const discovery::UserDirectory cache = discovery::FindUserDirectory(
      kVariable, secure_getenv(kVariable), secure_getenv("HOME"), ".cache");
  return cache.path.empty() ? "" : cache.path + "/backplane/verdicts";
}

std::string PrepareCacheDirectory(const std::string& directory) {
  return PrepareOwnDirectory(directory).fault;
}

}  // namespace backplane::verdicts
