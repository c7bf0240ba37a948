#include "backend/identify_backend.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace backplane::backend {
namespace {

using ::testing::HasSubstr;

struct VersionExample {
  BackendVersion backend;
  BackendVersion host;
  bool is_compatible;
};

// The examples of the versioning policy, from both documents that state it.
constexpr VersionExample kVersionExamples[] = {
    {{2, 4}, {2, 4}, true},  {{2, 1}, {2, 4}, true},  {{2, 5}, {2, 4}, false},
    {{2, 4}, {1, 0}, false}, {{2, 0}, {1, 0}, false}, {{2, 0}, {3, 0}, false},
    {{3, 4}, {2, 4}, false}, {{1, 4}, {2, 4}, false}, {{2, 3}, {2, 4}, true},
};

TEST(Version, FollowsTheExamplesOfTheVersioningPolicy) {
  for (const VersionExample& example : kVersionExamples) {
    EXPECT_EQ(IsCompatible(example.backend, example.host), example.is_compatible)
        << example.backend.major << '.' << example.backend.minor << " in " << example.host.major
        << '.' << example.host.minor;
    EXPECT_EQ(!CheckVersion(example.backend, example.host, "f").has_value(), example.is_compatible);
  }
}

TEST(Version, ComparesMajorBeforeMinor) {
  EXPECT_TRUE((BackendVersion{1, 9} < BackendVersion{2, 0}));
  EXPECT_TRUE((BackendVersion{1, 9} < BackendVersion{1, 10}));
  EXPECT_FALSE((BackendVersion{1, 0} < BackendVersion{1, 0}));
  EXPECT_TRUE((BackendVersion{1, 0} <= BackendVersion{1, 0}));
}

TEST(Version, TellsMajorFromMinorAndNamesBothVersions) {
  const auto major = CheckVersion({3, 1}, {2, 4}, "file.so");
  ASSERT_TRUE(major);
  EXPECT_EQ(major->code, DiagnosticCode::kApiMajorMismatch);
  EXPECT_THAT(major->why, HasSubstr("3.1"));
  EXPECT_THAT(major->why, HasSubstr("2.4"));
  const auto minor = CheckVersion({2, 7}, {2, 4}, "file.so");
  ASSERT_TRUE(minor);
  EXPECT_EQ(minor->code, DiagnosticCode::kApiMinorTooNew);
  EXPECT_THAT(minor->why, HasSubstr("2.7"));
  EXPECT_THAT(minor->why, HasSubstr("2.4"));
}

const char* given_id = nullptr;
BackendVersion given_version;

const char* GiveId() {
  return given_id;
}
void GiveVersion(std::uint32_t* major, std::uint32_t* minor) {
  *major = given_version.major;
  *minor = given_version.minor;
}
const char* ThrowInsteadOfId() {
  throw std::runtime_error("no id today");
}
void ThrowInsteadOfVersion(std::uint32_t* /*major*/, std::uint32_t* /*minor*/) {
  throw 7;
}
void LeaveVersionAlone(std::uint32_t* /*major*/, std::uint32_t* /*minor*/) {}

IdentificationResult Identify(const char* id, BackendVersion version = kBackendApiVersion,
                              std::optional<BackendVersion> note = std::nullopt) {
  given_id = id;
  given_version = version;
  return IdentifyBackend({&GiveId, &GiveVersion, nullptr}, "file.so", note);
}

TEST(IdentifyBackend, ReadsIdAndVersion) {
  const auto result = Identify("MyNpu", kBackendApiVersion, kBackendApiVersion);
  EXPECT_FALSE(result.failure);
  ASSERT_TRUE(result.identity);
  EXPECT_EQ(result.identity->id, "MyNpu");
  EXPECT_EQ(result.identity->api_version, kBackendApiVersion);
}

TEST(IdentifyBackend, RejectsANullId) {
  const auto result = Identify(nullptr);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->code, DiagnosticCode::kNullBackendId);
  EXPECT_EQ(result.failure->subject.name, "file.so");
}

TEST(IdentifyBackend, RejectsIdsThatAreNotAllowed) {
  const std::string too_long(65, 'x');
  for (const char* id : {"", "Unknown", "two words", "caf\xC3\xA9", "line\n", "*", "a,b", "a=b",
                         "a/b", "a?", "[a]", "a:b", too_long.c_str()}) {
    const auto result = Identify(id);
    ASSERT_TRUE(result.failure) << id;
    EXPECT_EQ(result.failure->code, DiagnosticCode::kInvalidBackendId) << id;
    EXPECT_THAT(result.failure->why,
                HasSubstr("expected 1 to 64 letters, digits and the characters . _ + -"))
        << id;
  }
  EXPECT_THAT(Identify("a,b").failure->why, HasSubstr("has the character \",\""));
  for (const std::string& id : {std::string(64, 'x'), std::string("Acme_Npu-2.1+b")}) {
    EXPECT_FALSE(Identify(id.c_str()).failure) << id;
  }
}

TEST(IdentifyBackend, ChecksTheVersionAgainstTheNoteBeforeTheRule) {
  const BackendVersion newer{kBackendApiVersion.major, kBackendApiVersion.minor + 1};
  const auto result = Identify("A", newer, kBackendApiVersion);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->code, DiagnosticCode::kVersionDisagreesWithNote);
  EXPECT_EQ(Identify("A", newer, std::nullopt).failure->code, DiagnosticCode::kApiMinorTooNew);
  ASSERT_TRUE(result.identity) << "what it declares is worth reporting";
  EXPECT_EQ(result.identity->api_version, newer);
}

TEST(IdentifyBackend, RejectsAVersionThatDisagreesWithTheNote) {
  const auto result = Identify("A", kBackendApiVersion, BackendVersion{0, 9});
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->code, DiagnosticCode::kVersionDisagreesWithNote);
  EXPECT_THAT(result.failure->why, HasSubstr("1.0"));
  EXPECT_THAT(result.failure->why, HasSubstr("0.9"));
}

TEST(IdentifyBackend, TakesAVersionLeftAloneAsZero) {
  given_id = "A";
  const auto result =
      IdentifyBackend({&GiveId, &LeaveVersionAlone, nullptr}, "file.so", std::nullopt);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->code, DiagnosticCode::kApiMajorMismatch);
  EXPECT_THAT(result.failure->why, HasSubstr("0.0"));
}

TEST(IdentifyBackend, TurnsExceptionsIntoDiagnostics) {
  auto result = IdentifyBackend({&ThrowInsteadOfId, &GiveVersion, nullptr}, "file.so", {});
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->code, DiagnosticCode::kBackendThrew);
  EXPECT_THAT(result.failure->what, HasSubstr("GetBackendId"));
  EXPECT_THAT(result.failure->why, HasSubstr("no id today"));
  given_id = "A";
  result = IdentifyBackend({&GiveId, &ThrowInsteadOfVersion, nullptr}, "file.so", {});
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->code, DiagnosticCode::kBackendThrew);
  EXPECT_THAT(result.failure->what, HasSubstr("GetVersion"));
}

}  // namespace
}  // namespace backplane::backend
