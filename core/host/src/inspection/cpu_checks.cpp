#include "inspection/cpu_level.hpp"
#include "inspection/elf_checks.hpp"
#include "inspection/file_words.hpp"

#include <elf.h>

#include <cstring>
#include <string_view>

namespace backplane::inspection {
namespace {

std::uint32_t GetWord(std::string_view bytes, std::size_t offset) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + offset, sizeof(word));
  return word;
}

// A property note is a list of type, size and data, which is padded to eight bytes.
std::uint32_t FindNeededLevels(std::string_view properties) {
  constexpr std::size_t kHeaderBytes = 2 * sizeof(std::uint32_t);
  constexpr std::size_t kPadding = sizeof(void*);
  while (properties.size() >= kHeaderBytes + sizeof(std::uint32_t)) {
    const std::size_t data_bytes = GetWord(properties, sizeof(std::uint32_t));
    if (GetWord(properties, 0) == GNU_PROPERTY_X86_ISA_1_NEEDED && data_bytes >= 4) {
      return GetWord(properties, kHeaderBytes);
    }
    const std::size_t step = kHeaderBytes + (data_bytes + kPadding - 1) / kPadding * kPadding;
    if (step > properties.size()) return 0;
    properties.remove_prefix(step);
  }
  return 0;
}

std::uint32_t ReadLevels(const ElfFile& elf, const GElf_Phdr& segment) {
  Elf_Data* data = elf.Read({segment.p_offset, segment.p_filesz}, ELF_T_NHDR8);
  if (data == nullptr || data->d_buf == nullptr) return 0;
  const char* bytes = static_cast<const char*>(data->d_buf);
  GElf_Nhdr header;
  std::size_t name = 0;
  std::size_t description = 0;
  std::size_t offset = 0;
  while ((offset = gelf_getnote(data, offset, &header, &name, &description)) != 0) {
    if (header.n_type != NT_GNU_PROPERTY_TYPE_0 || header.n_namesz != sizeof(ELF_NOTE_GNU) ||
        std::memcmp(bytes + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) != 0) {
      continue;
    }
    return FindNeededLevels({bytes + description, header.n_descsz});
  }
  return 0;
}

}  // namespace

std::uint32_t ReadNeededLevels(const ElfFile& elf) {
  const GElf_Phdr* segment = elf.FindSegment(PT_GNU_PROPERTY);
  if (segment == nullptr || elf.GetHeader().e_machine != EM_X86_64) return 0;
  return ReadLevels(elf, *segment);
}

std::optional<Diagnostic> CheckCpuLevel(const ElfFile& elf, const std::string& path) {
  const std::uint32_t needed = ReadNeededLevels(elf);
  if (needed == 0) return std::nullopt;
  const std::uint32_t present = GetLevelsOfThisCpu();
  if (present == 0 || (needed & ~present) == 0) return std::nullopt;
  return DescribeFile(
      DiagnosticCode::kCpuLevelTooLow, path,
      "needs CPU level " + GetLevelName(needed) + "; this CPU is " + GetLevelName(present),
      "found the level in the file's GNU property note, expected at most that of "
      "this CPU",
      "get a build of this backend for " + GetLevelName(present));
}

}  // namespace backplane::inspection
