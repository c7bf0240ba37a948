#pragma once

#include <string>

namespace backplane::files {

/// A directory of the user's own.
struct UserDirectory {
  std::string path;      // "" when there is none
  std::string variable;  // that led to it
};

/// The directory that an XDG variable has, or else the one below $HOME that stands for it. Values
/// that are null or no absolute path count as not set.
UserDirectory FindUserDirectory(const char* xdg_variable, const char* xdg_value, const char* home,
                                const std::string& below_home);

}  // namespace backplane::files
