#include "scanning/operator_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace backplane::scanning {
namespace {

using ::testing::HasSubstr;

TEST(DisabledBackends, MatchesGlobsOfFileNames) {
  const DisabledBackends disabled({Setting{"Acme_*", ""}});
  const auto note = disabled.CheckFile("/x/Acme_Npu_backend.so", "Acme_Npu_backend.so");
  ASSERT_TRUE(note);
  EXPECT_EQ(note->code, DiagnosticCode::kBackendDisabled);
  EXPECT_THAT(note->why, HasSubstr("Acme_*"));
  EXPECT_FALSE(disabled.CheckFile("/x/Other_Npu_backend.so", "Other_Npu_backend.so"));
}

TEST(DisabledBackends, MatchesAnIdByTheNameInTheFileName) {
  const DisabledBackends disabled({Setting{"Npu", "/etc/x/10.conf:3"}});
  EXPECT_TRUE(disabled.CheckFile("/x/Acme_Npu_backend.so.2", "Acme_Npu_backend.so.2"));
  EXPECT_FALSE(disabled.CheckFile("/x/Acme_Npu2_backend.so", "Acme_Npu2_backend.so"));
}

TEST(DisabledBackends, MatchesGlobsOfIds) {
  const DisabledBackends disabled({Setting{"AcmeN*", ""}});
  const auto note = disabled.CheckId("/x/a.so", "AcmeNpu");
  ASSERT_TRUE(note);
  EXPECT_THAT(note->why, HasSubstr("\"AcmeNpu\" matches \"AcmeN*\""));
  EXPECT_FALSE(disabled.CheckId("/x/a.so", "AcmeGpu"));
}

TEST(DisabledBackends, MatchesAnIdExactly) {
  const DisabledBackends disabled({Setting{"Npu", "/etc/x/10.conf:3"}});
  EXPECT_TRUE(disabled.CheckId("/x/a.so", "Npu"));
  EXPECT_FALSE(disabled.CheckId("/x/a.so", "npu"));
}

TEST(DisabledBackends, SaysWhoDisabledThem) {
  const DisabledBackends disabled({Setting{"Gpu", "/etc/x/10.conf:3"}, Setting{"Npu", ""}});
  const auto by_line = disabled.CheckId("/x/a.so", "Gpu");
  ASSERT_TRUE(by_line);
  EXPECT_EQ(by_line->why, "\"Gpu\" matches \"Gpu\" of /etc/x/10.conf:3");
  EXPECT_EQ(by_line->fix, "to use it, take that entry out of /etc/x/10.conf:3");
  const auto by_caller = disabled.CheckId("/x/a.so", "Npu");
  ASSERT_TRUE(by_caller);
  EXPECT_THAT(by_caller->fix, HasSubstr("--disable or CreationOptions::disabled_backends"));
}

}  // namespace
}  // namespace backplane::scanning
