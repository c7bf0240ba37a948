/// Backends that are linked into the program, beside those that are loaded from files: the
/// reference backend in both forms, and the recording mock.

#include "mock_network.hpp"
#include "mock_rows.hpp"
#include "plain_allocator.hpp"
#include "recorded_calls.hpp"
#include "support/build_tree.hpp"

#include <backplane/api/static_backend.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

BACKPLANE_DECLARE_STATIC_BACKEND(Backplane_CpuRef);
BACKPLANE_DECLARE_STATIC_BACKEND(Mock_Static);

namespace backplane::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kStatic[] = "MockStatic";

/// Both are registered for the process as long as a test runs.
class StaticBackends : public ::testing::Test {
 protected:
  StaticBackends() {
    RegisterStaticBackend(BACKPLANE_STATIC_ENTRY_POINTS(Backplane_CpuRef));
    RegisterStaticBackend(BACKPLANE_STATIC_ENTRY_POINTS(Mock_Static));
  }
  ~StaticBackends() override {
    BackendRegistry& process = BackendRegistry::GetProcessRegistry();
    process.Deregister("CpuRef");
    process.Deregister(kStatic);
  }

  std::unique_ptr<IRuntime> Create(const CreationOptions& wanted = {}) const {
    CreationOptions options = wanted;
    options.dynamic_backends_path = directory_.GetPath();
    return IRuntime::Create(options);
  }

  std::string AddDynamicReference() const {
    const std::string path = directory_.GetPath() + "/Backplane_CpuRef_backend.so";
    std::filesystem::copy(
        test::InBuildTree(BACKPLANE_BACKENDS_FOLDER) + "/Backplane_CpuRef_backend.so", path);
    return path;
  }

  static std::string GetSource(const IRuntime& runtime, const std::string& id) {
    return runtime.GetDeviceSpec().GetRegistry().GetRegistration(id).source;
  }

  const MockDirectory directory_;
};

TEST_F(StaticBackends, RunWithoutAnyFile) {
  const auto runtime = Create();
  EXPECT_THAT(RunSumAndRelu(*runtime, {"CpuRef"}, {5, 3}, {10, -8}), ElementsAre(15, 0));
  EXPECT_THAT(RunSumAndRelu(*runtime, {kStatic}, {5, 3}, {10, -8}), ElementsAre(15, 0));
  EXPECT_TRUE(runtime->GetLoadReport().candidates.empty());
}

TEST_F(StaticBackends, AStaticBackendWinsOverADynamicOneAndTheReportNamesBoth) {
  const std::string path = AddDynamicReference();
  for (const Opening opening : {Opening::kEager, Opening::kLazy}) {
    CreationOptions options;
    options.opening = opening;
    const auto runtime = Create(options);
    EXPECT_EQ(GetSource(*runtime, "CpuRef"), "static");
    const Candidate* candidate = FindCandidate(runtime->GetLoadReport(), path);
    ASSERT_NE(candidate, nullptr);
    EXPECT_STREQ(GetCandidateStatusName(candidate->status), "shadowed");
    EXPECT_EQ(candidate->stage, Stage::kRegister);
    EXPECT_EQ(candidate->shadowed_by, "static");
    const Diagnostic* why = FindReason(*candidate);
    ASSERT_NE(why, nullptr);
    EXPECT_EQ(why->code, DiagnosticCode::kVariantNotChosen);
    EXPECT_THAT(why->what, HasSubstr(path + " is not used for the backend \"CpuRef\""));
    EXPECT_THAT(why->why, HasSubstr("linked into the program"));
    EXPECT_THAT(RunSumAndRelu(*runtime, {"CpuRef"}, {5, 3}, {10, -8}), ElementsAre(15, 0));
    EXPECT_FALSE(IsMapped(path));
  }
}

TEST_F(StaticBackends, ADisabledStaticBackendMakesNoRoomForAFileOfItsId) {
  const std::string path = AddDynamicReference();
  CreationOptions options;
  options.disabled_backends = {"CpuRef"};
  const auto runtime = Create(options);
  EXPECT_FALSE(runtime->GetDeviceSpec().GetRegistry().IsBackendRegistered("CpuRef"));
  EXPECT_EQ(FindCandidate(runtime->GetLoadReport(), path)->status, CandidateStatus::kSkipped);
  try {
    Optimize(*MakeSumAndRelu(), {"CpuRef"}, runtime->GetDeviceSpec());
    ADD_FAILURE() << "it is disabled";
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kBackendRejected);
    ASSERT_FALSE(exception.GetDiagnostic().causes.empty());
    EXPECT_EQ(exception.GetDiagnostic().causes[0].code, DiagnosticCode::kBackendDisabled);
  }
  EXPECT_TRUE(Create()->GetDeviceSpec().GetRegistry().IsBackendRegistered("CpuRef"))
      << "in other runtimes it is there";
}

TEST_F(StaticBackends, RunOneNetworkTogetherWithDynamicOnes) {
  directory_.Add("RunsActivation");
  const auto runtime = Create();
  const std::vector<std::string> preferences{"MockRunsActivation", "CpuRef"};
  const auto network = Optimize(*MakeSumAndRelu(), preferences, runtime->GetDeviceSpec());
  const auto& layers = network->GetPlacement().layers;
  ASSERT_EQ(layers.size(), 2U);
  EXPECT_EQ(layers[0].backend_id, "CpuRef");
  EXPECT_EQ(layers[1].backend_id, "MockRunsActivation");
  EXPECT_THAT(RunSumAndRelu(*runtime, preferences, {5, 3}, {10, -8}), ElementsAre(15, 0));
}

TEST_F(StaticBackends, AreInSeveralRuntimesWithContextsOfTheirOwn) {
  auto first = Create();
  auto second = Create();
  const auto before = GetCalls(*second, kStatic);
  std::vector<std::thread> threads;
  for (const auto* runtime : {&first, &second}) {
    threads.emplace_back([runtime] {
      EXPECT_THAT(RunSumAndRelu(**runtime, {kStatic}, {5, 3}, {10, -8}), ElementsAre(15, 0));
      EXPECT_THAT(RunSumAndRelu(**runtime, {"CpuRef"}, {5, 3}, {10, -8}), ElementsAre(15, 0));
    });
  }
  for (std::thread& thread : threads) thread.join();
  first.reset();
  const auto after = GetCalls(*second, kStatic);
  EXPECT_EQ(CountCalls(after, "~Context"), CountCalls(before, "~Context") + 1);
  EXPECT_THAT(RunSumAndRelu(*second, {kStatic}, {5, 3}, {10, -8}), ElementsAre(15, 0));
}

TEST_F(StaticBackends, GetOptionsAllocatorsAndContexts) {
  const auto allocator = std::make_shared<PlainAllocator>();
  CreationOptions options;
  options.backend_options = {{kStatic, {{"FailAt", "nothing"}}}};
  options.custom_allocators = {{kStatic, allocator}};
  const auto runtime = Create(options);
  EXPECT_EQ(GetCalls(*runtime, kStatic).back(),
            "CreateBackendContext options=1 allocator=1 protected=0");
  EXPECT_THAT(RunSumAndRelu(*runtime, {kStatic}, {5, 3}, {10, -8}), ElementsAre(15, 0));
  EXPECT_EQ(allocator->num_allocated, 1);
  EXPECT_EQ(allocator->num_freed, 1);
  for (const std::string& call : GetCalls(*runtime, kStatic)) {
    EXPECT_EQ(call.find("without context"), std::string::npos) << call;
  }
}

TEST_F(StaticBackends, ThatCannotWorkAreListedWithTheirReason) {
  CreationOptions options;
  options.backend_options = {
      {kStatic, {{"FailAt", "CreateBackendContext"}, {"FailBy", "absence"}}}};
  const auto runtime = Create(options);
  const Candidate* candidate = FindCandidate(runtime->GetLoadReport(), "static");
  ASSERT_NE(candidate, nullptr);
  EXPECT_EQ(candidate->identity->id, kStatic);
  EXPECT_EQ(candidate->status, CandidateStatus::kUnavailable);
  EXPECT_EQ(GetHeadline(*candidate)->code, DiagnosticCode::kBackendUnavailable);
  EXPECT_FALSE(runtime->GetDeviceSpec().GetRegistry().IsBackendRegistered(kStatic));
}

TEST_F(StaticBackends, MustBeAbleToWorkInProtectedMemoryToo) {
  AddDynamicReference();
  CreationOptions options;
  options.custom_allocators = {
      {kStatic, std::make_shared<PlainAllocator>(MemorySource::kDmaBufProtected)}};
  options.protection = MemoryProtection::kProtected;
  const auto runtime = Create(options);
  EXPECT_THAT(runtime->GetDeviceSpec().GetBackendIdsByRank(), ElementsAre(kStatic));
  const Candidate* candidate = FindCandidate(runtime->GetLoadReport(), "static");
  ASSERT_NE(candidate, nullptr);
  EXPECT_EQ(candidate->identity->id, "CpuRef");
  EXPECT_EQ(GetHeadline(*candidate)->code, DiagnosticCode::kNotProtected);
  EXPECT_EQ(GetCalls(*runtime, kStatic).back(),
            "CreateBackendContext options=0 allocator=1 protected=1");
}

TEST_F(StaticBackends, CannotBeIsolated) {
  CreationOptions options;
  options.dynamic_backends_path = GetMockRow("Runs").folder;
  options.isolation.rules = {{"CpuRef", Isolation::kProcess}};
  try {
    IRuntime::Create(options);
    FAIL() << "nothing was thrown";
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kCannotIsolate);
  }
}

}  // namespace
}  // namespace backplane::test
