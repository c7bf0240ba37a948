/// What is dropped into the directory does not change a plan with named preferences.

#include "arm_nn_backend.hpp"
#include "build_tree.hpp"
#include "execute_network_fixture.hpp"
#include "mock_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class ForeignFiles : public ExecuteNetwork {
 protected:
  void SetUp() override {
    reference_ = directory_.GetPath() + "/Backplane_CpuRef_backend.so";
    fs::copy(fs::path(test::InBuildTree(BACKPLANE_BACKENDS_FOLDER)) / "Backplane_CpuRef_backend.so",
             reference_);
    directory_.Add("Runs");
  }

  /// Runs the digit model with preferences, and a backend for some layers.
  CommandResult RunPreferred(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"--backends-path", directory_.GetPath(), "--backends",
                                          "MockRuns,CpuRef", "--layer-backend",    "relu2=CpuRef"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    CommandResult result = RunDigits(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result;
  }

  /// The plan in every form.
  std::string GetPlan() const {
    const std::string dot = folder_ / "plan.dot";
    const std::string text = RunPreferred({"--explain", "--dot", dot}).out;
    const std::string table = text.substr(text.find("layer    type"));
    std::ifstream file(dot);
    return table + std::string{std::istreambuf_iterator<char>(file), {}} +
           nlohmann::json::parse(RunPreferred({"--format", "json"}).out).at("placement").dump();
  }

  MockDirectory directory_;
  std::string reference_;
};

TEST_F(ForeignFiles, ChangeNoPlanWithNamedPreferences) {
  const std::string plan = GetPlan();
  ExpectContains(plan, "relu1    Activation      MockRuns");
  ExpectContains(plan, "relu2    Activation      CpuRef");
  for (const char* row : {"Foreign", "ClaimsEverything", "ClaimsAnId"}) {
    directory_.Add(row);
    EXPECT_EQ(GetPlan(), plan) << row;
  }
}

TEST_F(ForeignFiles, OfAnotherHostChangeNoPlan) {
  const std::string backend = FindArmNnBackend();
  if (backend.empty()) GTEST_SKIP() << "libarmnn-cpuref-backend is not installed";
  const std::string plan = GetPlan();
  fs::copy(backend, directory_.GetPath());
  EXPECT_EQ(GetPlan(), plan);
}

TEST_F(ForeignFiles, AreReportedWithBothFilesWhenTheyClaimAnId) {
  const std::string claimant = directory_.Add("ClaimsAnId");
  const std::string clash = Headline(DiagnosticCode::kBackendIdTaken);
  const CommandResult run = RunPreferred({});
  EXPECT_THAT(run.err, AllOf(HasSubstr(clash.substr(clash.find("BP"))), HasSubstr(reference_),
                             HasSubstr(fs::path(claimant).filename().string())));
}

TEST_F(ForeignFiles, GetLayersWhenNobodyIsPreferred) {
  directory_.Add("ClaimsEverything");
  // Its rank is the highest, and it fails when it runs a layer.
  const CommandResult result = RunDigits({"--backends-path", directory_.GetPath()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("MockClaimsEverything"));
}

}  // namespace
}  // namespace backplane::test
