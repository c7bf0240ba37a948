#include <backplane/runtime/checks.hpp>

#include <gtest/gtest.h>

namespace backplane {
namespace {

TEST(ChecksTable, HasABitAndANameForEach) {
  CheckFlags all = kNoChecks;
  for (const RunCheck check : GetAllChecks()) {
    EXPECT_EQ(all & ToFlags(check), 0U) << GetCheckName(check);
    all |= ToFlags(check);
  }
  EXPECT_EQ(all, kAllChecks);
  EXPECT_STREQ(GetCheckName(RunCheck{}), "unknown check");
}

}  // namespace
}  // namespace backplane
