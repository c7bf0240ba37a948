#include "running/progress.hpp"

#include <gtest/gtest.h>

namespace backplane::execute_network::test {
namespace {

using std::chrono::seconds;

TEST(Progress, IsABarWithNumbers) {
  EXPECT_EQ(MakeProgressLine(30, 120, seconds(10), 80),
            "[##########..............................] 30 of 120 runs, 30 s left");
  EXPECT_EQ(MakeProgressLine(0, 4, seconds(0), 33), "[........] 0 of 4 runs, 0 s left");
  EXPECT_EQ(MakeProgressLine(4, 4, seconds(9), 33), "[########] 4 of 4 runs, 0 s left");
}

TEST(Progress, FitsItsTerminal) {
  for (std::size_t width = 1; width < 100; ++width) {
    const std::string line = MakeProgressLine(7, 9, seconds(3), width);
    EXPECT_LE(line.size(), width);
    EXPECT_FALSE(line.empty());
  }
}

}  // namespace
}  // namespace backplane::execute_network::test
