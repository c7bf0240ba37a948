#include "probing/manifest_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace backplane::probing {
namespace {

using ::testing::HasSubstr;

inspection::Manifest MakeManifestChecksManifest() {
  inspection::Manifest manifest;
  manifest.id = "A";
  manifest.vendor = "Acme";
  manifest.version = "1.2";
  manifest.license = "MIT";
  manifest.rank = 3;
  return manifest;
}

TEST(ManifestChecks, IdentityNeedsManifestAndNote) {
  inspection::InspectedFile file;
  file.manifest = MakeManifestChecksManifest();
  EXPECT_FALSE(GetInspectedIdentity(file));
  file.note = kAbiNoteOfThisBuild;
  const auto identity = GetInspectedIdentity(file);
  ASSERT_TRUE(identity);
  EXPECT_EQ(identity->id, "A");
  EXPECT_EQ(identity->vendor, "Acme");
  EXPECT_EQ(identity->version, "1.2");
  EXPECT_EQ(identity->license, "MIT");
  EXPECT_EQ(identity->rank, 3);
  EXPECT_TRUE(identity->api_version == kBackendApiVersion);
}

TEST(ManifestChecks, AnotherIdIsAnErrorWithBoth) {
  EXPECT_FALSE(CompareId(MakeManifestChecksManifest(), "A", "/x"));
  const auto diagnostic = CompareId(MakeManifestChecksManifest(), "B", "/x");
  ASSERT_TRUE(diagnostic);
  EXPECT_EQ(diagnostic->code, DiagnosticCode::kManifestDisagrees);
  EXPECT_EQ(diagnostic->severity, Severity::kError);
  EXPECT_EQ(diagnostic->subject.name, "/x");
  EXPECT_THAT(diagnostic->why, HasSubstr("states the id \"A\", GetBackendId returned \"B\""));
}

TEST(ManifestChecks, AnotherRankIsAWarningWithBoth) {
  inspection::Manifest manifest = MakeManifestChecksManifest();
  EXPECT_FALSE(CompareRank(manifest, {{kCapabilityRank, 3}}, "/x"));
  const auto diagnostic = CompareRank(manifest, {}, "/x");
  ASSERT_TRUE(diagnostic);
  EXPECT_EQ(diagnostic->code, DiagnosticCode::kManifestDisagrees);
  EXPECT_EQ(diagnostic->severity, Severity::kWarning);
  EXPECT_THAT(diagnostic->why, HasSubstr("states the rank 3, the capabilities state 0"));
  manifest.rank.reset();
  EXPECT_FALSE(CompareRank(manifest, {{kCapabilityRank, 3}}, "/x"));
}

TEST(ManifestChecks, OtherOperatorsAreAWarningWithBoth) {
  BackendIdentity identity;
  identity.stated_operators = {"acme/Gelu/1", "acme/Fft/2-3"};
  EXPECT_FALSE(CompareOperators(identity, "/x")) << "the code was not asked";
  EXPECT_EQ(identity.GetOperators(), identity.stated_operators);
  identity.operators = {{"acme/Fft/2-3", "acme/Gelu/1"}};
  EXPECT_FALSE(CompareOperators(identity, "/x")) << "their order says nothing";
  identity.operators = {{"acme/Fft/2-4"}};
  EXPECT_EQ(identity.GetOperators(), *identity.operators);
  const auto diagnostic = CompareOperators(identity, "/x");
  ASSERT_TRUE(diagnostic);
  EXPECT_EQ(diagnostic->code, DiagnosticCode::kManifestDisagrees);
  EXPECT_EQ(diagnostic->severity, Severity::kWarning);
  EXPECT_THAT(diagnostic->why, HasSubstr("states acme/Fft/2-3 and acme/Gelu/1, the code declares "
                                         "acme/Fft/2-4"));
  identity.operators.emplace();
  EXPECT_THAT(CompareOperators(identity, "/x")->why, HasSubstr("the code declares none"));
  identity.stated_operators.clear();
  identity.operators = {{"acme/Fft/2-4"}};
  EXPECT_FALSE(CompareOperators(identity, "/x")) << "the manifest states nothing";
}

TEST(ManifestChecks, ARangeOfOneVersionIsThatVersion) {
  inspection::InspectedFile file;
  file.manifest = MakeManifestChecksManifest();
  file.manifest->operators = {"acme/Gelu/1-1", "acme/Fft/1-11", "acme/Up-To/2"};
  file.note.emplace();
  EXPECT_THAT(GetInspectedIdentity(file)->stated_operators,
              testing::ElementsAre("acme/Gelu/1", "acme/Fft/1-11", "acme/Up-To/2"));
}

}  // namespace
}  // namespace backplane::probing
