#include "inspection/symbol_table.hpp"

#include <link.h>

#include <algorithm>
#include <limits>

namespace backplane::inspection {
namespace {

constexpr std::uint64_t kWordBytes = sizeof(std::uint32_t);

std::optional<std::uint32_t> ReadWord(const ElfFile& elf, FileRange range, std::uint64_t index) {
  if (!IsWithin(index * kWordBytes, kWordBytes, range.size_bytes)) return std::nullopt;
  const Elf_Data* data = elf.Read({range.offset + index * kWordBytes, kWordBytes}, ELF_T_WORD);
  if (data == nullptr || data->d_buf == nullptr) return std::nullopt;
  return *static_cast<const std::uint32_t*>(data->d_buf);
}

// DT_HASH: the number of buckets, then the number of symbols.
std::optional<std::uint32_t> CountBySysvHash(const ElfFile& elf, std::uint64_t address) {
  const std::optional<FileRange> table = elf.FindRange(address);
  return table ? ReadWord(elf, *table, 1) : std::nullopt;
}

// Where a GNU hash table has its parts, in words from its beginning.
struct GnuHashParts {
  std::uint32_t num_buckets = 0;
  std::uint32_t first_symbol = 0;
  std::uint64_t buckets = 0;
  std::uint64_t chains = 0;
};

std::optional<GnuHashParts> ReadGnuHashHeader(const ElfFile& elf, FileRange table) {
  const std::optional<std::uint32_t> num_buckets = ReadWord(elf, table, 0);
  const std::optional<std::uint32_t> first_symbol = ReadWord(elf, table, 1);
  const std::optional<std::uint32_t> bloom_size = ReadWord(elf, table, 2);
  if (!num_buckets || !first_symbol || !bloom_size) return std::nullopt;
  constexpr std::uint64_t kHeaderWords = 4;
  constexpr std::uint64_t kWordsOfBloom = sizeof(ElfW(Addr)) / kWordBytes;
  GnuHashParts parts;
  parts.num_buckets = *num_buckets;
  parts.first_symbol = *first_symbol;
  parts.buckets = kHeaderWords + *bloom_size * kWordsOfBloom;
  parts.chains = parts.buckets + parts.num_buckets;
  if (parts.num_buckets == 0 || parts.chains * kWordBytes > table.size_bytes) return std::nullopt;
  return parts;
}

// The highest symbol that begins a chain.
std::optional<std::uint32_t> FindLastChain(const ElfFile& elf, FileRange table,
                                           const GnuHashParts& parts) {
  const Elf_Data* data = elf.Read(
      {table.offset + parts.buckets * kWordBytes, parts.num_buckets * kWordBytes}, ELF_T_WORD);
  if (data == nullptr || data->d_buf == nullptr) return std::nullopt;
  const auto* buckets = static_cast<const std::uint32_t*>(data->d_buf);
  return *std::max_element(buckets, buckets + parts.num_buckets);
}

// The end of a chain has its lowest bit set. Read in pieces, as only damaged chains are long.
std::optional<std::uint32_t> FindEndOfChain(const ElfFile& elf, FileRange chains,
                                            std::uint64_t position) {
  constexpr std::uint64_t kPieceWords = 256;
  const std::uint64_t count = chains.size_bytes / kWordBytes;
  while (position < count) {
    const std::uint64_t piece_words = std::min(kPieceWords, count - position);
    const Elf_Data* data =
        elf.Read({chains.offset + position * kWordBytes, piece_words * kWordBytes}, ELF_T_WORD);
    if (data == nullptr || data->d_buf == nullptr) return std::nullopt;
    const auto* words = static_cast<const std::uint32_t*>(data->d_buf);
    const auto* end = std::find_if(words, words + piece_words,
                                   [](std::uint32_t word) { return (word & 1U) != 0; });
    position += static_cast<std::uint64_t>(end - words);
    if (end != words + piece_words) return static_cast<std::uint32_t>(position + 1);
  }
  return std::nullopt;
}

// The last chain ends at the last symbol.
std::optional<std::uint32_t> CountByGnuHash(const ElfFile& elf, std::uint64_t address) {
  const std::optional<FileRange> table = elf.FindRange(address);
  if (!table) return std::nullopt;
  const std::optional<GnuHashParts> parts = ReadGnuHashHeader(elf, *table);
  if (!parts) return std::nullopt;
  const std::optional<std::uint32_t> last_chain = FindLastChain(elf, *table, *parts);
  if (!last_chain || *last_chain == 0) return last_chain;
  if (*last_chain < parts->first_symbol) return std::nullopt;
  const std::uint64_t chains = parts->chains * kWordBytes;
  const std::optional<std::uint32_t> end = FindEndOfChain(
      elf, {table->offset + chains, table->size_bytes - chains}, *last_chain - parts->first_symbol);
  return end ? std::optional(*end + parts->first_symbol) : std::nullopt;
}

std::optional<std::uint32_t> CountFindable(const ElfFile& elf) {
  if (const auto address = elf.FindDynamicValue(DT_GNU_HASH)) return CountByGnuHash(elf, *address);
  if (const auto address = elf.FindDynamicValue(DT_HASH)) return CountBySysvHash(elf, *address);
  return 0;
}

}  // namespace

bool Symbol::IsExported() const {
  if (entry.st_shndx == SHN_UNDEF) return false;
  const unsigned visibility = GELF_ST_VISIBILITY(entry.st_other);
  return (visibility == STV_DEFAULT || visibility == STV_PROTECTED) && GetBinding() != STB_LOCAL;
}

std::optional<SymbolTable> SymbolTable::Open(const ElfFile& elf, std::uint32_t least_count) {
  const std::optional<std::uint64_t> address = elf.FindDynamicValue(DT_SYMTAB);
  const std::optional<std::uint32_t> end_of_findable = CountFindable(elf);
  if (!address || !end_of_findable) return std::nullopt;
  const std::uint64_t count = std::max({*end_of_findable, least_count, std::uint32_t{1}});
  const std::optional<FileRange> range = elf.FindRange(*address, count * sizeof(ElfW(Sym)));
  if (!range || count > std::numeric_limits<int>::max()) return std::nullopt;

  SymbolTable table(elf);
  table.end_of_findable_ = *end_of_findable;
  table.symbols_ = elf.Read(*range, ELF_T_SYM);
  if (table.symbols_ == nullptr) return std::nullopt;
  return table;
}

std::optional<Symbol> SymbolTable::Get(std::uint32_t index) const {
  Symbol symbol;
  if (gelf_getsym(symbols_, static_cast<int>(index), &symbol.entry) == nullptr) {
    return std::nullopt;
  }
  const std::optional<std::string_view> name = elf_->GetDynamicString(symbol.entry.st_name);
  if (!name) return std::nullopt;
  symbol.name = *name;
  return symbol;
}

}  // namespace backplane::inspection
