#include "elf/file_notes.hpp"

#include <algorithm>
#include <cstring>

namespace backplane::elf {

NoteReader::NoteReader(const File& elf, const Segment& segment)
    : alignment_(segment.p_align == 8 ? 8 : 4) {
  const auto bytes = elf.ReadBytes({segment.p_offset, segment.p_filesz});
  is_damaged_ = !bytes.has_value();
  bytes_ = bytes.value_or(std::string_view());
}

std::optional<FileNote> NoteReader::Next() {
  if (offset_ >= bytes_.size()) return std::nullopt;
  ElfW(Nhdr) header;
  const std::optional<std::string_view> words = Take(sizeof(header));
  if (!words) return Fail();
  std::memcpy(&header, words->data(), sizeof(header));
  const std::optional<std::string_view> owner = Take(header.n_namesz);
  if (!owner) return Fail();
  // Both are padded to the alignment; nothing need follow the last one.
  offset_ = std::min(bytes_.size(), (offset_ + alignment_ - 1) / alignment_ * alignment_);
  const std::optional<std::string_view> description = Take(header.n_descsz);
  if (!description) return Fail();
  offset_ = (offset_ + alignment_ - 1) / alignment_ * alignment_;
  return FileNote{owner->substr(0, owner->find('\0')), header.n_type, *description};
}

std::optional<std::string_view> NoteReader::Take(std::uint64_t size_bytes) {
  if (size_bytes > bytes_.size() - offset_) return std::nullopt;
  const std::string_view taken = bytes_.substr(offset_, size_bytes);
  offset_ += size_bytes;
  return taken;
}

std::optional<FileNote> NoteReader::Fail() {
  is_damaged_ = true;
  offset_ = bytes_.size();
  return std::nullopt;
}

}  // namespace backplane::elf
