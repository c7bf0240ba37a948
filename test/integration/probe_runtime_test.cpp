/// A runtime whose backends run first in processes of their own.

#include "mock_network.hpp"
#include "mock_rows.hpp"
#include "probe_watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace backplane::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::unique_ptr<IRuntime> CreateProbingRuntime(const std::string& directory) {
  CreationOptions options;
  options.dynamic_backends_path = directory;
  options.probe = BackendProbe::kChild;
  options.probe_settings.verdicts = VerdictUse::kIgnore;
  options.probe_settings.timeout = std::chrono::minutes(5);
  return IRuntime::Create(options);
}

TEST(ProbeRuntime, SurvivesDeadlyBackendsAndRunsOnTheOthers) {
  const MockDirectory directory;
  for (const char* row : {"CrashInConstructor", "ExitAtOnce", "Runs", "ThrowInConstructor"}) {
    directory.Add(row);
  }
  const auto runtime = CreateProbingRuntime(directory.GetPath());
  EXPECT_THAT(runtime->GetDeviceSpec().GetBackendIdsByRank(), ElementsAre("MockRuns"));
  EXPECT_THAT(RunSumAndRelu(*runtime, {"MockRuns"}, {5, 3}, {10, -8}), ElementsAre(15, 0));
}

TEST(ProbeRuntime, ExplainsDeadlyBackendsWhenNoneIsLeft) {
  const MockDirectory directory;
  directory.Add("CrashInConstructor");
  directory.Add("ExitAtOnce");
  try {
    CreateProbingRuntime(directory.GetPath());
    ADD_FAILURE() << "a runtime was created";
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kNoBackends);
    EXPECT_THAT(exception.what(), HasSubstr("Mock_CrashInConstructor_backend.so crashed"));
    EXPECT_THAT(exception.what(), HasSubstr("in a static constructor of its own"));
    EXPECT_THAT(exception.what(), HasSubstr("exit or _exit with code 3"));
  }
}

}  // namespace
}  // namespace backplane::test
