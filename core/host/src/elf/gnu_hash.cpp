#include "elf/symbol_hashes.hpp"

#include "elf/limits.hpp"

#include <link.h>

#include <algorithm>

namespace backplane::elf {
namespace {

constexpr std::uint64_t kMostBuckets = std::uint64_t{1} << 26U;

std::uint32_t HashGnu(std::string_view name) {
  std::uint32_t hash = 5381;
  for (const char byte : name) hash = hash * 33 + static_cast<unsigned char>(byte);
  return hash;
}

// The number of words up to the end of the chain in which `position` lies; its last word has the
// lowest bit set. Read in pieces, as only damaged chains are long.
std::optional<std::uint64_t> FindEndOfChain(const File& elf, FileRange chains,
                                            std::uint64_t position) {
  constexpr std::uint64_t kPieceWords = 256;
  // No further than is needed to say that there are too many.
  const std::uint64_t count =
      std::min(chains.size_bytes / kWordBytes, GetMost(Limit::kSymbols) + kPieceWords);
  while (position < count) {
    const std::uint64_t piece_words = std::min(kPieceWords, count - position);
    const std::optional<std::string_view> words =
        elf.ReadBytes({chains.offset + position * kWordBytes, piece_words * kWordBytes});
    if (!words) return std::nullopt;
    for (std::uint64_t i = 0; i < piece_words; ++i) {
      if ((GetWord(*words, i) & 1U) != 0) return position + i + 1;
    }
    position += piece_words;
  }
  if (position > GetMost(Limit::kSymbols)) return position;
  return std::nullopt;
}

}  // namespace

std::optional<GnuHash> GnuHash::Open(const File& elf, std::uint64_t address) {
  const std::optional<FileRange> table = elf.FindRange(address);
  GnuHash hash;
  if (!table || !hash.ReadBuckets(elf, *table) || !hash.ReadChains(elf, *table)) {
    return std::nullopt;
  }
  return hash;
}

std::optional<std::uint32_t> GnuHash::Find(
    std::string_view name, const std::function<bool(std::uint32_t index)>& is_wanted) const {
  if (end_ == 0) return std::nullopt;
  const std::uint32_t wanted = HashGnu(name);
  std::uint64_t index = GetWord(buckets_, wanted % num_buckets_);
  if (index < first_symbol_) return std::nullopt;
  for (; index < end_; ++index) {
    const std::uint32_t word = GetWord(chains_, index - first_symbol_);
    // The lowest bit only says whether the chain ends.
    const bool is_alike = (word | 1U) == (wanted | 1U);
    if (is_alike && is_wanted(static_cast<std::uint32_t>(index))) return index;
    if ((word & 1U) != 0) return std::nullopt;
  }
  return std::nullopt;
}

std::uint64_t GnuHash::GetLongestChain() const {
  std::uint64_t longest = 0;
  std::uint64_t length = 0;
  for (std::uint64_t i = 0; i < chains_.size() / kWordBytes; ++i) {
    longest = std::max(longest, ++length);
    if ((GetWord(chains_, i) & 1U) != 0) length = 0;
  }
  return longest;
}

bool GnuHash::ReadBuckets(const File& elf, FileRange table) {
  constexpr std::uint64_t kHeaderWords = 4;
  constexpr std::uint64_t kWordsOfBloom = sizeof(ElfW(Addr)) / kWordBytes;
  if (table.size_bytes < kHeaderWords * kWordBytes) return false;
  const std::optional<std::string_view> header =
      elf.ReadBytes({table.offset, kHeaderWords * kWordBytes});
  if (!header) return false;
  num_buckets_ = GetWord(*header, 0);
  first_symbol_ = GetWord(*header, 1);
  const std::uint64_t buckets = kHeaderWords + GetWord(*header, 2) * kWordsOfBloom;
  chains_offset_ = (buckets + num_buckets_) * kWordBytes;
  if (num_buckets_ == 0 || chains_offset_ > table.size_bytes) return false;
  if (num_buckets_ > kMostBuckets) return false;
  const std::optional<std::string_view> words =
      elf.ReadBytes({table.offset + buckets * kWordBytes, num_buckets_ * kWordBytes});
  buckets_ = words.value_or(std::string_view());
  return words.has_value();
}

// The last chain ends at the last symbol.
bool GnuHash::ReadChains(const File& elf, FileRange table) {
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < num_buckets_; ++i) last = std::max(last, GetWord(buckets_, i));
  if (last == 0) return true;
  if (last < first_symbol_) return false;
  const FileRange chains = {table.offset + chains_offset_, table.size_bytes - chains_offset_};
  const std::optional<std::uint64_t> count = FindEndOfChain(elf, chains, last - first_symbol_);
  if (!count || *count > UINT32_MAX - first_symbol_) return false;
  end_ = static_cast<std::uint32_t>(first_symbol_ + *count);
  const std::optional<std::string_view> words = elf.ReadBytes({chains.offset, *count * kWordBytes});
  chains_ = words.value_or(std::string_view());
  return words.has_value();
}

}  // namespace backplane::elf
