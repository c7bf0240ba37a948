#include "libraries/library_search.hpp"

#include "diagnostics/file_words.hpp"

#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace backplane::libraries {
namespace {

// Some of many, as a message names them.
std::string JoinDirectories(const std::vector<std::string>& directories) {
  constexpr std::size_t kMost = 20;
  std::string list;
  for (std::size_t i = 0; i < directories.size() && i < kMost; ++i) {
    list += i == 0 ? "" : ":";
    list += directories[i].empty() ? "." : diagnostics::Shorten(directories[i]);
  }
  if (directories.size() <= kMost) return list;
  return list + " and " + std::to_string(directories.size() - kMost) + " more";
}

// One search: tries places in turn and writes down where it was.
class Attempt {
 public:
  Attempt(const std::string& library, const std::function<bool(const std::string&)>& is_usable)
      : library_(library), is_usable_(is_usable) {}

  bool TryPath(const std::string& path) {
    if (!is_usable_(path)) return false;
    result_.path = path;
    result_.found_in = place_;
    return true;
  }

  // An empty directory stands for the current one, as it does for the loader.
  bool TryDirectories(const std::string& label, const std::vector<std::string>& directories) {
    place_ = label.empty() ? "the default directories" : label.substr(0, label.size() - 1);
    if (!directories.empty()) Note(label + JoinDirectories(directories));
    for (const std::string& directory : directories) {
      if (TryPath((directory.empty() ? "." : directory) + "/" + library_)) return true;
    }
    return false;
  }

  bool TryPaths(const std::string& label, const std::vector<std::string>& paths) {
    place_ = label;
    Note(label);
    for (const std::string& path : paths) {
      if (TryPath(path)) return true;
    }
    return false;
  }

  LibrarySearchResult TakeResult() { return std::move(result_); }

 private:
  void Note(const std::string& place) {
    constexpr std::size_t kMostBytes = 64 * 1024;  // of words
    if (result_.searched.size() > kMostBytes) return;
    result_.searched += (result_.searched.empty() ? "" : ", ") + place;
  }

  const std::string& library_;
  const std::function<bool(const std::string&)>& is_usable_;
  std::string place_;
  LibrarySearchResult result_;
};

std::vector<std::string> ExpandList(const std::string& list, const std::string& origin,
                                    std::string_view separators) {
  std::vector<std::string> directories = elf::SplitList(list, separators);
  for (std::string& directory : directories) directory = elf::ExpandLoaderTokens(directory, origin);
  return directories;
}

// The DT_RPATH of the object and of those that made it needed, unless the object has a DT_RUNPATH.
bool TryRpaths(const elf::LibraryRequester& requester, Attempt& attempt) {
  if (requester.has_runpath) return false;
  for (const elf::LibraryRequester* object = &requester; object != nullptr;
       object = object->needed_by) {
    if (object->has_runpath) continue;
    if (attempt.TryDirectories("RPATH ", ExpandList(object->rpath, object->origin, ":"))) {
      return true;
    }
  }
  return false;
}

}  // namespace

LoaderEnvironment LoaderEnvironment::OfThisProcess() {
  LoaderEnvironment environment;
  const char* library_path = secure_getenv("LD_LIBRARY_PATH");
  if (library_path != nullptr) environment.library_path = library_path;
  environment.cache_path = "/etc/ld.so.cache";
  environment.default_directories = elf::GetDefaultDirectories();
  return environment;
}

LibrarySearch::LibrarySearch(LoaderEnvironment environment)
    : environment_(std::move(environment)), cache_(LoaderCache::Read(environment_.cache_path)) {}

LibrarySearchResult LibrarySearch::Find(
    const std::string& library, const elf::LibraryRequester& requester,
    const std::function<bool(const std::string& path)>& is_usable) const {
  Attempt attempt(library, is_usable);
  if (library.find('/') != std::string::npos) {
    attempt.TryPaths("the path itself", {elf::ExpandLoaderTokens(library, requester.origin)});
    return attempt.TakeResult();
  }
  if (TryRpaths(requester, attempt)) return attempt.TakeResult();
  if (attempt.TryDirectories("LD_LIBRARY_PATH ",
                             ExpandList(environment_.library_path, requester.origin, ":;"))) {
    return attempt.TakeResult();
  }
  if (attempt.TryDirectories("RUNPATH ", ExpandList(requester.runpath, requester.origin, ":"))) {
    return attempt.TakeResult();
  }
  if (!requester.uses_default_directories) return attempt.TakeResult();
  if (attempt.TryPaths(environment_.cache_path, cache_.Find(library))) {
    return attempt.TakeResult();
  }
  attempt.TryDirectories("", environment_.default_directories);
  return attempt.TakeResult();
}

}  // namespace backplane::libraries
