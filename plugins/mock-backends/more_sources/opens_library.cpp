/// Says that the backend opens a library when it runs.

#include <backplane/api/dlopen_note.hpp>

#if defined(BACKPLANE_MOCK_REQUIRED)
BACKPLANE_DLOPEN("libmock_late.so.1", "devices", "required");
BACKPLANE_DLOPEN("libc.so.6", "everything", "required");
#elif defined(BACKPLANE_MOCK_RECOMMENDED)
BACKPLANE_DLOPEN("libmock_late.so.1", "", "recommended");
BACKPLANE_DLOPEN("libmock_later.so.2", "speed", "recommended");
#elif defined(BACKPLANE_MOCK_SUGGESTED)
BACKPLANE_DLOPEN("libmock_late.so.1", "", "suggested");
#else
// As another tool writes it, with the first of two libraries absent; and a note that is cut off.
__asm__(
    ".pushsection .note.dlopen, \"a\", %note\n"
    "  .balign 4\n"
    "  .long 4, 3f - 2f, 0x407c0c0a\n"
    "  .asciz \"FDO\"\n"
    "2:\n"
    "  .asciz \"[{\\\"soname\\\":[\\\"libmock_late.so.2\\\",\\\"libc.so.6\\\"],"
    "\\\"priority\\\":\\\"required\\\"}]\"\n"
    "3:\n"
    "  .balign 4\n"
#if defined(BACKPLANE_MOCK_DAMAGED)
    "  .long 4, 5f - 4f, 0x407c0c0a\n"
    "  .asciz \"FDO\"\n"
    "4:\n"
    "  .asciz \"[{\\\"soname\\\":\"\n"
    "5:\n"
    "  .balign 4\n"
#endif
    ".popsection\n");
#endif
