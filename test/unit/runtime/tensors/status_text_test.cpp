#include "tensors/status_text.hpp"

#include <gtest/gtest.h>

namespace backplane {
namespace {

TEST(StatusText, TellsANumberThatIsNoStatus) {
  EXPECT_EQ(DescribeStatus(Status::kSuccess), GetStatusText(Status::kSuccess));
  EXPECT_EQ(DescribeStatus(static_cast<Status>(1160678138)),
            "1160678138, a number that is no status");
}

}  // namespace
}  // namespace backplane
