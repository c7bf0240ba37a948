#include "inspection/abi_notes.hpp"

#include "inspection/file_words.hpp"

#include <backplane/api/manifest.hpp>

#include <elf.h>

#include <cstring>
#include <string_view>

namespace backplane::inspection {
namespace {

bool IsOurs(const GElf_Nhdr& header, const char* name) {
  return header.n_namesz == sizeof(kAbiNoteName) &&
         std::memcmp(name, kAbiNoteName, sizeof(kAbiNoteName)) == 0;
}

void AddAbiNote(std::string_view description, AbiNotes& found) {
  AbiNote note{};
  if (description.size() < sizeof(note)) {
    found.faults.push_back("a note has " + std::to_string(description.size()) +
                           " bytes, expected at least " + std::to_string(sizeof(note)));
    return;
  }
  std::memcpy(&note, description.data(), sizeof(note));
  if (note.magic != kAbiNoteMagic) {
    found.faults.push_back("a note begins with " + ToHex(note.magic) + ", expected " +
                           ToHex(kAbiNoteMagic));
    return;
  }
  found.notes.push_back(note);
}

void ReadSegment(const ElfFile& elf, const GElf_Phdr& segment, AbiNotes& found) {
  Elf_Data* data = elf.Read({segment.p_offset, segment.p_filesz},
                            segment.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
  if (data == nullptr || data->d_buf == nullptr) {
    found.is_incomplete = true;
    return;
  }
  const char* bytes = static_cast<const char*>(data->d_buf);
  GElf_Nhdr header;
  std::size_t name = 0;
  std::size_t description = 0;
  std::size_t offset = 0;
  while (offset < data->d_size) {
    offset = gelf_getnote(data, offset, &header, &name, &description);
    if (offset == 0) {
      found.is_incomplete = true;
      return;
    }
    if (!IsOurs(header, bytes + name)) continue;
    const std::string_view content{bytes + description, header.n_descsz};
    if (header.n_type == kAbiNoteType) AddAbiNote(content, found);
    if (header.n_type == kManifestNoteType) found.manifests.push_back(content);
  }
}

}  // namespace

AbiNotes ReadAbiNotes(const ElfFile& elf) {
  AbiNotes found;
  for (const GElf_Phdr& segment : elf.GetSegments()) {
    if (segment.p_type == PT_NOTE && segment.p_filesz != 0) ReadSegment(elf, segment, found);
  }
  return found;
}

}  // namespace backplane::inspection
