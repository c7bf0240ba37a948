#include "test/run_layer.hpp"

#include <gtest/gtest.h>
#include <backplane/api/layer_type.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

SpaceToBatchDescriptor DescribeSpaceToBatch(std::uint32_t block, std::uint32_t pad_begin,
                                            std::uint32_t pad_end) {
  SpaceToBatchDescriptor descriptor;
  descriptor.spatial_rank = 1;
  descriptor.block[0] = block;
  descriptor.pads_begin[0] = pad_begin;
  descriptor.pads_end[0] = pad_end;
  return descriptor;
}

using Row = std::vector<float>;

TEST(SpaceToBatch, PutsThePlacesInABlockOutermost) {
  EXPECT_EQ(RunLayer(LayerType::kSpaceToBatch, DescribeSpaceToBatch(2, 0, 0),
                     {{{1, 1, 4}, {1, 2, 3, 4}}}, {2, 1, 2}),
            (Row{1, 3, 2, 4}));
  EXPECT_EQ(RunLayer(LayerType::kSpaceToBatch, DescribeSpaceToBatch(2, 0, 0),
                     {{{2, 1, 2}, {1, 2, 3, 4}}}, {4, 1, 1}),
            (Row{1, 3, 2, 4}));
}

TEST(SpaceToBatch, PadsWithZerosBeyondWholeBlocks) {
  EXPECT_EQ(RunLayer(LayerType::kSpaceToBatch, DescribeSpaceToBatch(3, 4, 3), {{{1, 1, 2}, {1, 2}}},
                     {3, 1, 3}),
            (Row{0, 0, 0, 0, 1, 0, 0, 2, 0}));
  EXPECT_EQ(RunLayer(LayerType::kSpaceToBatch, DescribeSpaceToBatch(2, 1, 1),
                     {FloatTensor({1, 1, 0})}, {2, 1, 1}),
            (Row{0, 0}));
}

TEST(SpaceToBatch, RefusesWhatDoesNotFit) {
  const TensorInfo info({1, 1, 3}, DataType::kFloat32);
  const TensorInfo output({2, 1, 1}, DataType::kFloat32);
  EXPECT_EQ(GetRefusal({LayerType::kSpaceToBatch, DescribeSpaceToBatch(2, 0, 0), {info}, output}),
            "input 0 with shape [1, 1, 3] does not give an output with shape [2, 1, 1] with the "
            "blocks and the padding or crops of the descriptor");
  EXPECT_EQ(GetRefusal({LayerType::kSpaceToBatch, DescribeSpaceToBatch(0, 0, 0), {info}, info}),
            "input 0 with shape [1, 1, 3] does not give an output with shape [1, 1, 3] with the "
            "blocks and the padding or crops of the descriptor");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
