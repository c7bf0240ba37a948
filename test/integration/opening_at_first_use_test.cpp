/// Runtimes that open the files of backends with a manifest when they are first used.

#include <backplane/host/options.hpp>

#include "mock_network.hpp"
#include "mock_rows.hpp"
#include "support/build_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace backplane::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::unique_ptr<IRuntime> CreateLazyRuntime(const std::string& directory,
                                            CreationOptions options = {}) {
  options.dynamic_backends_path = directory;
  options.opening = Opening::kLazy;
  return IRuntime::Create(options);
}

std::int64_t GetCapability(const IRuntime& runtime, const std::string& id,
                           const std::string& name) {
  const auto backend = runtime.GetDeviceSpec().GetRegistry().CreateBackend(id);
  auto capabilities = backend.Call<&IBackendInternal::GetCapabilities>();
  for (const BackendOption& option : capabilities.GetOrThrow()) {
    if (option.name == name) return option.value.int_value;
  }
  return -1;
}

class OpeningAtFirstUse : public ::testing::Test {
 protected:
  OpeningAtFirstUse() {
    for (const char* row : {"LateRuns", "LateThrows", "LateUnavailable", "WithManifest"}) {
      directory_.Add(row);
    }
  }

  bool IsOpen(const std::string& row) const { return IsMapped(GetPath(row)); }
  std::string GetPath(const std::string& row) const {
    return directory_.GetPath() + "/Mock_" + row + "_backend.so";
  }
  const Candidate& GetCandidate(const IRuntime& runtime, const std::string& row) const {
    return *FindCandidate(runtime.GetLoadReport(), GetPath(row));
  }

  const MockDirectory directory_;
};

TEST_F(OpeningAtFirstUse, NothingIsOpenedWhenARuntimeIsCreated) {
  const auto runtime = CreateLazyRuntime(directory_.GetPath());
  EXPECT_FALSE(IsMapped(directory_.GetPath()));
  EXPECT_THAT(
      runtime->GetDeviceSpec().GetBackendIdsByRank(),
      ElementsAre("MockLateRuns", "MockLateThrows", "MockLateUnavailable", "MockWithManifest"));
  const Candidate& candidate = GetCandidate(*runtime, "LateRuns");
  EXPECT_STREQ(GetCandidateStatusName(candidate.status), "inspected");
  EXPECT_EQ(candidate.stage, Stage::kRegister);
  EXPECT_EQ(candidate.where, ProbedIn::kFile);
  ASSERT_TRUE(candidate.identity);
  EXPECT_EQ(candidate.identity->vendor, "Mock Works");
  EXPECT_EQ(candidate.identity->version, "3.2.1");
  EXPECT_EQ(candidate.identity->license, "MIT");
  EXPECT_EQ(candidate.identity->rank, 0);
  EXPECT_TRUE(candidate.identity->api_version == kBackendApiVersion);
  EXPECT_TRUE(candidate.diagnostics.empty());
}

TEST_F(OpeningAtFirstUse, OnlyWhatIsPreferredIsOpened) {
  const auto runtime = CreateLazyRuntime(directory_.GetPath());
  const LoadReport& before = runtime->GetLoadReport();
  EXPECT_THAT(RunSumAndRelu(*runtime, {"MockLateRuns"}, {5, 3}, {10, -8}), ElementsAre(15, 0));
  EXPECT_TRUE(IsOpen("LateRuns"));
  EXPECT_FALSE(IsOpen("WithManifest"));
  EXPECT_FALSE(IsOpen("LateThrows"));
  const Candidate& candidate = GetCandidate(*runtime, "LateRuns");
  EXPECT_STREQ(GetCandidateStatusName(candidate.status), "loaded");
  EXPECT_EQ(candidate.stage, Stage::kCreate);
  EXPECT_EQ(candidate.where, ProbedIn::kInProcess);
  EXPECT_EQ(candidate.identity->vendor, "Mock Works");
  EXPECT_FALSE(candidate.identity->capabilities.empty());
  EXPECT_EQ(FindCandidate(before, GetPath("LateRuns"))->status, CandidateStatus::kInspected)
      << "a report that was given out does not change";
}

TEST_F(OpeningAtFirstUse, AFailureIsARefusalAndTheNextTakesTheLayers) {
  const auto runtime = CreateLazyRuntime(directory_.GetPath());
  for (int i = 0; i < 2; ++i) {
    const auto network =
        Optimize(*MakeSumAndRelu(), {"MockLateThrows", "MockLateUnavailable", "MockLateRuns"},
                 runtime->GetDeviceSpec());
    for (const LayerPlacement& layer : network->GetPlacement().layers) {
      EXPECT_EQ(layer.backend_id, "MockLateRuns");
      ASSERT_EQ(layer.refusals.size(), 2U);
      EXPECT_THAT(layer.refusals[0].reason, HasSubstr("failed when it was first used"));
      EXPECT_THAT(layer.refusals[0].reason, HasSubstr("the factory is closed"));
      EXPECT_THAT(layer.refusals[1].reason, HasSubstr("the mock device does not answer"));
    }
  }
  EXPECT_FALSE(IsOpen("LateThrows"));
  const Candidate& threw = GetCandidate(*runtime, "LateThrows");
  EXPECT_STREQ(GetCandidateStatusName(threw.status), "rejected");
  EXPECT_EQ(threw.stage, Stage::kCreate);
  ASSERT_NE(GetHeadline(threw), nullptr);
  EXPECT_EQ(GetHeadline(threw)->code, DiagnosticCode::kBackendThrew);
  const Candidate& unavailable = GetCandidate(*runtime, "LateUnavailable");
  EXPECT_STREQ(GetCandidateStatusName(unavailable.status), "unavailable");
}

TEST_F(OpeningAtFirstUse, AFailureIsToldToWhoAsksForTheBackend) {
  const auto runtime = CreateLazyRuntime(directory_.GetPath());
  try {
    runtime->GetDeviceSpec().GetRegistry().CreateBackend("MockLateThrows");
    ADD_FAILURE() << "it was made";
  } catch (const DiagnosticException& exception) {
    const Diagnostic& diagnostic = exception.GetDiagnostic();
    EXPECT_EQ(diagnostic.code, DiagnosticCode::kFailedAtFirstUse);
    EXPECT_EQ(diagnostic.subject.name, "MockLateThrows");
    ASSERT_EQ(diagnostic.causes.size(), 1U);
    EXPECT_EQ(diagnostic.causes[0].code, DiagnosticCode::kBackendThrew);
  }
}

TEST_F(OpeningAtFirstUse, AFileThatWasReplacedIsRefused) {
  const auto runtime = CreateLazyRuntime(directory_.GetPath());
  const std::string path = GetPath("LateRuns");
  std::filesystem::copy(path, path + ".new");
  std::filesystem::rename(path + ".new", path);
  EXPECT_THROW(Optimize(*MakeSumAndRelu(), {"MockLateRuns"}, runtime->GetDeviceSpec()),
               DiagnosticException);
  EXPECT_FALSE(IsOpen("LateRuns"));
  const Candidate& candidate = GetCandidate(*runtime, "LateRuns");
  EXPECT_STREQ(GetCandidateStatusName(candidate.status), "rejected");
  EXPECT_EQ(candidate.stage, Stage::kOpen);
  ASSERT_NE(GetHeadline(candidate), nullptr);
  EXPECT_EQ(GetHeadline(candidate)->code, DiagnosticCode::kFileChanged);
}

TEST_F(OpeningAtFirstUse, AFileThatIsGoneIsRefused) {
  const auto runtime = CreateLazyRuntime(directory_.GetPath());
  std::filesystem::remove(GetPath("LateRuns"));
  EXPECT_THROW(Optimize(*MakeSumAndRelu(), {"MockLateRuns"}, runtime->GetDeviceSpec()),
               DiagnosticException);
  EXPECT_EQ(GetHeadline(GetCandidate(*runtime, "LateRuns"))->code, DiagnosticCode::kFileNotFound);
}

TEST_F(OpeningAtFirstUse, WithoutPreferencesTheyAreOpenedInTurnUntilAllLayersAreTaken) {
  const auto runtime = CreateLazyRuntime(directory_.GetPath());
  EXPECT_THAT(RunSumAndRelu(*runtime, {}, {5, 3}, {10, -8}), ElementsAre(15, 0));
  EXPECT_TRUE(IsOpen("LateRuns"));
  EXPECT_FALSE(IsMapped("Mock_WithManifest"));
  EXPECT_EQ(GetCandidate(*runtime, "LateThrows").status, CandidateStatus::kInspected);
}

TEST_F(OpeningAtFirstUse, ManyThreadsAtOnceOpenItOnce) {
  const auto runtime = CreateLazyRuntime(directory_.GetPath());
  std::atomic<int> num_right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      const auto result = RunSumAndRelu(*runtime, {"MockLateRuns"}, {5, 3}, {10, -8});
      if (result == std::vector<float>{15, 0}) ++num_right;
      if (runtime->GetLoadReport().candidates.size() != 4) --num_right;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_right, 8);
  EXPECT_EQ(GetCapability(*runtime, "MockLateRuns", "LiveContexts"), 1);
}

TEST_F(OpeningAtFirstUse, RuntimesShareNothing) {
  const auto first = CreateLazyRuntime(directory_.GetPath());
  auto second = CreateLazyRuntime(directory_.GetPath());
  RunSumAndRelu(*first, {"MockLateRuns"}, {5, 3}, {10, -8});
  EXPECT_EQ(GetCandidate(*second, "LateRuns").status, CandidateStatus::kInspected);
  RunSumAndRelu(*second, {"MockLateRuns"}, {5, 3}, {10, -8});
  EXPECT_EQ(GetCapability(*first, "MockLateRuns", "LiveContexts"), 2);
  second.reset();
  EXPECT_EQ(GetCapability(*first, "MockLateRuns", "LiveContexts"), 1);
}

TEST_F(OpeningAtFirstUse, TheLibraryStaysAsLongAsWhatWasMadeFromIt) {
  auto runtime = CreateLazyRuntime(directory_.GetPath());
  auto network = Optimize(*MakeSumAndRelu(), {"MockLateRuns"}, runtime->GetDeviceSpec());
  auto backend = runtime->GetDeviceSpec().GetRegistry().CreateBackend("MockLateRuns");
  runtime.reset();
  network.reset();
  EXPECT_STREQ(backend.Call<&IBackendInternal::GetId>().GetOrThrow(), "MockLateRuns");
  backend = {};
  EXPECT_FALSE(IsMapped(directory_.GetPath()));
}

CreationOptions MakeProbing() {
  CreationOptions options;
  options.probe = BackendProbe::kChild;
  options.probe_settings.verdicts = VerdictUse::kIgnore;
  options.probe_settings.timeout = std::chrono::minutes(5);
  return options;
}

TEST_F(OpeningAtFirstUse, BackendsThatRanInAProcessOfTheirOwnNeedNoManifest) {
  for (const char* row : {"Runs", "ValidA", "FactoryThrows"}) directory_.Add(row);
  const auto runtime = CreateLazyRuntime(directory_.GetPath(), MakeProbing());
  EXPECT_FALSE(IsMapped(directory_.GetPath())) << "nothing is opened when it is created";
  EXPECT_EQ(GetCandidate(*runtime, "Runs").status, CandidateStatus::kInspected);
  EXPECT_EQ(GetCandidate(*runtime, "Runs").stage, Stage::kRegister);
  EXPECT_EQ(GetCandidate(*runtime, "FactoryThrows").status, CandidateStatus::kRejected);
  EXPECT_THAT(RunSumAndRelu(*runtime, {"MockRuns"}, {5, 3}, {10, -8}), ElementsAre(15, 0));
  EXPECT_TRUE(IsOpen("Runs"));
  EXPECT_FALSE(IsOpen("ValidA"));
  EXPECT_FALSE(IsOpen("LateRuns"));
  const Candidate& candidate = GetCandidate(*runtime, "Runs");
  EXPECT_EQ(candidate.status, CandidateStatus::kLoaded);
  EXPECT_EQ(candidate.stage, Stage::kCreate);
  EXPECT_EQ(candidate.where, ProbedIn::kInProcess);
  EXPECT_EQ(GetCapability(*runtime, "MockRuns", "LiveContexts"), 1);
}

TEST_F(OpeningAtFirstUse, OptionsThatAProcessOfItsOwnToldAreCheckedWithoutOpening) {
  directory_.Add("Records");
  CreationOptions options = MakeProbing();
  options.backend_options = {{"MockRecords", {{"NoSuchOption", 3}}}};
  try {
    CreateLazyRuntime(directory_.GetPath(), options);
    ADD_FAILURE() << "nobody declares the option";
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kUnknownOption);
  }
  options.backend_options = {{"MockRecords", {}}};
  const auto runtime = CreateLazyRuntime(directory_.GetPath(), options);
  const BackendRegistry& registry = runtime->GetDeviceSpec().GetRegistry();
  EXPECT_FALSE(GetOptionSchemas(registry, "MockRecords").empty());
  EXPECT_FALSE(IsOpen("Records"));
}

TEST_F(OpeningAtFirstUse, ADisabledIdIsSkippedAfterAProcessOfItsOwnToldIt) {
  directory_.Add("Runs");
  std::filesystem::rename(GetPath("Runs"), GetPath("Renamed"));
  CreationOptions options = MakeProbing();
  options.disabled_backends = {"MockRuns"};
  const auto runtime = CreateLazyRuntime(directory_.GetPath(), options);
  EXPECT_EQ(GetCandidate(*runtime, "Renamed").status, CandidateStatus::kSkipped);
  EXPECT_FALSE(runtime->GetDeviceSpec().GetRegistry().IsBackendRegistered("MockRuns"));
}

TEST_F(OpeningAtFirstUse, BackendsWithoutManifestAreOpenedAtOnce) {
  directory_.Add("ValidA");
  directory_.Add("FactoryThrows");
  const auto runtime = CreateLazyRuntime(directory_.GetPath());
  EXPECT_TRUE(IsOpen("ValidA"));
  EXPECT_FALSE(IsOpen("LateRuns"));
  EXPECT_EQ(GetCandidate(*runtime, "ValidA").status, CandidateStatus::kLoaded);
  EXPECT_EQ(GetCandidate(*runtime, "FactoryThrows").status, CandidateStatus::kRejected);
}

TEST_F(OpeningAtFirstUse, OptionsOpenTheirBackendAtOnce) {
  CreationOptions options;
  options.backend_options = {{"MockLateRuns", {{"Speed", 3}}}};
  try {
    CreateLazyRuntime(directory_.GetPath(), options);
    ADD_FAILURE() << "nobody declares the option";
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kUnknownOption);
  }
  options.backend_options = {{"MockLateThrows", {}}};
  const auto runtime = CreateLazyRuntime(directory_.GetPath(), options);
  EXPECT_FALSE(runtime->GetDeviceSpec().GetRegistry().IsBackendRegistered("MockLateThrows"));
  EXPECT_EQ(GetCandidate(*runtime, "LateThrows").status, CandidateStatus::kRejected);
  EXPECT_FALSE(IsOpen("LateRuns"));
}

TEST_F(OpeningAtFirstUse, ADisabledIdIsSkippedWithoutBeingOpened) {
  std::filesystem::rename(GetPath("LateRuns"), GetPath("Renamed"));
  CreationOptions options;
  options.disabled_backends = {"MockLateRuns"};
  for (const Opening opening : {Opening::kEager, Opening::kLazy}) {
    options.opening = opening;
    options.dynamic_backends_path = directory_.GetPath();
    const auto runtime = IRuntime::Create(options);
    EXPECT_EQ(GetCandidate(*runtime, "Renamed").status, CandidateStatus::kSkipped);
    EXPECT_FALSE(IsOpen("Renamed"));
  }
}

TEST_F(OpeningAtFirstUse, AnIdIsGivenByTheFirstOfEqualFiles) {
  std::filesystem::copy(GetPath("LateRuns"), GetPath("Runs2"));
  const auto runtime = CreateLazyRuntime(directory_.GetPath());
  const Candidate& second = GetCandidate(*runtime, "Runs2");
  EXPECT_EQ(second.status, CandidateStatus::kShadowed);
  EXPECT_EQ(FindReason(second)->code, DiagnosticCode::kVariantNotChosen);
}

TEST_F(OpeningAtFirstUse, AManifestOfAnotherBackendIsFoundAtFirstUse) {
  directory_.Add("ManifestOfAnother");
  const auto runtime = CreateLazyRuntime(directory_.GetPath());
  EXPECT_TRUE(runtime->GetDeviceSpec().GetRegistry().IsBackendRegistered("MockSomebodyElse"));
  const auto network =
      Optimize(*MakeSumAndRelu(), {"MockSomebodyElse", "MockLateRuns"}, runtime->GetDeviceSpec());
  const Candidate& candidate = GetCandidate(*runtime, "ManifestOfAnother");
  EXPECT_EQ(candidate.status, CandidateStatus::kRejected);
  EXPECT_EQ(candidate.stage, Stage::kIdentify);
  EXPECT_EQ(GetHeadline(candidate)->code, DiagnosticCode::kManifestDisagrees);
}

#ifdef BACKPLANE_BACKENDS_FOLDER
TEST(OpeningAtFirstUseOfOwnBackends, TheRankOfTheManifestDecidesWhoIsOpenedFirst) {
  const MockDirectory directory;
  directory.Add("LateRuns");
  const std::string reference = directory.GetPath() + "/Backplane_CpuRef_backend.so";
  std::filesystem::copy(
      test::InBuildTree(BACKPLANE_BACKENDS_FOLDER) + "/Backplane_CpuRef_backend.so", reference);
  const auto runtime = CreateLazyRuntime(directory.GetPath());
  EXPECT_THAT(runtime->GetDeviceSpec().GetBackendIdsByRank(),
              ElementsAre("MockLateRuns", "CpuRef"));
  RunSumAndRelu(*runtime, {}, {5, 3}, {10, -8});
  EXPECT_FALSE(IsMapped(reference));
  EXPECT_THAT(RunSumAndRelu(*runtime, {"CpuRef"}, {5, 3}, {10, -8}), ElementsAre(15, 0));
  EXPECT_TRUE(IsMapped(reference));
  const Candidate& candidate = *FindCandidate(runtime->GetLoadReport(), reference);
  EXPECT_EQ(candidate.status, CandidateStatus::kLoaded);
  EXPECT_TRUE(candidate.diagnostics.empty());
}
#endif

}  // namespace
}  // namespace backplane::test
