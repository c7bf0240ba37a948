/// The test strategy of the design note that this system follows, by its numbers: those that need
/// a runtime. The others are in design_note_test.cpp.

#include "mock_network.hpp"
#include "mock_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace backplane::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// What the backend counts of itself, for example "LiveContexts".
int GetCount(const IRuntime& runtime, const std::string& name) {
  const auto backend = runtime.GetDeviceSpec().GetRegistry().CreateBackend("MockRuns");
  for (const BackendOption& option : backend.Call<&IBackendInternal::GetCapabilities>().value) {
    if (option.name == name) return static_cast<int>(option.value.int_value);
  }
  ADD_FAILURE() << name << " is not counted";
  return -1;
}

Diagnostic CreateAndFail(const std::string& directory) {
  try {
    CreateRuntime(directory);
  } catch (const DiagnosticException& exception) {
    return exception.GetDiagnostic();
  }
  ADD_FAILURE() << "a runtime was created from " << directory;
  return {};
}

TEST(DesignNoteRuntime, T01_RunsANetworkOnALoadedBackend) {
  const auto runtime = CreateRuntime(GetMockRow("Runs").folder);
  EXPECT_THAT(RunSumAndRelu(*runtime, {"MockRuns"}, {1, -4}, {2, 1}), ElementsAre(3, 0));
}

TEST(DesignNoteRuntime, T05_RunsANetworkOnSeveralLoadedBackends) {
  const auto runtime = CreateRuntime(GetMockRow("RunsActivation").folder);
  const auto optimized = Optimize(*MakeSumAndRelu(), {"MockRunsActivation", "MockRunsBinary"},
                                  runtime->GetDeviceSpec());
  ASSERT_EQ(optimized->GetPlacement().layers.size(), 2U);
  EXPECT_EQ(optimized->GetPlacement().layers[0].backend_id, "MockRunsBinary");
  EXPECT_EQ(optimized->GetPlacement().layers[1].backend_id, "MockRunsActivation");
  EXPECT_THAT(RunSumAndRelu(*runtime, {"MockRunsActivation", "MockRunsBinary"}, {1, -4}, {2, 1}),
              ElementsAre(3, 0));
}

TEST(DesignNoteRuntime, T06_StartsWithTheFirstOfTwoBackendsWithOneId) {
  const auto runtime = CreateRuntime(GetMockRow("DuplicateFirst").folder);
  EXPECT_THAT(runtime->GetDeviceSpec().GetBackendIdsByRank(), ElementsAre("MockDuplicate"));
  EXPECT_EQ(CountCandidates(runtime->GetLoadReport(), CandidateStatus::kRejected), 2U)
      << "those of other vendors";
  EXPECT_EQ(CountCandidates(runtime->GetLoadReport(), CandidateStatus::kShadowed), 1U);
}

TEST(DesignNoteRuntime, T07_StartsWithOneBackendForOneFileOfSeveralNames) {
  const auto runtime = CreateRuntime(GetMockRow("LinkToLink").folder);
  EXPECT_THAT(runtime->GetDeviceSpec().GetBackendIdsByRank(), ElementsAre("MockLinks"));
}

TEST(DesignNoteRuntime, T08_ClosesAllBackendsWithTheRuntime) {
  const std::string& folder = GetMockRow("RunsActivation").folder;
  auto runtime = CreateRuntime(folder);
  RunSumAndRelu(*runtime, {"MockRunsActivation", "MockRunsBinary"}, {1, 2}, {3, 4});
  EXPECT_TRUE(IsMapped(GetMockRow("RunsActivation").path));
  EXPECT_TRUE(IsMapped(GetMockRow("RunsBinary").path));
  runtime.reset();
  EXPECT_FALSE(IsMapped(folder));
}

TEST(DesignNoteRuntime, T08_KeepsABackendOpenForANetworkThatOutlivesTheRuntime) {
  const MockRow& row = GetMockRow("Runs");
  auto runtime = CreateRuntime(row.folder);
  auto optimized = Optimize(*MakeSumAndRelu(), {"MockRuns"}, runtime->GetDeviceSpec());
  runtime->LoadNetwork(optimized);
  runtime.reset();
  EXPECT_TRUE(IsMapped(row.path));
  optimized.reset();
  EXPECT_FALSE(IsMapped(row.path));
}

TEST(DesignNoteRuntime, T10_DoesNotStartWithoutAnyFile) {
  const MockDirectory directory;
  EXPECT_EQ(CreateAndFail(directory.GetPath()).code, DiagnosticCode::kNoBackends);
}

TEST(DesignNoteRuntime, T10_DoesNotStartWithoutAUsableBackendAndSaysWhy) {
  const MockDirectory directory;
  directory.Add("TextFile");
  directory.Add("FactoryThrows");
  directory.Add("FactoryUnavailable");
  const Diagnostic failure = CreateAndFail(directory.GetPath());
  EXPECT_EQ(failure.code, DiagnosticCode::kNoBackends);
  EXPECT_THAT(ToText(failure), HasSubstr("Mock_TextFile_backend.so"));
  EXPECT_THAT(ToText(failure), HasSubstr("the factory is closed"));
  EXPECT_THAT(ToText(failure), HasSubstr("there is no mock device in this machine"));
  EXPECT_FALSE(IsMapped(directory.GetPath()));
}

TEST(DesignNoteRuntime, T11_StartsTwiceWithTheSameBackend) {
  const std::string& folder = GetMockRow("Runs").folder;
  const auto first = CreateRuntime(folder);
  EXPECT_EQ(GetCount(*first, "LiveContexts"), 1);
  const int made_for_one = GetCount(*first, "BackendsMade");
  auto second = CreateRuntime(folder);
  EXPECT_EQ(GetCount(*first, "LiveContexts"), 2) << "each runtime has a context of its own";
  EXPECT_GT(GetCount(*first, "BackendsMade"), made_for_one) << "and starts the backend itself";
  EXPECT_THAT(RunSumAndRelu(*first, {"MockRuns"}, {1, 2}, {3, 4}), ElementsAre(4, 6));
  EXPECT_THAT(RunSumAndRelu(*second, {"MockRuns"}, {1, 2}, {3, 4}), ElementsAre(4, 6));
}

TEST(DesignNoteRuntime, T11_OneRuntimeDoesNotNoticeTheEndOfAnother) {
  const MockRow& row = GetMockRow("Runs");
  auto first = CreateRuntime(row.folder);
  auto second = CreateRuntime(row.folder);
  first.reset();
  EXPECT_EQ(GetCount(*second, "LiveContexts"), 1);
  EXPECT_THAT(RunSumAndRelu(*second, {"MockRuns"}, {1, 2}, {3, 4}), ElementsAre(4, 6));
  EXPECT_EQ(GetCount(*second, "LiveWorkloads"), 0);
  second.reset();
  EXPECT_FALSE(IsMapped(row.path));
}

}  // namespace
}  // namespace backplane::test
