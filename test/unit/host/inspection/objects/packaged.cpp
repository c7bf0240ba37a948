// As packagers mark what they build: owner "FDO", type 0xcafe1a7e, a JSON object.
__asm__(
    ".pushsection .note.package,\"a\",%note\n"
    "  .balign 4\n"
    "  .long 4\n"
    "  .long 2f - 1f\n"
    "  .long 0xcafe1a7e\n"
    "  .asciz \"FDO\"\n"
    "1: .asciz \"{\\\"name\\\":\\\"acme-npu\\\",\\\"type\\\":\\\"deb\\\"}\"\n"
    "2: .balign 4\n"
    ".popsection\n");

extern "C" int packaged() {
  return 1;
}
