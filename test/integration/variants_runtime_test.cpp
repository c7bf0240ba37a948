/// Runtimes over several files that give one backend id.

#include "mock_network.hpp"
#include "mock_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace backplane::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class VariantsInARuntime : public ::testing::Test {
 protected:
  std::unique_ptr<IRuntime> Create(Opening opening, CreationOptions options = {}) const {
    options.dynamic_backends_path = directory_.GetPath();
    options.opening = opening;
    return IRuntime::Create(options);
  }
  std::string GetStatus(const IRuntime& runtime, const std::string& path) const {
    return GetCandidateStatusName(FindCandidate(runtime.GetLoadReport(), path)->status);
  }

  const MockDirectory directory_;
};

TEST_F(VariantsInARuntime, TheBetterOneRuns) {
  const std::string fast = directory_.Add("RunsFast");
  const std::string slow = directory_.Add("RunsSlow");
  for (const Opening opening : {Opening::kEager, Opening::kLazy}) {
    const auto runtime = Create(opening);
    EXPECT_THAT(RunSumAndRelu(*runtime, {"MockRunsVariant"}, {5, 3}, {10, -8}), ElementsAre(15, 0));
    EXPECT_EQ(GetStatus(*runtime, fast), "loaded");
    EXPECT_EQ(GetStatus(*runtime, slow), "shadowed");
    EXPECT_TRUE(IsMapped(fast));
    EXPECT_FALSE(IsMapped(slow));
  }
}

TEST_F(VariantsInARuntime, APinMakesTheOtherRun) {
  directory_.Add("RunsFast");
  const std::string slow = directory_.Add("RunsSlow");
  CreationOptions options;
  options.variants = {{"MockRunsVariant", "Mock_RunsSlow*"}};
  for (const Opening opening : {Opening::kEager, Opening::kLazy}) {
    const auto runtime = Create(opening, options);
    EXPECT_THAT(RunSumAndRelu(*runtime, {"MockRunsVariant"}, {5, 3}, {10, -8}), ElementsAre(15, 0));
    EXPECT_EQ(GetStatus(*runtime, slow), "loaded");
  }
}

TEST_F(VariantsInARuntime, APinThatCannotBeFollowedIsAnError) {
  const std::string fast = directory_.Add("RunsFast");
  CreationOptions options;
  options.variants = {{"MockRunsVariant", "Mock_Rnus*"}};
  try {
    Create(Opening::kEager, options);
    ADD_FAILURE() << "there is no such file";
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kVariantPinUnmet);
    EXPECT_THAT(exception.what(), AllOf(HasSubstr("Mock_Rnus*"), HasSubstr(fast)));
  }
}

TEST_F(VariantsInARuntime, TheNextTakesThePlaceOfOneThatFailsAtFirstUse) {
  const std::string unavailable = directory_.Add("VariantUnavailable");
  const std::string throws = directory_.Add("VariantThrows");
  const std::string good = directory_.Add("VariantStandsIn");
  for (const BackendProbe probe : {BackendProbe::kNone, BackendProbe::kChild}) {
    for (const Opening opening : {Opening::kEager, Opening::kLazy}) {
      CreationOptions options;
      options.probe = probe;
      const auto runtime = Create(opening, options);
      const LoadReport& before = runtime->GetLoadReport();
      const auto backend = runtime->GetDeviceSpec().GetRegistry().CreateBackend("MockStandIn");
      EXPECT_EQ(GetStatus(*runtime, unavailable), "unavailable");
      EXPECT_EQ(GetStatus(*runtime, throws), "rejected");
      EXPECT_EQ(GetStatus(*runtime, good), "loaded");
      const Candidate* candidate = FindCandidate(runtime->GetLoadReport(), good);
      const Diagnostic* why = FindDiagnostic(*candidate, DiagnosticCode::kVariantStandsIn);
      ASSERT_NE(why, nullptr);
      EXPECT_THAT(why->why, AllOf(HasSubstr(throws + " is rejected"),
                                  HasSubstr(unavailable + " is unavailable")));
      EXPECT_FALSE(IsMapped(throws));
      EXPECT_EQ(before.candidates.size(), runtime->GetLoadReport().candidates.size());
    }
  }
}

TEST_F(VariantsInARuntime, WhenAllFailAtFirstUseEveryReasonIsTold) {
  directory_.Add("ValidA");
  directory_.Add("VariantUnavailable");
  directory_.Add("VariantThrows");
  const auto runtime = Create(Opening::kLazy);
  try {
    runtime->GetDeviceSpec().GetRegistry().CreateBackend("MockStandIn");
    ADD_FAILURE() << "none can be used";
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kFailedAtFirstUse);
    EXPECT_THAT(exception.what(), AllOf(HasSubstr("there is no mock device in this machine"),
                                        HasSubstr("the factory is closed")));
  }
}

TEST_F(VariantsInARuntime, AFileThatIsGoneAtFirstUseLeavesItsPlaceToTheNext) {
  const std::string fast = directory_.Add("RunsFast");
  const std::string slow = directory_.Add("RunsSlow");
  const auto runtime = Create(Opening::kLazy);
  std::filesystem::remove(fast);
  EXPECT_THAT(RunSumAndRelu(*runtime, {"MockRunsVariant"}, {5, 3}, {10, -8}), ElementsAre(15, 0));
  EXPECT_EQ(GetStatus(*runtime, fast), "rejected");
  EXPECT_EQ(GetStatus(*runtime, slow), "loaded");
}

}  // namespace
}  // namespace backplane::test
