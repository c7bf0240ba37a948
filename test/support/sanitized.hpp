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

/// How a process ends that a bad access ends: a sanitizer turns that into an exit with a report of
/// its own.
inline const char* DescribeEndByBadAccess() {
  if (HasAddressSanitizer()) return "exit code 1, by exit";
  if (HasThreadSanitizer()) return "exit code 66, by exit";
  return "was ended by SIGSEGV";
}

}  // namespace backplane::test
