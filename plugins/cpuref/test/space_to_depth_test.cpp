#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

SpaceToDepthDescriptor DescribeSpaceToDepth(std::uint32_t block_size, DepthOrder order) {
  SpaceToDepthDescriptor descriptor;
  descriptor.block_size = block_size;
  descriptor.order = order;
  return descriptor;
}

using Row = std::vector<float>;

TEST(SpaceToDepth, WritesTheChannelsInEitherOrder) {
  const FloatTensor input = {{1, 2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7}};
  EXPECT_EQ(RunLayer(LayerType::kSpaceToDepth, DescribeSpaceToDepth(2, DepthOrder::kBlockFirst),
                     {input}, {1, 8, 1, 1}),
            (Row{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_EQ(RunLayer(LayerType::kSpaceToDepth, DescribeSpaceToDepth(2, DepthOrder::kChannelFirst),
                     {input}, {1, 8, 1, 1}),
            input.data);
}

TEST(SpaceToDepth, RefusesWhatDoesNotFit) {
  const TensorInfo info({1, 1, 3, 2}, DataType::kFloat32);
  const TensorInfo output({1, 4, 1, 1}, DataType::kFloat32);
  EXPECT_EQ(GetRefusal({LayerType::kSpaceToDepth,
                        DescribeSpaceToDepth(2, DepthOrder::kBlockFirst),
                        {info},
                        output}),
            "input 0 with shape [1, 1, 3, 2] does not give an output with shape [1, 4, 1, 1] with "
            "blocks of 2");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
