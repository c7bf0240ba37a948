#include "test/large_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

InstanceNormalizationDescriptor OfInstancesGroupNormalization(float epsilon) {
  InstanceNormalizationDescriptor descriptor;
  descriptor.epsilon = epsilon;
  return descriptor;
}

GroupNormalizationDescriptor OfGroups(std::uint32_t num_groups, float epsilon = 1.0e-5F) {
  GroupNormalizationDescriptor descriptor;
  descriptor.num_groups = num_groups;
  descriptor.epsilon = epsilon;
  return descriptor;
}

TEST(GroupNormalization, ComputesLongRows) {
  Random random(33);
  const TensorShape shape = {2, 6, 7, 11};
  for (const std::uint32_t num_groups : {1U, 2U, 3U, 6U}) {
    ExpectAsOracle(
        GetOracleOfGroupNormalization(),
        MakeCase(LayerType::kGroupNormalization, OfGroups(num_groups), {shape, {6}, {6}}, shape),
        random);
  }
}

TEST(GroupNormalization, WithOneChannelEachIsInstanceNormalization) {
  Random random(34);
  const std::vector<FloatTensor> inputs = {random.Tensor({3, 4, 5}), random.Tensor({4}),
                                           random.Tensor({4})};
  EXPECT_EQ(RunLayer(LayerType::kGroupNormalization, OfGroups(4, 0.5F), inputs, {3, 4, 5}),
            RunLayer(LayerType::kInstanceNormalization, OfInstancesGroupNormalization(0.5F), inputs,
                     {3, 4, 5}));
}

TEST(GroupNormalization, RefusesGroupsThatDoNotDivideTheChannels) {
  const TensorInfo matrix({2, 6}, DataType::kFloat32);
  const TensorInfo row({6}, DataType::kFloat32);
  for (const std::uint32_t num_groups : {0U, 4U}) {
    EXPECT_EQ(
        GetRefusal(
            {LayerType::kGroupNormalization, OfGroups(num_groups), {matrix, row, row}, matrix}),
        "num_groups is " + std::to_string(num_groups) +
            ", but must divide the 6 channels of input 0");
  }
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
