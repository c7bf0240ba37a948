#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace backplane::inspection {

/// The loader's index of libraries, /etc/ld.so.cache, in the format that glibc has written since
/// 2.2. A cache that is missing or damaged has no entries.
class LoaderCache {
 public:
  static LoaderCache Read(const std::string& path);

  /// The paths of a library, the best first.
  std::vector<std::string> Find(const std::string& library) const;

 private:
  std::unordered_map<std::string, std::vector<std::string>> paths_;  // by the library's name
};

/// Where the loader of this process looks, whoever asks.
struct LoaderEnvironment {
  std::string library_path;  // LD_LIBRARY_PATH
  std::string cache_path;
  std::vector<std::string> default_directories;

  static LoaderEnvironment OfThisProcess();
};

/// Where one object makes the loader look for what it needs.
struct LibraryRequester {
  std::string origin;  // the directory that $ORIGIN stands for
  std::string rpath;   // DT_RPATH; the loader ignores it beside a DT_RUNPATH
  std::string runpath;
  bool has_runpath = false;
  bool uses_default_directories = true;         // false: linked with -z nodefaultlib
  const LibraryRequester* needed_by = nullptr;  // whose DT_RPATH counts too
};

struct LibrarySearchResult {
  std::string path;                   // empty: not found
  std::string searched;               // where, in words and in order
  std::string found_in;               // the kind of place, "RUNPATH", ...; empty: not found
  bool is_from_library_path = false;  // found through LD_LIBRARY_PATH
};

/// Finds libraries as the loader does.
class LibrarySearch {
 public:
  explicit LibrarySearch(LoaderEnvironment environment);

  /// Looks for a library until `is_usable` says yes to a path; it is asked for every place in turn.
  LibrarySearchResult Find(const std::string& library, const LibraryRequester& requester,
                           const std::function<bool(const std::string& path)>& is_usable) const;

 private:
  LoaderEnvironment environment_;
  LoaderCache cache_;
};

/// The elements of a DT_RPATH or DT_RUNPATH, empty ones among them.
std::vector<std::string> SplitRunPath(const std::string& list);

/// Replaces $ORIGIN, $LIB and $PLATFORM.
std::string ExpandLoaderTokens(const std::string& text, const std::string& origin);

}  // namespace backplane::inspection
