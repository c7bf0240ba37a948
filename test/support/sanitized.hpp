#pragma once

extern "C" {
// Defined where the sanitizer's runtime is part of the process.
void __asan_init() __attribute__((weak));
void __tsan_init() __attribute__((weak));
}

namespace backplane::test {

/// Whether this process runs under the address sanitizer, also when only what is tested is compiled
/// for it.
inline bool HasAddressSanitizer() {
  return &__asan_init != nullptr;
}

inline bool HasThreadSanitizer() {
  return &__tsan_init != nullptr;
}

}  // namespace backplane::test
