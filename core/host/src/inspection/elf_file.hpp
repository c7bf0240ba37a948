#pragma once

#include <gelf.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace backplane::inspection {

/// A piece of a file.
struct FileRange {
  std::uint64_t offset = 0;
  std::uint64_t size_bytes = 0;
};

/// An ELF file of this machine's word size and byte order, read as the loader reads it: by its
/// program headers and its dynamic section. Nothing outside the file is ever read, whatever its
/// headers say; what cannot be read is absent.
class ElfFile {
 public:
  /// Null: libelf cannot read the file.
  /// Ownership: the descriptor is borrowed and must stay open. `content` is all of the file, or
  /// null when it is to be read piece by piece.
  static std::optional<ElfFile> Open(int descriptor, std::uint64_t size_bytes,
                                     std::unique_ptr<char[]> content);

  std::uint64_t GetSizeBytes() const { return size_bytes_; }
  const GElf_Ehdr& GetHeader() const { return header_; }

  /// Empty when the table does not lie in the file.
  const std::vector<GElf_Phdr>& GetSegments() const { return segments_; }
  /// The first segment of a type; null when there is none.
  const GElf_Phdr* FindSegment(std::uint32_t type) const;

  /// The entries before DT_NULL; empty when there is no dynamic section.
  const std::vector<GElf_Dyn>& GetDynamicEntries() const { return dynamic_entries_; }
  bool IsDynamicSectionEnded() const { return is_dynamic_section_ended_; }
  /// The value of the last entry with a tag, which is the one the loader uses.
  std::optional<std::uint64_t> FindDynamicValue(std::int64_t tag) const;
  /// A text of the dynamic string table, up to its zero byte. Valid as long as this object.
  std::optional<std::string_view> GetDynamicString(std::uint64_t offset) const;
  /// Whether GetDynamicString would give one.
  bool HasDynamicString(std::uint64_t offset) const { return offset < strings_end_; }

  /// From where an address is mapped to the end of the segment's bytes in the file.
  std::optional<FileRange> FindRange(std::uint64_t address) const;
  /// Where `size_bytes` bytes from an address lie in the file, when they lie in one segment.
  std::optional<FileRange> FindRange(std::uint64_t address, std::uint64_t size_bytes) const;

  /// Reads a piece of the file, converted from `type`. Null: not in the file.
  /// Ownership: valid as long as this object.
  Elf_Data* Read(FileRange range, Elf_Type type) const;

  /// Reads a piece of the file as it is, aligned for nothing. Null: not in the file.
  /// Ownership: valid as long as this object.
  std::optional<std::string_view> ReadBytes(FileRange range) const;

 private:
  struct ElfCloser {
    void operator()(Elf* elf) const { elf_end(elf); }
  };

  ElfFile() = default;
  void ReadSegments();
  void ReadDynamicSection();
  void ReadDynamicStrings();

  std::unique_ptr<char[]> content_;  // declared first: released after elf_
  std::unique_ptr<Elf, ElfCloser> elf_;
  std::uint64_t size_bytes_ = 0;
  GElf_Ehdr header_{};
  std::vector<GElf_Phdr> segments_;
  std::vector<GElf_Dyn> dynamic_entries_;
  // By tag, of those that are numbered from 0: the place of the last entry behind 1, or 0.
  std::array<std::uint32_t, DT_NUM> last_places_{};
  bool is_dynamic_section_ended_ = false;
  std::string_view dynamic_strings_;
  std::uint64_t strings_end_ = 0;  // behind the last of them that has an end
};

/// Whether `size_bytes` bytes from `offset` end at or before `end`.
constexpr bool IsWithin(std::uint64_t offset, std::uint64_t size_bytes, std::uint64_t end) {
  return offset <= end && size_bytes <= end - offset;
}

}  // namespace backplane::inspection
