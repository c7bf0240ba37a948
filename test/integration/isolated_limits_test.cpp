/// What the process of an isolated backend may use, and what it is told of this one.

#include "isolated_runtime.hpp"
#include "support/sanitized.hpp"
#include "support/scoped_variable.hpp"

#include <gmock/gmock.h>

#include <sched.h>
#include <unistd.h>

namespace backplane::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// What a run says that failed, of a layer with this name.
std::string RunAndFail(IsolatedRuntime& runtime, const std::string& layer) {
  const IsolatedRun run = runtime.Run(runtime.Load({layer}), kCue);
  EXPECT_NE(run.status, Status::kSuccess);
  return run.failure ? ToText(*run.failure) : "";
}

TEST(IsolatedLimits, OfMemoryAreNamedWhereABackendTellsThatItHasNone) {
  if (HasAddressSanitizer() || HasThreadSanitizer()) GTEST_SKIP() << "sanitizers take more memory";
  IsolationSettings settings;
  settings.max_data_bytes = std::uint64_t{256} << 20U;
  IsolatedRuntime runtime(settings);
  EXPECT_THAT(RunAndFail(runtime, "AllocateTooMuch in execute"),
              HasSubstr("the limit is 256 MiB of data (IsolationSettings::max_data_bytes)"));
  EXPECT_EQ(runtime.GetProcess().GetNumStarts(), 1U);
}

TEST(IsolatedLimits, OfProcessorsAreSeenByABackend) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof(all), &all), 0);
  if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "this machine has one processor";
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < CPU_SETSIZE; ++i) last = CPU_ISSET(i, &all) ? i : last;
  IsolationSettings settings;
  settings.processors = {last};
  IsolatedRuntime runtime(settings);
  EXPECT_THAT(RunAndFail(runtime, "TellProcessors in execute"), HasSubstr("found 1 processors"));
  IsolatedRuntime unlimited;
  EXPECT_THAT(RunAndFail(unlimited, "TellProcessors in execute"),
              HasSubstr("found " + std::to_string(CPU_COUNT(&all)) + " processors"));
}

TEST(IsolatedLimits, ThatCannotBeHadKeepABackendOut) {
  for (const std::uint32_t absent : {4'000U, 4'000'000'000U}) {
    IsolationSettings settings;
    settings.processors = {absent};
    try {
      IsolatedRuntime runtime(settings);
      FAIL() << "nothing was thrown";
    } catch (const DiagnosticException& exception) {
      const std::string text = ToText(exception.GetDiagnostic());
      EXPECT_THAT(text, HasSubstr(GetDiagnosticId(DiagnosticCode::kLimitUnavailable)));
      EXPECT_THAT(text,
                  HasSubstr("IsolationSettings::processors = {" + std::to_string(absent) + "}"));
    }
  }
}

TEST(IsolatedLimits, CannotBeRaisedAgain) {
  if (geteuid() == 0) GTEST_SKIP() << "the superuser may raise them; a sandbox keeps it from that";
  IsolatedRuntime runtime;
  EXPECT_THAT(RunAndFail(runtime, "RaiseLimits in execute"), HasSubstr("Operation not permitted"));
}

TEST(IsolatedProcesses, NeverGetNewPrivileges) {
  IsolatedRuntime runtime;
  EXPECT_THAT(RunAndFail(runtime, "TellPrivileges in execute"), HasSubstr("new privileges: 1"));
}

TEST(IsolatedProcesses, SeeOfTheEnvironmentWhatTheyNeed) {
  const ScopedVariable secret("DATABASE_PASSWORD", "secret");
  const ScopedVariable of_application("ACME_NPU_CORES", "2");
  const ScopedVariable of_operator("OTHER_NPU_CORES", "2");
  const ScopedVariable of_table("OMP_NUM_THREADS", "1");
  const ScopedVariable wish("BACKPLANE_PASS_VARIABLES", "OTHER_NPU_CORES");
  IsolationSettings settings;
  settings.environment = {"ACME_*"};
  IsolatedRuntime runtime(settings);
  EXPECT_THAT(
      RunAndFail(runtime, "TellVariables in execute"),
      AllOf(HasSubstr("ACME_NPU_CORES"), HasSubstr("OTHER_NPU_CORES"), HasSubstr("OMP_NUM_THREADS"),
            Not(HasSubstr("DATABASE_PASSWORD")), Not(HasSubstr("BACKPLANE_PASS_VARIABLES"))));
}

}  // namespace
}  // namespace backplane::test
