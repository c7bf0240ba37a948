#include "elf/string_table.hpp"

#include <algorithm>
#include <cstring>

namespace backplane::elf {
namespace {

constexpr std::uint64_t kTableBlockBytes = 4096;

// The first zero byte in a range; `end` when there is none.
std::uint64_t FindZero(std::string_view bytes, std::uint64_t begin, std::uint64_t end) {
  const void* zero = std::memchr(bytes.data() + begin, 0, end - begin);
  if (zero == nullptr) return end;
  return static_cast<std::uint64_t>(static_cast<const char*>(zero) - bytes.data());
}

}  // namespace

StringTable::StringTable(std::string_view bytes)
    : bytes_(bytes.substr(0, bytes.rfind('\0') + 1)) {  // npos + 1 is 0
  if (bytes_.size() <= kTableBlockBytes) return;
  next_ends_.resize((bytes_.size() + kTableBlockBytes - 1) / kTableBlockBytes);
  std::uint64_t next = bytes_.size();
  for (std::size_t block = next_ends_.size(); block-- > 0;) {
    const std::uint64_t begin = block * kTableBlockBytes;
    const std::uint64_t end = std::min<std::uint64_t>(begin + kTableBlockBytes, bytes_.size());
    const std::uint64_t found = FindZero(bytes_, begin, end);
    next = found != end ? found : next;
    next_ends_[block] = next;
  }
}

std::optional<std::string_view> StringTable::Get(std::uint64_t offset) const {
  if (!Has(offset)) return std::nullopt;
  const std::uint64_t block = offset / kTableBlockBytes;
  const std::uint64_t block_end =
      std::min<std::uint64_t>((block + 1) * kTableBlockBytes, bytes_.size());
  std::uint64_t end = FindZero(bytes_, offset, block_end);
  if (end == block_end) end = next_ends_[block + 1];
  return bytes_.substr(offset, end - offset);
}

}  // namespace backplane::elf
