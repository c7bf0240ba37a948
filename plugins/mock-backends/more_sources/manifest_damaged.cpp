/// A manifest whose text breaks off within a key.

#include <backplane/api/manifest.hpp>

__asm__(
    ".pushsection .note.backplane.manifest, \"a\", %note\n"
    "  .long 10, 3f - 2f, 2\n"
    "  .asciz \"Backplane\"\n"
    "  .balign 4\n"
    "2:\n"
    "  .long 0x4d504b42, 1\n"
    "  .asciz \"id=Mock\"\n"
    "  .ascii \"ven\"\n"
    "3:\n"
    "  .balign 4\n"
    ".popsection\n");
