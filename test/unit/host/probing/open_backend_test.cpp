#include "probing/open_backend.hpp"

#include "support/build_tree.hpp"
#include "support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace backplane::probing {
namespace {

using ::testing::HasSubstr;

class OpenBackendTest : public ::testing::Test {
 protected:
  OpenBackendTest() {
    std::filesystem::copy(test::InBuildTree(BACKPLANE_GOOD_BACKEND), path_);
    candidate_.path = path_;
  }

  const test::TemporaryDirectory directory_;
  const std::string path_ = directory_ / "Test_Good_backend.so";
  Candidate candidate_;
};

TEST_F(OpenBackendTest, GivesTheRegistrationOfAGoodFile) {
  auto [file, failure] = files::OpenCandidateFile(path_, path_);
  ASSERT_FALSE(failure);
  CandidateLadder ladder(candidate_);
  const auto backend = OpenBackend(file, std::nullopt, candidate_, ladder);
  ASSERT_TRUE(backend);
  EXPECT_EQ(backend->GetPath(), path_);
  ASSERT_TRUE(candidate_.identity);
  EXPECT_EQ(backend->GetBackendId(), candidate_.identity->id);
}

TEST_F(OpenBackendTest, RejectsAFileThatWasReplacedAfterItWasChecked) {
  auto [file, failure] = files::OpenCandidateFile(path_, path_);
  ASSERT_FALSE(failure);
  std::filesystem::copy(path_, directory_ / "new");
  std::filesystem::rename(directory_ / "new", path_);
  CandidateLadder ladder(candidate_);
  EXPECT_FALSE(OpenBackend(file, std::nullopt, candidate_, ladder));
  ASSERT_EQ(candidate_.diagnostics.size(), 1U);
  EXPECT_EQ(candidate_.diagnostics[0].code, DiagnosticCode::kFileChanged);
  EXPECT_EQ(candidate_.diagnostics[0].subject.name, path_);
  EXPECT_THAT(candidate_.diagnostics[0].fix, HasSubstr("by renaming"));
  EXPECT_FALSE(candidate_.identity) << "nothing of the wrong file was called";
}

TEST_F(OpenBackendTest, SaysThatAFileIsGoneAlthoughItWasClosed) {
  auto [file, failure] = files::OpenCandidateFile(path_, path_);
  ASSERT_FALSE(failure);
  file.descriptor = wire::FileDescriptor();
  std::filesystem::remove(path_);
  CandidateLadder ladder(candidate_);
  EXPECT_FALSE(OpenBackend(file, std::nullopt, candidate_, ladder));
  ASSERT_EQ(candidate_.diagnostics.size(), 1U);
  EXPECT_EQ(candidate_.diagnostics[0].code, DiagnosticCode::kFileNotFound);
}

/// Puts another file in the place of the one that runs.
class ReplacesTheFile final : public backend::ProgressObserver {
 public:
  ReplacesTheFile(std::string path, std::string other)
      : path_(std::move(path)), other_(std::move(other)) {}
  void OnStage(Stage stage) override {
    if (stage == Stage::kIdentify) std::filesystem::rename(other_, path_);
  }
  void OnCall(const char* /*function*/) override {}

 private:
  std::string path_;
  std::string other_;
};

// What is kept for a build must be what that build made.
TEST_F(OpenBackendTest, KnowsNoDigestOfAFileThatWasReplacedWhileItsCodeRan) {
  auto [file, failure] = files::OpenCandidateFile(path_, path_);
  ASSERT_FALSE(failure);
  ReplacesTheFile observer(path_, directory_.Write("new", "the next build"));
  CandidateLadder ladder(candidate_, &observer);
  const auto backend = OpenBackend(file, std::nullopt, candidate_, ladder);
  ASSERT_TRUE(backend);
  EXPECT_EQ(backend->GetRegistration().origin->code_file->GetDigest(), "");
}

TEST_F(OpenBackendTest, KnowsTheDigestOfTheFileThatRuns) {
  auto [file, failure] = files::OpenCandidateFile(path_, path_);
  ASSERT_FALSE(failure);
  CandidateLadder ladder(candidate_);
  const auto backend = OpenBackend(file, std::nullopt, candidate_, ladder);
  ASSERT_TRUE(backend);
  EXPECT_EQ(backend->GetRegistration().origin->code_file->GetDigest().size(), 64U);
}

}  // namespace
}  // namespace backplane::probing
