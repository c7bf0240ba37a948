#include "test/count_allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::int64_t> num_allocations{0};
}  // namespace

// Replaces those of the standard library in the test program; the sanitizer's own of the second
// would not call the first.
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  ++num_allocations;
  return std::malloc(size == 0 ? 1 : size);
}

void* operator new(std::size_t size) {
  if (void* memory = operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}

namespace backplane {
namespace cpuref_test {

std::int64_t CountAllocations() {
  return num_allocations;
}

}  // namespace cpuref_test
}  // namespace backplane
