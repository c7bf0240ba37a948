/// A library that has an allocator of its own, as some do that a backend may be linked with.

#include <cstddef>

extern "C" {
__attribute__((visibility("default"))) int FunctionOfAllocatorLibrary() {
  return 1;
}
// Never called: the C library's is there first.
__attribute__((visibility("default"))) void* malloc(std::size_t /*size_bytes*/) {
  return nullptr;
}
}
