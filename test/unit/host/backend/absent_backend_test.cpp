/// What is answered to those who ask for a backend that is not registered.

#include "backend/absent_backend.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace backplane::backend {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

BackendRegistration MakeAbsentBackendRegistration(const std::string& id,
                                                  const std::string& source) {
  auto origin = std::make_shared<PluginOrigin>();
  origin->backend_id = id;
  BackendRegistration registration;
  registration.origin = origin;
  registration.source = source;
  return registration;
}

Diagnostic MakeReason(DiagnosticCode code, const std::string& subject) {
  Diagnostic reason{code};
  reason.subject = {SubjectKind::kFile, subject};
  reason.what = subject + " is wrong";
  reason.fix = "mend " + subject;
  return reason;
}

const Diagnostic kTruncated = MakeReason(DiagnosticCode::kTruncatedFile, "/b/Acme_Npu_backend.so");
const Diagnostic kNotElf = MakeReason(DiagnosticCode::kNotElf, "/b/Other_Npu_backend.so.2");
const std::vector<BackendRegistration> kRegistered = {
    MakeAbsentBackendRegistration("Ref", "/b/Vendor_Reference_backend.so.1.2"),
    MakeAbsentBackendRegistration("Linked", "static"),
};

TEST(AbsentBackend, GivesTheReasonOfOneWhoseIdIsKnown) {
  const Diagnostic answer = DescribeAbsent("Fast", kRegistered, {{"Fast", "", kTruncated}});
  EXPECT_EQ(answer.code, DiagnosticCode::kBackendRejected);
  EXPECT_EQ(answer.what, "the backend \"Fast\" was found but cannot be used");
  EXPECT_EQ(answer.why, kTruncated.what);
  EXPECT_EQ(answer.fix, kTruncated.fix);
  ASSERT_EQ(answer.causes.size(), 1U);
  EXPECT_EQ(answer.causes[0].code, DiagnosticCode::kTruncatedFile);
}

TEST(AbsentBackend, KnowsAFileByEachOfItsNames) {
  for (const char* asked : {"Npu", "Acme_Npu", "Acme_Npu_backend.so", "/b/Acme_Npu_backend.so",
                            "Acme_Npu_backend.so.7"}) {
    const Diagnostic answer =
        DescribeAbsent(asked, kRegistered, {{"", "/b/Acme_Npu_backend.so", kTruncated}});
    EXPECT_EQ(answer.code, DiagnosticCode::kBackendRejected) << asked;
    EXPECT_EQ(answer.causes.size(), 1U) << asked;
  }
}

TEST(AbsentBackend, GivesTheReasonsOfBothFiles) {
  const Diagnostic answer = DescribeAbsent("Npu", kRegistered,
                                           {{"Npu", "", kTruncated},
                                            {"", "/b/Acme_Npu_backend.so", kTruncated},
                                            {"", "/b/Other_Npu_backend.so.2", kNotElf}});
  EXPECT_EQ(answer.code, DiagnosticCode::kBackendRejected);
  EXPECT_EQ(answer.why, kTruncated.what + "; " + kNotElf.what);
  EXPECT_THAT(answer.fix, HasSubstr("one of the 2"));
  ASSERT_EQ(answer.causes.size(), 2U);
}

TEST(AbsentBackend, NamesTheIdOfARegisteredFile) {
  for (const char* asked : {"Reference", "Vendor_Reference", "Vendor_Reference_backend.so",
                            "Vendor_Reference_backend.so.1.2"}) {
    const Diagnostic answer = DescribeAbsent(asked, kRegistered, {});
    EXPECT_EQ(answer.code, DiagnosticCode::kBackendNotRegistered) << asked;
    EXPECT_EQ(answer.why, "/b/Vendor_Reference_backend.so.1.2 gives the backend \"Ref\"");
    EXPECT_EQ(answer.fix, "did you mean \"Ref\"?");
  }
}

TEST(AbsentBackend, PrefersARegisteredVersionToARejectedOne) {
  const Diagnostic answer = DescribeAbsent("Vendor_Reference", kRegistered,
                                           {{"", "/b/Vendor_Reference_backend.so.9", kTruncated}});
  EXPECT_EQ(answer.code, DiagnosticCode::kBackendNotRegistered);
  EXPECT_EQ(answer.fix, "did you mean \"Ref\"?");
}

TEST(AbsentBackend, SuggestsWhatCannotBeUsedWithItsReason) {
  const Diagnostic answer =
      DescribeAbsent("Nqu", kRegistered, {{"", "/b/Acme_Npu_backend.so", kTruncated}});
  EXPECT_EQ(answer.code, DiagnosticCode::kBackendNotRegistered);
  EXPECT_THAT(answer.fix, HasSubstr("did you mean \"Npu\"? it was found but cannot be used"));
  ASSERT_EQ(answer.causes.size(), 1U);
  EXPECT_EQ(answer.causes[0].what, kTruncated.what);
}

TEST(AbsentBackend, SuggestsARegisteredOneFirst) {
  const Diagnostic answer = DescribeAbsent("Rev", kRegistered, {{"Reg", "", kTruncated}});
  EXPECT_THAT(answer.fix, EndsWith("\"Ref\"?"));
  EXPECT_TRUE(answer.causes.empty());
}

TEST(AbsentBackend, SaysWhatIsRegisteredWhenNothingIsNear) {
  const Diagnostic answer = DescribeAbsent("Zzzzzzzz", kRegistered, {{"Npu", "", kTruncated}});
  EXPECT_EQ(answer.why, "registered are Ref, Linked");
  EXPECT_THAT(answer.fix, HasSubstr("list-backends"));
  EXPECT_EQ(DescribeAbsent("x", {}, {}).why, "no backend is registered");
}

TEST(AbsentBackend, AnswersAnEmptyName) {
  const Diagnostic answer =
      DescribeAbsent("", kRegistered, {{"", "/b/Acme_Npu_backend.so", kTruncated}});
  EXPECT_EQ(answer.code, DiagnosticCode::kBackendNotRegistered);
  EXPECT_TRUE(answer.causes.empty());
}

}  // namespace
}  // namespace backplane::backend
