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

/* Writes the manifest of a backend, once, at file scope of one source file: a second note, which says
   who made it and what it needs. With it a backend is listed before any of its code runs.

     BP_MANIFEST("AcmeNpu", "Acme", "1.2.0", "Apache-2.0", "avx2 fma", 100, "", "com.acme/Gelu/1-2");

   Texts are plain literals without escapes. `id` is what GetBackendId returns; `vendor`, `version`
   (numbers with dots) and `license` are of the product; `cpu_features` are what the processor must
   have, or "". `rank` is that of the capabilities, 0 when they have none. `permissions` are those of
   <backplane/api/permissions.def> that it needs in a sandbox, and `operators` those of its own, each as
   domain/type/versions, with one space between them, or "". The host refuses what is malformed; in
   C++, BACKPLANE_MANIFEST does not compile then. */
#if defined(BACKPLANE_STATIC_BACKEND)
/* A program may have several backends linked in, and is not one itself. */
#define BP_MANIFEST(id, vendor, version, license, cpu_features, rank, permissions, operators) \
  typedef int bp_no_manifest
#else
#define BP_MANIFEST_ENTRY(key, value) "  .ascii \"" key "=\"\n  .asciz " BP_NOTE_TEXT(value) "\n"
/* Name size 10, type 2; the assembler counts the description, which begins with "BKPM" and a format. */
#define BP_MANIFEST(id, vendor, version, license, cpu_features, rank, permissions, operators) \
  __asm__(                                                                                    \
      ".pushsection .note.backplane.manifest, \"a\", %note\n"                                 \
      "  .balign 4\n"                                                                         \
      "  .long 10\n"                                                                          \
      "  .long 3f - 2f\n"                                                                     \
      "  .long 2\n"                                                                           \
      "  .asciz \"Backplane\"\n"                                                              \
      "  .balign 4\n"                                                                         \
      "2:\n"                                                                                  \
      "  .long 0x4d504b42\n"                                                                  \
      "  .long 1\n"                                                                           \
      BP_MANIFEST_ENTRY("id", id)                                                             \
      BP_MANIFEST_ENTRY("vendor", vendor)                                                     \
      BP_MANIFEST_ENTRY("version", version)                                                   \
      BP_MANIFEST_ENTRY("license", license)                                                   \
      BP_MANIFEST_ENTRY("cpu_features", cpu_features)                                         \
      "  .asciz \"rank=" BP_NOTE_TEXT(rank) "\"\n"                                            \
      BP_MANIFEST_ENTRY("permissions", permissions)                                           \
      BP_MANIFEST_ENTRY("operators", operators)                                               \
      "3:\n"                                                                                  \
      "  .balign 4\n"                                                                         \
      ".popsection\n")
#endif

#endif
