#pragma once

#include "elf/file.hpp"
#include "elf/version_records.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace backplane::elf {

/// Its texts are valid as long as the elf::File.
struct NeededVersion {
  std::string_view library;
  std::string_view name;
  unsigned number = 0;   // that symbols have for it
  bool is_weak = false;  // the loader does not insist on it
};

/// The versions of symbols that a file needs from its libraries (DT_VERNEED). What is damaged is
/// absent, and what is beyond the limits.
class NeededVersions {
 public:
  /// Reads the versions of the first `num_symbols` symbols as well. `elf` must outlive this object.
  explicit NeededVersions(const File& elf, std::uint32_t num_symbols = 0);

  const std::vector<NeededVersion>& GetAll() const { return versions_; }

  /// The version with which the file needs a symbol; empty: any, or not read.
  std::string_view Find(std::uint32_t symbol_index) const;

 private:
  void ReadNumbers(std::uint32_t num_symbols);
  void ReadFiles(FileRange range, std::uint64_t count);
  void ReadVersions(std::string_view library, FileRange range, unsigned count);

  const File& elf_;
  VersionRecords records_;
  std::vector<NeededVersion> versions_;
  std::vector<std::string_view> names_;  // by number
  std::string_view numbers_;             // of the symbols, each in two bytes
};

}  // namespace backplane::elf
