/* The ABI note: what an object was built with, readable from the file before any of its code runs.

   Every source that includes a header of the Backend API carries one ELF note, without any action by
   its author. The host compares the notes of a plugin with each other and with its own. The note is
   placed by top-level asm because compilers drop or omit variables that nobody uses; a section of
   type SHT_NOTE survives -O2, LTO, --gc-sections and strip. */
#ifndef BACKPLANE_C_NOTE_H
#define BACKPLANE_C_NOTE_H

/* The version of the Backend API that these headers describe. Written here and nowhere else. */
#define BP_API_MAJOR 1
#define BP_API_MINOR 0
/* While the API is not frozen, plugin and host must be built from the same draft. */
#define BP_API_DRAFT 17

/* What a backend needs and what it knows of the API. The vendor defines these for all sources of the
   backend; newer headers alone change nothing. */
#ifndef BP_NEEDS_MINOR
#define BP_NEEDS_MINOR 0
#endif
#ifndef BP_KNOWS_MINOR
#define BP_KNOWS_MINOR BP_NEEDS_MINOR
#endif

#if defined(__LP64__)
#define BP_NOTE_POINTER_BITS 64
#else
#define BP_NOTE_POINTER_BITS 32
#endif

/* Bit 0 address, bit 1 thread, bit 2 memory. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BP_NOTE_SANITIZERS 1
#elif __has_feature(thread_sanitizer)
#define BP_NOTE_SANITIZERS 2
#elif __has_feature(memory_sanitizer)
#define BP_NOTE_SANITIZERS 4
#endif
#endif
#if !defined(BP_NOTE_SANITIZERS) && defined(__SANITIZE_ADDRESS__)
#define BP_NOTE_SANITIZERS 1
#elif !defined(BP_NOTE_SANITIZERS) && defined(__SANITIZE_THREAD__)
#define BP_NOTE_SANITIZERS 2
#elif !defined(BP_NOTE_SANITIZERS)
#define BP_NOTE_SANITIZERS 0
#endif

#define BP_NOTE_TEXT_OF(value) #value
#define BP_NOTE_TEXT(value) BP_NOTE_TEXT_OF(value)
#define BP_NOTE_WORD(value) "  .long " BP_NOTE_TEXT(value) "\n"

/* Name size 10 ("Backplane" and its zero), description size 28, type 1. 0x4e504b42 is "BKPN" in the
   file. A later note may be longer. */
__asm__(
    ".pushsection .note.backplane.abi, \"a\", %note\n"
    "  .balign 4\n"
    "  .long 10\n"
    "  .long 28\n"
    "  .long 1\n"
    "  .asciz \"Backplane\"\n"
    "  .balign 4\n"
    "  .long 0x4e504b42\n"
    BP_NOTE_WORD(BP_API_MAJOR)
    BP_NOTE_WORD(BP_NEEDS_MINOR)
    BP_NOTE_WORD(BP_API_DRAFT)
    BP_NOTE_WORD(BP_KNOWS_MINOR)
    BP_NOTE_WORD(BP_NOTE_POINTER_BITS)
    BP_NOTE_WORD(BP_NOTE_SANITIZERS)
    "  .balign 4\n"
    ".popsection\n");

#endif
