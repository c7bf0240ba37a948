#include "results/top_classes.hpp"

#include "tensors/elements.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace backplane::execute_network::test {
namespace {

using testing::ElementsAre;

onnx::NamedTensor MakeTensor(const TensorShape& shape, const std::vector<double>& values,
                             DataType type = DataType::kFloat32) {
  onnx::NamedTensor tensor{"y", {shape, type}, {}};
  tensor.data.resize(tensor.info.GetSizeBytes());
  for (std::size_t i = 0; i < values.size(); ++i) WriteElement(values[i], i, tensor);
  return tensor;
}

std::vector<std::size_t> GetIndices(const BestClasses& best) {
  std::vector<std::size_t> indices;
  for (const ClassScore& entry : best) indices.push_back(entry.index);
  return indices;
}

TEST(TopClasses, AreCountedAlongTheLastAxisThatHasSeveral) {
  EXPECT_EQ(CountClasses({1, 1000, 1, 1}), 1000U);
  EXPECT_EQ(CountClasses({4, 10}), 10U);
  EXPECT_EQ(CountClasses({7}), 7U);
  EXPECT_EQ(CountClasses({1, 1}), 1U);
  EXPECT_EQ(CountClasses({}), 1U);
}

TEST(TopClasses, StandWithTheBestFirst) {
  const auto classes = FindBestClasses(MakeTensor({1, 4, 1, 1}, {1, 4, 2, 3}), 3, {});
  ASSERT_EQ(classes.rows.size(), 1U);
  EXPECT_THAT(GetIndices(classes.rows[0]), ElementsAre(1, 3, 2));
  EXPECT_EQ(classes.rows[0][0].score, 4);
}

TEST(TopClasses, HaveTheLowerIndexFirstWhenTheyAreEqual) {
  EXPECT_THAT(GetIndices(FindBestClasses(MakeTensor({4}, {1, 2, 1, 2}), 9, {}).rows[0]),
              ElementsAre(1, 3, 0, 2));
}

TEST(TopClasses, HaveNaNLast) {
  const auto classes = FindBestClasses(MakeTensor({4}, {NAN, -INFINITY, NAN, 1}), 4, {});
  EXPECT_THAT(GetIndices(classes.rows[0]), ElementsAre(3, 1, 0, 2));
}

TEST(TopClasses, HaveTheirLabels) {
  const auto classes =
      FindBestClasses(MakeTensor({2, 2}, {1, 2, 4, 3}, DataType::kInt8), 1, {"cat", "dog"});
  ASSERT_EQ(classes.rows.size(), 2U);
  EXPECT_EQ(classes.rows[0][0].label, "dog");
  EXPECT_EQ(classes.rows[1][0].label, "cat");
}

TEST(TopClasses, LeaveOffRowsBeyondTheLimit) {
  const auto classes = FindBestClasses(MakeTensor({70, 2}, std::vector<double>(140)), 1, {});
  EXPECT_EQ(classes.rows.size(), kMaxClassifiedRows);
  EXPECT_EQ(classes.num_left_off, 6U);
}

}  // namespace
}  // namespace backplane::execute_network::test
