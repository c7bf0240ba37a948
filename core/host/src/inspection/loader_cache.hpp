#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace backplane::inspection {

/// The loader's index of libraries, /etc/ld.so.cache, in the format that glibc has written since
/// 2.2. A cache that is missing or damaged has no entries.
class LoaderCache {
 public:
  static LoaderCache Read(const std::string& path);

  /// The paths of a library, the best first.
  std::vector<std::string> Find(std::string_view library) const;

 private:
  std::string_view GetText(std::size_t offset) const;

  std::string bytes_;  // from the beginning of the new format
};

}  // namespace backplane::inspection
