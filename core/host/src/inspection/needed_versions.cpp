#include "inspection/needed_versions.hpp"

#include <elf.h>
#include <link.h>

namespace backplane::inspection {

NeededVersions::NeededVersions(const ElfFile& elf) : elf_(elf), records_(elf) {
  const std::optional<std::uint64_t> address = elf.FindDynamicValue(DT_VERNEED);
  const std::optional<FileRange> range = address ? elf.FindRange(*address) : std::nullopt;
  if (range) ReadFiles(*range, elf.FindDynamicValue(DT_VERNEEDNUM).value_or(0));
}

std::string NeededVersions::Find(std::uint32_t symbol_index) const {
  const std::optional<std::uint64_t> address = elf_.FindDynamicValue(DT_VERSYM);
  if (!address || versions_.empty()) return {};
  const std::optional<FileRange> range =
      elf_.FindRange(*address + symbol_index * sizeof(GElf_Versym), sizeof(GElf_Versym));
  Elf_Data* data = range ? elf_.Read(*range, ELF_T_HALF) : nullptr;
  GElf_Versym number = 0;
  if (data == nullptr || gelf_getversym(data, 0, &number) == nullptr) return {};
  for (const NeededVersion& version : versions_) {
    if (version.number == (number & VersionRecords::kNumberMask)) return version.name;
  }
  return {};
}

void NeededVersions::ReadFiles(FileRange range, std::uint64_t count) {
  ElfW(Verneed) file;
  for (std::uint64_t i = 0; i < count && records_.Read(range, file); ++i) {
    const std::string library(elf_.GetDynamicString(file.vn_file).value_or(""));
    ReadVersions(library, VersionRecords::Advance(range, file.vn_aux), file.vn_cnt);
    if (file.vn_next == 0) return;
    range = VersionRecords::Advance(range, file.vn_next);
  }
}

void NeededVersions::ReadVersions(const std::string& library, FileRange range, unsigned count) {
  ElfW(Vernaux) version;
  for (unsigned i = 0; i < count && records_.Read(range, version); ++i) {
    if (const std::optional<std::string_view> name = elf_.GetDynamicString(version.vna_name)) {
      versions_.push_back({library, std::string(*name),
                           version.vna_other & VersionRecords::kNumberMask,
                           (version.vna_flags & VER_FLG_WEAK) != 0});
    }
    if (version.vna_next == 0) return;
    range = VersionRecords::Advance(range, version.vna_next);
  }
}

}  // namespace backplane::inspection
