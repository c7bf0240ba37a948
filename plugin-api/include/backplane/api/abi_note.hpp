#pragma once

/// The ABI note: what a shared object was built with, readable from the file before any of its
/// code runs.
///
/// Every translation unit that includes a header of the Backend API carries one ELF note, without
/// any action by its author. The host compares the notes of a plugin with each other and with its
/// own. The note is placed by top-level `asm` because compilers drop or omit variables that nobody
/// uses; a section of type SHT_NOTE survives -O2, LTO, --gc-sections and strip.

#include <cstddef>
#include <cstdint>

/// The version of the Backend API described by these headers. Written here and nowhere else.
#define BACKPLANE_BACKEND_API_MAJOR 1
#define BACKPLANE_BACKEND_API_MINOR 0
/// While the API is not frozen, plugin and host must be built from the same draft.
#define BACKPLANE_BACKEND_API_DRAFT 9

#if defined(_LIBCPP_VERSION)
#define BACKPLANE_NOTE_STANDARD_LIBRARY 2
#elif defined(__GLIBCXX__) || defined(_GLIBCXX_RELEASE)
#define BACKPLANE_NOTE_STANDARD_LIBRARY 1
#else
#define BACKPLANE_NOTE_STANDARD_LIBRARY 0
#endif

#if defined(_GLIBCXX_USE_CXX11_ABI) && _GLIBCXX_USE_CXX11_ABI
#define BACKPLANE_NOTE_CXX11_ABI 1
#else
#define BACKPLANE_NOTE_CXX11_ABI 0
#endif

#if defined(_GLIBCXX_DEBUG)
#define BACKPLANE_NOTE_DEBUG_CONTAINERS 1
#else
#define BACKPLANE_NOTE_DEBUG_CONTAINERS 0
#endif

#if defined(__GXX_RTTI) || defined(__cpp_rtti)
#define BACKPLANE_NOTE_RTTI 1
#else
#define BACKPLANE_NOTE_RTTI 0
#endif

#if defined(__cpp_exceptions)
#define BACKPLANE_NOTE_EXCEPTIONS 1
#else
#define BACKPLANE_NOTE_EXCEPTIONS 0
#endif

#if defined(__LP64__)
#define BACKPLANE_NOTE_POINTER_BITS 64
#else
#define BACKPLANE_NOTE_POINTER_BITS 32
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BACKPLANE_NOTE_HAS_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define BACKPLANE_NOTE_HAS_TSAN 1
#endif
#if __has_feature(memory_sanitizer)
#define BACKPLANE_NOTE_HAS_MSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(BACKPLANE_NOTE_HAS_ASAN)
#define BACKPLANE_NOTE_HAS_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__) && !defined(BACKPLANE_NOTE_HAS_TSAN)
#define BACKPLANE_NOTE_HAS_TSAN 1
#endif
#if defined(BACKPLANE_NOTE_HAS_ASAN)
#define BACKPLANE_NOTE_SANITIZERS 1
#elif defined(BACKPLANE_NOTE_HAS_TSAN)
#define BACKPLANE_NOTE_SANITIZERS 2
#elif defined(BACKPLANE_NOTE_HAS_MSAN)
#define BACKPLANE_NOTE_SANITIZERS 4
#else
#define BACKPLANE_NOTE_SANITIZERS 0
#endif

#define BACKPLANE_NOTE_TEXT_OF(value) #value
#define BACKPLANE_NOTE_TEXT(value) BACKPLANE_NOTE_TEXT_OF(value)
#define BACKPLANE_NOTE_WORD(value) "  .long " BACKPLANE_NOTE_TEXT(value) "\n"

// Name size 10 ("Backplane" and its zero), description size 44 (struct AbiNote), type 1.
// 0x4e504b42 is "BKPN" in the file. The order of the words is that of struct AbiNote.
__asm__(
    ".pushsection .note.backplane.abi, \"a\", %note\n"
    "  .balign 4\n"
    "  .long 10\n"
    "  .long 44\n"
    "  .long 1\n"
    "  .asciz \"Backplane\"\n"
    "  .balign 4\n"
    "  .long 0x4e504b42\n"
    BACKPLANE_NOTE_WORD(BACKPLANE_BACKEND_API_MAJOR)
    BACKPLANE_NOTE_WORD(BACKPLANE_BACKEND_API_MINOR)
    BACKPLANE_NOTE_WORD(BACKPLANE_BACKEND_API_DRAFT)
    BACKPLANE_NOTE_WORD(BACKPLANE_NOTE_STANDARD_LIBRARY)
    BACKPLANE_NOTE_WORD(BACKPLANE_NOTE_CXX11_ABI)
    BACKPLANE_NOTE_WORD(BACKPLANE_NOTE_DEBUG_CONTAINERS)
    BACKPLANE_NOTE_WORD(BACKPLANE_NOTE_RTTI)
    BACKPLANE_NOTE_WORD(BACKPLANE_NOTE_EXCEPTIONS)
    BACKPLANE_NOTE_WORD(BACKPLANE_NOTE_POINTER_BITS)
    BACKPLANE_NOTE_WORD(BACKPLANE_NOTE_SANITIZERS)
    "  .balign 4\n"
    ".popsection\n");

namespace backplane {

/// The words of the note, as they stand in the file. Frozen; a later note may be longer.
struct AbiNote {
  std::uint32_t magic;
  std::uint32_t api_major;
  std::uint32_t api_minor;
  std::uint32_t api_draft;
  std::uint32_t standard_library;  // 0 unknown, 1 libstdc++, 2 libc++
  std::uint32_t cxx11_abi;         // _GLIBCXX_USE_CXX11_ABI
  std::uint32_t debug_containers;  // _GLIBCXX_DEBUG
  std::uint32_t rtti;
  std::uint32_t exceptions;
  std::uint32_t pointer_bits;
  std::uint32_t sanitizers;  // bit 0 address, bit 1 thread, bit 2 memory
};
static_assert(sizeof(AbiNote) == 44, "the size is written in the note");

constexpr char kAbiNoteName[] = "Backplane";
constexpr std::uint32_t kAbiNoteType = 1;
constexpr std::uint32_t kAbiNoteMagic = 0x4e504b42;

/// The note of the translation unit that asks, without reading a file.
constexpr AbiNote kAbiNoteOfThisBuild{kAbiNoteMagic,
                                      BACKPLANE_BACKEND_API_MAJOR,
                                      BACKPLANE_BACKEND_API_MINOR,
                                      BACKPLANE_BACKEND_API_DRAFT,
                                      BACKPLANE_NOTE_STANDARD_LIBRARY,
                                      BACKPLANE_NOTE_CXX11_ABI,
                                      BACKPLANE_NOTE_DEBUG_CONTAINERS,
                                      BACKPLANE_NOTE_RTTI,
                                      BACKPLANE_NOTE_EXCEPTIONS,
                                      BACKPLANE_NOTE_POINTER_BITS,
                                      BACKPLANE_NOTE_SANITIZERS};

}  // namespace backplane
