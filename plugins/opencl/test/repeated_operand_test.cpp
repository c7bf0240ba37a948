#include "subgraphs/repeated_operand.hpp"

#include <gtest/gtest.h>

namespace backplane {
namespace opencl_test {
namespace {

using opencl::FindRepetition;

TEST(FindRepetition, OfAScalarIsOneElement) {
  const auto repetition = FindRepetition({}, {2, 3, 4});
  ASSERT_TRUE(repetition.has_value());
  EXPECT_EQ(repetition->modulus, 1);
}

TEST(FindRepetition, OfTheSameShapeIsEveryElement) {
  const auto repetition = FindRepetition({2, 3, 4}, {2, 3, 4});
  ASSERT_TRUE(repetition.has_value());
  EXPECT_EQ(repetition->divisor, 1);
  EXPECT_FALSE(repetition->is_repeated);
}

TEST(FindRepetition, OfChannelsGoesByPlanes) {
  const auto repetition = FindRepetition({8, 1, 1}, {2, 8, 5, 5});
  ASSERT_TRUE(repetition.has_value());
  EXPECT_EQ(repetition->divisor, 25);
  EXPECT_EQ(repetition->modulus, 8);
  EXPECT_TRUE(repetition->is_repeated);
}

TEST(FindRepetition, OfOneImageHasNoModulus) {
  const auto repetition = FindRepetition({8, 1, 1}, {1, 8, 5, 5});
  ASSERT_TRUE(repetition.has_value());
  EXPECT_EQ(repetition->divisor, 25);
  EXPECT_FALSE(repetition->is_repeated);
}

TEST(FindRepetition, RefusesAHoleBetweenAxes) {
  EXPECT_FALSE(FindRepetition({2, 1, 4}, {2, 3, 4}).has_value());
}

}  // namespace
}  // namespace opencl_test
}  // namespace backplane
