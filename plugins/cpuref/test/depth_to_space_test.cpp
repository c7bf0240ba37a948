#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

DepthToSpaceDescriptor DescribeDepthToSpace(std::uint32_t block_size, DepthOrder order) {
  DepthToSpaceDescriptor descriptor;
  descriptor.block_size = block_size;
  descriptor.order = order;
  return descriptor;
}

using Row = std::vector<float>;

TEST(DepthToSpace, ReadsTheChannelsInEitherOrder) {
  const FloatTensor input = {{1, 8, 1, 1}, {0, 1, 2, 3, 4, 5, 6, 7}};
  EXPECT_EQ(RunLayer(LayerType::kDepthToSpace, DescribeDepthToSpace(2, DepthOrder::kBlockFirst),
                     {input}, {1, 2, 2, 2}),
            (Row{0, 2, 4, 6, 1, 3, 5, 7}));
  EXPECT_EQ(RunLayer(LayerType::kDepthToSpace, DescribeDepthToSpace(2, DepthOrder::kChannelFirst),
                     {input}, {1, 2, 2, 2}),
            input.data);
}

TEST(DepthToSpace, SpreadsARow) {
  EXPECT_EQ(RunLayer(LayerType::kDepthToSpace, DescribeDepthToSpace(2, DepthOrder::kBlockFirst),
                     {{{1, 2, 3}, {0, 1, 2, 3, 4, 5}}}, {1, 1, 6}),
            (Row{0, 3, 1, 4, 2, 5}));
}

TEST(DepthToSpace, GivesNothingForNothing) {
  EXPECT_TRUE(RunLayer(LayerType::kDepthToSpace, DescribeDepthToSpace(2, DepthOrder::kBlockFirst),
                       {FloatTensor({1, 0, 2, 2})}, {1, 0, 4, 4})
                  .empty());
}

TEST(DepthToSpace, RefusesWhatDoesNotFit) {
  const TensorInfo info({1, 4, 1, 1}, DataType::kFloat32);
  const auto refuse = [&](std::uint32_t block_size, std::uint32_t order) {
    return GetRefusal({LayerType::kDepthToSpace,
                       DescribeDepthToSpace(block_size, static_cast<DepthOrder>(order)),
                       {info},
                       info});
  };
  EXPECT_EQ(refuse(2, 1),
            "input 0 with shape [1, 4, 1, 1] does not give an output with shape [1, 4, 1, 1] with "
            "blocks of 2");
  EXPECT_EQ(refuse(0, 1),
            "blocks of 0 and input 0 with shape [1, 4, 1, 1] are not supported, only blocks of 1 "
            "or more and ranks 3 to 5");
  EXPECT_EQ(refuse(1, 3), "order 3 is not supported, only BlockFirst (1) and ChannelFirst (2)");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
