/// What a scan says when the program in which backends run first is not there, or is another one:
/// why, and that nothing was opened in its place.

#include "mock_rows.hpp"
#include "probe_watch.hpp"
#include "support/build_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>

namespace {

std::atomic<int> num_signals_to_nobody{0};

}  // namespace

/// Stands before that of libc in this program, and sees who is sent what.
extern "C" int kill(pid_t process, int signal) noexcept {
  const long result = syscall(SYS_kill, process, signal);
  if (result != 0 && errno == ESRCH && signal != 0) ++num_signals_to_nobody;
  return static_cast<int>(result);
}

namespace backplane::test {
namespace {

using ::testing::HasSubstr;

struct ProgramRow {
  const char* name;
  const char* content;  // null: there is no such file
  mode_t mode;
  DiagnosticCode code;
  const char* words;
};

void PrintTo(const ProgramRow& row, std::ostream* stream) {
  *stream << row.name;
}

constexpr mode_t kExecutable = 0755;

const ProgramRow kPrograms[] = {
    {"Missing", nullptr, 0, DiagnosticCode::kProbeNotStarted, "No such file or directory"},
    {"NotExecutable", "#!/bin/sh\n", 0644, DiagnosticCode::kProbeNotStarted, "Permission denied"},
    {"NoProgram", "words\n", kExecutable, DiagnosticCode::kProbeNotStarted, "Exec format error"},
    {"PrintsGarbage", "#!/bin/sh\necho some garbage >&2\necho more\nexit 3\n", kExecutable,
     DiagnosticCode::kProbeFailed, "exit code 3; it wrote: \"some garbage\""},
    {"EndsAtOnce", "#!/bin/sh\nexit 0\n", kExecutable, DiagnosticCode::kProbeFailed,
     "it ended with exit code 0"},
    {"IsKilled", "#!/bin/sh\nkill -9 $$\n", kExecutable, DiagnosticCode::kProbeFailed,
     "it was ended by SIGKILL (Killed)"},
    {"IsOfAnotherProtocol",
     "#!/bin/sh\nprintf '\\n<<backplane-probe protocol-9 7.0.0\\n{}\\n>>backplane-probe\\n' >&3\n",
     kExecutable, DiagnosticCode::kProbeFailed, "it answered as \"protocol-9 7.0.0\", expected"},
    {"AnswersWithHalfAnAccount", "#!/bin/sh\nprintf '\\n<<backplane-probe proto' >&3\n",
     kExecutable, DiagnosticCode::kProbeFailed, "it ended with exit code 0"},
    {"WritesEndlessly", "#!/bin/sh\nexec yes >&3\n", kExecutable, DiagnosticCode::kProbeFailed,
     "it wrote more than any answer has"},
    {"EndsAndLeavesItsPipeOpen", "#!/bin/sh\nsleep 20 &\nexit 0\n", kExecutable,
     DiagnosticCode::kProbeFailed, "it ended with exit code 0"},
    {"NeverAnswers", "#!/bin/sh\nexec sleep 100000\n", kExecutable, DiagnosticCode::kProbeFailed,
     "it did not answer in time and was ended"},
};

void WriteProgram(const std::string& path, const std::string& content, mode_t mode) {
  std::ofstream(path) << content;
  chmod(path.c_str(), mode);
}

void ExpectUnchecked(const ScanOptions& options, DiagnosticCode code, const std::string& words) {
  const auto num_loaded = CountLoadedEver();
  const LoadReport report = Scan(options);
  EXPECT_EQ(CountLoadedEver(), num_loaded) << "nothing is opened in its place";
  ASSERT_EQ(report.candidates.size(), 1U);
  const Candidate& candidate = report.candidates[0];
  EXPECT_EQ(candidate.status, CandidateStatus::kRejected);
  EXPECT_EQ(candidate.stage, Stage::kOpen);
  EXPECT_EQ(candidate.where, ProbedIn::kFile) << "no code of it ran";
  ASSERT_EQ(candidate.diagnostics.size(), 1U);
  const Diagnostic& diagnostic = candidate.diagnostics[0];
  EXPECT_STREQ(GetDiagnosticName(diagnostic.code), GetDiagnosticName(code));
  EXPECT_EQ(diagnostic.subject.name, candidate.path);
  EXPECT_THAT(diagnostic.why, HasSubstr(options.probe_settings.program));
  EXPECT_THAT(diagnostic.why, HasSubstr(words));
  EXPECT_THAT(diagnostic.fix, HasSubstr("backplane-probe"));
}

class ProbePrograms : public ::testing::TestWithParam<ProgramRow> {};

TEST_P(ProbePrograms, AreNamedWithTheReason) {
  const MockDirectory directory;
  ScanOptions options = MakeChildScan({GetMockRow("ValidA").folder});
  options.probe_settings.timeout = std::chrono::milliseconds(1);
  options.probe_settings.program = directory.GetPath() + "/probe";
  const ProgramRow& row = GetParam();
  if (row.content != nullptr) WriteProgram(options.probe_settings.program, row.content, row.mode);
  ExpectUnchecked(options, row.code, row.words);
}

INSTANTIATE_TEST_SUITE_P(Table, ProbePrograms, ::testing::ValuesIn(kPrograms),
                         [](const auto& row) { return row.param.name; });

// When the system reaps children by itself, the number of one that ended may be another process's.
TEST(ProbeProgram, GetsNoSignalOnceItIsGone) {
  const MockDirectory directory;
  const std::string program = directory.GetPath() + "/probe";
  WriteProgram(program, "#!/bin/sh\nsleep 20 &\nexit 0\n", kExecutable);
  ScanOptions options = MakeChildScan({});
  options.files = {GetMockRow("ValidA").path};
  options.probe_settings.program = program;
  const int num_signals = RunInProcess([&] {
    std::signal(SIGCHLD, SIG_IGN);
    ExpectUnchecked(options, DiagnosticCode::kProbeFailed, "it ended without an answer");
    return num_signals_to_nobody.load();
  });
  EXPECT_EQ(num_signals, 0);
}

TEST(ProbeProgram, MayNotBeADirectory) {
  const MockDirectory directory;
  ScanOptions options = MakeChildScan({GetMockRow("ValidA").folder});
  options.probe_settings.program = directory.GetPath();
  ExpectUnchecked(options, DiagnosticCode::kProbeNotStarted, "Permission denied");
}

TEST(ProbeProgram, IsNotReplacedByOpeningInTheHost) {
  ScanOptions options = MakeChildScan({GetMockRow("ValidA").folder});
  options.probe_settings.program = "/nowhere/backplane-probe";
  BackendRegistry registry;
  const auto num_loaded = CountLoadedEver();
  LoadBackends(options, registry);
  EXPECT_EQ(registry.Size(), 0U);
  EXPECT_EQ(CountLoadedEver(), num_loaded);
}

// Another thread of the host may fork while the pipe is there, and keep its end open.
TEST(ProbeProgram, IsNotWaitedForOnceItAnswered) {
  const MockDirectory directory;
  ScanOptions options = MakeChildScan({GetMockRow("ValidA").folder});
  options.probe_settings.timeout = std::chrono::hours(24);
  options.probe_settings.program = directory.GetPath() + "/probe";
  const std::string process_file = directory.GetPath() + "/process";
  WriteProgram(options.probe_settings.program,
               "#!/bin/sh\n(sleep 100000 & echo $! > " + process_file + ")\nexec " +
                   test::InBuildTree(BACKPLANE_PROBE) + " \"$@\"\n",
               kExecutable);
  EXPECT_EQ(CountCandidates(Scan(options), CandidateStatus::kLoaded), 1U);
  pid_t sleeper = -1;
  std::ifstream(process_file) >> sleeper;
  ASSERT_GT(sleeper, 1);
  kill(sleeper, SIGKILL);
}

TEST(ProbeProgram, IsStartedOnceForAFileAndItsLinks) {
  const MockDirectory directory;
  for (const char* row : {"LinkToLink", "LinkMajor", "LinkMinor", "LinkTarget"}) directory.Add(row);
  const MockDirectory elsewhere;
  ScanOptions options = MakeChildScan({directory.GetPath()});
  options.probe_settings.program = elsewhere.GetPath() + "/probe";
  const std::string log = elsewhere.GetPath() + "/log";
  WriteProgram(options.probe_settings.program,
               "#!/bin/sh\necho \"$*\" >> " + log + "\nexec " + test::InBuildTree(BACKPLANE_PROBE) +
                   " \"$@\"\n",
               kExecutable);
  const LoadReport report = Scan(options);
  EXPECT_EQ(CountCandidates(report, CandidateStatus::kLoaded), 1U);
  EXPECT_EQ(CountCandidates(report, CandidateStatus::kShadowed), 3U);
  std::ifstream file(log);
  const std::string started{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(std::count(started.begin(), started.end(), '\n'), 1) << started;
  EXPECT_THAT(started, ::testing::HasSubstr(directory.GetPath() + "/Mock_Links_backend.so.1.2.3"));
}

}  // namespace
}  // namespace backplane::test
