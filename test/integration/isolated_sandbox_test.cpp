/// What a backend in a sandbox cannot do, and how that is told.

#include "isolated_runtime.hpp"
#include "support/sanitized.hpp"
#include "support/scoped_variable.hpp"
#include "support/temporary_directory.hpp"

#include <backplane/host/scan.hpp>

#include <gmock/gmock.h>

#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <ostream>

namespace backplane::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// What a layer does, and the words by which that is told.
struct Deed {
  const char* name;
  const char* words;
};

void PrintTo(const Deed& deed, std::ostream* stream) {
  *stream << deed.name;
}

std::string GetDeedName(const ::testing::TestParamInfo<Deed>& info) {
  return info.param.name;
}

IsolationSettings Demand(Sandbox sandbox) {
  IsolationSettings settings;
  settings.sandbox = sandbox;
  return settings;
}

bool HasCause(const Diagnostic& diagnostic, DiagnosticCode code) {
  for (const Diagnostic& cause : diagnostic.causes) {
    if (cause.code == code || HasCause(cause, code)) return true;
  }
  return false;
}

/// Of the only candidate; null: it has none of this code.
const Diagnostic* FindInReport(const IsolatedRuntime& runtime, DiagnosticCode code) {
  return FindDiagnostic(runtime->GetLoadReport().candidates.front(), code);
}

/// What is said when no runtime can be created.
std::string CreateAndFail(const IsolationSettings& settings, const std::string& mock) {
  try {
    IsolatedRuntime runtime(settings, mock);
  } catch (const DiagnosticException& exception) {
    return ToText(exception.GetDiagnostic());
  }
  return "";
}

// posix_spawn blocks all signals, so that nothing in the process can tell which call ended it.
class FatalDeeds : public ::testing::TestWithParam<Deed> {};
INSTANTIATE_TEST_SUITE_P(Table, FatalDeeds,
                         ::testing::Values(Deed{"Fork", "clone"}, Deed{"StartProgram", "execve"},
                                           Deed{"RunShell", "a system call"},
                                           Deed{"Connect", "socket"}, Deed{"TraceParent", "ptrace"},
                                           Deed{"MakeNamespace", "clone"},
                                           Deed{"KillParent", "kill"}, Deed{"SignalParent", "kill"},
                                           Deed{"ChangeRoot", "chroot"},
                                           Deed{"ChangeMountNamespace", "unshare"}),
                         GetDeedName);

TEST_P(FatalDeeds, EndTheProcessAndAreNamed) {
  for (const std::string place : {"execute", "thread"}) {
    IsolatedRuntime runtime(Demand(Sandbox::kRequired));
    const NetworkId network =
        runtime.Load({"before", std::string(GetParam().name) + " in " + place});
    runtime.ExpectRight(network);
    const IsolatedRun run = runtime.Run(network, kCue);
    EXPECT_NE(run.status, Status::kSuccess);
    ASSERT_TRUE(run.failure.has_value());
    EXPECT_EQ(run.failure->code, DiagnosticCode::kWorkerEnded);
    EXPECT_TRUE(HasCause(*run.failure, DiagnosticCode::kForbiddenCall)) << ToText(*run.failure);
    EXPECT_THAT(run.failure->why, HasSubstr("called " + std::string(GetParam().words) +
                                            ", which its sandbox does not allow"));
    runtime.ExpectRight(network);
    EXPECT_EQ(runtime.GetProcess().GetNumStarts(), 2U);
  }
}

class RefusedDeeds : public ::testing::TestWithParam<Deed> {};
INSTANTIATE_TEST_SUITE_P(Table, RefusedDeeds,
                         ::testing::Values(Deed{"WriteFile", "Permission denied"},
                                           Deed{"ReadForeignFile", "Permission denied"},
                                           Deed{"SendToAddress", "Operation not permitted"},
                                           Deed{"RaiseLimits", "Operation not permitted"},
                                           Deed{"FreeProcessors", "Operation not permitted"},
                                           Deed{"SignalByDescriptor", "Operation not permitted"},
                                           Deed{"OpenMemoryOfParent", "Permission denied"},
                                           Deed{"SetUpRing", "Operation not permitted"},
                                           Deed{"MakeNamespaceByStruct",
                                                "Function not implemented"}),
                         GetDeedName);

TEST_P(RefusedDeeds, FailTheirRunAndNothingElse) {
  IsolationSettings settings = Demand(Sandbox::kRequired);
  settings.processors = {0};
  IsolatedRuntime runtime(settings);
  const NetworkId network = runtime.Load({std::string(GetParam().name) + " in execute"});
  const IsolatedRun run = runtime.Run(network, kCue);
  EXPECT_NE(run.status, Status::kSuccess);
  ASSERT_TRUE(run.failure.has_value());
  EXPECT_THAT(ToText(*run.failure), HasSubstr(GetParam().words));
  runtime.ExpectRight(network);
  EXPECT_EQ(runtime.GetProcess().GetNumStarts(), 1U);
}

/// What a deed of sandbox_deeds.def gets.
enum class Answer { kDone, kNotPermitted, kDenied, kUnknown, kEnds };

struct TriedDeed {
  const char* name;
  Answer answer;
};

constexpr TriedDeed kTriedDeeds[] = {
#define BACKPLANE_SANDBOX_DEED(name, answer, ...) {#name, Answer::answer},
#include "sandbox_deeds.def"
#undef BACKPLANE_SANDBOX_DEED
    {"WriteFile", Answer::kDenied},
    {"ReadForeignFile", Answer::kDenied},
    {"SendToAddress", Answer::kNotPermitted},
    {"RaiseLimits", Answer::kNotPermitted},
    {"SignalByDescriptor", Answer::kNotPermitted},
    {"OpenMemoryOfParent", Answer::kDenied},
    {"SetUpRing", Answer::kNotPermitted},
    {"MakeNamespaceByStruct", Answer::kUnknown},
    {"MakeNamespace", Answer::kEnds},
    {"Fork", Answer::kEnds},
    {"StartProgram", Answer::kEnds},
    {"Connect", Answer::kEnds},
    {"TraceParent", Answer::kEnds},
    {"KillParent", Answer::kEnds},
    {"SignalParent", Answer::kEnds},
    {"ChangeRoot", Answer::kEnds},
    {"DropCapability", Answer::kEnds},
    {"ChangeMountNamespace", Answer::kEnds},
};

const char* GetWords(Answer answer) {
  switch (answer) {
    case Answer::kDone:
      return "";
    case Answer::kNotPermitted:
      return "Operation not permitted";
    case Answer::kDenied:
      return "Permission denied";
    case Answer::kUnknown:
      return "Function not implemented";
    case Answer::kEnds:
      return "which its sandbox does not allow";
  }
  return "";
}

/// Says on standard error what got another answer, where a death test looks; true: nothing did.
bool TryAllDeeds(const std::string& folder) {
  const ScopedVariable secret("MOCK_SECRET", "s3cret");
  IsolationSettings settings = Demand(Sandbox::kRequired);
  settings.max_deaths = 1'000;
  IsolatedRuntime runtime(settings, "Misbehaves", "", folder);
  bool are_right = true;
  for (const TriedDeed& deed : kTriedDeeds) {
    const IsolatedRun run =
        runtime.Run(runtime.Load({std::string(deed.name) + " in execute"}), kCue);
    const std::string text = run.failure ? ToText(*run.failure) : "";
    const bool is_done = run.status == Status::kSuccess;
    if (is_done == (deed.answer == Answer::kDone) &&
        text.find(GetWords(deed.answer)) != std::string::npos) {
      continue;
    }
    std::fprintf(stderr, "%s: %s\n", deed.name, is_done ? "was done" : text.c_str());
    are_right = false;
  }
  return are_right;
}

constexpr uid_t kNobody = 65534;

/// Ends the process with 1 when something does not work.
void RequireOf(bool has_worked, const char* what) {
  if (has_worked) return;
  std::perror(what);
  std::_Exit(1);
}

[[noreturn]] void EndAs(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  std::_Exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

/// In namespaces of its own of processes, mounts, networks, names and shared memory, whose first
/// process stands by.
[[noreturn]] void TryApart(uid_t user, const std::string& folder) {
  RequireOf(unshare(CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWIPC) == 0,
            "unshare");
  const pid_t first = fork();
  if (first != 0) EndAs(first);
  RequireOf(mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0, "mount");
  RequireOf(mount("proc", "/proc", "proc", 0, nullptr) == 0, "mount /proc");
  const pid_t second = fork();
  if (second != 0) EndAs(second);
  if (user != 0) {
    RequireOf(setgroups(0, nullptr) == 0 && setresgid(user, user, user) == 0, "setresgid");
    RequireOf(setresuid(user, user, user) == 0 && prctl(PR_SET_DUMPABLE, 1) == 0, "setresuid");
  }
  std::_Exit(TryAllDeeds(folder) ? 0 : 1);
}

/// A copy of the backend, and files beside it, all of the user who tries the deeds.
class SandboxedDeeds : public ::testing::TestWithParam<uid_t> {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "namespaces are made by the superuser";
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    namespace fs = std::filesystem;
    const fs::path file = GetMockRow("Misbehaves").path;
    fs::copy_file(file, folder_ / file.filename().string());
    fs::create_directory(folder_ / ".ssh");
    folder_.Write(".ssh/key", "a key");
    folder_.Write("beside", "a file");
    for (const auto& entry : fs::recursive_directory_iterator(folder_.GetPath())) {
      ASSERT_EQ(chown(entry.path().c_str(), GetParam(), GetParam()), 0);
    }
    ASSERT_EQ(chown(folder_.GetPath().c_str(), GetParam(), GetParam()), 0);
  }

  const TemporaryDirectory folder_;
};
INSTANTIATE_TEST_SUITE_P(Users, SandboxedDeeds, ::testing::Values(0, kNobody),
                         [](const auto& user) {
                           return std::string(user.param == 0 ? "Superuser" : "User");
                         });

TEST_P(SandboxedDeeds, GetWhatTheirTableSays) {
  if (HasAddressSanitizer() || HasThreadSanitizer()) {
    GTEST_SKIP() << "sanitizers have system calls of their own when a process ends";
  }
  EXPECT_EXIT(TryApart(GetParam(), folder_.GetPath()), ::testing::ExitedWithCode(0), "");
}

// An exception that the check reports would take the values along.
TEST(Sandboxes, HideVariablesFromChecks) {
  const ScopedVariable secret("MOCK_SECRET", "s3cret");
  ScanOptions options;
  options.files = {GetMockRow("TellsVariables").path};
  options.probe = ProbeMode::kChild;
  const auto tell = [&options] { return ToJson(Scan(options)); };
  EXPECT_THAT(tell(), HasSubstr("MOCK_SECRET"));
  options.configuration.sandboxed = {{"*", "test"}};
  EXPECT_THAT(tell(), AllOf(HasSubstr("sees "), Not(HasSubstr("MOCK_SECRET"))));
  options.configuration.passed_variables = {{"MOCK_*", "test"}};
  EXPECT_THAT(tell(), HasSubstr("MOCK_SECRET"));
}

#if defined(__x86_64__)
TEST(Sandboxes, AreNotLeftByNumbersThatMeanOtherCalls) {
  for (const std::string deed : {"CallOtherMachine", "CallOtherAbi"}) {
    IsolatedRuntime runtime(Demand(Sandbox::kRequired));
    const NetworkId network = runtime.Load({deed + " in execute"});
    const IsolatedRun run = runtime.Run(network, kCue);
    ASSERT_TRUE(run.failure.has_value()) << deed;
    EXPECT_EQ(run.failure->code, DiagnosticCode::kWorkerEnded) << ToText(*run.failure);
    runtime.ExpectRight(network);
  }
}
#endif

TEST(Sandboxes, AreToldInTheReport) {
  IsolatedRuntime runtime(Demand(Sandbox::kRequired));
  const Diagnostic* const note = FindInReport(runtime, DiagnosticCode::kIsolated);
  ASSERT_NE(note, nullptr);
  EXPECT_THAT(note->what, HasSubstr("in a sandbox"));
  EXPECT_EQ(FindInReport(runtime, DiagnosticCode::kSandboxPermissions), nullptr);
}

// Every backend is run elsewhere before, to find out about it.
TEST(Sandboxes, AreNotOpenedToFindOutAboutABackend) {
  EXPECT_EQ(CreateAndFail(IsolationSettings(), "WritesWhenOpened"), "");
  EXPECT_THAT(CreateAndFail(Demand(Sandbox::kRequired), "WritesWhenOpened"),
              HasSubstr("Permission denied"));
}

TEST(Sandboxes, AreDemandedByTheOperatorWhateverTheApplicationSays) {
  const ScopedVariable wish("BACKPLANE_SANDBOX_BACKENDS", "MockMisbehaves");
  CreationOptions options;
  options.dynamic_backends_path = GetMockRow("Misbehaves").folder;
  options.isolation.rules = {{"MockMisbehaves", Isolation::kInProcess}};
  const auto runtime = IRuntime::Create(options);
  const Diagnostic* const note =
      FindDiagnostic(runtime->GetLoadReport().candidates.front(), DiagnosticCode::kIsolated);
  ASSERT_NE(note, nullptr);
  EXPECT_THAT(note->what, HasSubstr("in a sandbox"));
}

/// In the sandbox it gives another id and fails; elsewhere it would pass.
TEST(Sandboxes, AreNotLeftByGivingAnotherIdInside) {
  ScanOptions options;
  options.probe = ProbeMode::kChild;
  options.probe_settings.verdicts = VerdictUse::kIgnore;
  options.search_paths = {{GetMockRow("HidesInSandbox").folder}};
  options.configuration.sandboxed = {{"MockHidesInSandbox", "BACKPLANE_SANDBOX_BACKENDS"}};
  const LoadReport report = Scan(options);
  ASSERT_EQ(report.candidates.size(), 1U);
  const Candidate& candidate = report.candidates.front();
  EXPECT_EQ(candidate.status, CandidateStatus::kRejected) << ToJson(report);
  const Diagnostic* const reason = FindDiagnostic(candidate, DiagnosticCode::kBackendIdDisagrees);
  ASSERT_NE(reason, nullptr) << ToJson(report);
  EXPECT_THAT(reason->why, HasSubstr("found \"MockHidesInSandbox\" here and \"MockHarmless\" in"));
}

TEST(Sandboxes, HoldForAFileWithTheNameThatTheRuleHas) {
  ScanOptions options;
  options.probe = ProbeMode::kChild;
  options.probe_settings.verdicts = VerdictUse::kIgnore;
  options.search_paths = {{GetMockRow("HidesInSandbox").folder}};
  options.configuration.sandboxed = {{"Hides", "BACKPLANE_SANDBOX_BACKENDS"}};
  const LoadReport report = Scan(options);
  ASSERT_EQ(report.candidates.size(), 1U);
  const Candidate& candidate = report.candidates.front();
  EXPECT_EQ(candidate.status, CandidateStatus::kRejected) << ToJson(report);
  EXPECT_EQ(FindDiagnostic(candidate, DiagnosticCode::kBackendIdDisagrees), nullptr)
      << "its code ran outside of the sandbox";
}

class Permissions : public ::testing::Test {
 protected:
  void ExpectDone(const IsolationSettings& settings) {
    IsolatedRuntime runtime(settings, "AsksForMore");
    for (const char* deed : {"Connect", "RunShell", "ReadForeignFile", "WriteFile"}) {
      const IsolatedRun run = runtime.Run(runtime.Load({std::string(deed) + " in execute"}), kCue);
      EXPECT_EQ(run.status, Status::kSuccess)
          << deed << ": " << (run.failure ? ToText(*run.failure) : "");
    }
  }
  void ExpectRefused(const IsolationSettings& settings) {
    IsolatedRuntime runtime(settings, "AsksForMore");
    const Diagnostic* const note = FindInReport(runtime, DiagnosticCode::kSandboxPermissions);
    ASSERT_NE(note, nullptr);
    EXPECT_THAT(note->what, HasSubstr("without the permissions"));
    EXPECT_THAT(note->why, HasSubstr("read:/etc/passwd"));
    const NetworkId network = runtime.Load({"ReadForeignFile in execute"});
    EXPECT_NE(runtime.Run(network, kCue).status, Status::kSuccess);
  }

 private:
  // It would trace the process to look for leaks.
  const ScopedVariable sanitizer_{"ASAN_OPTIONS", "detect_leaks=0:intercept_tls_get_addr=0"};
};

TEST_F(Permissions, WidenTheSandboxAndAreTold) {
  ExpectDone(Demand(Sandbox::kRequired));
  IsolatedRuntime runtime(Demand(Sandbox::kRequired), "AsksForMore");
  const Diagnostic* const note = FindInReport(runtime, DiagnosticCode::kSandboxPermissions);
  ASSERT_NE(note, nullptr);
  EXPECT_THAT(note->what, HasSubstr("has its sandbox widened"));
  EXPECT_THAT(note->why, AllOf(HasSubstr("network (opens sockets"), HasSubstr("write:/tmp")));
}

TEST_F(Permissions, AllowNothingElse) {
  IsolatedRuntime runtime(Demand(Sandbox::kRequired), "AsksForMore");
  const IsolatedRun run = runtime.Run(runtime.Load({"TraceParent in execute"}), kCue);
  ASSERT_TRUE(run.failure.has_value());
  EXPECT_THAT(run.failure->why, HasSubstr("called ptrace"));
}

TEST_F(Permissions, AreRefusedByTheApplication) {
  IsolationSettings settings = Demand(Sandbox::kRequired);
  settings.permissions = SandboxPermissions::kRefused;
  ExpectRefused(settings);
}

TEST_F(Permissions, AreRefusedByTheOperator) {
  const ScopedVariable wish("BACKPLANE_REFUSE_PERMISSIONS", "MockAsks*");
  ExpectRefused(Demand(Sandbox::kRequired));
}

TEST_F(Permissions, AreInTheJsonReport) {
  IsolatedRuntime runtime({}, "AsksForMore");
  EXPECT_THAT(ToJson(runtime->GetLoadReport()), HasSubstr("\"read:/etc/passwd\""));
}

/// Makes this process and those that it starts live without a system call.
void LoseSystemCall(std::uint32_t number) {
  sock_filter program[] = {
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
      {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, number},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
  };
  const sock_fprog filter{4, program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) std::abort();
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) std::abort();
}

/// In a process that this does not outlive; a test that fails there says so by its exit code.
class KernelsThatLack : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  template <typename Check>
  [[noreturn]] static void RunWithout(std::uint32_t number, const Check& check) {
    LoseSystemCall(number);
    check();
    std::_Exit(::testing::Test::HasFailure() ? 1 : 0);
  }
};

TEST_F(KernelsThatLack, LandlockKeepABackendOutThatMustHaveTheSandbox) {
  EXPECT_EXIT(
      RunWithout(SYS_landlock_create_ruleset,
                 [] {
                   const std::string text = CreateAndFail(Demand(Sandbox::kRequired), "Misbehaves");
                   EXPECT_THAT(text,
                               HasSubstr(GetDiagnosticId(DiagnosticCode::kSandboxUnavailable)));
                   EXPECT_THAT(text, HasSubstr("lacks Landlock"));
                 }),
      ::testing::ExitedWithCode(0), "");
}

TEST_F(KernelsThatLack, LandlockGiveTheRestWithAWarning) {
  EXPECT_EXIT(RunWithout(SYS_landlock_create_ruleset,
                         [] {
                           IsolatedRuntime runtime(Demand(Sandbox::kWhereSupported));
                           const Diagnostic* const warning =
                               FindInReport(runtime, DiagnosticCode::kSandboxPartial);
                           ASSERT_NE(warning, nullptr);
                           EXPECT_EQ(warning->severity, Severity::kWarning);
                           EXPECT_THAT(warning->why, HasSubstr("Landlock"));
                           const IsolatedRun run =
                               runtime.Run(runtime.Load({"Connect in execute"}), kCue);
                           ASSERT_TRUE(run.failure.has_value());
                           EXPECT_THAT(run.failure->why, HasSubstr("called socket"));
                         }),
              ::testing::ExitedWithCode(0), "");
}

TEST_F(KernelsThatLack, FiltersKeepABackendOutOfAnySandbox) {
  EXPECT_EXIT(
      RunWithout(SYS_seccomp,
                 [] {
                   for (const Sandbox sandbox : {Sandbox::kRequired, Sandbox::kWhereSupported}) {
                     EXPECT_THAT(CreateAndFail(Demand(sandbox), "Misbehaves"),
                                 HasSubstr("the filter of system calls (seccomp) is not taken"));
                   }
                   IsolatedRuntime runtime;
                   runtime.ExpectRight(runtime.Load({"a"}));
                 }),
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace backplane::test
