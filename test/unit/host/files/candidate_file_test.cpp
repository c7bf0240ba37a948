#include "files/candidate_file.hpp"

#include "support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

namespace backplane::files {
namespace {

using ::testing::HasSubstr;

std::optional<Diagnostic> FindFailure(const std::string& path) {
  return OpenCandidateFile(path, "").second;
}

TEST(CandidateFile, ResolvesAChainOfLinks) {
  const test::TemporaryDirectory directory;
  directory.Write("a.so.1.2", "content");
  directory.Link("a.so.1", "a.so.1.2");
  directory.Link("a.so", "a.so.1");
  const auto [file, failure] = OpenCandidateFile(directory / "a.so", "");
  ASSERT_FALSE(failure);
  EXPECT_EQ(file.canonical_path, directory / "a.so.1.2");
  EXPECT_EQ(file.status.st_size, 7);
}

TEST(CandidateFile, TakesTheDirectPathForAFileButNotForALink) {
  const test::TemporaryDirectory directory;
  const std::string path = directory.Write("a.so.1", "content");
  directory.Link("a.so", "a.so.1");
  EXPECT_EQ(OpenCandidateFile(path, path).first.canonical_path, path);
  EXPECT_EQ(OpenCandidateFile(directory / "a.so", directory / "a.so").first.canonical_path, path);
}

TEST(CandidateFile, RejectsAMissingFile) {
  const test::TemporaryDirectory directory;
  const auto failure = FindFailure(directory / "none.so");
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, DiagnosticCode::kFileNotFound);
  EXPECT_EQ(failure->subject.name, directory / "none.so");
}

TEST(CandidateFile, NamesTheTargetOfADanglingLink) {
  const test::TemporaryDirectory directory;
  directory.Link("a.so", "gone.so.3");
  const auto failure = FindFailure(directory / "a.so");
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, DiagnosticCode::kDanglingLink);
  EXPECT_THAT(failure->why, HasSubstr("gone.so.3"));
}

TEST(CandidateFile, RejectsALoopOfLinks) {
  const test::TemporaryDirectory directory;
  directory.Link("a.so", "b.so");
  directory.Link("b.so", "a.so");
  const auto failure = FindFailure(directory / "a.so");
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, DiagnosticCode::kLinkLoop);
}

TEST(CandidateFile, RejectsADirectory) {
  const test::TemporaryDirectory directory;
  const auto failure = FindFailure(directory.GetPath());
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, DiagnosticCode::kNotRegularFile);
  EXPECT_THAT(failure->why, HasSubstr("a directory"));
}

TEST(CandidateFile, DoesNotWaitForAFifo) {
  const test::TemporaryDirectory directory;
  ASSERT_EQ(mkfifo((directory / "a.so").c_str(), 0600), 0);
  const auto failure = FindFailure(directory / "a.so");
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, DiagnosticCode::kNotRegularFile);
  EXPECT_THAT(failure->why, HasSubstr("a FIFO"));
}

TEST(CandidateFile, RejectsASocket) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "a.so";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  const wire::FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM, 0));
  ASSERT_EQ(bind(socket.Get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  const auto failure = FindFailure(path);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, DiagnosticCode::kNotRegularFile);
}

TEST(CandidateFile, RejectsWhatMayNotBeRead) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const test::TemporaryDirectory directory;
  const std::string path = directory.Write("a.so", "content");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const auto failure = FindFailure(path);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, DiagnosticCode::kFileUnreadable);
  EXPECT_THAT(failure->why, HasSubstr("Permission denied"));
}

TEST(CandidateFile, SeesThatAFileWasReplaced) {
  const test::TemporaryDirectory directory;
  const std::string path = directory.Write("a.so", "content");
  const auto [file, failure] = OpenCandidateFile(path, "");
  ASSERT_FALSE(failure);
  EXPECT_TRUE(IsStillTheSame(file));
  directory.Write("b.so", "content");
  std::filesystem::rename(directory / "b.so", path);
  EXPECT_FALSE(IsStillTheSame(file));
}

TEST(CandidateFile, SeesThatAFileWasOverwritten) {
  const test::TemporaryDirectory directory;
  const std::string path = directory.Write("a.so", "content");
  const auto [file, failure] = OpenCandidateFile(path, "");
  ASSERT_FALSE(failure);
  directory.Write("a.so", "content and more");
  EXPECT_FALSE(IsStillTheSame(file));
}

}  // namespace
}  // namespace backplane::files
