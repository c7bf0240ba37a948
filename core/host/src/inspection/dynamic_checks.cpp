#include "inspection/elf_checks.hpp"
#include "inspection/file_words.hpp"
#include "inspection/limits.hpp"
#include "inspection/symbol_table.hpp"

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
std::optional<Limit> GetLimitOfText(std::int64_t tag) {
  if (tag == DT_NEEDED || tag == DT_SONAME) return Limit::kLibraryNameBytes;
  if (tag == DT_RPATH || tag == DT_RUNPATH) return Limit::kRunPathBytes;
  return std::nullopt;
}

}  // namespace

std::optional<Diagnostic> CheckDynamicSection(const ElfFile& elf, const std::string& path) {
  const ElfSegment* segment = elf.FindSegment(PT_DYNAMIC);
  if (segment == nullptr) {
    return DescribeFile(DiagnosticCode::kNotSharedObject, path, "is not a dynamic library",
                        "found no dynamic section (PT_DYNAMIC), which every shared object has",
                        "link it with -shared");
  }
  const std::optional<FileRange> range = elf.FindRange(segment->p_vaddr);
  if (!range || range->offset != segment->p_offset) {
    return DescribeDamage(path, "the address " + ToHex(segment->p_vaddr) +
                                    " of the dynamic section is not mapped from its offset " +
                                    ToHex(segment->p_offset));
  }
  const std::uint64_t count = elf.GetDynamicEntries().size();
  if (auto excess = CheckLimit(Limit::kDynamicEntries, count, path)) return excess;
  if (!elf.IsDynamicSectionEnded()) {
    return DescribeDamage(path, "the dynamic section has no end (DT_NULL) within its " +
                                    std::to_string(segment->p_filesz) + " bytes");
  }
  for (const std::int64_t tag : kRequiredTags) {
    if (elf.FindDynamicValue(tag)) continue;
    return DescribeDamage(path, "the dynamic section has no entry of type " + std::to_string(tag) +
                                    " (string or symbol table)");
  }
  return std::nullopt;
}

std::optional<Diagnostic> CheckDynamicTables(const ElfFile& elf, const std::string& path) {
  const std::uint64_t strings_bytes = elf.FindDynamicValue(DT_STRSZ).value_or(0);
  for (const DynamicTable& table : kDynamicTables) {
    const std::optional<std::uint64_t> address = elf.FindDynamicValue(table.address_tag);
    if (!address) continue;
    const std::uint64_t size_bytes = table.size_tag == DT_NULL
                                         ? table.least_bytes
                                         : elf.FindDynamicValue(table.size_tag).value_or(0);
    if (size_bytes == 0 || elf.FindRange(*address, size_bytes)) continue;
    return DescribeDamage(path, std::string(table.name) + " points outside the file: found " +
                                    std::to_string(size_bytes) + " bytes at address " +
                                    ToHex(*address) + ", expected them within one segment");
  }
  return CheckLimit(Limit::kStringBytes, strings_bytes, path);
}

std::optional<Diagnostic> CheckDynamicStrings(const ElfFile& elf, const std::string& path) {
  std::uint64_t num_needed = 0;
  for (const ElfDynamic& entry : elf.GetDynamicEntries()) {
    const std::optional<Limit> limit = GetLimitOfText(entry.d_tag);
    if (!limit) continue;
    const std::optional<std::string_view> text = elf.GetDynamicString(entry.d_un.d_val);
    if (!text) {
      return DescribeDamage(path, "an entry of type " + std::to_string(entry.d_tag) +
                                      " of the dynamic section names the text at " +
                                      std::to_string(entry.d_un.d_val) +
                                      ", which lies behind the string table");
    }
    if (auto excess = CheckLimit(*limit, text->size(), path)) return excess;
    if (entry.d_tag == DT_NEEDED) ++num_needed;
  }
  return CheckLimit(Limit::kNeededLibraries, num_needed, path);
}

std::optional<Diagnostic> CheckSymbolTable(const ElfFile& elf, const std::string& path) {
  const std::optional<SymbolTable> symbols = SymbolTable::Open(elf);
  if (!symbols) {
    return DescribeDamage(path,
                          "the symbol hash table and the symbol table do not fit into the file");
  }
  const std::uint32_t end = symbols->GetEndOfFindable();
  if (auto excess = CheckLimit(Limit::kSymbols, end, path)) return excess;
  if (auto excess = CheckLimit(Limit::kSymbolsOfOneHash, symbols->GetLongestChain(), path)) {
    return excess;
  }
  const std::uint32_t nameless = symbols->FindNameless(0, end);
  if (nameless != end) {
    return DescribeDamage(
        path, "the name of symbol " + std::to_string(nameless) + " lies behind the string table");
  }
  const std::uint32_t misplaced = symbols->FindMisplaced(0, end);
  if (misplaced == end) return std::nullopt;
  return DescribeDamage(path, "symbol " + std::to_string(misplaced) +
                                  " is defined at an address outside the memory of the file");
}

}  // namespace backplane::inspection
