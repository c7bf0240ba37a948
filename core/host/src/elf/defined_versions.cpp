#include "elf/defined_versions.hpp"

#include "elf/version_records.hpp"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <optional>
#include <string_view>

namespace backplane::elf {
namespace {

// Gives the number, the flags and the name of each, until `visitor` says no.
template <typename Visitor>
void VisitVersions(const File& elf, const Visitor& visitor) {
  const std::optional<std::uint64_t> address = elf.FindDynamicValue(DT_VERDEF);
  std::optional<FileRange> range = address ? elf.FindRange(*address) : std::nullopt;
  const std::uint64_t count = elf.FindDynamicValue(DT_VERDEFNUM).value_or(0);
  VersionRecords records(elf);
  ElfW(Verdef) version;
  for (std::uint64_t i = 0; range && i < count && records.Read(*range, version); ++i) {
    ElfW(Verdaux) text;
    if (records.Read(VersionRecords::Advance(*range, version.vd_aux), text)) {
      const std::string_view name = elf.GetDynamicString(text.vda_name).value_or("");
      if (!visitor(version, name)) return;
    }
    if (version.vd_next == 0) return;
    range = VersionRecords::Advance(*range, version.vd_next);
  }
}

constexpr unsigned kHiddenBit = 0x8000;

// With the bit that hides the symbol; 0: it has no version.
unsigned ReadNumber(const File& elf, std::uint32_t symbol) {
  ElfW(Half) number = 0;
  const std::optional<std::uint64_t> address = elf.FindDynamicValue(DT_VERSYM);
  if (!address) return 0;
  const std::uint64_t place = *address + std::uint64_t{symbol} * sizeof(number);
  const std::optional<FileRange> range = elf.FindRange(place, sizeof(number));
  const auto bytes = range ? elf.ReadBytes(*range) : std::nullopt;
  if (!bytes) return 0;
  std::memcpy(&number, bytes->data(), sizeof(number));
  return number;
}

}  // namespace

std::vector<std::string> ReadDefinedVersions(const File& elf) {
  std::vector<std::string> names;
  VisitVersions(elf, [&names](const ElfW(Verdef) & version, std::string_view name) {
    if ((version.vd_flags & VER_FLG_BASE) == 0) names.emplace_back(name);
    return true;
  });
  return names;
}

bool IsOldVersion(const File& elf, std::uint32_t symbol) {
  return (ReadNumber(elf, symbol) & kHiddenBit) != 0;
}

std::string FindOldVersion(const File& elf, std::uint32_t symbol) {
  const unsigned number = ReadNumber(elf, symbol) & VersionRecords::kNumberMask;
  std::string found = "version " + std::to_string(number);
  VisitVersions(elf, [&](const ElfW(Verdef) & version, std::string_view name) {
    if (version.vd_ndx != number) return true;
    found = name;
    return false;
  });
  return found;
}

}  // namespace backplane::elf
