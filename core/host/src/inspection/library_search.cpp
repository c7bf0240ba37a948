#include "inspection/library_search.hpp"

#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace backplane::inspection {
namespace {

// Debian's, then those of systems that keep 64-bit libraries apart.
const std::vector<std::string>& GetDefaultDirectories() {
  static const std::vector<std::string> directories = {
#if defined(__x86_64__)
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
#elif defined(__aarch64__)
    "/lib/aarch64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
#endif
    "/lib64",
    "/usr/lib64",
    "/lib",
    "/usr/lib",
  };
  return directories;
}

std::vector<std::string> Split(std::string_view list, std::string_view separators) {
  std::vector<std::string> parts;
  if (list.empty()) return parts;
  std::size_t start = 0;
  while (start <= list.size()) {
    const std::size_t end = std::min(list.find_first_of(separators, start), list.size());
    parts.emplace_back(list.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

void ReplaceToken(std::string& text, const std::string& name, const std::string& value) {
  for (const std::string& token : {"${" + name + "}", "$" + name}) {
    std::size_t position = 0;
    while ((position = text.find(token, position)) != std::string::npos) {
      text.replace(position, token.size(), value);
      position += value.size();
    }
  }
}

std::string GetLibToken() {
  const std::string multiarch = GetDefaultDirectories().front();
  return access(multiarch.c_str(), F_OK) == 0 ? multiarch.substr(1) : "lib64";
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
    std::string list;
    for (const std::string& directory : directories) {
      list += (list.empty() ? "" : ":") + (directory.empty() ? std::string(".") : directory);
    }
    if (!list.empty()) Note(label + list);
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
    result_.searched += (result_.searched.empty() ? "" : ", ") + place;
  }

  const std::string& library_;
  const std::function<bool(const std::string&)>& is_usable_;
  std::string place_;
  LibrarySearchResult result_;
};

std::vector<std::string> ExpandList(const std::string& list, const std::string& origin,
                                    std::string_view separators) {
  std::vector<std::string> directories = Split(list, separators);
  for (std::string& directory : directories) directory = ExpandLoaderTokens(directory, origin);
  return directories;
}

// The DT_RPATH of the object and of those that made it needed, unless the object has a DT_RUNPATH.
bool TryRpaths(const LibraryRequester& requester, Attempt& attempt) {
  if (requester.has_runpath) return false;
  for (const LibraryRequester* object = &requester; object != nullptr; object = object->needed_by) {
    if (object->has_runpath) continue;
    if (attempt.TryDirectories("RPATH ", ExpandList(object->rpath, object->origin, ":"))) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::vector<std::string> SplitRunPath(const std::string& list) {
  return Split(list, ":");
}

std::string ExpandLoaderTokens(const std::string& text, const std::string& origin) {
  if (text.find('$') == std::string::npos) return text;
  std::string expanded = text;
  ReplaceToken(expanded, "ORIGIN", origin);
  ReplaceToken(expanded, "LIB", GetLibToken());
  // NOLINTNEXTLINE(performance-no-int-to-ptr): this is how the kernel gives it
  const char* platform = reinterpret_cast<const char*>(getauxval(AT_PLATFORM));
  ReplaceToken(expanded, "PLATFORM", platform != nullptr ? platform : "");
  return expanded;
}

LoaderEnvironment LoaderEnvironment::OfThisProcess() {
  LoaderEnvironment environment;
  const char* library_path = secure_getenv("LD_LIBRARY_PATH");
  if (library_path != nullptr) environment.library_path = library_path;
  environment.cache_path = "/etc/ld.so.cache";
  environment.default_directories = GetDefaultDirectories();
  return environment;
}

LibrarySearch::LibrarySearch(LoaderEnvironment environment)
    : environment_(std::move(environment)), cache_(LoaderCache::Read(environment_.cache_path)) {}

LibrarySearchResult LibrarySearch::Find(
    const std::string& library, const LibraryRequester& requester,
    const std::function<bool(const std::string& path)>& is_usable) const {
  Attempt attempt(library, is_usable);
  if (library.find('/') != std::string::npos) {
    attempt.TryPaths("the path itself", {ExpandLoaderTokens(library, requester.origin)});
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

}  // namespace backplane::inspection
