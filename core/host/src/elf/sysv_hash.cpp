#include "elf/symbol_hashes.hpp"

#include "elf/limits.hpp"

#include <elf.h>

#include <algorithm>

namespace backplane::elf {
namespace {

std::uint32_t HashSysv(std::string_view name) {
  std::uint32_t hash = 0;
  for (const char byte : name) {
    hash = (hash << 4U) + static_cast<unsigned char>(byte);
    hash ^= (hash >> 24U) & 0xf0U;
  }
  return hash & 0x0fffffffU;
}

}  // namespace

std::optional<SysvHash> SysvHash::Open(const File& elf, std::uint64_t address) {
  const std::optional<FileRange> header = elf.FindRange(address, 2 * kWordBytes);
  const auto counts = header ? elf.ReadBytes(*header) : std::nullopt;
  if (!counts) return std::nullopt;
  SysvHash hash;
  hash.num_buckets_ = GetWord(*counts, 0);
  hash.num_symbols_ = GetWord(*counts, 1);
  // Of more symbols only their number is of interest.
  if (hash.num_symbols_ > GetMost(Limit::kSymbols)) hash.num_buckets_ = 0;
  if (hash.num_buckets_ == 0) return hash;
  const std::uint64_t num_words = std::uint64_t{hash.num_buckets_} + hash.num_symbols_;
  const auto range = elf.FindRange(address + 2 * kWordBytes, num_words * kWordBytes);
  const auto words = range ? elf.ReadBytes(*range) : std::nullopt;
  if (!words) return std::nullopt;
  hash.words_ = *words;
  return hash;
}

std::uint64_t SysvHash::GetLongestChain() const {
  std::uint64_t longest = 0;
  std::uint64_t num_visited = 0;
  for (std::uint32_t bucket = 0; bucket < num_buckets_; ++bucket) {
    std::uint64_t length = 0;
    for (std::uint32_t symbol = GetBucket(bucket); symbol != STN_UNDEF; symbol = GetNext(symbol)) {
      longest = std::max(longest, ++length);
      if (++num_visited > num_symbols_) return num_visited;
    }
  }
  return longest;
}

std::optional<std::uint32_t> SysvHash::Find(
    std::string_view name, const std::function<bool(std::uint32_t index)>& is_wanted) const {
  if (num_buckets_ == 0) return std::nullopt;
  std::uint32_t symbol = GetBucket(HashSysv(name) % num_buckets_);
  for (std::uint32_t i = 0; symbol != STN_UNDEF && i < num_symbols_; ++i) {
    if (is_wanted(symbol)) return symbol;
    symbol = GetNext(symbol);
  }
  return std::nullopt;
}

std::uint32_t SysvHash::GetBucket(std::uint32_t index) const {
  return GetWord(words_, index);
}

// A symbol outside the table ends its chain.
std::uint32_t SysvHash::GetNext(std::uint32_t symbol) const {
  if (symbol >= num_symbols_) return STN_UNDEF;
  return GetWord(words_, std::uint64_t{num_buckets_} + symbol);
}

}  // namespace backplane::elf
