#pragma once

#include "elf/file_image.hpp"
#include "elf/string_table.hpp"

#include <elf.h>
#include <link.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace backplane::elf {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Section = ElfW(Shdr);
using Dynamic = ElfW(Dyn);

/// An ELF file of this machine's word size and byte order, read as the loader reads it: by its
/// program headers and its dynamic section. Nothing outside the file is ever read, whatever its
/// headers say; what cannot be read is absent.
class File {
 public:
  /// Null: there is no header to read.
  /// Ownership: the descriptor is borrowed and must stay open.
  static std::optional<File> Open(int descriptor, std::uint64_t size_bytes,
                                  FileBeginning beginning = {});

  std::uint64_t GetSizeBytes() const { return image_.GetSizeBytes(); }
  const Header& GetHeader() const { return header_; }

  /// Empty when the table does not lie in the file.
  const std::vector<Segment>& GetSegments() const { return segments_; }
  /// The first segment of a type; null when there is none.
  const Segment* FindSegment(std::uint32_t type) const;

  /// The entries before DT_NULL; empty when there is no dynamic section.
  const std::vector<Dynamic>& GetDynamicEntries() const { return dynamic_entries_; }
  bool IsDynamicSectionEnded() const { return is_dynamic_section_ended_; }
  /// The value of the last entry with a tag, which is the one the loader uses.
  std::optional<std::uint64_t> FindDynamicValue(std::int64_t tag) const {
    const std::size_t index = GetIndexOfTag(tag);
    if (index == kNumTags) return FindUnnumberedValue(tag);
    const std::uint32_t place = last_places_[index];
    if (place == 0) return std::nullopt;
    return dynamic_entries_[place - 1].d_un.d_val;
  }
  /// A text of the dynamic string table, up to its zero byte. Valid as long as this object.
  std::optional<std::string_view> GetDynamicString(std::uint64_t offset) const {
    return dynamic_strings_.Get(offset);
  }
  /// Whether GetDynamicString would give one.
  bool HasDynamicString(std::uint64_t offset) const { return dynamic_strings_.Has(offset); }
  std::uint64_t GetDynamicStringsBytes() const { return dynamic_strings_.GetSizeBytes(); }

  /// From where an address is mapped to the end of the segment's bytes in the file.
  std::optional<FileRange> FindRange(std::uint64_t address) const;
  /// Where `size_bytes` bytes from an address lie in the file, when they lie in one segment.
  std::optional<FileRange> FindRange(std::uint64_t address, std::uint64_t size_bytes) const;

  /// Reads a piece of the file as it is, aligned for nothing. Null: not in the file.
  /// Ownership: valid as long as this object.
  std::optional<std::string_view> ReadBytes(FileRange range) const { return image_.Read(range); }

  /// Reads the records of a table, as many as lie whole in the range.
  template <typename Record>
  std::vector<Record> ReadTable(FileRange range) const;

 private:
  /// Tags are numbered from 0, and again backwards from DT_VERNEEDNUM; the one of the hash table is
  /// asked for as often.
  static constexpr std::size_t kNumTags = DT_NUM + DT_VERSIONTAGNUM + 1;
  /// kNumTags for one that is seldom asked for.
  static constexpr std::size_t GetIndexOfTag(std::int64_t tag) {
    if (tag >= 0 && tag < DT_NUM) return static_cast<std::size_t>(tag);
    if (tag > DT_VERNEEDNUM - DT_VERSIONTAGNUM && tag <= DT_VERNEEDNUM) {
      return static_cast<std::size_t>(DT_NUM + DT_VERNEEDNUM - tag);
    }
    return tag == DT_GNU_HASH ? kNumTags - 1 : kNumTags;
  }

  File() = default;
  std::optional<std::uint64_t> FindUnnumberedValue(std::int64_t tag) const;
  void ReadSegments();
  void ReadDynamicSection();
  void ReadDynamicStrings();

  FileImage image_;
  Header header_{};
  std::vector<Segment> segments_;
  std::vector<Dynamic> dynamic_entries_;
  // By GetIndexOfTag: the place of the last entry, counted from 1, or 0.
  std::array<std::uint32_t, kNumTags> last_places_{};
  bool is_dynamic_section_ended_ = false;
  StringTable dynamic_strings_;
};

template <typename Record>
std::vector<Record> File::ReadTable(FileRange range) const {
  std::vector<Record> records;
  const std::optional<std::string_view> bytes = ReadBytes(range);
  if (!bytes) return records;
  records.resize(bytes->size() / sizeof(Record));
  bytes->copy(reinterpret_cast<char*>(records.data()), records.size() * sizeof(Record));
  return records;
}

}  // namespace backplane::elf
