#include "elf/file.hpp"

#include "elf/limits.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace backplane::elf {

std::optional<File> File::Open(int descriptor, std::uint64_t size_bytes, FileBeginning beginning) {
  File file;
  file.image_ = FileImage(descriptor, size_bytes, std::move(beginning));
  const std::optional<std::string_view> header = file.ReadBytes({0, sizeof(Header)});
  if (!header) return std::nullopt;
  std::memcpy(&file.header_, header->data(), sizeof(Header));
  file.ReadSegments();
  file.ReadDynamicSection();
  file.ReadDynamicStrings();
  return file;
}

const Segment* File::FindSegment(std::uint32_t type) const {
  for (const Segment& segment : segments_) {
    if (segment.p_type == type) return &segment;
  }
  return nullptr;
}

std::optional<std::uint64_t> File::FindUnnumberedValue(std::int64_t tag) const {
  std::optional<std::uint64_t> value;
  for (const Dynamic& entry : dynamic_entries_) {
    if (entry.d_tag == tag) value = entry.d_un.d_val;
  }
  return value;
}

std::optional<FileRange> File::FindRange(std::uint64_t address) const {
  for (const Segment& segment : segments_) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    const std::uint64_t distance = address - segment.p_vaddr;
    if (distance >= segment.p_filesz) continue;
    if (!IsWithin(segment.p_offset, segment.p_filesz, GetSizeBytes())) continue;
    return FileRange{segment.p_offset + distance, segment.p_filesz - distance};
  }
  return std::nullopt;
}

std::optional<FileRange> File::FindRange(std::uint64_t address, std::uint64_t size_bytes) const {
  const std::optional<FileRange> range = FindRange(address);
  if (!range || size_bytes > range->size_bytes) return std::nullopt;
  return FileRange{range->offset, size_bytes};
}

void File::ReadSegments() {
  if (header_.e_phentsize != sizeof(Segment)) return;
  segments_ =
      ReadTable<Segment>({header_.e_phoff, std::uint64_t{header_.e_phnum} * sizeof(Segment)});
}

void File::ReadDynamicSection() {
  const Segment* segment = FindSegment(PT_DYNAMIC);
  if (segment == nullptr) return;
  // By address, not by p_offset, because the loader finds it so.
  std::optional<FileRange> range = FindRange(segment->p_vaddr);
  if (!range) return;
  // No more than is needed to say that there are too many.
  const std::uint64_t most_bytes = (GetMost(Limit::kDynamicEntries) + 1) * sizeof(Dynamic);
  range->size_bytes = std::min<std::uint64_t>({range->size_bytes, segment->p_filesz, most_bytes});
  dynamic_entries_ = ReadTable<Dynamic>(*range);
  const auto end = std::find_if(dynamic_entries_.begin(), dynamic_entries_.end(),
                                [](const Dynamic& entry) { return entry.d_tag == DT_NULL; });
  is_dynamic_section_ended_ = end != dynamic_entries_.end();
  dynamic_entries_.erase(end, dynamic_entries_.end());
  for (std::size_t i = 0; i < dynamic_entries_.size(); ++i) {
    const std::size_t index = GetIndexOfTag(dynamic_entries_[i].d_tag);
    if (index != kNumTags) last_places_[index] = static_cast<std::uint32_t>(i + 1);
  }
}

void File::ReadDynamicStrings() {
  const std::optional<std::uint64_t> address = FindDynamicValue(DT_STRTAB);
  const std::optional<std::uint64_t> size_bytes = FindDynamicValue(DT_STRSZ);
  if (!address || !size_bytes || *size_bytes > GetMost(Limit::kStringBytes)) return;
  const std::optional<FileRange> range = FindRange(*address, *size_bytes);
  if (!range) return;
  dynamic_strings_ = StringTable(ReadBytes(*range).value_or(std::string_view()));
}

}  // namespace backplane::elf
