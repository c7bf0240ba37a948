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
  host.api_minor = 5;
  host.api_draft = 3;
  host.standard_library = 1;
  host.cxx11_abi = 1;
  host.rtti = 1;
  host.exceptions = 1;
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

TEST(AbiComparison, AcceptsOlderMinorOfTheSameDraft) {
  const AbiNote note = GetHostWith(&AbiNote::api_minor, 0);
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
  const AbiNote note = GetHostWith(&AbiNote::api_minor, 6);
  ExpectOne(CompareNoteWithHost(note, GetHost(), kAbiComparisonPath),
            DiagnosticCode::kApiMinorTooNew, kAbiComparisonPath,
            "needs Backend API 2.6, but this host implements 2.5",
            "found minor version 6, expected at most 5");
}

TEST(AbiComparison, RejectsOtherDraft) {
  const AbiNote note = GetHostWith(&AbiNote::api_draft, 2);
  ExpectOne(CompareNoteWithHost(note, GetHost(), kAbiComparisonPath),
            DiagnosticCode::kApiDraftMismatch, kAbiComparisonPath, "found draft 2",
            "expected draft 3");
}

TEST(AbiComparison, LeavesDraftsAloneWhenTheVersionsDoNotFit) {
  AbiNote note = GetHostWith(&AbiNote::api_draft, 2);
  note.api_minor = 6;
  ExpectOne(CompareNoteWithHost(note, GetHost(), kAbiComparisonPath),
            DiagnosticCode::kApiMinorTooNew, kAbiComparisonPath, "2.6", "2.5");
}

TEST(AbiComparison, RejectsOtherStandardLibrary) {
  const AbiNote note = GetHostWith(&AbiNote::standard_library, 2);
  ExpectOne(CompareNoteWithHost(note, GetHost(), kAbiComparisonPath),
            DiagnosticCode::kIncompatibleBuild, kAbiComparisonPath,
            "standard library: found libc++", "expected libstdc++");
}

TEST(AbiComparison, RejectsOtherStringAbi) {
  const AbiNote note = GetHostWith(&AbiNote::cxx11_abi, 0);
  ExpectOne(CompareNoteWithHost(note, GetHost(), kAbiComparisonPath),
            DiagnosticCode::kIncompatibleBuild, kAbiComparisonPath,
            "_GLIBCXX_USE_CXX11_ABI: found 0", "expected 1");
}

TEST(AbiComparison, RejectsDebugContainers) {
  const AbiNote note = GetHostWith(&AbiNote::debug_containers, 1);
  ExpectOne(CompareNoteWithHost(note, GetHost(), kAbiComparisonPath),
            DiagnosticCode::kIncompatibleBuild, kAbiComparisonPath, "_GLIBCXX_DEBUG: found 1",
            "expected 0");
}

TEST(AbiComparison, RejectsOtherPointerSize) {
  const AbiNote note = GetHostWith(&AbiNote::pointer_bits, 32);
  ExpectOne(CompareNoteWithHost(note, GetHost(), kAbiComparisonPath),
            DiagnosticCode::kIncompatibleBuild, kAbiComparisonPath, "pointer size: found 32-bit",
            "expected 64-bit");
}

TEST(AbiComparison, ReportsAllSettingsTogether) {
  AbiNote note = GetHostWith(&AbiNote::cxx11_abi, 0);
  note.debug_containers = 1;
  ExpectOne(CompareNoteWithHost(note, GetHost(), kAbiComparisonPath),
            DiagnosticCode::kIncompatibleBuild, kAbiComparisonPath,
            "do not fit this host: _GLIBCXX_USE_CXX11_ABI and _GLIBCXX_DEBUG",
            "found 0, expected 1; _GLIBCXX_DEBUG: found 1, expected 0");
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

TEST(AbiComparison, AcceptsOtherRttiAndExceptionsThanTheHosts) {
  AbiNote note = GetHostWith(&AbiNote::rtti, 0);
  note.exceptions = 0;
  EXPECT_TRUE(CompareNoteWithHost(note, GetHost(), kAbiComparisonPath).empty());
}

TEST(AbiComparison, RejectsOtherRttiAndExceptionsWithinOneFile) {
  for (const auto member : {&AbiNote::rtti, &AbiNote::exceptions}) {
    const auto mixed = CompareNotesOfFile({GetHost(), GetHostWith(member, 0)}, kAbiComparisonPath);
    ASSERT_TRUE(mixed);
    EXPECT_EQ(mixed->code, DiagnosticCode::kMixedHeaders);
    EXPECT_NE(mixed->why.find("0 and 1"), std::string::npos) << mixed->why;
  }
}

TEST(AbiComparison, ReportsEveryIndependentMismatch) {
  AbiNote note = GetHostWith(&AbiNote::api_major, 1);
  note.cxx11_abi = 0;
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
  const std::vector<AbiNote> notes = {GetHost(), GetHostWith(&AbiNote::api_minor, 4), GetHost(),
                                      GetHostWith(&AbiNote::standard_library, 2)};
  const std::optional<Diagnostic> diagnostic = CompareNotesOfFile(notes, kAbiComparisonPath);
  ASSERT_TRUE(diagnostic);
  ExpectOne({*diagnostic}, DiagnosticCode::kMixedHeaders, kAbiComparisonPath,
            "found minor version of the Backend API: 4 and 5; standard library: libstdc++ and "
            "libc++",
            "expected the same in all 4 source files");
}

}  // namespace
}  // namespace backplane::inspection
