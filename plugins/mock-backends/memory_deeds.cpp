#include "deeds.hpp"

#include <fcntl.h>
#include <sys/mman.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace backplane::mock::deeds {
namespace {

struct Range {
  char* begin;
  std::size_t size_bytes;
};

/// Where this process has mapped memory that it shares with its host, with these rights ("rw-s").
std::vector<Range> FindSharedMemory(const std::string& rights) {
  std::vector<Range> ranges;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    if (line.find(' ' + rights + ' ') == line.npos ||
        line.find("memfd:backplane-tensors") == line.npos ||
        std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR, &begin, &end) != 2) {
      continue;
    }
    ranges.push_back({reinterpret_cast<char*>(begin), end - begin});
  }
  if (!ranges.empty()) return ranges;
  std::fprintf(stderr, "mock: no memory is shared\n");
  std::abort();
}

}  // namespace

/// Writes in front of a block, and frees it.
void CorruptHeap() {
  constexpr std::ptrdiff_t kBefore = 16;
  const volatile std::size_t size_bytes = 24;  // which the compiler would look at
  auto* const block = static_cast<volatile char*>(std::malloc(size_bytes));
  for (std::ptrdiff_t i = -kBefore; i < 0; ++i) block[i] = 0x41;
  std::free(const_cast<char*>(block));
}

/// First asks for the right to do so.
void OverwriteConstants() {
  for (const Range& range : FindSharedMemory("r--s")) {
    mprotect(range.begin, range.size_bytes, PROT_READ | PROT_WRITE);
    std::memset(range.begin, 0, range.size_bytes);
  }
}

/// Tensors, and what host and process say to each other by memory; and does not come back.
void OverwriteSharedMemory() {
  for (const Range& range : FindSharedMemory("rw-s")) {
    std::memset(range.begin, 0xFF, range.size_bytes);
  }
  Loop();
}

/// From its beginning, and whatever lies behind its end.
void OverrunSharedMemory() {
  volatile char* next = FindSharedMemory("rw-s").front().begin;
  while (next != nullptr) *next++ = 0x5A;
}

void LeakMemory() {
  constexpr std::size_t kBytes = std::size_t{64} << 20U;
  std::memset(new char[kBytes], 1, kBytes);
}

/// Of which nothing can be written.
void ReserveAddresses() {
  constexpr std::size_t kBytes = std::size_t{8} << 30U;
  if (mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) ==
      MAP_FAILED) {
    std::abort();
  }
}

void LeakDescriptors() {
  constexpr int kMany = 100;
  for (int i = 0; i < kMany; ++i) {
    if (open("/dev/null", O_RDONLY) < 0 || memfd_create("mock", 0) < 0) std::abort();
  }
}

}  // namespace backplane::mock::deeds
