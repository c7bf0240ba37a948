#pragma once

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

}  // namespace backplane::inspection
