/// Uses the std::string from before C++11, unlike the rest of its backend.

#undef _GLIBCXX_USE_CXX11_ABI
#define _GLIBCXX_USE_CXX11_ABI 0
#include <string>

extern "C" __attribute__((visibility("hidden"), used)) unsigned long UseOldString(
    const char* text) {
  std::string copy(text);
  copy.append(text);
  return copy.size();
}
