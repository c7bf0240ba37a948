#include "conflicts/file_account.hpp"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <vector>

namespace backplane::conflicts {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20U;
constexpr std::size_t kBlockBytes = 64 * 1024;

std::streamsize ReadBlock(std::ifstream& file, std::vector<char>& block) {
  file.read(block.data(), static_cast<std::streamsize>(block.size()));
  return file.gcount();
}

}  // namespace

bool HasSameContents(const std::string& a, const std::string& b) {
  std::ifstream file_a(a, std::ios::binary);
  std::ifstream file_b(b, std::ios::binary);
  if (!file_a || !file_b) return false;
  std::vector<char> block_a(kBlockBytes);
  std::vector<char> block_b(kBlockBytes);
  for (std::uint64_t bytes = 0; bytes < kMostBytes;) {
    const std::streamsize count = ReadBlock(file_a, block_a);
    if (count != ReadBlock(file_b, block_b)) return false;
    if (count == 0) return true;
    if (std::memcmp(block_a.data(), block_b.data(), static_cast<std::size_t>(count)) != 0)
      return false;
    bytes += static_cast<std::uint64_t>(count);
  }
  return false;
}

}  // namespace backplane::conflicts
