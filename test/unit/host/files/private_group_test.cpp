#include "files/private_group.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace backplane::files {
namespace {

TEST(PrivateGroup, IsThatOfRootForRoot) {
  EXPECT_TRUE(IsPrivateGroup(0, 0));
}

TEST(PrivateGroup, IsNotThatOfAnotherUser) {
  EXPECT_FALSE(IsPrivateGroup(0, 1)) << "user 1 is daemon, with a group of its own";
  EXPECT_FALSE(IsPrivateGroup(1, 0));
}

TEST(PrivateGroup, IsNoneOfAUserWhoIsNotKnown) {
  constexpr uid_t kNobodyHasThis = std::numeric_limits<uid_t>::max() - 1;
  EXPECT_FALSE(IsPrivateGroup(kNobodyHasThis, kNobodyHasThis));
}

}  // namespace
}  // namespace backplane::files
