#pragma once

#include "elf/file.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace backplane::elf {

/// A note of a file. Valid as long as the elf::File.
struct FileNote {
  std::string_view owner;  // without the zero byte that ends it
  std::uint32_t type = 0;
  std::string_view description;
};

/// Goes through the notes of one segment.
class NoteReader {
 public:
  NoteReader(const File& elf, const Segment& segment);

  /// Null: there is no further one, or it does not lie in the segment.
  std::optional<FileNote> Next();
  /// Whether a note does not lie in the segment, or the segment not in the file.
  bool IsDamaged() const { return is_damaged_; }

 private:
  std::optional<std::string_view> Take(std::uint64_t size_bytes);
  std::optional<FileNote> Fail();

  std::string_view bytes_;
  std::size_t offset_ = 0;
  std::size_t alignment_ = 4;
  bool is_damaged_ = false;
};

/// Whether a segment holds notes.
inline bool HoldsNotes(const Segment& segment) {
  return segment.p_type == PT_NOTE && segment.p_filesz != 0;
}

}  // namespace backplane::elf
