#include "inspection/relocations.hpp"

#include "inspection/elf_checks.hpp"
#include "inspection/file_words.hpp"
#include "inspection/symbol_table.hpp"

#include <elf.h>

#include <algorithm>
#include <limits>

namespace backplane::inspection {
namespace {

void AddSymbol(std::uint64_t relocation_info, std::vector<std::uint32_t>& symbols) {
  const auto index = static_cast<std::uint32_t>(GELF_R_SYM(relocation_info));
  if (index != STN_UNDEF) symbols.push_back(index);
}

void AddTable(const ElfFile& elf, std::int64_t address_tag, std::int64_t size_tag, bool has_addend,
              std::vector<std::uint32_t>& symbols) {
  const std::optional<std::uint64_t> address = elf.FindDynamicValue(address_tag);
  const std::optional<std::uint64_t> size_bytes = elf.FindDynamicValue(size_tag);
  if (!address || !size_bytes || *size_bytes == 0) return;
  const std::optional<FileRange> range = elf.FindRange(*address, *size_bytes);
  if (!range) return;
  Elf_Data* data = elf.Read(*range, has_addend ? ELF_T_RELA : ELF_T_REL);
  if (data == nullptr) return;
  GElf_Rela with_addend;
  for (int i = 0; has_addend && gelf_getrela(data, i, &with_addend) != nullptr; ++i) {
    AddSymbol(with_addend.r_info, symbols);
  }
  GElf_Rel without_addend;
  for (int i = 0; !has_addend && gelf_getrel(data, i, &without_addend) != nullptr; ++i) {
    AddSymbol(without_addend.r_info, symbols);
  }
}

bool AreInFile(const std::vector<std::uint32_t>& indexes, const ElfFile& elf) {
  if (indexes.empty()) return true;
  const std::uint32_t highest = *std::max_element(indexes.begin(), indexes.end());
  if (highest == std::numeric_limits<std::uint32_t>::max()) return false;
  const std::optional<SymbolTable> symbols = SymbolTable::Open(elf, highest + 1);
  return symbols && std::all_of(indexes.begin(), indexes.end(), [&](std::uint32_t index) {
           return symbols->Get(index).has_value();
         });
}

}  // namespace

std::vector<std::uint32_t> ReadRelocatedSymbols(const ElfFile& elf) {
  std::vector<std::uint32_t> symbols;
  AddTable(elf, DT_RELA, DT_RELASZ, true, symbols);
  AddTable(elf, DT_REL, DT_RELSZ, false, symbols);
  const bool calls_have_addend = elf.FindDynamicValue(DT_PLTREL).value_or(DT_RELA) == DT_RELA;
  AddTable(elf, DT_JMPREL, DT_PLTRELSZ, calls_have_addend, symbols);
  return symbols;
}

// The loader follows these without looking whether they lead out of the file.
std::optional<Diagnostic> CheckRelocations(const ElfFile& elf, const std::string& path) {
  if (AreInFile(ReadRelocatedSymbols(elf), elf)) return std::nullopt;
  return DescribeDamage(path, "relocations name symbols outside the file");
}

}  // namespace backplane::inspection
