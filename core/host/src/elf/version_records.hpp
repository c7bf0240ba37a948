#pragma once

#include "elf/file.hpp"
#include "elf/limits.hpp"

#include <cstdint>
#include <cstring>

namespace backplane::elf {

/// Reads the linked records of DT_VERNEED and DT_VERDEF, and no more of them than a file may have,
/// as damaged ones may lead in circles.
class VersionRecords {
 public:
  /// The highest bit of a version's number hides the symbol.
  static constexpr unsigned kNumberMask = 0x7fff;

  /// `elf` must outlive this object.
  explicit VersionRecords(const File& elf) : elf_(elf) {}

  /// False: it lies outside, or there were too many.
  template <typename Record>
  bool Read(FileRange range, Record& record) {
    if (range.size_bytes < sizeof(record) || ++num_read_ > GetMost(Limit::kVersionRecords)) {
      return false;
    }
    const auto bytes = elf_.ReadBytes({range.offset, sizeof(record)});
    if (!bytes) return false;
    std::memcpy(&record, bytes->data(), sizeof(record));
    return true;
  }

  /// How many were asked for.
  std::uint64_t GetCount() const { return num_read_; }

  /// What lies behind `distance` bytes; empty when that is outside.
  static FileRange Advance(FileRange range, std::uint64_t distance) {
    if (distance > range.size_bytes) return {range.offset, 0};
    return {range.offset + distance, range.size_bytes - distance};
  }

 private:
  const File& elf_;
  std::uint64_t num_read_ = 0;
};

}  // namespace backplane::elf
