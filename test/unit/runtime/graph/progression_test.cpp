#include "graph/progression.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <vector>

namespace backplane {
namespace {

template <typename Number>
std::optional<Progression> Find(DataType type, const std::vector<Number>& numbers) {
  return FindProgression({{static_cast<std::int64_t>(numbers.size())}, type}, numbers.data());
}

template <typename Number>
std::vector<Number> Make(DataType type, std::int64_t count, const Progression& progression) {
  const auto data = MakeProgression({{count}, type}, progression);
  if (data == nullptr) return {};
  const auto* const begin = static_cast<const Number*>(data.get());
  return {begin, begin + count};
}

TEST(Progressions, AreFoundInIntegers) {
  const auto up = Find<std::int64_t>(DataType::kInt64, {-3, 4, 11});
  ASSERT_TRUE(up);
  EXPECT_EQ(up->first, -3);
  EXPECT_EQ(up->step, 7);
  const auto down = Find<std::int32_t>(DataType::kInt32, {5, 4, 3});
  ASSERT_TRUE(down);
  EXPECT_EQ(down->step, -1);
  EXPECT_FALSE(Find<std::int64_t>(DataType::kInt64, {1, 2, 4}));
  EXPECT_FALSE(Find<std::int64_t>(DataType::kInt64, {}));
}

TEST(Progressions, OfOtherTypesAreAllAlike) {
  const auto lowest = Find<float>(DataType::kFloat32, {-3.4e38F, -3.4e38F});
  ASSERT_TRUE(lowest);
  EXPECT_EQ(Make<float>(DataType::kFloat32, 3, *lowest), std::vector<float>(3, -3.4e38F));
  EXPECT_FALSE(Find<float>(DataType::kFloat32, {1.0F, 2.0F, 3.0F})) << "bits are no numbers";
  const auto hidden = Find<unsigned char>(DataType::kBool, {1, 1, 1});
  ASSERT_TRUE(hidden);
  EXPECT_EQ(Make<unsigned char>(DataType::kBool, 2, *hidden), std::vector<unsigned char>(2, 1));
  EXPECT_FALSE(Find<unsigned char>(DataType::kBool, {0, 1}));
}

TEST(Progressions, AreMadeAsFarAsTheTypeGoes) {
  EXPECT_EQ(Make<std::int32_t>(DataType::kInt32, 3, {2147483645, 1}),
            (std::vector<std::int32_t>{2147483645, 2147483646, 2147483647}));
  EXPECT_TRUE(Make<std::int32_t>(DataType::kInt32, 4, {2147483645, 1}).empty());
  EXPECT_TRUE(Make<unsigned char>(DataType::kUInt8, 2, {256, 0}).empty());
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_TRUE(Make<std::int64_t>(DataType::kInt64, 2, {kMost, 1}).empty());
  EXPECT_FALSE(Find<std::int64_t>(DataType::kInt64, {kMost, -2}));
}

TEST(Progressions, AreNoneOfTypesOfPartsOfBytes) {
  const unsigned char bytes[] = {0, 0};
  EXPECT_FALSE(FindProgression({{2}, DataType::kInt4}, bytes));
  EXPECT_EQ(MakeProgression({{2}, DataType::kInt4}, {0, 0}), nullptr);
}

}  // namespace
}  // namespace backplane
