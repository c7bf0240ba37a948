#include "elf/needed_versions.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>

namespace backplane::elf {

NeededVersions::NeededVersions(const File& elf, std::uint32_t num_symbols)
    : elf_(elf), records_(elf) {
  const std::optional<std::uint64_t> address = elf.FindDynamicValue(DT_VERNEED);
  const std::optional<FileRange> range = address ? elf.FindRange(*address) : std::nullopt;
  if (range) ReadFiles(*range, elf.FindDynamicValue(DT_VERNEEDNUM).value_or(0));
  if (num_symbols != 0 && !versions_.empty()) ReadNumbers(num_symbols);
}

std::string_view NeededVersions::Find(std::uint32_t symbol_index) const {
  if (symbol_index >= numbers_.size() / sizeof(ElfW(Half))) return {};
  ElfW(Half) number = 0;
  std::memcpy(&number, numbers_.data() + std::size_t{symbol_index} * sizeof(number),
              sizeof(number));
  const unsigned index = number & VersionRecords::kNumberMask;
  return index < names_.size() ? names_[index] : std::string_view();
}

void NeededVersions::ReadNumbers(std::uint32_t num_symbols) {
  for (const NeededVersion& version : versions_) {
    if (version.number >= names_.size()) names_.resize(version.number + std::size_t{1});
    if (names_[version.number].empty()) names_[version.number] = version.name;
  }
  const std::optional<std::uint64_t> address = elf_.FindDynamicValue(DT_VERSYM);
  const auto range = address ? elf_.FindRange(*address) : std::nullopt;
  if (!range) return;
  const std::uint64_t wanted_bytes = std::uint64_t{num_symbols} * sizeof(ElfW(Half));
  numbers_ = elf_.ReadBytes({range->offset, std::min(range->size_bytes, wanted_bytes)})
                 .value_or(std::string_view());
}

void NeededVersions::ReadFiles(FileRange range, std::uint64_t count) {
  ElfW(Verneed) file;
  for (std::uint64_t i = 0; i < count && records_.Read(range, file); ++i) {
    ReadVersions(elf_.GetDynamicString(file.vn_file).value_or(""),
                 VersionRecords::Advance(range, file.vn_aux), file.vn_cnt);
    if (file.vn_next == 0) return;
    range = VersionRecords::Advance(range, file.vn_next);
  }
}

void NeededVersions::ReadVersions(std::string_view library, FileRange range, unsigned count) {
  ElfW(Vernaux) version;
  for (unsigned i = 0; i < count && records_.Read(range, version); ++i) {
    if (const std::optional<std::string_view> name = elf_.GetDynamicString(version.vna_name)) {
      versions_.push_back({library, *name, version.vna_other & VersionRecords::kNumberMask,
                           (version.vna_flags & VER_FLG_WEAK) != 0});
    }
    if (version.vna_next == 0) return;
    range = VersionRecords::Advance(range, version.vna_next);
  }
}

}  // namespace backplane::elf
