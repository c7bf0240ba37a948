#include "probing/verdict_cache.hpp"

#include <gtest/gtest.h>

namespace backplane::probing {
namespace {

VerdictRecord MakeRecord() {
  VerdictRecord record;
  record.circumstances = {
      "host", "LD_LIBRARY_PATH=\xff", "/a/given", "/a/canonical", {1, 2, 3, 4, 5}};
  record.files = {{"/lib/one.so", {6, 7, 8, 9, 10}}, {"/lib/gone", {}}};
  record.written = std::chrono::seconds(1'700'000'000);
  record.candidate.status = CandidateStatus::kLoaded;
  record.candidate.stage = Stage::kCreate;
  record.candidate.stages = {{Stage::kOpen}, {Stage::kIdentify}, {Stage::kCreate}};
  record.candidate.identity = BackendIdentity{"Test", {1, 0}};
  return record;
}

TEST(VerdictRecord, IsReadAsItWasWritten) {
  const VerdictRecord record = MakeRecord();
  const auto read = DecodeRecord(EncodeRecord(record));
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->circumstances == record.circumstances);
  ASSERT_EQ(read->files.size(), 2U);
  EXPECT_EQ(read->files[0].path, "/lib/one.so");
  EXPECT_TRUE(read->files[0].stamp == record.files[0].stamp);
  EXPECT_EQ(read->written, record.written);
  EXPECT_EQ(read->candidate.status, CandidateStatus::kLoaded);
  ASSERT_TRUE(read->candidate.identity);
  EXPECT_EQ(read->candidate.identity->id, "Test");
}

TEST(VerdictRecord, GivesNothingWhereverItIsCut) {
  const std::string text = EncodeRecord(MakeRecord());
  for (std::size_t bytes = 0; bytes < text.size(); ++bytes) {
    EXPECT_FALSE(DecodeRecord(text.substr(0, bytes))) << bytes;
  }
  EXPECT_FALSE(DecodeRecord(text + "x"));
}

TEST(VerdictRecord, GivesNothingWhicheverByteIsChanged) {
  const std::string text = EncodeRecord(MakeRecord());
  for (std::size_t position = 0; position < text.size(); ++position) {
    std::string changed = text;
    changed[position] = static_cast<char>(changed[position] ^ 1);
    EXPECT_FALSE(DecodeRecord(changed)) << position;
  }
}

// Whoever may write the directory can compute the checksum.
TEST(VerdictRecord, GivesNothingOfWhatCannotBe) {
  VerdictRecord record = MakeRecord();
  record.candidate.identity.reset();
  EXPECT_FALSE(DecodeRecord(EncodeRecord(record)));
  record = MakeRecord();
  record.candidate.status = CandidateStatus::kRejected;
  record.candidate.stages.back().has_failed = true;
  record.candidate.diagnostics.push_back(Diagnostic{DiagnosticCode::kBackendThrew});
  EXPECT_FALSE(DecodeRecord(EncodeRecord(record))) << "only what passed is kept";
}

TEST(VerdictRecord, EveryCircumstanceCounts) {
  const Circumstances same = MakeRecord().circumstances;
  Circumstances other = same;
  EXPECT_TRUE(same == other);
  other.host += "x";
  EXPECT_FALSE(same == other);
  other = same;
  other.environment += "x";
  EXPECT_FALSE(same == other);
  other = same;
  other.path += "x";
  EXPECT_FALSE(same == other);
  other = same;
  other.stamp.changed_ns += 1;
  EXPECT_FALSE(same == other);
}

}  // namespace
}  // namespace backplane::probing
