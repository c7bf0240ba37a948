#pragma once

#include "inspection/elf_file.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace backplane::inspection {

/// The versions of symbols that a file needs from its libraries (DT_VERNEED). What is damaged is
/// absent.
class NeededVersions {
 public:
  /// `elf` must outlive this object.
  explicit NeededVersions(const ElfFile& elf);

  /// The version with which the file needs a symbol; empty: any.
  std::string Find(std::uint32_t symbol_index) const;

 private:
  void ReadFiles(FileRange range, std::uint64_t count);
  void ReadVersions(FileRange range, unsigned count);
  template <typename Record>
  bool ReadRecord(FileRange range, Record& record);

  const ElfFile& elf_;
  unsigned num_records_ = 0;                             // read so far
  std::vector<std::pair<unsigned, std::string>> names_;  // by the number that symbols have for them
};

}  // namespace backplane::inspection
