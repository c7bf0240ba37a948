// The tables of versions of symbols, which the loader follows without looking where they lead.

#include "diagnostics/file_words.hpp"
#include "elf/relocations.hpp"
#include "elf/symbol_table.hpp"
#include "elf/version_records.hpp"
#include "inspection/elf_checks.hpp"
#include "inspection/limit_checks.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>

namespace backplane::inspection {
namespace {

// Goes through the records as the loader does, which does not count them.
class VersionWalk {
 public:
  explicit VersionWalk(const elf::File& elf) : elf_(elf), records_(elf) {}

  // The highest number of a version. Null: a record or a name lies outside the file.
  std::optional<unsigned> FindHighest() {
    if (!Visit<ElfW(Verneed)>(DT_VERNEED) || !Visit<ElfW(Verdef)>(DT_VERDEF)) return std::nullopt;
    return highest_;
  }

  // Of what was visited.
  std::optional<Diagnostic> CheckLimits(const std::string& path) const {
    if (auto excess = CheckLimit(elf::Limit::kVersionRecords, records_.GetCount(), path))
      return excess;
    if (auto excess = CheckLimit(elf::Limit::kLibraryNameBytes, longest_library_bytes_, path)) {
      return excess;
    }
    return CheckLimit(elf::Limit::kVersionNameBytes, longest_version_bytes_, path);
  }

 private:
  template <typename Record>
  bool Visit(std::int64_t tag) {
    const std::optional<std::uint64_t> address = elf_.FindDynamicValue(tag);
    if (!address) return true;
    std::optional<elf::FileRange> range = elf_.FindRange(*address);
    Record record;
    while (range && records_.Read(*range, record)) {
      if (!Accept(record, *range)) return false;
      const std::uint64_t next = GetNext(record);
      if (next == 0) return true;
      range = elf::VersionRecords::Advance(*range, next);
    }
    return false;
  }

  static std::uint64_t GetNext(const ElfW(Verneed) & record) { return record.vn_next; }
  static std::uint64_t GetNext(const ElfW(Verdef) & record) { return record.vd_next; }

  bool Accept(const ElfW(Verneed) & record, elf::FileRange range) {
    if (!Measure(record.vn_file, longest_library_bytes_)) return false;
    range = elf::VersionRecords::Advance(range, record.vn_aux);
    ElfW(Vernaux) version;
    while (records_.Read(range, version)) {
      if (!Measure(version.vna_name, longest_version_bytes_)) return false;
      Add(version.vna_other);
      if (version.vna_next == 0) return true;
      range = elf::VersionRecords::Advance(range, version.vna_next);
    }
    return false;
  }

  bool Accept(const ElfW(Verdef) & record, elf::FileRange range) {
    ElfW(Verdaux) name;
    if (!records_.Read(elf::VersionRecords::Advance(range, record.vd_aux), name)) return false;
    Add(record.vd_ndx);
    return Measure(name.vda_name, longest_version_bytes_);
  }

  // False: there is no such name.
  bool Measure(std::uint64_t name, std::uint64_t& longest_bytes) const {
    const std::optional<std::string_view> text = elf_.GetDynamicString(name);
    if (text) longest_bytes = std::max<std::uint64_t>(longest_bytes, text->size());
    return text.has_value();
  }

  void Add(unsigned number) {
    highest_ = std::max(highest_, number & elf::VersionRecords::kNumberMask);
  }

  const elf::File& elf_;
  elf::VersionRecords records_;
  unsigned highest_ = VER_NDX_GLOBAL;
  std::uint64_t longest_library_bytes_ = 0;
  std::uint64_t longest_version_bytes_ = 0;
};

// The first symbol with a version of a higher number; `count` when there is none. Null: their
// versions do not lie in the file.
std::optional<std::uint32_t> FindUnknown(const elf::File& elf, std::uint64_t address,
                                         std::uint32_t count, unsigned highest) {
  const auto range = elf.FindRange(address, std::uint64_t{count} * sizeof(ElfW(Half)));
  const auto numbers = range ? elf.ReadBytes(*range) : std::nullopt;
  if (!numbers) return std::nullopt;
  for (std::uint32_t i = 0; i < count; ++i) {
    ElfW(Half) number = 0;
    std::memcpy(&number, numbers->data() + std::size_t{i} * sizeof(number), sizeof(number));
    if ((number & elf::VersionRecords::kNumberMask) > highest) return i;
  }
  return count;
}

}  // namespace

std::optional<Diagnostic> CheckVersionTables(const elf::File& elf, const std::string& path) {
  VersionWalk walk(elf);
  const std::optional<unsigned> highest = walk.FindHighest();
  if (auto excess = walk.CheckLimits(path)) return excess;
  if (!highest) {
    return diagnostics::DescribeDamage(path, "the tables of symbol versions lead out of the file");
  }
  const std::optional<std::uint64_t> address = elf.FindDynamicValue(DT_VERSYM);
  const std::optional<elf::SymbolTable> symbols = elf::SymbolTable::Open(elf);
  if (!address || !symbols) return std::nullopt;
  const std::uint32_t count =
      std::max(symbols->GetEndOfFindable(), elf::FindHighestRelocatedSymbol(elf) + 1);
  const std::optional<std::uint32_t> unknown = FindUnknown(elf, *address, count, *highest);
  if (!unknown)
    return diagnostics::DescribeDamage(path, "the versions of symbols do not lie in the file");
  if (*unknown == count) return std::nullopt;
  return diagnostics::DescribeDamage(
      path, "symbol " + std::to_string(*unknown) +
                " has a version that no table defines; the highest is " + std::to_string(*highest));
}

}  // namespace backplane::inspection
