#pragma once

/// The ABI note, as a host reads it; <backplane/c/note.h> places it.

#include <backplane/c/note.h>

#include <cstddef>
#include <cstdint>

namespace backplane {

/// The words of the note, as they stand in the file. Frozen; a later note may be longer.
struct AbiNote {
  std::uint32_t magic;
  std::uint32_t api_major;
  std::uint32_t needs_minor;  // the least version that the backend needs
  std::uint32_t api_draft;
  std::uint32_t knows_minor;  // the last version that it knows
  std::uint32_t pointer_bits;
  std::uint32_t sanitizers;  // bit 0 address, bit 1 thread, bit 2 memory
};
static_assert(sizeof(AbiNote) == 28, "the size is written in the note");

constexpr char kAbiNoteName[] = "Backplane";
constexpr std::uint32_t kAbiNoteType = 1;
constexpr std::uint32_t kAbiNoteMagic = 0x4e504b42;

/// The note of a host of this version, without reading a file.
constexpr AbiNote kAbiNoteOfThisBuild{kAbiNoteMagic,     BP_API_MAJOR, BP_API_MINOR,
                                      BP_API_DRAFT,      BP_API_MINOR, BP_NOTE_POINTER_BITS,
                                      BP_NOTE_SANITIZERS};

}  // namespace backplane
