#include "diagnostics/file_words.hpp"
#include "elf/file_notes.hpp"
#include "inspection/cpu_level.hpp"
#include "inspection/elf_checks.hpp"

#include <elf.h>

#include <cstring>
#include <string_view>

namespace backplane::inspection {
namespace {

std::uint32_t ReadProperty(std::string_view bytes, std::size_t offset) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + offset, sizeof(word));
  return word;
}

// A property note is a list of type, size and data, which is padded to eight bytes.
std::uint32_t FindNeededLevels(std::string_view properties) {
  constexpr std::size_t kHeaderBytes = 2 * sizeof(std::uint32_t);
  constexpr std::size_t kPadding = sizeof(void*);
  while (properties.size() >= kHeaderBytes + sizeof(std::uint32_t)) {
    const std::size_t data_bytes = ReadProperty(properties, sizeof(std::uint32_t));
    if (ReadProperty(properties, 0) == GNU_PROPERTY_X86_ISA_1_NEEDED && data_bytes >= 4) {
      return ReadProperty(properties, kHeaderBytes);
    }
    const std::size_t step = kHeaderBytes + (data_bytes + kPadding - 1) / kPadding * kPadding;
    if (step > properties.size()) return 0;
    properties.remove_prefix(step);
  }
  return 0;
}

std::uint32_t ReadLevels(const elf::File& elf, const elf::Segment& segment) {
  elf::NoteReader notes(elf, segment);
  while (const std::optional<elf::FileNote> note = notes.Next()) {
    if (note->type == NT_GNU_PROPERTY_TYPE_0 && note->owner == ELF_NOTE_GNU) {
      return FindNeededLevels(note->description);
    }
  }
  return 0;
}

}  // namespace

std::uint32_t ReadNeededLevels(const elf::File& elf) {
  const elf::Segment* segment = elf.FindSegment(PT_GNU_PROPERTY);
  if (segment == nullptr || elf.GetHeader().e_machine != EM_X86_64) return 0;
  return ReadLevels(elf, *segment);
}

std::optional<Diagnostic> CheckCpuLevel(const elf::File& elf, const std::string& path) {
  const std::uint32_t needed = ReadNeededLevels(elf);
  if (needed == 0) return std::nullopt;
  const std::uint32_t present = GetLevelsOfThisCpu();
  if (present == 0 || (needed & ~present) == 0) return std::nullopt;
  return diagnostics::DescribeFile(
      DiagnosticCode::kCpuLevelTooLow, path,
      "needs CPU level " + GetLevelName(needed) + "; this CPU is " + GetLevelName(present),
      "found the level in the file's GNU property note, expected at most that of "
      "this CPU",
      "get a build of this backend for " + GetLevelName(present));
}

}  // namespace backplane::inspection
