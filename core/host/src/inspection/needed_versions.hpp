#pragma once

#include "inspection/elf_file.hpp"
#include "inspection/version_records.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace backplane::inspection {

struct NeededVersion {
  std::string library;
  std::string name;
  unsigned number = 0;   // that symbols have for it
  bool is_weak = false;  // the loader does not insist on it
};

/// The versions of symbols that a file needs from its libraries (DT_VERNEED). What is damaged is
/// absent.
class NeededVersions {
 public:
  /// Reads the versions of the first `num_symbols` symbols as well. `elf` must outlive this object.
  explicit NeededVersions(const ElfFile& elf, std::uint32_t num_symbols = 0);

  const std::vector<NeededVersion>& GetAll() const { return versions_; }

  /// The version with which the file needs a symbol; empty: any, or not read.
  std::string Find(std::uint32_t symbol_index) const;

 private:
  void ReadNumbers(std::uint32_t num_symbols);
  void ReadFiles(FileRange range, std::uint64_t count);
  void ReadVersions(const std::string& library, FileRange range, unsigned count);

  const ElfFile& elf_;
  VersionRecords records_;
  std::vector<NeededVersion> versions_;
  std::string_view numbers_;  // of the symbols, each in two bytes
};

}  // namespace backplane::inspection
