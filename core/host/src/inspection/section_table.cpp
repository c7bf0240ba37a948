#include "inspection/section_table.hpp"

#include <link.h>

#include <limits>

namespace backplane::inspection {
namespace {

std::string_view ReadText(const ElfFile& elf, const GElf_Shdr& section) {
  const Elf_Data* data = elf.Read({section.sh_offset, section.sh_size}, ELF_T_BYTE);
  if (data == nullptr || data->d_buf == nullptr) return {};
  return {static_cast<const char*>(data->d_buf), data->d_size};
}

// Up to its zero byte; empty when it has none in the text.
std::string_view GetString(std::string_view text, std::uint64_t offset) {
  if (offset >= text.size()) return {};
  const std::string_view rest = text.substr(offset);
  const std::size_t end = rest.find('\0');
  return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
}

void AddFunctions(Elf_Data* symbols, std::string_view names,
                  std::vector<std::string_view>& functions) {
  GElf_Sym symbol;
  for (int i = 0; gelf_getsym(symbols, i, &symbol) != nullptr; ++i) {
    if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
    functions.push_back(GetString(names, symbol.st_name));
  }
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
  const std::vector<GElf_Shdr> sections = ReadSections(elf);
  std::vector<std::string_view> functions;
  for (const GElf_Shdr& section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    if (section.sh_size / sizeof(ElfW(Sym)) > std::numeric_limits<int>::max()) continue;
    Elf_Data* symbols = elf.Read({section.sh_offset, section.sh_size}, ELF_T_SYM);
    const std::string_view names = ReadText(elf, sections[section.sh_link]);
    if (symbols != nullptr) AddFunctions(symbols, names, functions);
    break;  // a file has one
  }
  return functions;
}

}  // namespace backplane::inspection
