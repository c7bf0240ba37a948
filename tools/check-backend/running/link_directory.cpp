#include "running/link_directory.hpp"

#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace backplane::check_backend {

LinkDirectory::LinkDirectory(const std::string& file) {
  namespace fs = std::filesystem;
  try {
    std::string path = fs::temp_directory_path() / "check-backend-XXXXXX";
    if (mkdtemp(path.data()) == nullptr) {
      throw std::system_error(errno, std::generic_category(), path);
    }
    path_ = path;
    fs::create_symlink(fs::absolute(file), fs::path(path) / fs::path(file).filename());
  } catch (const std::system_error& error) {
    fault_ = error.what();
  }
}

LinkDirectory::~LinkDirectory() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace backplane::check_backend
