#pragma once

#include "elf/library_requester.hpp"

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace backplane::libraries {

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
  LibrarySearchResult Find(const std::string& library, const elf::LibraryRequester& requester,
                           const std::function<bool(const std::string& path)>& is_usable) const;

 private:
  LoaderEnvironment environment_;
  LoaderCache cache_;
};

}  // namespace backplane::libraries
