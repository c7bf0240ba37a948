#pragma once

#include "elf/file.hpp"

#include <backplane/api/abi_note.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace backplane::inspection {

/// The note .note.dlopen of the FDO packaging metadata.
constexpr std::string_view kLateLibraryNoteOwner = "FDO";
constexpr std::uint32_t kLateLibraryNoteType = 0x407c0c0a;

struct AbiNotes {
  std::vector<AbiNote> notes;       // one for each translation unit, in the order of the file
  std::vector<std::string> faults;  // why others cannot be read
  bool is_incomplete = false;       // other notes of the file cannot be read
  std::vector<std::string_view> manifests;  // descriptions; valid as long as the elf::File
  /// Descriptions of the notes that name libraries which the file opens when it runs; as above.
  std::vector<std::string_view> late_libraries;
};

/// Collects the ABI notes of a file, its manifests, and what else it says of itself in notes.
AbiNotes ReadAbiNotes(const elf::File& elf);

}  // namespace backplane::inspection
