#pragma once

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

namespace backplane::test {

/// How much of the mapping that holds an address is in the memory of this process, in KiB; -1: no
/// mapping holds it.
inline long CountResidentKib(const void* address) {
  std::ifstream maps("/proc/self/smaps");
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  bool is_inside = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    long kib = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) {
      is_inside = begin <= wanted && wanted < end;
    } else if (is_inside && std::sscanf(line.c_str(), "Rss: %ld kB", &kib) == 1) {
      return kib;
    }
  }
  return -1;
}

}  // namespace backplane::test
