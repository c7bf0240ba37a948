#include "library/library.hpp"

namespace backplane {
namespace cpuacc {

void RequireLibrary() {
  static const bool is_open = [] {
    OpenLibrary(LibraryNeeds::OfThisMachine());
    return true;
  }();
  static_cast<void>(is_open);
}

}  // namespace cpuacc
}  // namespace backplane
