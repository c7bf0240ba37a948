#pragma once

#include "inspection/elf_file.hpp"

#include <backplane/api/abi_note.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace backplane::inspection {

struct AbiNotes {
  std::vector<AbiNote> notes;       // one for each translation unit, in the order of the file
  std::vector<std::string> faults;  // why others cannot be read
  bool is_incomplete = false;       // other notes of the file cannot be read
  std::vector<std::string_view> manifests;  // descriptions; valid as long as the ElfFile
};

/// Collects the ABI notes of a file, and its manifests.
AbiNotes ReadAbiNotes(const ElfFile& elf);

}  // namespace backplane::inspection
