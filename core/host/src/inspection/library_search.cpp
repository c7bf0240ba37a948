#include "inspection/library_search.hpp"

#include "inspection/file_words.hpp"

#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
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

struct LoaderToken {
  std::string_view name;
  std::string value;
};

// How long the token is that stands at a `$`; 0: it is another.
std::size_t MatchToken(std::string_view text, std::string_view name) {
  if (text.substr(1, name.size()) == name) return 1 + name.size();
  const bool is_in_braces = text.substr(1, 1) == "{" && text.substr(2, name.size()) == name &&
                            text.substr(2 + name.size(), 1) == "}";
  return is_in_braces ? name.size() + 3 : 0;
}

// Appends what a `$` stands for, or itself, and gives how many characters were read.
std::size_t AppendExpanded(std::string_view text, const std::vector<LoaderToken>& tokens,
                           std::string& expanded) {
  for (const LoaderToken& token : tokens) {
    const std::size_t length = MatchToken(text, token.name);
    if (length == 0) continue;
    expanded += token.value;
    return length;
  }
  expanded += text.front();
  return 1;
}

std::string GetLibToken() {
  const std::string multiarch = GetDefaultDirectories().front();
  return access(multiarch.c_str(), F_OK) == 0 ? multiarch.substr(1) : "lib64";
}

// Some of many, as a message names them.
std::string JoinDirectories(const std::vector<std::string>& directories) {
  constexpr std::size_t kMost = 20;
  std::string list;
  for (std::size_t i = 0; i < directories.size() && i < kMost; ++i) {
    list += i == 0 ? "" : ":";
    list += directories[i].empty() ? "." : Shorten(directories[i]);
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
  // NOLINTNEXTLINE(performance-no-int-to-ptr): this is how the kernel gives it
  const char* platform = reinterpret_cast<const char*>(getauxval(AT_PLATFORM));
  const std::vector<LoaderToken> tokens = {{"ORIGIN", origin},
                                           {"LIB", GetLibToken()},
                                           {"PLATFORM", platform != nullptr ? platform : ""}};
  // What is longer than any path can be leads nowhere, however it goes on.
  constexpr std::size_t kMostBytes = 2 * PATH_MAX;
  std::string expanded;
  std::string_view rest = text;
  while (!rest.empty() && expanded.size() <= kMostBytes) {
    const std::size_t plain = std::min(rest.find('$'), rest.size());
    expanded += rest.substr(0, plain);
    rest.remove_prefix(plain);
    if (!rest.empty()) rest.remove_prefix(AppendExpanded(rest, tokens, expanded));
  }
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
