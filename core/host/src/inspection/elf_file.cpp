#include "inspection/elf_file.hpp"

#include <link.h>

#include <algorithm>
#include <utility>

namespace backplane::inspection {
namespace {

bool PrepareLibelf() {
  static const bool is_ready = elf_version(EV_CURRENT) != EV_NONE;
  return is_ready;
}

}  // namespace

std::optional<ElfFile> ElfFile::Open(int descriptor, std::uint64_t size_bytes,
                                     std::unique_ptr<char[]> content) {
  if (!PrepareLibelf()) return std::nullopt;
  ElfFile file;
  file.size_bytes_ = size_bytes;
  // Reading, not mapping: a file that shrinks meanwhile gives short reads instead of SIGBUS.
  file.content_ = std::move(content);
  file.elf_.reset(file.content_ ? elf_memory(file.content_.get(), size_bytes)
                                : elf_begin(descriptor, ELF_C_READ, nullptr));
  if (!file.elf_ || elf_kind(file.elf_.get()) != ELF_K_ELF) return std::nullopt;
  if (gelf_getehdr(file.elf_.get(), &file.header_) == nullptr) return std::nullopt;
  file.ReadSegments();
  file.ReadDynamicSection();
  file.ReadDynamicStrings();
  return file;
}

const GElf_Phdr* ElfFile::FindSegment(std::uint32_t type) const {
  for (const GElf_Phdr& segment : segments_) {
    if (segment.p_type == type) return &segment;
  }
  return nullptr;
}

std::optional<std::uint64_t> ElfFile::FindDynamicValue(std::int64_t tag) const {
  if (tag >= 0 && tag < DT_NUM) {
    const std::uint32_t place = last_places_[static_cast<std::size_t>(tag)];
    if (place == 0) return std::nullopt;
    return dynamic_entries_[place - 1].d_un.d_val;
  }
  std::optional<std::uint64_t> value;
  for (const GElf_Dyn& entry : dynamic_entries_) {
    if (entry.d_tag == tag) value = entry.d_un.d_val;
  }
  return value;
}

std::optional<std::string_view> ElfFile::GetDynamicString(std::uint64_t offset) const {
  if (!HasDynamicString(offset)) return std::nullopt;
  return std::string_view(dynamic_strings_.data() + offset);
}

std::optional<FileRange> ElfFile::FindRange(std::uint64_t address) const {
  for (const GElf_Phdr& segment : segments_) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    const std::uint64_t distance = address - segment.p_vaddr;
    if (distance >= segment.p_filesz) continue;
    if (!IsWithin(segment.p_offset, segment.p_filesz, size_bytes_)) continue;
    return FileRange{segment.p_offset + distance, segment.p_filesz - distance};
  }
  return std::nullopt;
}

std::optional<FileRange> ElfFile::FindRange(std::uint64_t address, std::uint64_t size_bytes) const {
  const std::optional<FileRange> range = FindRange(address);
  if (!range || size_bytes > range->size_bytes) return std::nullopt;
  return FileRange{range->offset, size_bytes};
}

Elf_Data* ElfFile::Read(FileRange range, Elf_Type type) const {
  if (!IsWithin(range.offset, range.size_bytes, size_bytes_)) return nullptr;
  return elf_getdata_rawchunk(elf_.get(), static_cast<std::int64_t>(range.offset), range.size_bytes,
                              type);
}

std::optional<std::string_view> ElfFile::ReadBytes(FileRange range) const {
  if (content_) {
    const bool is_in_file = IsWithin(range.offset, range.size_bytes, size_bytes_);
    if (range.size_bytes == 0 || !is_in_file) return std::nullopt;
    return std::string_view(content_.get() + range.offset, range.size_bytes);
  }
  const Elf_Data* data = range.size_bytes != 0 ? Read(range, ELF_T_BYTE) : nullptr;
  if (data == nullptr || data->d_buf == nullptr) return std::nullopt;
  return std::string_view(static_cast<const char*>(data->d_buf), data->d_size);
}

void ElfFile::ReadSegments() {
  const std::uint64_t table_bytes = std::uint64_t{header_.e_phnum} * sizeof(ElfW(Phdr));
  if (header_.e_phentsize != sizeof(ElfW(Phdr)) ||
      !IsWithin(header_.e_phoff, table_bytes, size_bytes_)) {
    return;
  }
  for (int i = 0; i < header_.e_phnum; ++i) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf_.get(), i, &segment) == nullptr) {
      segments_.clear();
      return;
    }
    segments_.push_back(segment);
  }
}

void ElfFile::ReadDynamicSection() {
  const GElf_Phdr* segment = FindSegment(PT_DYNAMIC);
  if (segment == nullptr) return;
  // By address, not by p_offset, because the loader finds it so.
  std::optional<FileRange> range = FindRange(segment->p_vaddr);
  if (!range) return;
  range->size_bytes = std::min(range->size_bytes, segment->p_filesz);
  range->size_bytes -= range->size_bytes % sizeof(ElfW(Dyn));
  Elf_Data* data = Read(*range, ELF_T_DYN);
  if (data == nullptr) return;
  dynamic_entries_.reserve(std::min<std::uint64_t>(range->size_bytes / sizeof(ElfW(Dyn)), 64));
  GElf_Dyn entry;
  for (int i = 0; gelf_getdyn(data, i, &entry) != nullptr; ++i) {
    if (entry.d_tag == DT_NULL) {
      is_dynamic_section_ended_ = true;
      return;
    }
    dynamic_entries_.push_back(entry);
    if (entry.d_tag >= 0 && entry.d_tag < DT_NUM) {
      last_places_[static_cast<std::size_t>(entry.d_tag)] =
          static_cast<std::uint32_t>(dynamic_entries_.size());
    }
  }
}

void ElfFile::ReadDynamicStrings() {
  const std::optional<std::uint64_t> address = FindDynamicValue(DT_STRTAB);
  const std::optional<std::uint64_t> size_bytes = FindDynamicValue(DT_STRSZ);
  if (!address || !size_bytes) return;
  const std::optional<FileRange> range = FindRange(*address, *size_bytes);
  if (!range) return;
  dynamic_strings_ = ReadBytes(*range).value_or(std::string_view());
  strings_end_ = dynamic_strings_.rfind('\0') + 1;  // npos + 1 is 0
}

}  // namespace backplane::inspection
