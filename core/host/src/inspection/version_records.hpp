#pragma once

#include "inspection/elf_file.hpp"

#include <cstdint>
#include <cstring>

namespace backplane::inspection {

/// Reads the linked records of DT_VERNEED and DT_VERDEF, and no more of them than a sound file can
/// have, as damaged ones may lead in circles.
class VersionRecords {
 public:
  /// The highest bit of a version's number hides the symbol.
  static constexpr unsigned kNumberMask = 0x7fff;

  /// `elf` must outlive this object.
  explicit VersionRecords(const ElfFile& elf) : elf_(elf) {}

  /// False: it lies outside, or there were too many.
  template <typename Record>
  bool Read(FileRange range, Record& record) {
    if (range.size_bytes < sizeof(record) || ++num_read_ > kMost) return false;
    const Elf_Data* data = elf_.Read({range.offset, sizeof(record)}, ELF_T_BYTE);
    if (data == nullptr || data->d_buf == nullptr) return false;
    std::memcpy(&record, data->d_buf, sizeof(record));
    return true;
  }

  /// What lies behind `distance` bytes; empty when that is outside.
  static FileRange Advance(FileRange range, std::uint64_t distance) {
    if (distance > range.size_bytes) return {range.offset, 0};
    return {range.offset + distance, range.size_bytes - distance};
  }

 private:
  // Each version has a number of its own, and belongs to a library.
  static constexpr unsigned kMost = 2 * kNumberMask;

  const ElfFile& elf_;
  unsigned num_read_ = 0;
};

}  // namespace backplane::inspection
