#include "stages/manifest_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace backplane::stages {
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

}  // namespace
}  // namespace backplane::stages
