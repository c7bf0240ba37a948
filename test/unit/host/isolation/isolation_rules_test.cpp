#include "isolation/isolation_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace backplane::isolation {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kNpuFile[] = "/x/Acme_Npu_backend.so";

BackendIdentity MakeNpu() {
  BackendIdentity identity;
  identity.id = "AcmeNpu";
  identity.permissions = {"devices:/dev/npu0"};
  return identity;
}

TEST(IsolationRules, GiveASandboxToWhatTheyIsolate) {
  ScanOptions options;
  options.isolation.sandbox = Sandbox::kWhereSupported;
  const BackendIdentity npu = MakeNpu();
  EXPECT_EQ(PlanSandbox(options, &npu, kNpuFile).sandbox, Sandbox::kNone);
  options.isolation.rules = {{"Acme*", Isolation::kProcess}};
  const auto plan = PlanSandbox(options, &npu, kNpuFile);
  EXPECT_EQ(plan.sandbox, Sandbox::kWhereSupported);
  EXPECT_THAT(plan.permissions, ElementsAre("devices:/dev/npu0"));
}

TEST(IsolationRules, OfTheOperatorDemandTheWholeSandbox) {
  ScanOptions options;
  options.isolation.sandbox = Sandbox::kWhereSupported;
  options.isolation.rules = {{"AcmeNpu", Isolation::kInProcess}};
  options.configuration.sandboxed = {{"Acme_Npu_*", "x.conf:1"}};
  const BackendIdentity npu = MakeNpu();
  EXPECT_TRUE(HasRules(options));
  EXPECT_TRUE(IsIsolated(options, "AcmeNpu", kNpuFile));
  EXPECT_EQ(PlanSandbox(options, &npu, kNpuFile).sandbox, Sandbox::kRequired);
  EXPECT_FALSE(IsIsolated(options, "Other", "/x/Other_Npu_backend.so"));
}

TEST(IsolationRules, HoldForTheFileOfThatNameWhateverIdItGives) {
  ScanOptions options;
  options.configuration.sandboxed = {{"Npu", "x.conf:1"}};
  const BackendIdentity npu = MakeNpu();
  EXPECT_TRUE(IsIsolated(options, "AcmeNpu", kNpuFile));
  EXPECT_EQ(PlanSandbox(options, &npu, kNpuFile).sandbox, Sandbox::kRequired);
  EXPECT_FALSE(IsIsolated(options, "AcmeNpu", "/x/Acme_Npu2_backend.so"));
}

TEST(IsolationRules, ReleaseNoFileForItsName) {
  ScanOptions options;
  options.isolation.rules = {{"*", Isolation::kProcess}, {"Npu", Isolation::kInProcess}};
  EXPECT_TRUE(IsIsolated(options, "Other", kNpuFile));
  EXPECT_FALSE(IsIsolated(options, "Npu", kNpuFile));
}

TEST(IsolationRules, KeepWhoIsNotKnownInTheSandboxWithoutPermissions) {
  ScanOptions options;
  options.isolation.sandbox = Sandbox::kRequired;
  EXPECT_EQ(PlanSandbox(options, nullptr, kNpuFile).sandbox, Sandbox::kNone);
  options.isolation.rules = {{"Somebody", Isolation::kProcess}};
  EXPECT_EQ(PlanSandbox(options, nullptr, kNpuFile).sandbox, Sandbox::kRequired);
  options.isolation.sandbox = Sandbox::kNone;
  options.configuration.sandboxed = {{"Somebody", "x.conf:1"}};
  EXPECT_EQ(PlanSandbox(options, nullptr, kNpuFile).sandbox, Sandbox::kRequired);
  EXPECT_THAT(PlanSandbox(options, nullptr, kNpuFile).permissions, IsEmpty());
}

TEST(IsolationRules, PassTheVariablesThatApplicationAndOperatorName) {
  ScanOptions options;
  options.isolation.environment = {"ACME_A"};
  options.configuration.passed_variables = {{"ACME_B*", "x.conf:1"}};
  const BackendIdentity npu = MakeNpu();
  EXPECT_THAT(PlanSandbox(options, &npu, kNpuFile).variables, ElementsAre("ACME_A", "ACME_B*"));
  EXPECT_THAT(PlanSandbox(options, nullptr, kNpuFile).variables, ElementsAre("ACME_A", "ACME_B*"));
}

TEST(IsolationRules, OfTheOperatorAndOfTheApplicationRefusePermissions) {
  ScanOptions options;
  options.isolation.sandbox = Sandbox::kRequired;
  options.isolation.rules = {{"*", Isolation::kProcess}};
  const BackendIdentity npu = MakeNpu();
  options.configuration.refused_permissions = {{"AcmeNpu", "x.conf:1"}};
  EXPECT_THAT(PlanSandbox(options, &npu, kNpuFile).permissions, IsEmpty());
  options.configuration.refused_permissions = {{"AcmeGpu", "x.conf:1"}};
  EXPECT_THAT(PlanSandbox(options, &npu, kNpuFile).permissions, ElementsAre("devices:/dev/npu0"));
  options.isolation.permissions = SandboxPermissions::kRefused;
  EXPECT_THAT(PlanSandbox(options, &npu, kNpuFile).permissions, IsEmpty());
}

}  // namespace
}  // namespace backplane::isolation
