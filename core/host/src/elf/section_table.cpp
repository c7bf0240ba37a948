#include "elf/section_table.hpp"

#include <link.h>

#include <algorithm>
#include <cstring>

namespace backplane::elf {
namespace {

constexpr std::uint64_t kMostTextBytes = std::uint64_t{512} << 20U;

std::string_view ReadText(const File& elf, const Section& section) {
  if (section.sh_size > kMostTextBytes) return {};
  return elf.ReadBytes({section.sh_offset, section.sh_size}).value_or(std::string_view());
}

// The symbols of the file, exported or not, and their names. Empty in a stripped file.
struct AllSymbols {
  std::string_view entries;
  std::string_view names;
};

AllSymbols ReadAllSymbols(const File& elf) {
  const std::vector<Section> sections = ReadSections(elf);
  for (const Section& section : sections) {
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

std::vector<Section> ReadSections(const File& elf) {
  const Header& header = elf.GetHeader();
  if (header.e_shoff == 0 || header.e_shentsize != sizeof(Section)) return {};
  return elf.ReadTable<Section>({header.e_shoff, std::uint64_t{header.e_shnum} * sizeof(Section)});
}

DebugSections FindDebugSections(const File& elf) {
  DebugSections found;
  const std::vector<Section> sections = ReadSections(elf);
  const std::size_t names_index = elf.GetHeader().e_shstrndx;
  if (names_index >= sections.size()) return found;
  const StringTable names(ReadText(elf, sections[names_index]));
  for (const Section& section : sections) {
    const std::string_view name = names.Get(section.sh_name).value_or("");
    if (name == ".debug_info" || name == ".zdebug_info") found.has_information = true;
    if (name != ".gnu_debuglink") continue;
    const std::string_view content = ReadText(elf, section);
    found.link = content.substr(0, content.find('\0'));
  }
  return found;
}

void VisitDefinedFunctions(const File& elf,
                           const std::function<void(std::string_view name)>& visitor) {
  const AllSymbols symbols = ReadAllSymbols(elf);
  const StringTable names(symbols.names);
  VisitFunctions(symbols.entries, [&](std::uint64_t offset) {
    if (const std::optional<std::string_view> name = names.Get(offset)) visitor(*name);
    return true;
  });
}

bool HasFunction(const File& elf, const std::vector<std::string_view>& names) {
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

}  // namespace backplane::elf
