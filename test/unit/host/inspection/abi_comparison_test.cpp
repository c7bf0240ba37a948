#include "inspection/abi_comparison.hpp"

#include "object_file.hpp"

#include <gtest/gtest.h>

namespace backplane::inspection {
namespace {

const char* const kAbiComparisonPath = "/x/libx.so";

// A host of 2.5, so that older and newer versions exist.
AbiNote GetHost() {
  AbiNote host{};
  host.magic = kAbiNoteMagic;
  host.api_major = 2;
  host.needs_minor = 5;
  host.knows_minor = 5;
  host.api_draft = 3;
  host.pointer_bits = 64;
  return host;
}

AbiNote GetHostWith(std::uint32_t AbiNote::*field, std::uint32_t value) {
  AbiNote note = GetHost();
  note.*field = value;
  return note;
}

TEST(AbiComparison, AcceptsTheHostsOwnNote) {
  EXPECT_TRUE(CompareNoteWithHost(GetHost(), GetHost(), kAbiComparisonPath).empty());
}

TEST(AbiComparison, AcceptsOlderMinors) {
  const AbiNote note = GetHostWith(&AbiNote::needs_minor, 0);
  EXPECT_TRUE(CompareNoteWithHost(note, GetHost(), kAbiComparisonPath).empty());
}

TEST(AbiComparison, RejectsOtherMajors) {
  for (const std::uint32_t major : {1U, 3U}) {
    const AbiNote note = GetHostWith(&AbiNote::api_major, major);
    const Diagnostic diagnostic = ExpectOne(
        CompareNoteWithHost(note, GetHost(), kAbiComparisonPath), DiagnosticCode::kApiMajorMismatch,
        kAbiComparisonPath, "is built for Backend API " + std::to_string(major) + ".5",
        "this host implements 2.5");
    EXPECT_EQ(diagnostic.fix, "get a build of this backend for Backend API 2.x");
  }
}

TEST(AbiComparison, RejectsNewerMinor) {
  const AbiNote note = GetHostWith(&AbiNote::needs_minor, 6);
  ExpectOne(CompareNoteWithHost(note, GetHost(), kAbiComparisonPath),
            DiagnosticCode::kApiMinorTooNew, kAbiComparisonPath,
            "needs Backend API 2.6, but this host implements 2.5",
            "found minor version 6, expected at most 5");
}

// The older of two versions must be frozen, or both be of one draft.
TEST(AbiComparison, ComparesDraftsUnlessTheOlderVersionIsFrozen) {
  struct Row {
    std::uint32_t needs, knows, draft, host_minor, host_draft;
    bool fits;
  };
  constexpr Row kRows[] = {
      // One version: both are the same draft, or both are frozen.
      {0, 0, 0, 0, 0, true},
      {0, 0, 3, 0, 3, true},
      {0, 0, 2, 0, 3, false},
      {0, 0, 3, 0, 0, false},
      {0, 0, 0, 0, 3, false},
      {1, 1, 2, 1, 3, false},
      // An older backend: frozen, or of the draft that the host grew from.
      {0, 0, 0, 1, 0, true},
      {0, 0, 0, 1, 3, true},
      {0, 0, 3, 1, 3, true},
      {0, 0, 2, 1, 3, false},
      {0, 0, 3, 1, 0, false},
      {1, 1, 0, 2, 3, true},
      // A backend of an older version that knows what is new in this one.
      {0, 1, 3, 1, 3, true},
      {0, 1, 2, 1, 3, false},
      {0, 1, 2, 1, 0, false},
      {0, 1, 0, 1, 3, false},
      // A backend that knows more than a host: its draft is of what the host has not.
      {0, 1, 0, 0, 0, true},
      {0, 1, 3, 0, 0, true},
      {0, 1, 3, 0, 3, true},
      {0, 1, 0, 0, 3, false},
      {0, 1, 2, 0, 3, false},
  };
  for (const Row& row : kRows) {
    AbiNote note = GetHostWith(&AbiNote::needs_minor, row.needs);
    note.knows_minor = row.knows;
    note.api_draft = row.draft;
    AbiNote host = GetHostWith(&AbiNote::needs_minor, row.host_minor);
    host.knows_minor = row.host_minor;
    host.api_draft = row.host_draft;
    const auto found = CompareNoteWithHost(note, host, kAbiComparisonPath);
    SCOPED_TRACE("a backend that needs 2." + std::to_string(row.needs) + " and knows 2." +
                 std::to_string(row.knows) + " of draft " + std::to_string(row.draft) +
                 " in a host of 2." + std::to_string(row.host_minor) + " of draft " +
                 std::to_string(row.host_draft));
    EXPECT_EQ(found.empty(), row.fits);
    if (!row.fits) {
      ExpectOne(found, DiagnosticCode::kApiDraftMismatch, kAbiComparisonPath,
                "found draft " + std::to_string(row.draft),
                "expected draft " + std::to_string(row.host_draft));
    }
  }
}

// A frozen version has the words of the host's note, whatever the host's draft is.
TEST(AbiComparison, ComparesPointersOfOtherDraftsThatFit) {
  AbiNote note = GetHostWith(&AbiNote::needs_minor, 4);
  note.knows_minor = 4;
  note.api_draft = 0;
  note.pointer_bits = 32;
  ExpectOne(CompareNoteWithHost(note, GetHost(), kAbiComparisonPath),
            DiagnosticCode::kIncompatibleBuild, kAbiComparisonPath, "pointer size: found 32-bit",
            "expected 64-bit");
}

// What a backend knows beyond the host does no harm: the host never asks for it.
TEST(AbiComparison, AcceptsBackendsThatKnowMore) {
  const AbiNote note = GetHostWith(&AbiNote::knows_minor, 9);
  EXPECT_TRUE(CompareNoteWithHost(note, GetHost(), kAbiComparisonPath).empty());
}

TEST(AbiComparison, RejectsOtherDraft) {
  const AbiNote note = GetHostWith(&AbiNote::api_draft, 2);
  ExpectOne(CompareNoteWithHost(note, GetHost(), kAbiComparisonPath),
            DiagnosticCode::kApiDraftMismatch, kAbiComparisonPath, "found draft 2",
            "expected draft 3");
}

TEST(AbiComparison, LeavesDraftsAloneWhenTheVersionsDoNotFit) {
  AbiNote note = GetHostWith(&AbiNote::api_draft, 2);
  note.needs_minor = 6;
  ExpectOne(CompareNoteWithHost(note, GetHost(), kAbiComparisonPath),
            DiagnosticCode::kApiMinorTooNew, kAbiComparisonPath, "2.6", "2.5");
}

TEST(AbiComparison, RejectsOtherPointerSize) {
  const AbiNote note = GetHostWith(&AbiNote::pointer_bits, 32);
  ExpectOne(CompareNoteWithHost(note, GetHost(), kAbiComparisonPath),
            DiagnosticCode::kIncompatibleBuild, kAbiComparisonPath, "pointer size: found 32-bit",
            "expected 64-bit");
}

TEST(AbiComparison, RejectsMoreSanitizersThanTheHosts) {
  const AbiNote host = GetHostWith(&AbiNote::sanitizers, 2);
  const AbiNote note = GetHostWith(&AbiNote::sanitizers, 3);
  ExpectOne(CompareNoteWithHost(note, host, kAbiComparisonPath), DiagnosticCode::kMoreSanitizers,
            kAbiComparisonPath, "is built with AddressSanitizer, but this host is not",
            "found sanitizers: AddressSanitizer and ThreadSanitizer, expected no more than those "
            "of the host: ThreadSanitizer");
}

TEST(AbiComparison, AcceptsFewerSanitizersThanTheHosts) {
  const AbiNote host = GetHostWith(&AbiNote::sanitizers, 1);
  EXPECT_TRUE(CompareNoteWithHost(GetHost(), host, kAbiComparisonPath).empty());
}

TEST(AbiComparison, ReportsEveryIndependentMismatch) {
  AbiNote note = GetHostWith(&AbiNote::api_major, 1);
  note.pointer_bits = 32;
  note.sanitizers = 1;
  const std::vector<Diagnostic> diagnostics =
      CompareNoteWithHost(note, GetHost(), kAbiComparisonPath);
  ASSERT_EQ(diagnostics.size(), 3U);
  EXPECT_EQ(diagnostics[0].code, DiagnosticCode::kApiMajorMismatch);
  EXPECT_EQ(diagnostics[1].code, DiagnosticCode::kIncompatibleBuild);
  EXPECT_EQ(diagnostics[2].code, DiagnosticCode::kMoreSanitizers);
}

TEST(AbiComparison, AcceptsNotesThatAgree) {
  EXPECT_FALSE(CompareNotesOfFile({GetHost(), GetHost(), GetHost()}, kAbiComparisonPath));
}

TEST(AbiComparison, RejectsNotesThatDisagreeWithAllValues) {
  const std::vector<AbiNote> notes = {GetHost(), GetHostWith(&AbiNote::needs_minor, 4), GetHost(),
                                      GetHostWith(&AbiNote::pointer_bits, 32)};
  const std::optional<Diagnostic> diagnostic = CompareNotesOfFile(notes, kAbiComparisonPath);
  ASSERT_TRUE(diagnostic);
  ExpectOne({*diagnostic}, DiagnosticCode::kMixedHeaders, kAbiComparisonPath,
            "found minor version of the Backend API that is needed: 4 and 5; pointer size: 32-bit "
            "and 64-bit",
            "expected the same in all 4 source files");
}

}  // namespace
}  // namespace backplane::inspection
