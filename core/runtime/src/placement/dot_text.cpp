#include "placement/dot_text.hpp"

#include <backplane/host/diagnostic.hpp>

namespace backplane {

std::string EscapeForDot(const std::string& name) {
  std::string escaped;
  for (const char character : EscapeForDisplay(name)) {
    if (character == '&') {
      escaped += "&amp;";
      continue;
    }
    if (character == '"' || character == '\\') escaped += '\\';
    escaped += character;
  }
  return escaped;
}

}  // namespace backplane
