#pragma once

#include "inspection/elf_file.hpp"

#include <backplane/api/abi_note.hpp>

#include <string>
#include <vector>

namespace backplane::inspection {

struct AbiNotes {
  std::vector<AbiNote> notes;       // one for each translation unit, in the order of the file
  std::vector<std::string> faults;  // why others cannot be read
  bool is_incomplete = false;       // other notes of the file cannot be read
};

/// Collects the ABI notes of a file.
AbiNotes ReadAbiNotes(const ElfFile& elf);

}  // namespace backplane::inspection
