#include "verdicts/cache_directory.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace backplane::verdicts {
namespace {

constexpr mode_t kOnlyForUser = 0700;

std::string GetAbsoluteVariable(const char* name) {
  const char* value = secure_getenv(name);
  return value != nullptr && *value == '/' ? value : "";
}

bool MakeDirectories(const std::string& directory) {
  for (std::size_t end = directory.find('/', 1); end != std::string::npos;
       end = directory.find('/', end + 1)) {
    if (mkdir(directory.substr(0, end).c_str(), kOnlyForUser) != 0 && errno != EEXIST) return false;
  }
  return mkdir(directory.c_str(), kOnlyForUser) == 0 || errno == EEXIST;
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
  if (directory.empty() || !MakeDirectories(directory)) return false;
  struct stat status {};
  return ::stat(directory.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace backplane::verdicts
