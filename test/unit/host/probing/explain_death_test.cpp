#include "probing/explain_account.hpp"

#include "support/scoped_variable.hpp"

#include <backplane/host/system_refusal.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/syscall.h>

#include <cerrno>
#include <csignal>

namespace backplane::probing {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kDeadFile[] = "/x/Acme_Npu_backend.so";

ProbeAccount MakeSignalled(int signal) {
  ProbeAccount account;
  account.end = ProcessEnd::kSignalled;
  account.signal = signal;
  return account;
}

TEST(ExplainDeath, NamesTheFileTheSignalAndTheAddress) {
  ProbeAccount account = MakeSignalled(SIGSEGV);
  account.has_fault = true;
  account.fault_address = 0x1f40;
  account.call = "BackendFactory";
  account.stderr_end = "driver: no device";
  const Diagnostic death = ExplainDeath(account, kDeadFile);
  EXPECT_EQ(death.code, DiagnosticCode::kPluginCrashed);
  EXPECT_EQ(death.subject.name, kDeadFile);
  EXPECT_EQ(death.what, "Acme_Npu_backend.so crashed in BackendFactory");
  EXPECT_EQ(death.why,
            "SIGSEGV (Segmentation fault) at address 0x1f40; it wrote last: \"driver: no device\"");
  EXPECT_EQ(death.fix,
            "disable it with BACKPLANE_DISABLE_BACKENDS=Acme_Npu_backend.so, and send this text to "
            "its vendor");
}

TEST(ExplainDeath, NamesTheCallThatASandboxDoesNotAllow) {
  ProbeAccount account = MakeSignalled(SIGSYS);
  account.is_sandboxed = true;
  account.has_fault = true;
  account.fault_address = SYS_connect;
  account.call = "IWorkload::Execute";
  const Diagnostic death = ExplainDeath(account, kDeadFile);
  EXPECT_EQ(death.code, DiagnosticCode::kForbiddenCall);
  EXPECT_EQ(death.what,
            "Acme_Npu_backend.so called connect, which its sandbox does not allow, in "
            "IWorkload::Execute");
  EXPECT_THAT(death.fix, HasSubstr("state the permission \"network\" in its manifest"));
  account.fault_address = SYS_ptrace;
  EXPECT_THAT(ExplainDeath(account, kDeadFile).fix, Not(HasSubstr("manifest")));
  account.has_fault = false;  // its thread had blocked the signal
  EXPECT_THAT(ExplainDeath(account, kDeadFile).what, HasSubstr("called a system call, which"));
}

TEST(ExplainDeath, NamesTheLimitOfAnIsolatedProcess) {
  ProbeAccount account = MakeSignalled(SIGABRT);
  account.thrown = "std::bad_alloc: std::bad_alloc";
  account.max_data_bytes = std::uint64_t{512} << 20U;
  account.is_worker = true;
  const Diagnostic death = ExplainDeath(account, kDeadFile);
  EXPECT_THAT(death.why, HasSubstr("512 MiB of data (IsolationSettings::max_data_bytes)"));
  EXPECT_THAT(death.fix, HasSubstr("IsolationSettings::max_data_bytes"));
  EXPECT_THAT(death.why + death.fix, Not(HasSubstr("ProbeSettings")));
}

TEST(ExplainDeath, NamesTheLibraryWhoseConstructorWasRunning) {
  ProbeAccount account = MakeSignalled(SIGSEGV);
  account.constructor_of = "/opt/acme/libnpu.so.3";
  const Diagnostic death = ExplainDeath(account, kDeadFile);
  EXPECT_THAT(death.what, EndsWith("crashed while it was being opened, in a static constructor of "
                                   "libnpu.so.3"));
  EXPECT_THAT(death.why, HasSubstr("the constructor is of /opt/acme/libnpu.so.3"));
}

TEST(ExplainDeath, DoesNotRepeatTheFilesOwnPath) {
  ProbeAccount account = MakeSignalled(SIGSEGV);
  account.constructor_of = kDeadFile;
  const Diagnostic death = ExplainDeath(account, kDeadFile);
  EXPECT_THAT(death.what, EndsWith("in a static constructor of its own"));
  EXPECT_THAT(death.why, Not(HasSubstr(kDeadFile)));
}

TEST(ExplainDeath, SaysThatNoConstructorHadBegun) {
  EXPECT_THAT(ExplainDeath(MakeSignalled(SIGSEGV), kDeadFile).what,
              HasSubstr("while it was being opened, before any constructor ran (the loader"));
}

TEST(ExplainDeath, ForgetsConstructorsBehindOpening) {
  ProbeAccount account = MakeSignalled(SIGSEGV);
  account.constructor_of = "/opt/acme/libnpu.so.3";
  account.stage = Stage::kCreate;
  const Diagnostic death = ExplainDeath(account, kDeadFile);
  EXPECT_THAT(death.what, EndsWith("in the stage \"create\""));
  EXPECT_THAT(death.why, Not(HasSubstr("libnpu")));
}

TEST(ExplainDeath, TakesAnAbortWithATextForAnException) {
  ProbeAccount account = MakeSignalled(SIGABRT);
  account.thrown = "std::runtime_error: no device";
  EXPECT_EQ(ExplainDeath(account, kDeadFile).code, DiagnosticCode::kUncaughtException);
  EXPECT_EQ(ExplainDeath(account, kDeadFile).why, "it says: std::runtime_error: no device");
  account.thrown.clear();
  EXPECT_EQ(ExplainDeath(account, kDeadFile).code, DiagnosticCode::kPluginCrashed);
  account.stderr_end = "x | terminate called after throwing an instance of 'Gone'";
  EXPECT_EQ(ExplainDeath(account, kDeadFile).code, DiagnosticCode::kUncaughtException);
  EXPECT_THAT(ExplainDeath(account, kDeadFile).why, HasSubstr("instance of 'Gone'"));
}

TEST(ExplainDeath, TakesBadAllocForLackOfMemory) {
  ProbeAccount account = MakeSignalled(SIGABRT);
  account.thrown = "std::bad_alloc: std::bad_alloc";
  account.max_data_bytes = std::uint64_t{512} << 20U;
  account.peak_memory_bytes = std::uint64_t{500} << 20U;
  const Diagnostic death = ExplainDeath(account, kDeadFile);
  EXPECT_EQ(death.code, DiagnosticCode::kPluginOutOfMemory);
  EXPECT_THAT(death.why, AllOf(HasSubstr("the limit was 512 MiB"), HasSubstr("500 MiB were used")));
  EXPECT_THAT(death.fix, HasSubstr("allow more MiB (BACKPLANE_PROBE_DATA_LIMIT"));
  account.max_data_bytes = 0;
  EXPECT_THAT(ExplainDeath(account, kDeadFile).why, Not(HasSubstr("limit")));
}

TEST(ExplainDeath, TellsStackOverflowKillAndIllegalInstruction) {
  ProbeAccount overflow = MakeSignalled(SIGSEGV);
  overflow.is_stack_overflow = true;
  EXPECT_EQ(ExplainDeath(overflow, kDeadFile).code, DiagnosticCode::kStackOverflow);
  const Diagnostic killed = ExplainDeath(MakeSignalled(SIGKILL), kDeadFile);
  EXPECT_EQ(killed.code, DiagnosticCode::kPluginKilled);
  EXPECT_THAT(killed.fix, HasSubstr("dmesg"));
  const Diagnostic illegal = ExplainDeath(MakeSignalled(SIGILL), kDeadFile);
  EXPECT_EQ(illegal.code, DiagnosticCode::kPluginCrashed);
  EXPECT_THAT(illegal.fix, HasSubstr("build of the backend for this processor"));
}

TEST(ExplainDeath, NamesSignalsThatHaveNoName) {
  EXPECT_THAT(ExplainDeath(MakeSignalled(SIGRTMIN + 5), kDeadFile).why, HasSubstr("signal 39"));
}

TEST(ExplainDeath, TellsHowLongWasWaited) {
  ProbeAccount account;
  account.end = ProcessEnd::kTimedOut;
  account.timeout_ms = 1500;
  account.call = "dlclose";
  const Diagnostic death = ExplainDeath(account, kDeadFile);
  EXPECT_EQ(death.code, DiagnosticCode::kPluginTimedOut);
  EXPECT_THAT(death.what, EndsWith("did not come to an end while it was being closed"));
  EXPECT_THAT(death.why, HasSubstr("within 1500 ms"));
  EXPECT_THAT(death.fix, HasSubstr("--timeout"));
}

TEST(ExplainDeath, TellsTheExitCode) {
  ProbeAccount account;
  account.end = ProcessEnd::kExited;
  account.exit_code = 3;
  const Diagnostic death = ExplainDeath(account, kDeadFile);
  EXPECT_EQ(death.code, DiagnosticCode::kPluginExited);
  EXPECT_THAT(death.why, HasSubstr("with code 3"));
}

TEST(ExplainDeath, DoesNotBlameExitForAReportThatCannotBeRead) {
  ProbeAccount account;
  account.end = ProcessEnd::kExited;
  account.is_closed = true;
  const Diagnostic death = ExplainDeath(account, kDeadFile);
  EXPECT_EQ(death.code, DiagnosticCode::kProbeFailed);
  EXPECT_THAT(death.why, AllOf(HasSubstr("overwritten"), Not(HasSubstr("exit"))));
  account.report_bytes = 20'000'000;
  EXPECT_THAT(ExplainDeath(account, kDeadFile).why,
              AllOf(HasSubstr("has 20000000 bytes, expected at most 1048576")));
}

TEST(ExplainDeath, TellsWhatTheKernelKillsFor) {
  ProbeAccount account = MakeSignalled(SIGKILL);
  account.evidence.num_oom_kills = 1;
  EXPECT_THAT(ExplainDeath(account, kDeadFile).why, HasSubstr("the kernel killed 1 time for that"));
  account.evidence.num_oom_kills = 0;
  EXPECT_THAT(ExplainDeath(account, kDeadFile).why, HasSubstr("not for lack of memory"));
  account.evidence.cpu_limit_s = 2;
  account.evidence.used_cpu_s = 2;
  EXPECT_THAT(ExplainDeath(account, kDeadFile).why, HasSubstr("(RLIMIT_CPU), which is 2 seconds"));
  account.evidence.seccomp_mode = 1;
  account.evidence.watcher_seccomp_mode = 0;
  EXPECT_THAT(ExplainDeath(account, kDeadFile).why, HasSubstr("strict mode of seccomp"));
}

TEST(ExplainDeath, TellsWhoseFilterForbadeASystemCall) {
  ProbeAccount account = MakeSignalled(SIGSYS);
  account.has_fault = true;
  account.fault_address = 257;
  account.evidence.seccomp_mode = 2;
  account.evidence.watcher_seccomp_mode = 0;
  EXPECT_THAT(ExplainDeath(account, kDeadFile).why,
              AllOf(HasSubstr("at system call 257"), HasSubstr("had installed")));
  account.evidence.watcher_seccomp_mode = 2;
  EXPECT_THAT(ExplainDeath(account, kDeadFile).why, HasSubstr("one of the service or container"));
}

TEST(ExplainDeath, BlamesNoBackendForAnEndFromOutside) {
  ProbeAccount account = MakeSignalled(SIGKILL);
  for (const std::int64_t num_oom_kills : {-1, 0}) {
    account.evidence.num_oom_kills = num_oom_kills;
    const Diagnostic killed = ExplainDeath(account, kDeadFile);
    EXPECT_THAT(killed.why, HasSubstr("from outside"));
    EXPECT_THAT(killed.fix,
                HasSubstr("scan again: nothing is kept of this end; only if it comes "));
  }
  account.end = ProcessEnd::kStopped;
  account.signal = SIGSTOP;
  const Diagnostic stop = ExplainDeath(account, kDeadFile);
  EXPECT_THAT(stop.why, HasSubstr("a process from outside or the backend itself"));
  EXPECT_THAT(stop.fix, HasSubstr("scan again: nothing is kept"));
}

TEST(ExplainDeath, TellsExecFromExit) {
  ProbeAccount account = MakeSignalled(0);
  account.end = ProcessEnd::kExited;
  account.exit_code = 3;
  EXPECT_THAT(ExplainDeath(account, kDeadFile).why, HasSubstr("called exit or _exit with code 3"));
  account.evidence.has_called_exec = true;
  const Diagnostic exec = ExplainDeath(account, kDeadFile);
  EXPECT_EQ(exec.code, DiagnosticCode::kPluginExited);
  EXPECT_THAT(exec.why, HasSubstr("it called exec, and the program that took its place ended with "
                                  "exit code 3; expected it to return or to throw"));
  account.end = ProcessEnd::kSignalled;
  account.signal = SIGSEGV;
  EXPECT_THAT(ExplainDeath(account, kDeadFile).why, HasSubstr("called exec"));
}

TEST(ExplainDeath, NamesWhatThePreloadOfTheHostBroughtAlong) {
  const test::ScopedVariable preload("LD_PRELOAD", "libasan.so.8");
  EXPECT_THAT(
      ExplainDeath(MakeSignalled(SIGSEGV), kDeadFile).fix,
      HasSubstr("scan again without LD_PRELOAD, which brings libasan.so.8 into its process"));
}

TEST(ExplainDeath, TellsWhatStoppedIt) {
  ProbeAccount account = MakeSignalled(SIGSTOP);
  account.end = ProcessEnd::kStopped;
  const Diagnostic stop = ExplainDeath(account, kDeadFile);
  EXPECT_EQ(stop.code, DiagnosticCode::kPluginStopped);
  EXPECT_THAT(stop.why, HasSubstr("stopped by SIGSTOP"));
}

TEST(ExplainDeath, TellsWhoInterruptedTheCheck) {
  ProbeAccount account = MakeSignalled(SIGTERM);
  account.end = ProcessEnd::kInterrupted;
  account.sender = 4711;
  const Diagnostic interruption = ExplainDeath(account, kDeadFile);
  EXPECT_EQ(interruption.code, DiagnosticCode::kProbeFailed);
  EXPECT_THAT(interruption.why, HasSubstr("the process 4711 sent SIGTERM"));
}

TEST(ExplainStart, AdvisesByTheError) {
  EXPECT_THAT(AdviseOnStart(ENOENT, "/x/probe"), HasSubstr("install backplane-probe"));
  for (const int error : {EAGAIN, EMFILE, ENFILE, ENOMEM}) {
    const auto refusal = ExplainRefusal(error);
    ASSERT_TRUE(refusal);
    EXPECT_THAT(AdviseOnStart(error, "/x/probe"), HasSubstr(refusal->found));
    EXPECT_THAT(AdviseOnStart(error, "/x/probe"), HasSubstr(refusal->cure));
  }
  EXPECT_THAT(AdviseOnStart(EACCES, "/x/probe"), HasSubstr("may not execute /x/probe"));
  EXPECT_THAT(AdviseOnStart(EACCES, "/tmp"), HasSubstr("/tmp is a directory"));
  EXPECT_THAT(AdviseOnStart(EPERM, "/x/probe"), HasSubstr("seccomp"));
}

TEST(ExplainDeath, SaysThatNoProcessCouldBeMade) {
  EXPECT_EQ(ExplainDeath(ProbeAccount(), kDeadFile).code, DiagnosticCode::kProbeNotStarted);
}

}  // namespace
}  // namespace backplane::probing
