#include <backplane/host/diagnostic.hpp>
#include <backplane/host/logging.hpp>

#include "support/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/log/trivial.hpp>

#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace backplane {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string ReadLogging(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path).rdbuf();
  return content.str();
}

class Logging : public ::testing::Test {
 protected:
  ~Logging() override { DisableLogging(); }
  const test::TemporaryDirectory directory_;
  const std::string file_ = directory_ / "log";
};

TEST_F(Logging, WritesNothingUntilEnabled) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  Log("discovery", LogLevel::kError, "quiet");
  EXPECT_FALSE(IsLogEnabled("discovery", LogLevel::kError));
  EXPECT_THAT(::testing::internal::GetCapturedStdout(), IsEmpty());
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), IsEmpty());
}

TEST_F(Logging, WritesChannelLevelAndMessageOnOneLine) {
  EnableLogging("info", {file_});
  Log("discovery", LogLevel::kWarning, "two\nlines");
  Log("discovery", LogLevel::kDebug, "too fine");
  EXPECT_THAT(ReadLogging(file_), HasSubstr(" warning discovery: two\\x0alines\n"));
  EXPECT_THAT(ReadLogging(file_), Not(HasSubstr("too fine")));
}

TEST_F(Logging, GoesToStandardErrorWithoutAFile) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  EnableLogging("info", {});
  Log("discovery", LogLevel::kInfo, "hello");
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("info discovery: hello"));
  EXPECT_THAT(::testing::internal::GetCapturedStdout(), IsEmpty());
}

TEST_F(Logging, LeavesTheApplicationsOwnRecordsAlone) {
  EnableLogging("trace", {file_});
  BOOST_LOG_TRIVIAL(info) << "the application's";
  EXPECT_THAT(ReadLogging(file_), Not(HasSubstr("the application's")));
}

TEST_F(Logging, KeepsTheOldSettingsWhenTheNewOnesAreWrong) {
  EnableLogging("info", {file_});
  EXPECT_THROW(EnableLogging("nonsense", {file_}), DiagnosticException);
  EXPECT_THROW(EnableLogging("info", {directory_ / "none/log"}), DiagnosticException);
  Log("discovery", LogLevel::kInfo, "still here");
  EXPECT_THAT(ReadLogging(file_), HasSubstr("still here"));
}

TEST_F(Logging, NamesTheFileItCannotWrite) {
  try {
    EnableLogging("info", {directory_ / "none/log"});
    FAIL() << "expected a DiagnosticException";
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kLogFileUnwritable);
    EXPECT_EQ(exception.GetDiagnostic().subject.name, directory_ / "none/log");
  }
}

TEST_F(Logging, ABackendsLinesHaveItsChannel) {
  EnableLogging("backend.Npu=debug", {file_});
  const auto logger = CreateBackendLogger("Npu");
  EXPECT_TRUE(logger->IsEnabled(LogLevel::kDebug));
  EXPECT_FALSE(logger->IsEnabled(LogLevel::kTrace));
  EXPECT_EQ(logger->Log(LogLevel::kInfo, "found 2 cores"), Status::kSuccess);
  EXPECT_EQ(logger->Log(LogLevel::kInfo, nullptr), Status::kInvalidArgument);
  EXPECT_THAT(ReadLogging(file_), HasSubstr("info backend.Npu: found 2 cores"));
}

TEST_F(Logging, KeepsTheLinesOfSeveralThreadsWhole) {
  EnableLogging("info", {file_});
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([] {
      for (int i = 0; i < 100; ++i) Log("opening", LogLevel::kInfo, "a whole line");
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::ifstream lines(file_);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_THAT(line, ::testing::EndsWith("info opening: a whole line"));
  }
  EXPECT_EQ(count, 400);
}

}  // namespace
}  // namespace backplane
