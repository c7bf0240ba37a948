#pragma once

/// The libraries that a backend opens by itself when it runs, readable from the file before any of
/// its code runs: the note .note.dlopen of the FDO packaging metadata, which package builders read
/// too.

#include <backplane/api/manifest.hpp>

#include <string_view>

namespace backplane::dlopen_note_rule {

/// The SONAME of a library, or its path.
constexpr bool IsLibrary(std::string_view text) {
  if (text.empty() || text.size() > manifest_rule::kMaxTextBytes) return false;
  for (const char c : text) {
    if (c <= ' ' || c > '~' || c == '"') return false;
  }
  return true;
}

/// What the library is for; may be empty.
constexpr bool IsFeature(std::string_view text) {
  if (text.empty()) return true;
  return manifest_rule::IsText(text) && text.find('"') == std::string_view::npos;
}

constexpr bool IsPriority(std::string_view text) {
  return text == "required" || text == "recommended" || text == "suggested";
}

}  // namespace backplane::dlopen_note_rule

#define BACKPLANE_DLOPEN_CHECK(value, rule, words)                                               \
  static_assert(backplane::manifest_rule::IsPlainLiteral(BP_NOTE_TEXT(value), value),            \
                "BACKPLANE_DLOPEN: " words " must be one plain string literal without escapes"); \
  static_assert(backplane::dlopen_note_rule::rule(value),                                        \
                "BACKPLANE_DLOPEN: " words " is not allowed")

#if defined(BACKPLANE_STATIC_BACKEND)
// The program that it is linked into says itself what it opens.
#define BACKPLANE_DLOPEN_NOTE(soname, feature, priority) static_assert(true, "no note")
#else
// Name size 4 ("FDO" and its zero); the assembler counts the description.
#define BACKPLANE_DLOPEN_NOTE(soname, feature, priority) \
  __asm__(                                                 \
      ".pushsection .note.dlopen, \"a\", %note\n"           \
      "  .balign 4\n"                                      \
      "  .long 4\n"                                        \
      "  .long 3f - 2f\n"                                  \
      "  .long 0x407c0c0a\n"                               \
      "  .asciz \"FDO\"\n"                                 \
      "2:\n"                                               \
      "  .ascii \"[{\\\"soname\\\":[\\\"\"\n"             \
      "  .ascii " BP_NOTE_TEXT(soname) "\n"         \
      "  .ascii \"\\\"],\\\"feature\\\":\\\"\"\n"          \
      "  .ascii " BP_NOTE_TEXT(feature) "\n"        \
      "  .ascii \"\\\",\\\"priority\\\":\\\"\"\n"          \
      "  .ascii " BP_NOTE_TEXT(priority) "\n"       \
      "  .asciz \"\\\"}]\"\n"                              \
      "3:\n"                                               \
      "  .balign 4\n"                                      \
      ".popsection\n")
#endif

/// Says that the backend opens a library when it runs, once for each, at namespace scope.
///
///   BACKPLANE_DLOPEN("libcuda.so.1", "devices of NVIDIA", "required");
///
/// `soname` is what dlopen is called with. `feature` says what it is for, or is "". `priority` is
/// "required" (without it the backend does not work), "recommended" (it lacks what most users want)
/// or "suggested". All must be literals: anything else does not compile.
#define BACKPLANE_DLOPEN(soname, feature, priority)             \
  BACKPLANE_DLOPEN_CHECK(soname, IsLibrary, "the library");     \
  BACKPLANE_DLOPEN_CHECK(feature, IsFeature, "the feature");    \
  BACKPLANE_DLOPEN_CHECK(priority, IsPriority, "the priority"); \
  BACKPLANE_DLOPEN_NOTE(soname, feature, priority);             \
  static_assert(true, "a semicolon follows")
