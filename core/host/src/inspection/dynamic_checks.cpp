#include "diagnostics/file_words.hpp"
#include "elf/relocations.hpp"
#include "elf/symbol_table.hpp"
#include "inspection/elf_checks.hpp"
#include "inspection/limit_checks.hpp"

#include <elf.h>
#include <link.h>

namespace backplane::inspection {
namespace {

// A table that the loader reads without looking whether it is there.
struct DynamicTable {
  std::int64_t address_tag;
  std::int64_t size_tag;      // DT_NULL: the dynamic section states no size
  std::uint64_t least_bytes;  // when it states no size
  const char* name;
};

constexpr DynamicTable kDynamicTables[] = {
    {DT_STRTAB, DT_STRSZ, 0, "the string table (DT_STRTAB)"},
    {DT_SYMTAB, DT_NULL, sizeof(ElfW(Sym)), "the symbol table (DT_SYMTAB)"},
    {DT_GNU_HASH, DT_NULL, 4 * sizeof(std::uint32_t), "the symbol hash table (DT_GNU_HASH)"},
    {DT_HASH, DT_NULL, 2 * sizeof(std::uint32_t), "the symbol hash table (DT_HASH)"},
    {DT_RELA, DT_RELASZ, 0, "the relocations (DT_RELA)"},
    {DT_REL, DT_RELSZ, 0, "the relocations (DT_REL)"},
    {DT_JMPREL, DT_PLTRELSZ, 0, "the relocations of calls (DT_JMPREL)"},
    {DT_INIT, DT_NULL, 1, "the initialisation function (DT_INIT)"},
    {DT_FINI, DT_NULL, 1, "the termination function (DT_FINI)"},
    {DT_INIT_ARRAY, DT_INIT_ARRAYSZ, 0, "the initialisation functions (DT_INIT_ARRAY)"},
    {DT_FINI_ARRAY, DT_FINI_ARRAYSZ, 0, "the termination functions (DT_FINI_ARRAY)"},
    {DT_VERSYM, DT_NULL, sizeof(ElfW(Half)), "the symbol versions (DT_VERSYM)"},
    {DT_VERNEED, DT_NULL, sizeof(ElfW(Verneed)), "the needed versions (DT_VERNEED)"},
    {DT_VERDEF, DT_NULL, sizeof(ElfW(Verdef)), "the defined versions (DT_VERDEF)"},
};

constexpr std::int64_t kRequiredTags[] = {DT_STRTAB, DT_STRSZ, DT_SYMTAB};

// How long the text of an entry may be; nothing when it names none.
std::optional<elf::Limit> GetLimitOfText(std::int64_t tag) {
  if (tag == DT_NEEDED || tag == DT_SONAME) return elf::Limit::kLibraryNameBytes;
  if (tag == DT_RPATH || tag == DT_RUNPATH) return elf::Limit::kRunPathBytes;
  return std::nullopt;
}

// Refuses names of symbols up to `end` that are too long.
std::optional<Diagnostic> CheckNames(const elf::SymbolTable& symbols, std::uint32_t end,
                                     const elf::File& elf, const std::string& path) {
  const elf::NameLengths lengths = symbols.MeasureNames(end);
  if (auto excess = CheckLimit(elf::Limit::kSymbolNameBytes, lengths.longest_bytes, path)) {
    return excess;
  }
  return CheckLengthOfNames(lengths.all_bytes, elf.GetDynamicStringsBytes(), path);
}

}  // namespace

std::optional<Diagnostic> CheckDynamicSection(const elf::File& elf, const std::string& path) {
  const elf::Segment* segment = elf.FindSegment(PT_DYNAMIC);
  if (segment == nullptr) {
    return diagnostics::DescribeFile(
        DiagnosticCode::kNotSharedObject, path, "is not a dynamic library",
        "found no dynamic section (PT_DYNAMIC), which every shared object has",
        "link it with -shared");
  }
  const std::optional<elf::FileRange> range = elf.FindRange(segment->p_vaddr);
  if (!range || range->offset != segment->p_offset) {
    return diagnostics::DescribeDamage(
        path, "the address " + diagnostics::ToHex(segment->p_vaddr) +
                  " of the dynamic section is not mapped from its offset " +
                  diagnostics::ToHex(segment->p_offset));
  }
  const std::uint64_t count = elf.GetDynamicEntries().size();
  if (auto excess = CheckLimit(elf::Limit::kDynamicEntries, count, path)) return excess;
  if (!elf.IsDynamicSectionEnded()) {
    return diagnostics::DescribeDamage(path,
                                       "the dynamic section has no end (DT_NULL) within its " +
                                           std::to_string(segment->p_filesz) + " bytes");
  }
  for (const std::int64_t tag : kRequiredTags) {
    if (elf.FindDynamicValue(tag)) continue;
    return diagnostics::DescribeDamage(path, "the dynamic section has no entry of type " +
                                                 std::to_string(tag) + " (string or symbol table)");
  }
  return std::nullopt;
}

std::optional<Diagnostic> CheckDynamicTables(const elf::File& elf, const std::string& path) {
  const std::uint64_t strings_bytes = elf.FindDynamicValue(DT_STRSZ).value_or(0);
  for (const DynamicTable& table : kDynamicTables) {
    const std::optional<std::uint64_t> address = elf.FindDynamicValue(table.address_tag);
    if (!address) continue;
    const std::uint64_t size_bytes = table.size_tag == DT_NULL
                                         ? table.least_bytes
                                         : elf.FindDynamicValue(table.size_tag).value_or(0);
    if (size_bytes == 0 || elf.FindRange(*address, size_bytes)) continue;
    return diagnostics::DescribeDamage(
        path, std::string(table.name) + " points outside the file: found " +
                  std::to_string(size_bytes) + " bytes at address " + diagnostics::ToHex(*address) +
                  ", expected them within one segment");
  }
  return CheckLimit(elf::Limit::kStringBytes, strings_bytes, path);
}

std::optional<Diagnostic> CheckDynamicStrings(const elf::File& elf, const std::string& path) {
  std::uint64_t num_needed = 0;
  for (const elf::Dynamic& entry : elf.GetDynamicEntries()) {
    const std::optional<elf::Limit> limit = GetLimitOfText(entry.d_tag);
    if (!limit) continue;
    const std::optional<std::string_view> text = elf.GetDynamicString(entry.d_un.d_val);
    if (!text) {
      return diagnostics::DescribeDamage(path, "an entry of type " + std::to_string(entry.d_tag) +
                                                   " of the dynamic section names the text at " +
                                                   std::to_string(entry.d_un.d_val) +
                                                   ", which lies behind the string table");
    }
    if (auto excess = CheckLimit(*limit, text->size(), path)) return excess;
    if (entry.d_tag == DT_NEEDED) ++num_needed;
  }
  return CheckLimit(elf::Limit::kNeededLibraries, num_needed, path);
}

std::optional<Diagnostic> CheckSymbolTable(const elf::File& elf, const std::string& path) {
  const std::optional<elf::SymbolTable> symbols = elf::SymbolTable::Open(elf);
  if (!symbols) {
    return diagnostics::DescribeDamage(
        path, "the symbol hash table and the symbol table do not fit into the file");
  }
  const std::uint32_t end = symbols->GetEndOfFindable();
  if (auto excess = CheckLimit(elf::Limit::kSymbols, end, path)) return excess;
  if (auto excess = CheckLimit(elf::Limit::kSymbolsOfOneHash, symbols->GetLongestChain(), path)) {
    return excess;
  }
  const std::uint32_t nameless = symbols->FindNameless(0, end);
  if (nameless != end) {
    return diagnostics::DescribeDamage(
        path, "the name of symbol " + std::to_string(nameless) + " lies behind the string table");
  }
  const std::uint32_t misplaced = symbols->FindMisplaced(0, end);
  if (misplaced == end) return std::nullopt;
  return diagnostics::DescribeDamage(
      path, "symbol " + std::to_string(misplaced) +
                " is defined at an address outside the memory of the file");
}

// The loader follows these without looking whether they lead out of the file. Those that the hash
// table leads to were looked at before.
std::optional<Diagnostic> CheckRelocations(const elf::File& elf, const std::string& path) {
  if (auto excess = CheckLimit(elf::Limit::kRelocations, elf::CountRelocations(elf), path))
    return excess;
  const elf::RelocationEnds ends = elf::FindRelocationEnds(elf);
  // Such a relocation hits something else each time, as the file is mapped elsewhere.
  if (ends.wild_target) {
    return diagnostics::DescribeDamage(path, "a relocation writes to address " +
                                                 diagnostics::ToHex(*ends.wild_target) +
                                                 ", which is in no segment that may be written");
  }
  if (ends.highest_symbol >= elf.GetSizeBytes() / sizeof(ElfW(Sym))) {
    return diagnostics::DescribeDamage(path, "relocations name symbols outside the file");
  }
  const std::uint32_t end_of_relocated = ends.highest_symbol + 1;
  if (auto excess = CheckLimit(elf::Limit::kSymbols, end_of_relocated, path)) return excess;
  const auto symbols = elf::SymbolTable::Open(elf, end_of_relocated);
  if (!symbols ||
      symbols->FindNameless(symbols->GetEndOfFindable(), end_of_relocated) < end_of_relocated) {
    return diagnostics::DescribeDamage(path, "relocations name symbols outside the file");
  }
  return CheckNames(*symbols, std::max(symbols->GetEndOfFindable(), end_of_relocated), elf, path);
}

}  // namespace backplane::inspection
