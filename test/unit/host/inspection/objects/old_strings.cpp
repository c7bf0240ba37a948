// Compiled with _GLIBCXX_USE_CXX11_ABI=0.
#include <string>

__attribute__((visibility("default"))) std::string Repeat(const std::string& text);

std::string Repeat(const std::string& text) {
  std::string twice = text;
  twice.append(text);
  return twice;
}
