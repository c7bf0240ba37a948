#include "files/canonical_path.hpp"

#include <cstdlib>
#include <memory>

namespace backplane::files {

std::string GetCanonicalPath(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> resolved(::realpath(path.c_str(), nullptr),
                                                        std::free);
  return resolved ? std::string(resolved.get()) : std::string();
}

}  // namespace backplane::files
