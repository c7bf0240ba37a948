#include "probing/shared_report.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace backplane::probing {

SharedReport* MapSharedReport() {
  void* memory = mmap(nullptr, sizeof(SharedReport), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  // New pages are zero; without an initialiser none of them is touched before it is needed.
  return memory == MAP_FAILED ? nullptr : new (memory) SharedReport;
}

void CopyText(char* target, std::size_t target_bytes, std::string_view text) {
  const std::size_t bytes = std::min(text.size(), target_bytes - 1);
  std::memcpy(target, text.data(), bytes);
  target[bytes] = '\0';
}

std::string_view ReadText(const char* text, std::size_t max_bytes) {
  return {text, strnlen(text, max_bytes)};
}

}  // namespace backplane::probing
