#include "isolation/worker_plan.hpp"

#include <gtest/gtest.h>

namespace backplane::isolation {
namespace {

TEST(DescribeOrdinal, EndsAsTheNumberIsSpoken) {
  EXPECT_EQ(DescribeOrdinal(1), "1st");
  EXPECT_EQ(DescribeOrdinal(2), "2nd");
  EXPECT_EQ(DescribeOrdinal(3), "3rd");
  EXPECT_EQ(DescribeOrdinal(4), "4th");
  EXPECT_EQ(DescribeOrdinal(10), "10th");
  EXPECT_EQ(DescribeOrdinal(11), "11th");
  EXPECT_EQ(DescribeOrdinal(12), "12th");
  EXPECT_EQ(DescribeOrdinal(13), "13th");
  EXPECT_EQ(DescribeOrdinal(21), "21st");
  EXPECT_EQ(DescribeOrdinal(111), "111th");
}

}  // namespace
}  // namespace backplane::isolation
