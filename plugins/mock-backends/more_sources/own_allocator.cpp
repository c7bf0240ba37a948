/// Replaces operator new and delete, for this file only, as a linked allocator does.

#include <cstddef>
#include <cstdlib>
#include <new>

void* operator new(std::size_t size_bytes) {
  void* memory = std::malloc(size_bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t /*size_bytes*/) noexcept {
  std::free(memory);
}
