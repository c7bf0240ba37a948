#include "inspection/abi_notes.hpp"

#include "diagnostics/file_words.hpp"
#include "elf/file_notes.hpp"

#include <backplane/api/manifest.hpp>

#include <elf.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace backplane::inspection {
namespace {

constexpr std::size_t kMostFaults = 10;  // that are told
// The note of 1.0. A later one may be longer; the words that a note lacks are 0.
constexpr std::size_t kLeastBytes = offsetof(AbiNote, sanitizers) + sizeof(AbiNote::sanitizers);

bool IsOurs(const elf::FileNote& note) {
  return note.owner == std::string_view(kAbiNoteName, sizeof(kAbiNoteName) - 1);
}

void AddFault(std::string fault, AbiNotes& found) {
  if (found.faults.size() < kMostFaults) found.faults.push_back(std::move(fault));
}

void AddAbiNote(std::string_view description, AbiNotes& found) {
  AbiNote note{};
  if (description.size() < kLeastBytes) {
    AddFault("a note has " + std::to_string(description.size()) + " bytes, expected at least " +
                 std::to_string(kLeastBytes),
             found);
    return;
  }
  std::memcpy(&note, description.data(), std::min(description.size(), sizeof(note)));
  if (note.magic != kAbiNoteMagic) {
    AddFault("a note begins with " + diagnostics::ToHex(note.magic) + ", expected " +
                 diagnostics::ToHex(kAbiNoteMagic),
             found);
    return;
  }
  found.notes.push_back(note);
}

void ReadSegment(const elf::File& elf, const elf::Segment& segment, AbiNotes& found) {
  elf::NoteReader notes(elf, segment);
  while (const std::optional<elf::FileNote> note = notes.Next()) {
    if (note->owner == kLateLibraryNoteOwner && note->type == kLateLibraryNoteType) {
      found.late_libraries.push_back(note->description);
    }
    if (!IsOurs(*note)) continue;
    if (note->type == kAbiNoteType) AddAbiNote(note->description, found);
    if (note->type == kManifestNoteType) found.manifests.push_back(note->description);
  }
  found.is_incomplete = found.is_incomplete || notes.IsDamaged();
}

}  // namespace

AbiNotes ReadAbiNotes(const elf::File& elf) {
  AbiNotes found;
  for (const elf::Segment& segment : elf.GetSegments()) {
    if (elf::HoldsNotes(segment)) ReadSegment(elf, segment, found);
  }
  return found;
}

}  // namespace backplane::inspection
