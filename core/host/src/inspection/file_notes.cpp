#include "inspection/file_notes.hpp"

#include <elf.h>

namespace backplane::inspection {
namespace {

void ReadSegment(const ElfFile& elf, const GElf_Phdr& segment, std::vector<FileNote>& notes) {
  Elf_Data* data = elf.Read({segment.p_offset, segment.p_filesz},
                            segment.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
  if (data == nullptr || data->d_buf == nullptr) return;
  const std::string_view bytes(static_cast<const char*>(data->d_buf), data->d_size);
  GElf_Nhdr header;
  std::size_t name = 0;
  std::size_t description = 0;
  std::size_t offset = 0;
  while ((offset = gelf_getnote(data, offset, &header, &name, &description)) != 0) {
    // The name ends with a zero byte, which is counted.
    const std::string_view owner = bytes.substr(name, header.n_namesz);
    notes.push_back({owner.substr(0, owner.find('\0')), header.n_type,
                     bytes.substr(description, header.n_descsz)});
  }
}

}  // namespace

std::vector<FileNote> ReadNotes(const ElfFile& elf) {
  std::vector<FileNote> notes;
  for (const GElf_Phdr& segment : elf.GetSegments()) {
    if (segment.p_type == PT_NOTE && segment.p_filesz != 0) ReadSegment(elf, segment, notes);
  }
  return notes;
}

}  // namespace backplane::inspection
