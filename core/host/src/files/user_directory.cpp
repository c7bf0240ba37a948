#include "files/user_directory.hpp"

namespace backplane::files {
namespace {

bool IsAbsolutePath(const char* path) {
  return path != nullptr && *path == '/';
}

}  // namespace

UserDirectory FindUserDirectory(const char* xdg_variable, const char* xdg_value, const char* home,
                                const std::string& below_home) {
  if (IsAbsolutePath(xdg_value)) return {xdg_value, xdg_variable};
  if (IsAbsolutePath(home)) return {std::string(home) + '/' + below_home, "HOME"};
  return {};
}

}  // namespace backplane::files
