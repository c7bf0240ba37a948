#include "inspection/defined_versions.hpp"

#include "inspection/version_records.hpp"

#include <elf.h>
#include <link.h>

namespace backplane::inspection {

std::vector<std::string> ReadDefinedVersions(const ElfFile& elf) {
  std::vector<std::string> names;
  const std::optional<std::uint64_t> address = elf.FindDynamicValue(DT_VERDEF);
  std::optional<FileRange> range = address ? elf.FindRange(*address) : std::nullopt;
  if (!range) return names;
  const std::uint64_t count = elf.FindDynamicValue(DT_VERDEFNUM).value_or(0);
  VersionRecords records(elf);
  ElfW(Verdef) version;
  for (std::uint64_t i = 0; i < count && records.Read(*range, version); ++i) {
    ElfW(Verdaux) text;
    const bool is_own_name = (version.vd_flags & VER_FLG_BASE) != 0;
    if (!is_own_name && records.Read(VersionRecords::Advance(*range, version.vd_aux), text)) {
      names.emplace_back(elf.GetDynamicString(text.vda_name).value_or(""));
    }
    if (version.vd_next == 0) break;
    range = VersionRecords::Advance(*range, version.vd_next);
  }
  return names;
}

}  // namespace backplane::inspection
