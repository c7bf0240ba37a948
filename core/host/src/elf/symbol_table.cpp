#include "elf/symbol_table.hpp"

#include "elf/defined_versions.hpp"
#include "elf/limits.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>

namespace backplane::elf {
namespace {

// From the first to behind the last address that the file is mapped to.
struct Memory {
  std::uint64_t begin = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t end = 0;
};

Memory FindMemory(const File& elf) {
  Memory memory;
  for (const Segment& segment : elf.GetSegments()) {
    if (segment.p_type != PT_LOAD) continue;
    memory.begin = std::min<std::uint64_t>(memory.begin, segment.p_vaddr);
    memory.end = std::max<std::uint64_t>(memory.end, segment.p_vaddr + segment.p_memsz);
  }
  return memory;
}

// Whether the value of a symbol is an address of the file.
bool IsAddress(const ElfW(Sym) & entry) {
  return entry.st_shndx != SHN_UNDEF && entry.st_shndx < SHN_LORESERVE &&
         ELF64_ST_TYPE(entry.st_info) != STT_TLS;
}

}  // namespace

bool Symbol::IsExported() const {
  if (entry.st_shndx == SHN_UNDEF) return false;
  const unsigned visibility = ELF64_ST_VISIBILITY(entry.st_other);
  return (visibility == STV_DEFAULT || visibility == STV_PROTECTED) && GetBinding() != STB_LOCAL;
}

std::optional<SymbolTable> SymbolTable::Open(const File& elf, std::uint32_t least_count) {
  SymbolTable table(elf);
  if (!table.ReadHash()) return std::nullopt;
  const std::optional<std::uint64_t> address = elf.FindDynamicValue(DT_SYMTAB);
  if (!address) return std::nullopt;
  std::uint64_t count = std::max({table.end_of_findable_, least_count, std::uint32_t{1}});
  // No more than is needed to say that there are too many.
  count = std::min(count, GetMost(Limit::kSymbols) + 1);
  const std::optional<FileRange> range = elf.FindRange(*address, count * sizeof(ElfW(Sym)));
  const auto entries = range ? elf.ReadBytes(*range) : std::nullopt;
  if (!entries) return std::nullopt;
  table.entries_ = *entries;
  return table;
}

bool SymbolTable::ReadHash() {
  if (const auto address = elf_->FindDynamicValue(DT_GNU_HASH)) {
    hash_ = GnuHash::Open(*elf_, *address);
    if (hash_) end_of_findable_ = hash_->GetEnd();
    return hash_.has_value();
  }
  const auto address = elf_->FindDynamicValue(DT_HASH);
  if (!address) return true;
  sysv_hash_ = SysvHash::Open(*elf_, *address);
  if (sysv_hash_) end_of_findable_ = sysv_hash_->GetNumSymbols();
  return sysv_hash_.has_value();
}

ElfW(Sym) SymbolTable::ReadEntry(std::uint32_t index) const {
  ElfW(Sym) entry;
  std::memcpy(&entry, entries_.data() + std::size_t{index} * sizeof(entry), sizeof(entry));
  return entry;
}

std::optional<Symbol> SymbolTable::Get(std::uint32_t index) const {
  if (index >= entries_.size() / sizeof(ElfW(Sym))) return std::nullopt;
  Symbol symbol;
  symbol.entry = ReadEntry(index);
  const std::optional<std::string_view> name = elf_->GetDynamicString(symbol.entry.st_name);
  if (!name) return std::nullopt;
  symbol.name = *name;
  symbol.index = index;
  return symbol;
}

std::uint32_t SymbolTable::FindNameless(std::uint32_t begin, std::uint32_t end) const {
  const auto num_read = static_cast<std::uint32_t>(entries_.size() / sizeof(ElfW(Sym)));
  const std::uint32_t last = std::min(end, num_read);
  for (std::uint32_t i = begin; i < last; ++i) {
    if (!elf_->HasDynamicString(ReadEntry(i).st_name)) return i;
  }
  return std::max(begin, last);
}

std::uint32_t SymbolTable::FindMisplaced(std::uint32_t begin, std::uint32_t end) const {
  const Memory memory = FindMemory(*elf_);
  const auto num_read = static_cast<std::uint32_t>(entries_.size() / sizeof(ElfW(Sym)));
  for (std::uint32_t i = begin; i < std::min(end, num_read); ++i) {
    const ElfW(Sym) entry = ReadEntry(i);
    if (IsAddress(entry) && (entry.st_value < memory.begin || entry.st_value > memory.end)) {
      return i;
    }
  }
  return end;
}

NameLengths SymbolTable::MeasureNames(std::uint32_t end) const {
  NameLengths lengths;
  const auto num_read = static_cast<std::uint32_t>(entries_.size() / sizeof(ElfW(Sym)));
  for (std::uint32_t i = 0; i < std::min(end, num_read); ++i) {
    const auto name = elf_->GetDynamicString(ReadEntry(i).st_name);
    if (!name) continue;
    lengths.longest_bytes = std::max<std::uint64_t>(lengths.longest_bytes, name->size());
    lengths.all_bytes += name->size();
  }
  return lengths;
}

std::uint32_t SymbolTable::GetEndOfImports() const {
  const auto num_read = static_cast<std::uint32_t>(entries_.size() / sizeof(ElfW(Sym)));
  return hash_ ? std::min(hash_->GetFirst(), num_read) : num_read;
}

std::uint64_t SymbolTable::GetLongestChain() const {
  if (hash_) return hash_->GetLongestChain();
  return sysv_hash_ ? sysv_hash_->GetLongestChain() : 0;
}

std::optional<Symbol> SymbolTable::FindExported(std::string_view name) const {
  return Find(name, Versions::kAny);
}

std::optional<Symbol> SymbolTable::FindWithoutVersion(std::string_view name) const {
  return Find(name, Versions::kNotOld);
}

std::optional<Symbol> SymbolTable::Find(std::string_view name, Versions versions) const {
  std::optional<Symbol> found;
  const auto is_wanted = [&](std::uint32_t index) {
    found = Get(index);
    return found && found->name == name && found->IsExported() &&
           (versions == Versions::kAny || !IsOldVersion(*elf_, index));
  };
  if (hash_) return hash_->Find(name, std::cref(is_wanted)) ? found : std::nullopt;
  if (sysv_hash_) return sysv_hash_->Find(name, std::cref(is_wanted)) ? found : std::nullopt;
  return std::nullopt;
}

}  // namespace backplane::elf
