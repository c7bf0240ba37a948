// oneDNN is linked: for processors without jumps of their own in opened_library.cpp.

#include "library/dnnl_version.hpp"
#include "library/library.hpp"

namespace backplane {
namespace cpuacc {

LibraryNeeds LibraryNeeds::OfThisMachine() {
  return {"libdnnl.so.2", true};
}

void OpenLibrary(const LibraryNeeds& needs) {
  RequireKnownVersion(*dnnl_version(), needs.file_name);
}

}  // namespace cpuacc
}  // namespace backplane
