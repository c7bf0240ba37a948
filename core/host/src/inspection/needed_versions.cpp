#include "inspection/needed_versions.hpp"

#include <elf.h>
#include <link.h>

#include <cstring>

namespace backplane::inspection {
namespace {

// The highest bit of a version's number hides the symbol.
constexpr unsigned kNumberMask = 0x7fff;

// A sound file has no more: each has a number of its own, and belongs to a library.
constexpr unsigned kMostRecords = 2 * kNumberMask;

// What lies behind `distance` bytes; empty when that is outside.
FileRange Advance(FileRange range, std::uint64_t distance) {
  if (distance > range.size_bytes) return {range.offset, 0};
  return {range.offset + distance, range.size_bytes - distance};
}

}  // namespace

NeededVersions::NeededVersions(const ElfFile& elf) : elf_(elf) {
  const std::optional<std::uint64_t> address = elf.FindDynamicValue(DT_VERNEED);
  const std::optional<FileRange> range = address ? elf.FindRange(*address) : std::nullopt;
  if (range) ReadFiles(*range, elf.FindDynamicValue(DT_VERNEEDNUM).value_or(0));
}

std::string NeededVersions::Find(std::uint32_t symbol_index) const {
  const std::optional<std::uint64_t> address = elf_.FindDynamicValue(DT_VERSYM);
  if (!address || names_.empty()) return {};
  const std::optional<FileRange> range =
      elf_.FindRange(*address + symbol_index * sizeof(GElf_Versym), sizeof(GElf_Versym));
  Elf_Data* data = range ? elf_.Read(*range, ELF_T_HALF) : nullptr;
  GElf_Versym number = 0;
  if (data == nullptr || gelf_getversym(data, 0, &number) == nullptr) return {};
  for (const auto& [known_number, name] : names_) {
    if (known_number == (number & kNumberMask)) return name;
  }
  return {};
}

void NeededVersions::ReadFiles(FileRange range, std::uint64_t count) {
  ElfW(Verneed) file;
  for (std::uint64_t i = 0; i < count && ReadRecord(range, file); ++i) {
    ReadVersions(Advance(range, file.vn_aux), file.vn_cnt);
    if (file.vn_next == 0) return;
    range = Advance(range, file.vn_next);
  }
}

void NeededVersions::ReadVersions(FileRange range, unsigned count) {
  ElfW(Vernaux) version;
  for (unsigned i = 0; i < count && ReadRecord(range, version); ++i) {
    if (const std::optional<std::string_view> name = elf_.GetDynamicString(version.vna_name)) {
      names_.emplace_back(version.vna_other & kNumberMask, *name);
    }
    if (version.vna_next == 0) return;
    range = Advance(range, version.vna_next);
  }
}

template <typename Record>
bool NeededVersions::ReadRecord(FileRange range, Record& record) {
  if (range.size_bytes < sizeof(record) || ++num_records_ > kMostRecords) return false;
  const Elf_Data* data = elf_.Read({range.offset, sizeof(record)}, ELF_T_BYTE);
  if (data == nullptr || data->d_buf == nullptr) return false;
  std::memcpy(&record, data->d_buf, sizeof(record));
  return true;
}

}  // namespace backplane::inspection
