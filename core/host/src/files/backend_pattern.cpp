#include "files/backend_pattern.hpp"

#include "files/backend_file_name.hpp"

#include <fnmatch.h>

namespace backplane::files {

bool MeansIdOrFile(const std::string& pattern, const std::string& id,
                   const std::string& file_name) {
  return (!id.empty() && fnmatch(pattern.c_str(), id.c_str(), 0) == 0) ||
         fnmatch(pattern.c_str(), file_name.c_str(), 0) == 0;
}

bool RestrictsBackend(const std::string& pattern, const std::string& id,
                      const std::string& file_name) {
  if (MeansIdOrFile(pattern, id, file_name)) return true;
  const auto name = ParseBackendFileName(file_name);
  return name && name->name == pattern;
}

}  // namespace backplane::files
