#include "inspection/section_table.hpp"

#include <link.h>

#include <algorithm>
#include <cstring>

namespace backplane::inspection {
namespace {

std::string_view ReadText(const ElfFile& elf, const GElf_Shdr& section) {
  return elf.ReadBytes({section.sh_offset, section.sh_size}).value_or(std::string_view());
}

// Up to its zero byte; empty when it has none in the text.
std::string_view GetString(std::string_view text, std::uint64_t offset) {
  if (offset >= text.size()) return {};
  const std::string_view rest = text.substr(offset);
  const std::size_t end = rest.find('\0');
  return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
}

// The symbols of the file, exported or not, and their names. Empty in a stripped file.
struct AllSymbols {
  std::string_view entries;
  std::string_view names;
};

AllSymbols ReadAllSymbols(const ElfFile& elf) {
  const std::vector<GElf_Shdr> sections = ReadSections(elf);
  for (const GElf_Shdr& section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    return {ReadText(elf, section), ReadText(elf, sections[section.sh_link])};  // there is one
  }
  return {};
}

// Gives the offset of the name of each function that the file defines, until `visitor` says no.
template <typename Visitor>
void VisitFunctions(std::string_view entries, const Visitor& visitor) {
  ElfW(Sym) symbol;
  for (; entries.size() >= sizeof(symbol); entries.remove_prefix(sizeof(symbol))) {
    std::memcpy(&symbol, entries.data(), sizeof(symbol));
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
    if (!visitor(symbol.st_name)) return;
  }
}

// Whether a text stands at an offset, with its zero byte.
bool IsAt(std::string_view text, std::uint64_t offset, std::string_view wanted) {
  return IsWithin(offset, wanted.size() + 1, text.size()) &&
         text.compare(offset, wanted.size(), wanted) == 0 && text[offset + wanted.size()] == '\0';
}

}  // namespace

std::vector<GElf_Shdr> ReadSections(const ElfFile& elf) {
  const GElf_Ehdr& header = elf.GetHeader();
  std::vector<GElf_Shdr> sections;
  if (header.e_shoff == 0 || header.e_shentsize != sizeof(ElfW(Shdr))) return sections;
  const Elf_Data* data =
      elf.Read({header.e_shoff, std::uint64_t{header.e_shnum} * sizeof(ElfW(Shdr))}, ELF_T_SHDR);
  if (data == nullptr || data->d_buf == nullptr) return sections;
  const auto* table = static_cast<const ElfW(Shdr)*>(data->d_buf);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const ElfW(Shdr)& from = table[i];
    GElf_Shdr section{};
    section.sh_type = from.sh_type;
    section.sh_flags = from.sh_flags;
    section.sh_offset = from.sh_offset;
    section.sh_size = from.sh_size;
    section.sh_link = from.sh_link;
    sections.push_back(section);
  }
  return sections;
}

std::vector<std::string_view> ReadDefinedFunctions(const ElfFile& elf) {
  const AllSymbols symbols = ReadAllSymbols(elf);
  std::vector<std::string_view> functions;
  VisitFunctions(symbols.entries, [&](std::uint64_t name) {
    functions.push_back(GetString(symbols.names, name));
    return true;
  });
  return functions;
}

bool HasFunction(const ElfFile& elf, const std::vector<std::string_view>& names) {
  const AllSymbols symbols = ReadAllSymbols(elf);
  bool is_found = false;
  VisitFunctions(symbols.entries, [&](std::uint64_t offset) {
    is_found = std::any_of(names.begin(), names.end(), [&](std::string_view name) {
      return IsAt(symbols.names, offset, name);
    });
    return !is_found;
  });
  return is_found;
}

}  // namespace backplane::inspection
