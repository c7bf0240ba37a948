#include "inspection/elf_file.hpp"

#include "inspection/limits.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace backplane::inspection {

std::optional<ElfFile> ElfFile::Open(int descriptor, std::uint64_t size_bytes,
                                     FileBeginning beginning) {
  ElfFile file;
  file.image_ = FileImage(descriptor, size_bytes, std::move(beginning));
  const std::optional<std::string_view> header = file.ReadBytes({0, sizeof(ElfHeader)});
  if (!header) return std::nullopt;
  std::memcpy(&file.header_, header->data(), sizeof(ElfHeader));
  file.ReadSegments();
  file.ReadDynamicSection();
  file.ReadDynamicStrings();
  return file;
}

const ElfSegment* ElfFile::FindSegment(std::uint32_t type) const {
  for (const ElfSegment& segment : segments_) {
    if (segment.p_type == type) return &segment;
  }
  return nullptr;
}

std::optional<std::uint64_t> ElfFile::FindUnnumberedValue(std::int64_t tag) const {
  std::optional<std::uint64_t> value;
  for (const ElfDynamic& entry : dynamic_entries_) {
    if (entry.d_tag == tag) value = entry.d_un.d_val;
  }
  return value;
}

std::optional<FileRange> ElfFile::FindRange(std::uint64_t address) const {
  for (const ElfSegment& segment : segments_) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    const std::uint64_t distance = address - segment.p_vaddr;
    if (distance >= segment.p_filesz) continue;
    if (!IsWithin(segment.p_offset, segment.p_filesz, GetSizeBytes())) continue;
    return FileRange{segment.p_offset + distance, segment.p_filesz - distance};
  }
  return std::nullopt;
}

std::optional<FileRange> ElfFile::FindRange(std::uint64_t address, std::uint64_t size_bytes) const {
  const std::optional<FileRange> range = FindRange(address);
  if (!range || size_bytes > range->size_bytes) return std::nullopt;
  return FileRange{range->offset, size_bytes};
}

void ElfFile::ReadSegments() {
  if (header_.e_phentsize != sizeof(ElfSegment)) return;
  segments_ =
      ReadTable<ElfSegment>({header_.e_phoff, std::uint64_t{header_.e_phnum} * sizeof(ElfSegment)});
}

void ElfFile::ReadDynamicSection() {
  const ElfSegment* segment = FindSegment(PT_DYNAMIC);
  if (segment == nullptr) return;
  // By address, not by p_offset, because the loader finds it so.
  std::optional<FileRange> range = FindRange(segment->p_vaddr);
  if (!range) return;
  // No more than is needed to say that there are too many.
  const std::uint64_t most_bytes = (GetMost(Limit::kDynamicEntries) + 1) * sizeof(ElfDynamic);
  range->size_bytes = std::min<std::uint64_t>({range->size_bytes, segment->p_filesz, most_bytes});
  dynamic_entries_ = ReadTable<ElfDynamic>(*range);
  const auto end = std::find_if(dynamic_entries_.begin(), dynamic_entries_.end(),
                                [](const ElfDynamic& entry) { return entry.d_tag == DT_NULL; });
  is_dynamic_section_ended_ = end != dynamic_entries_.end();
  dynamic_entries_.erase(end, dynamic_entries_.end());
  for (std::size_t i = 0; i < dynamic_entries_.size(); ++i) {
    const std::size_t index = GetIndexOfTag(dynamic_entries_[i].d_tag);
    if (index != kNumTags) last_places_[index] = static_cast<std::uint32_t>(i + 1);
  }
}

void ElfFile::ReadDynamicStrings() {
  const std::optional<std::uint64_t> address = FindDynamicValue(DT_STRTAB);
  const std::optional<std::uint64_t> size_bytes = FindDynamicValue(DT_STRSZ);
  if (!address || !size_bytes || *size_bytes > GetMost(Limit::kStringBytes)) return;
  const std::optional<FileRange> range = FindRange(*address, *size_bytes);
  if (!range) return;
  dynamic_strings_ = StringTable(ReadBytes(*range).value_or(std::string_view()));
}

}  // namespace backplane::inspection
