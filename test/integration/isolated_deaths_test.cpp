/// What a backend in a process of its own does to that process, and what is left of it here.

#include "isolated_runtime.hpp"

#include <sys/stat.h>

#include <gmock/gmock.h>

#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <filesystem>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;

/// What is done where, and what the failure says.
struct Death {
  const char* deed;
  const char* place;
  const char* words;
};

std::string GetLayerName(const Death& death) {
  return std::string(death.deed) + " in " + death.place;
}

std::string GetTestName(const ::testing::TestParamInfo<Death>& info) {
  return std::string(info.param.deed) + "_" + info.param.place;
}

class IsolatedDeaths : public ::testing::TestWithParam<Death> {};

class IsolatedRunDeaths : public IsolatedDeaths {};
INSTANTIATE_TEST_SUITE_P(
    Table, IsolatedRunDeaths,
    ::testing::Values(
        Death{"Segfault", "execute", "SIGSEGV"}, Death{"Segfault", "thread", "SIGSEGV"},
        Death{"Abort", "execute", "SIGABRT"}, Death{"Abort", "thread", "SIGABRT"},
        Death{"IllegalInstruction", "execute", "SIGILL"}, Death{"BusError", "execute", "SIGBUS"},
        Death{"DivideByZero", "execute", "SIGFPE"}, Death{"OverflowStack", "execute", "SIGSEGV"},
        Death{"ThrowInNoexcept", "execute", "cannot be caught"},
        Death{"ThrowInThread", "execute", "cannot be caught"}, Death{"Exit", "execute", "exit"},
        Death{"ExitAtOnce", "execute", "exit"}, Death{"ExitQuietly", "execute", "exit"},
        Death{"Exit", "thread", "exit"}, Death{"Kill", "execute", "SIGKILL"},
        Death{"Kill", "thread", "SIGKILL"}, Death{"IllegalInstruction", "thread", "SIGILL"},
        Death{"BusError", "thread", "SIGBUS"}, Death{"DivideByZero", "thread", "SIGFPE"},
        Death{"OverflowStack", "thread", "SIGSEGV"}, Death{"Throw", "thread", "cannot be caught"},
        Death{"ThrowInNoexcept", "thread", "cannot be caught"},
        Death{"SegfaultInThread", "execute", "SIGSEGV"},
        Death{"WriteManyErrors", "execute", "the last of many lines"},
        Death{"CloseErrors", "execute", "SIGABRT"}, Death{"Stop", "execute", "SIGSTOP"},
        Death{"ExitAtOnce", "thread", "exit"}, Death{"ExitQuietly", "thread", "exit"}),
    GetTestName);

// The run fails and says why; the next one, of this network and of another, is right.
TEST_P(IsolatedRunDeaths, FailTheRunAndNothingElse) {
  IsolatedRuntime runtime;
  const NetworkId other = runtime.Load({"first", "second"});
  const NetworkId network = runtime.Load({"before", GetLayerName(GetParam()), "behind"});
  runtime.ExpectRight(network);
  const IsolatedRun run = runtime.Run(network, kCue);
  EXPECT_NE(run.status, Status::kSuccess);
  ASSERT_TRUE(run.failure.has_value());
  EXPECT_EQ(run.failure->code, DiagnosticCode::kWorkerEnded) << ToText(*run.failure);
  EXPECT_THAT(ToText(*run.failure), HasSubstr(GetParam().words));
  EXPECT_THAT(ToText(*run.failure), HasSubstr(GetLayerName(GetParam())));
  EXPECT_THAT(ToText(*run.failure), HasSubstr(runtime.GetId()));
  runtime.ExpectRight(other);
  runtime.ExpectRight(network);
  EXPECT_EQ(runtime.GetProcess().GetNumStarts(), 2U);
}

class IsolatedCallDeaths : public IsolatedDeaths {};
INSTANTIATE_TEST_SUITE_P(
    Table, IsolatedCallDeaths,
    ::testing::Values(Death{"Segfault", "support", "SIGSEGV"}, Death{"Exit", "support", "exit"},
                      Death{"Abort", "support", "SIGABRT"}, Death{"Kill", "support", "SIGKILL"},
                      Death{"ThrowInNoexcept", "support", "cannot be caught"},
                      Death{"OverflowStack", "support", "SIGSEGV"},
                      Death{"Segfault", "load", "SIGSEGV"}, Death{"Abort", "load", "SIGABRT"},
                      Death{"Kill", "load", "SIGKILL"}, Death{"DivideByZero", "load", "SIGFPE"},
                      Death{"ThrowInThread", "load", "cannot be caught"},
                      Death{"Exit", "load", "exit"}),
    GetTestName);

TEST_P(IsolatedCallDeaths, FailWhatWasAskedAndNothingElse) {
  IsolatedRuntime runtime;
  const NetworkId other = runtime.Load({"first", "second"});
  try {
    runtime.Load({GetLayerName(GetParam())});
    FAIL() << "nothing was thrown";
  } catch (const DiagnosticException& exception) {
    EXPECT_THAT(ToText(exception.GetDiagnostic()), HasSubstr(GetParam().words));
  }
  runtime.ExpectRight(other);
}

/// What a deed may change of the process in which it is done.
struct HostState {
  std::string directory = std::filesystem::current_path();
  std::string locale = std::setlocale(LC_ALL, nullptr);
  int rounding = std::fegetround();
  mode_t mask = GetMask();
  bool is_signal_ignored = IsIgnored(SIGUSR1);
  bool has_variable = std::getenv("MOCK_VARIABLE") != nullptr;

  static mode_t GetMask() {
    const mode_t mask = umask(0);
    umask(mask);
    return mask;
  }
  static bool IsIgnored(int signal) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    return action.sa_handler == SIG_IGN;
  }
};

class IsolatedIntrusions : public IsolatedDeaths {};
INSTANTIATE_TEST_SUITE_P(
    Table, IsolatedIntrusions,
    ::testing::Values(Death{"Print", "execute", ""}, Death{"Print", "thread", ""},
                      Death{"ChangeState", "execute", ""}, Death{"ChangeState", "thread", ""},
                      Death{"ChangeState", "load", ""}, Death{"FlushDenormals", "load", ""},
                      Death{"FlushDenormals", "execute", ""},
                      Death{"LeaveDescriptor", "execute", ""},
                      Death{"LeaveDescriptor", "compile", ""}, Death{"Print", "compile", ""},
                      Death{"ChangeState", "compile", ""}, Death{"Print", "support", ""},
                      Death{"ChangeState", "support", ""}, Death{"LeaveThread", "execute", ""},
                      Death{"StartTimers", "execute", ""}, Death{"ChangeLimits", "execute", ""}),
    GetTestName);

// The process goes on, and nothing of it is seen here.
TEST_P(IsolatedIntrusions, ReachNeitherTheHostNorTheResults) {
  const HostState before;
  IsolatedRuntime runtime;
  const NetworkId network = runtime.Load({"before", GetLayerName(GetParam()), "behind"});
  runtime.ExpectRight(network, kCue);
  runtime.ExpectRight(network);
  const HostState after;
  EXPECT_EQ(after.directory, before.directory);
  EXPECT_EQ(after.locale, before.locale);
  EXPECT_EQ(after.rounding, before.rounding);
  EXPECT_EQ(after.mask, before.mask);
  EXPECT_EQ(after.is_signal_ignored, before.is_signal_ignored);
  EXPECT_EQ(after.has_variable, before.has_variable);
  EXPECT_EQ(runtime.GetProcess().GetNumStarts(), 1U);
}

// A backend that cannot compile runs the layers one by one.
TEST(IsolatedBackends, ThatDieWhileTheyCompileRunWithoutThat) {
  IsolatedRuntime runtime;
  const NetworkId network = runtime.Load({"Abort in compile"});
  runtime.ExpectRight(network);
  EXPECT_EQ(runtime.GetProcess().GetNumStarts(), 2U);
}

// It has no end of its own.
TEST(IsolatedHangs, AreEndedWithTheirRun) {
  IsolatedRuntime runtime;
  const NetworkId network = runtime.Load({"Loop in execute"});
  RunOptions options;
  options.timeout = std::chrono::milliseconds(50);
  const IsolatedRun run = runtime.Run(network, kCue, &options);
  EXPECT_EQ(run.status, Status::kTimeout);
  ASSERT_TRUE(run.failure.has_value());
  EXPECT_THAT(ToText(*run.failure), HasSubstr("Loop in execute"));
  runtime.ExpectRight(network);
  EXPECT_EQ(runtime.GetProcess().GetNumStarts(), 2U);
}

// Not all that come behind it can be handed over at once.
TEST(IsolatedHangs, AreEndedInLongNetworksToo) {
  IsolatedRuntime runtime;
  std::vector<std::string> layers = {"Loop in execute"};
  while (layers.size() < 1200) layers.push_back("layer " + std::to_string(layers.size()));
  const NetworkId network = runtime.Load(layers);
  RunOptions options;
  options.timeout = std::chrono::milliseconds(300);
  const IsolatedRun run = runtime.Run(network, kCue, &options);
  EXPECT_EQ(run.status, Status::kTimeout);
  ASSERT_TRUE(run.failure.has_value());
  EXPECT_THAT(ToText(*run.failure), HasSubstr("Loop in execute"));
  runtime.ExpectRight(network);
}

TEST(IsolatedBackends, StayOutWhenTheyDieTooOften) {
  IsolationSettings settings;
  settings.max_deaths = 2;
  IsolatedRuntime runtime(settings);
  const NetworkId network = runtime.Load({"Segfault in execute"});
  for (int i = 0; i < 3; ++i) runtime.Run(network, kCue);
  const IsolatedRun run = runtime.Run(network, 7);
  ASSERT_TRUE(run.failure.has_value());
  EXPECT_EQ(run.failure->code, DiagnosticCode::kWorkerStaysOut) << ToText(*run.failure);
  EXPECT_THAT(ToText(*run.failure), HasSubstr("SIGSEGV"));
  EXPECT_EQ(runtime.GetProcess().GetNumStarts(), 3U);
}

}  // namespace
}  // namespace backplane::test
