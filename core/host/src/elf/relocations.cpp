#include "elf/relocations.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <string_view>

namespace backplane::elf {
namespace {

// The type, of what a relocation has in r_info.
constexpr std::uint32_t GetType(std::uint64_t info) {
  return static_cast<std::uint32_t>(sizeof(ElfW(Addr)) == 8 ? info & 0xffffffffU : info & 0xffU);
}

// The index of the symbol.
constexpr std::uint32_t GetSymbol(std::uint64_t info) {
  return static_cast<std::uint32_t>(sizeof(ElfW(Addr)) == 8 ? info >> 32U : info >> 8U);
}

// Both kinds have r_info at the same place.
static_assert(offsetof(ElfW(Rela), r_info) == offsetof(ElfW(Rel), r_info));

// A table of relocations as it lies in the file.
struct RelocationTable {
  std::string_view bytes;
  std::size_t entry_bytes = sizeof(ElfW(Rela));

  std::size_t GetCount() const { return bytes.size() / entry_bytes; }
  std::uint64_t GetTargetOf(std::size_t index) const {
    decltype(ElfW(Rel)::r_offset) target = 0;
    std::memcpy(&target, bytes.data() + index * entry_bytes + offsetof(ElfW(Rel), r_offset),
                sizeof(target));
    return target;
  }
  std::uint64_t GetInfoOf(std::size_t index) const {
    decltype(ElfW(Rel)::r_info) info = 0;
    std::memcpy(&info, bytes.data() + index * entry_bytes + offsetof(ElfW(Rel), r_info),
                sizeof(info));
    return info;
  }
  std::uint32_t GetSymbolOf(std::size_t index) const { return GetSymbol(GetInfoOf(index)); }
  std::uint32_t GetTypeOf(std::size_t index) const { return GetType(GetInfoOf(index)); }
};

RelocationTable ReadTable(const File& elf, std::int64_t address_tag, std::int64_t size_tag,
                          bool has_addend) {
  const std::optional<std::uint64_t> address = elf.FindDynamicValue(address_tag);
  const std::uint64_t size_bytes = elf.FindDynamicValue(size_tag).value_or(0);
  const auto range = address ? elf.FindRange(*address, size_bytes) : std::nullopt;
  const auto bytes = range ? elf.ReadBytes(*range) : std::nullopt;
  return {bytes.value_or(std::string_view()), has_addend ? sizeof(ElfW(Rela)) : sizeof(ElfW(Rel))};
}

std::array<RelocationTable, 3> ReadTables(const File& elf) {
  const bool calls_have_addend = elf.FindDynamicValue(DT_PLTREL).value_or(DT_RELA) == DT_RELA;
  return {ReadTable(elf, DT_RELA, DT_RELASZ, true), ReadTable(elf, DT_REL, DT_RELSZ, false),
          ReadTable(elf, DT_JMPREL, DT_PLTRELSZ, calls_have_addend)};
}

// The segments into which relocations may write.
class WritableMemory {
 public:
  explicit WritableMemory(const File& elf) {
    const std::uint64_t flags = elf.FindDynamicValue(DT_FLAGS).value_or(0);
    const bool is_text_writable =
        elf.FindDynamicValue(DT_TEXTREL).has_value() || (flags & DF_TEXTREL) != 0;
    for (const Segment& segment : elf.GetSegments()) {
      if (segment.p_type != PT_LOAD) continue;
      if (is_text_writable || (segment.p_flags & PF_W) != 0) segments_.push_back(segment);
    }
  }

  bool Contains(std::uint64_t address) const {
    constexpr std::uint64_t kLeastBytes = 4;  // that a relocation writes
    const auto behind = std::upper_bound(
        segments_.begin(), segments_.end(), address,
        [](std::uint64_t wanted, const Segment& segment) { return wanted < segment.p_vaddr; });
    if (behind == segments_.begin()) return false;
    const Segment& segment = *std::prev(behind);
    return IsWithin(address - segment.p_vaddr, kLeastBytes, segment.p_memsz);
  }

 private:
  std::vector<Segment> segments_;  // in the order of their addresses, none in another
};

}  // namespace

std::uint32_t FindHighestRelocatedSymbol(const File& elf) {
  std::uint32_t highest = STN_UNDEF;
  for (const RelocationTable& table : ReadTables(elf)) {
    for (std::size_t i = 0; i < table.GetCount(); ++i) {
      highest = std::max(highest, table.GetSymbolOf(i));
    }
  }
  return highest;
}

std::vector<std::uint32_t> ReadRelocatedSymbols(const File& elf) {
  std::vector<std::uint32_t> symbols;
  for (const RelocationTable& table : ReadTables(elf)) {
    for (std::size_t i = 0; i < table.GetCount(); ++i) {
      const std::uint32_t symbol = table.GetSymbolOf(i);
      // A symbol is often named many times in a row.
      const bool is_known = !symbols.empty() && symbols.back() == symbol;
      if (symbol != STN_UNDEF && !is_known) symbols.push_back(symbol);
    }
  }
  std::sort(symbols.begin(), symbols.end());
  symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
  return symbols;
}

RelocationEnds FindRelocationEnds(const File& elf) {
  const WritableMemory memory(elf);
  RelocationEnds ends;
  for (const RelocationTable& table : ReadTables(elf)) {
    for (std::size_t i = 0; i < table.GetCount(); ++i) {
      ends.highest_symbol = std::max(ends.highest_symbol, table.GetSymbolOf(i));
      const std::uint64_t target = table.GetTargetOf(i);
      const bool is_wild = table.GetTypeOf(i) != 0 && !memory.Contains(target);
      if (is_wild && !ends.wild_target) ends.wild_target = target;
    }
  }
  return ends;
}

std::uint64_t CountRelocations(const File& elf) {
  return elf.FindDynamicValue(DT_RELASZ).value_or(0) / sizeof(ElfW(Rela)) +
         elf.FindDynamicValue(DT_RELSZ).value_or(0) / sizeof(ElfW(Rel)) +
         elf.FindDynamicValue(DT_PLTRELSZ).value_or(0) / sizeof(ElfW(Rela));
}

}  // namespace backplane::elf
