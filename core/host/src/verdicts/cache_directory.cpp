#include "verdicts/cache_directory.hpp"

#include <backplane/host/own_files.hpp>

#include <cstdlib>

namespace backplane::verdicts {
namespace {

std::string GetAbsoluteVariable(const char* name) {
  const char* value = secure_getenv(name);
  return value != nullptr && *value == '/' ? value : "";
}

}  // namespace

std::string FindCacheDirectory() {
  std::string cache = GetAbsoluteVariable("XDG_CACHE_HOME");
  if (cache.empty()) {
    const std::string home = GetAbsoluteVariable("HOME");
    if (home.empty()) return "";
    cache = home + "/.cache";
  }
  return cache + "/backplane/verdicts";
}

bool PrepareCacheDirectory(const std::string& directory) {
  return PrepareOwnDirectory(directory).fault.empty();
}

}  // namespace backplane::verdicts
