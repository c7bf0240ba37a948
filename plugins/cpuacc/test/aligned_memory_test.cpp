#include "memory/aligned_memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

namespace backplane {
namespace cpuacc {
namespace {

std::uint64_t GetAddress(const void* memory) {
  return reinterpret_cast<std::uintptr_t>(memory);
}

/// What the system says of the memory at this address: "hg" among it when huge pages are wanted.
std::string ReadFlags(std::uint64_t address) {
  std::ifstream smaps("/proc/self/smaps");
  bool is_there = false;
  for (std::string line; std::getline(smaps, line);) {
    std::istringstream words(line);
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    char dash = 0;
    if (words >> std::hex >> begin >> dash >> end && dash == '-') {
      is_there = begin <= address && address < end;
    }
    if (is_there && line.rfind("VmFlags:", 0) == 0) return line + " ";
  }
  return "";
}

TEST(AlignedMemory, LargeMemoryLiesInHugePages) {
  const std::uint64_t size_bytes = 3 * kHugePageBytes + kHugePageBytes / 2;
  const auto memory = AllocateAligned(size_bytes);
  const std::uint64_t address = GetAddress(memory.get());
  EXPECT_EQ(address % kHugePageBytes, 0u);
  std::memset(memory.get(), 1, size_bytes);
  if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled")) {
    GTEST_SKIP() << "this system has no huge pages";
  }
  EXPECT_NE(ReadFlags(address).find(" hg "), std::string::npos) << ReadFlags(address);
}

TEST(AlignedMemory, SmallMemoryIsAlignedForVectors) {
  for (const std::uint64_t size_bytes : {std::uint64_t{0}, std::uint64_t{1}, kHugePageBytes - 1}) {
    const auto memory = AllocateAligned(size_bytes);
    EXPECT_EQ(GetAddress(memory.get()) % kAlignmentBytes, 0u) << size_bytes;
  }
}

}  // namespace
}  // namespace cpuacc
}  // namespace backplane
