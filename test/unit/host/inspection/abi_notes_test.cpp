#include "inspection/abi_notes.hpp"

#include "object_file.hpp"

#include <elf.h>
#include <gtest/gtest.h>

namespace backplane::inspection {
namespace {

const char* const kAbiNotesPath = "/x/libx.so";

ObjectFile GetAbiNotesGood() {
  return ObjectFile(ReadBytes(GetGoodBackendPath()));
}

std::vector<Diagnostic> GetAbiDiagnostics(const ObjectFile& object) {
  return GetDiagnosticsOf(InspectBytes(object.bytes), Stage::kAbi);
}

// In both notes of the good backend.
ObjectFile GetGoodWith(std::uint32_t AbiNote::*field, std::uint32_t value) {
  ObjectFile object = GetAbiNotesGood();
  for (const int n : {0, 1}) object.GetNote(n).*field = value;
  return object;
}

TEST(AbiNotes, AreReadFromTheFile) {
  const InspectedFile file = InspectPath(GetGoodBackendPath());
  ASSERT_TRUE(file.note);
  EXPECT_EQ(file.note->magic, kAbiNoteOfThisBuild.magic);
  EXPECT_EQ(file.note->needs_minor, kAbiNoteOfThisBuild.needs_minor);
  EXPECT_EQ(file.note->api_draft, kAbiNoteOfThisBuild.api_draft);
  EXPECT_EQ(file.note->pointer_bits, kAbiNoteOfThisBuild.pointer_bits);
}

TEST(AbiNotes, BackendOfAnotherHostIsRejectedWithTheHeaderToInclude) {
  const std::string path = GetObjectPath("other_host.so");
  const Diagnostic diagnostic =
      ExpectOne(GetDiagnosticsOf(InspectPath(path), Stage::kAbi), DiagnosticCode::kNoAbiNote, path,
                "was built for another host", "such as Arm NN");
  EXPECT_NE(diagnostic.fix.find("<backplane/api/backend.hpp>"), std::string::npos);
}

TEST(AbiNotes, OtherMajorIsRejectedAndStillKnown) {
  const std::uint32_t major = kAbiNoteOfThisBuild.api_major + 1;
  const InspectedFile file = InspectBytes(GetGoodWith(&AbiNote::api_major, major).bytes);
  ExpectOne(GetDiagnosticsOf(file, Stage::kAbi), DiagnosticCode::kApiMajorMismatch, kAbiNotesPath,
            "found major version " + std::to_string(major),
            "expected " + std::to_string(kAbiNoteOfThisBuild.api_major));
  ASSERT_TRUE(file.note);
  EXPECT_EQ(file.note->api_major, major);
}

TEST(AbiNotes, OtherDraftIsRejected) {
  const std::uint32_t draft = kAbiNoteOfThisBuild.api_draft + 1;
  ExpectOne(GetAbiDiagnostics(GetGoodWith(&AbiNote::api_draft, draft)),
            DiagnosticCode::kApiDraftMismatch, kAbiNotesPath,
            "found draft " + std::to_string(draft),
            "expected draft " + std::to_string(kAbiNoteOfThisBuild.api_draft));
}

TEST(AbiNotes, MixedNotesAreRejected) {
  ObjectFile object = GetAbiNotesGood();
  object.GetNote(1).knows_minor = 7;
  const InspectedFile file = InspectBytes(object.bytes);
  ExpectOne(GetDiagnosticsOf(file, Stage::kAbi), DiagnosticCode::kMixedHeaders, kAbiNotesPath,
            "minor version of the Backend API that is known: 0 and 7",
            "expected the same in all 2 source files");
  EXPECT_FALSE(file.note);
}

TEST(AbiNotes, OtherMagicIsUnreadable) {
  ObjectFile object = GetAbiNotesGood();
  object.GetNote(0).magic = 0x1234;
  ExpectOne(GetAbiDiagnostics(object), DiagnosticCode::kDamagedAbiNote, kAbiNotesPath,
            "a note begins with 0x1234", "expected 0x4e504b42");
}

TEST(AbiNotes, ShortNoteIsUnreadable) {
  ObjectFile object = GetAbiNotesGood();
  // The size of the description stands two words before the name.
  const std::size_t name = object.bytes.find(kAbiNoteName);
  object.At<std::uint32_t>(name - 2 * sizeof(std::uint32_t)) = 8;
  ExpectOne(GetAbiDiagnostics(object), DiagnosticCode::kDamagedAbiNote, kAbiNotesPath,
            "a note has 8 bytes", "expected at least 28");
}

TEST(AbiNotes, DamagedSegmentOfNotesIsNotTakenForAnotherHosts) {
  ObjectFile object = GetAbiNotesGood();
  auto& segment = object.GetSegment(PT_NOTE);
  if (segment.p_align == 8) segment = object.GetSegment(PT_NOTE, 1);
  object.At<std::uint32_t>(segment.p_offset) = 0x7fffffff;
  ExpectOne(GetAbiDiagnostics(object), DiagnosticCode::kDamagedAbiNote, kAbiNotesPath,
            "a segment of notes (PT_NOTE) is damaged", "cannot be read");
}

}  // namespace
}  // namespace backplane::inspection
