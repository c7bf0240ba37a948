/// What a backend in a sandbox cannot do, and how that is told.

#include "isolated_runtime.hpp"
#include "support/scoped_variable.hpp"

#include <backplane/host/scan.hpp>

#include <gmock/gmock.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
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
