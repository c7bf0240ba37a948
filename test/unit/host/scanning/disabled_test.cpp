#include "scanning/disabled.hpp"

#include <backplane/host/scan.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace backplane::scanning {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(DisabledBackends, MatchesGlobsOfFileNames) {
  const DisabledBackends disabled({"Acme_*"});
  const auto note = disabled.CheckFile("/x/Acme_Npu_backend.so", "Acme_Npu_backend.so");
  ASSERT_TRUE(note);
  EXPECT_EQ(note->code, DiagnosticCode::kBackendDisabled);
  EXPECT_THAT(note->why, HasSubstr("Acme_*"));
  EXPECT_FALSE(disabled.CheckFile("/x/Other_Npu_backend.so", "Other_Npu_backend.so"));
}

TEST(DisabledBackends, MatchesAnIdByTheNameInTheFileName) {
  const DisabledBackends disabled({"Npu"});
  EXPECT_TRUE(disabled.CheckFile("/x/Acme_Npu_backend.so.2", "Acme_Npu_backend.so.2"));
  EXPECT_FALSE(disabled.CheckFile("/x/Acme_Npu2_backend.so", "Acme_Npu2_backend.so"));
}

TEST(DisabledBackends, MatchesAnIdExactly) {
  const DisabledBackends disabled({"Npu"});
  EXPECT_TRUE(disabled.CheckId("/x/a.so", "Npu"));
  EXPECT_FALSE(disabled.CheckId("/x/a.so", "npu"));
}

TEST(DisabledBackends, ReadsTheEnvironment) {
  setenv("BACKPLANE_DISABLE_BACKENDS", "CpuAcc,,Acme_*", 1);
  EXPECT_THAT(GetDisabledFromEnvironment(), ElementsAre("CpuAcc", "Acme_*"));
  unsetenv("BACKPLANE_DISABLE_BACKENDS");
  EXPECT_THAT(GetDisabledFromEnvironment(), IsEmpty());
}

}  // namespace
}  // namespace backplane::scanning
