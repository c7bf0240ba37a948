/// What a backend in a process of its own does to that process, and what is left of it here.

#include "isolated_runtime.hpp"

#include <gmock/gmock.h>

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
        Death{"Kill", "thread", "SIGKILL"}),
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
INSTANTIATE_TEST_SUITE_P(Table, IsolatedCallDeaths,
                         ::testing::Values(Death{"Segfault", "support", "SIGSEGV"},
                                           Death{"Exit", "support", "exit"},
                                           Death{"Segfault", "load", "SIGSEGV"},
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
